// Any bytes on a connection of a link. However they are cut they are read alike; what is kept stays
// within the bound; a frame that is read is written so that it reads the same; and whatever a peer
// sends, at either end, each message is delivered once and in order, and the window holds.
//
// The first byte says how the rest is cut, and at which end it arrives.
#include "hub/link/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

namespace link_of = gamehub::link;
using link_of::frame;

constexpr std::size_t bytes_max = 4'096;
const link_of::identity here{"one", {1}, "here"}, there{"one", {2}, "there"};

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "link_fuzz: does not keep this: %s\n", promise);
  std::abort();
}

// Reads the bytes in pieces of a length, 0: all at once. `take` gets each frame.
template <class Take>
std::optional<link_of::fault> read(std::string_view bytes, std::size_t piece, Take take) {
  link_of::reader in{bytes_max};
  std::optional<link_of::fault> wrong;
  while (!bytes.empty()) {
    const std::string part{bytes.substr(0, piece == 0 ? bytes.size() : piece)};
    bytes.remove_prefix(part.size());
    in.receive(part);
    while (const auto next = in.next()) {
      expect(!wrong, "nothing is read after a fault");
      if (const auto* f = std::get_if<link_of::fault>(&*next))
        wrong = *f;
      else
        take(std::get<frame>(*next));
    }
    expect(in.kept_bytes() <= bytes_max + 4, "what is kept has a bound");
  }
  return wrong;
}

// The frames as they are written again.
std::string rewritten(std::string_view bytes, std::size_t piece,
                      std::optional<link_of::fault>& wrong) {
  std::string out;
  wrong = read(bytes, piece, [&](const frame& what) { link_of::append(what, out); });
  return out;
}

void try_frames(std::string_view bytes, std::size_t piece) {
  std::optional<link_of::fault> whole_wrong, cut_wrong, again_wrong;
  const auto whole = rewritten(bytes, 0, whole_wrong);
  expect(rewritten(bytes, piece, cut_wrong) == whole && cut_wrong == whole_wrong,
         "cut bytes are read alike");
  // Numbers may be longer than they need be, so the frames written may be smaller, never larger.
  expect(whole.size() <= bytes.size() + 64, "a frame does not grow");
  expect(rewritten(whole, 0, again_wrong) == whole && !again_wrong, "a frame reads as it was");
}

// A peer that connects to this member.
void try_answerer(std::string_view bytes, std::size_t piece) {
  link_of::peer_state peer{there.self, bytes_max};
  std::optional<link_of::answerer> end;
  bool closed = false;
  std::uint64_t delivered = 0;
  read(bytes, piece, [&](const frame& what) {
    if (closed) return;
    if (!end) {
      const auto* h = std::get_if<link_of::hello>(&what);
      closed = h == nullptr || link_of::check(*h, here, h->from == peer.id ? &peer : nullptr);
      if (!closed) end.emplace(here, peer, *h, bytes_max);
      return;
    }
    const auto effect = end->on_frame(what);
    closed = std::holds_alternative<link_of::ending>(effect);
    if (const auto* m = std::get_if<link_of::message>(&effect))
      expect(m->number == ++delivered, "messages are delivered in order");
    if (const auto a = end->take_acknowledgement())
      expect(a->received == delivered, "what was delivered is acknowledged");
  });
}

// A peer that this member has connected to.
void try_caller(std::string_view bytes, std::size_t piece) {
  link_of::peer_state peer{there.self, bytes_max};
  link_of::caller end{here, peer};
  end.begin();
  std::uint64_t sent = 0;
  bool closed = false;
  read(bytes, piece, [&](const frame& what) {
    if (closed) return;
    closed = end.on_frame(what).has_value();
    while (peer.out.send(std::string(100, 'x'))) ++sent;
    std::string out;
    peer.out.write(out, 500);
    expect(peer.out.bytes() <= bytes_max, "the window holds");
    expect(peer.out.acknowledged() <= peer.out.written() && peer.out.written() <= sent,
           "only what was written is acknowledged");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::size_t piece = 1 + data[0] / 3;
  switch (data[0] % 3) {
    case 0: try_frames(bytes, piece); break;
    case 1: try_answerer(bytes, piece); break;
    default: try_caller(bytes, piece);
  }
  return 0;
}
