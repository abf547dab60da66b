#include "hub/link/codec.hpp"

#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::link;

namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

std::string bytes_of(const frame& what) {
  std::string out;
  append(what, out);
  return out;
}

// A frame from its kind and fields.
std::string raw(std::uint8_t kind, std::string_view body) {
  const auto length = body.size() + 1;
  std::string out;
  for (const auto shift : {24, 16, 8, 0}) out += static_cast<char>(length >> shift);
  out += static_cast<char>(kind);
  return out += body;
}

std::string field(std::uint8_t tag, std::string_view value) {
  std::string out{static_cast<char>(tag)};
  for (auto n = value.size();; n >>= 7) {
    out += static_cast<char>((n & 0x7f) | (n >= 0x80 ? 0x80 : 0));
    if (n < 0x80) break;
  }
  return out += value;
}

// What a connection read: frames as their bytes, so that they outlive the reader, and the fault.
struct result {
  std::vector<std::string> frames;
  std::optional<fault> wrong;
  bool spoke_on = false;
  std::size_t kept_most = 0;

  friend bool operator==(const result& a, const result& b) {
    return a.frames == b.frames && a.wrong == b.wrong;
  }
};

result read(std::string_view bytes, const std::vector<std::size_t>& cuts,
            std::size_t bytes_max = frame_bytes_max) {
  result r;
  reader in{bytes_max};
  std::size_t from = 0;
  const auto give = [&](std::size_t to) {
    // A copy of just this size: a view of more than the piece is found by a sanitizer.
    const std::string piece{bytes.substr(from, to - from)};
    from = to;
    in.receive(piece);
    while (const auto next = in.next()) {
      if (r.wrong) r.spoke_on = true;
      if (const auto* what = std::get_if<frame>(&*next))
        r.frames.push_back(bytes_of(*what));
      else
        r.wrong = std::get<fault>(*next);
    }
    r.kept_most = std::max(r.kept_most, in.kept_bytes());
  };
  for (const auto cut : cuts) give(cut);
  give(bytes.size());
  return r;
}

fault fault_of(std::string_view bytes) {
  const auto r = read(bytes, {});
  REQUIRE(r.wrong);
  CHECK(r.frames.empty());
  return *r.wrong;
}

hello any_hello() {
  hello h;
  h.cluster = "c0ffee";
  h.from = {7};
  h.to = {9};
  h.attempt = 3;
  h.sent = 500;
  h.acknowledged = 20;
  h.received = most;
  h.build = "1.2.3";
  return h;
}

std::vector<frame> one_of_each(std::string_view bytes) {
  hello_answer a;
  a.from = {9};
  a.received = 300;
  a.window = 4u << 20;
  a.build = "x";
  return {
      any_hello(),         a,     refused{refusal::numbers}, message{most, bytes}, message{1, ""},
      acknowledge{127, 0}, ping{}};
}

}  // namespace

TEST_CASE("link codec: every frame is read as it was written") {
  const std::string bytes(300, 'm');
  for (const auto& each : one_of_each(bytes)) {
    reader in{frame_bytes_max};
    const auto wire = bytes_of(each);
    in.receive(wire);
    const auto next = in.next();
    REQUIRE(next);
    REQUIRE(std::holds_alternative<frame>(*next));
    CHECK(std::get<frame>(*next) == each);
    CHECK_FALSE(in.next());
    CHECK(in.kept_bytes() == 0);
  }
}

TEST_CASE("link codec: the bytes are those of the document") {
  CHECK(bytes_of(ping{}) == std::string("\0\0\0\1\6", 5));
  CHECK(bytes_of(acknowledge{300, 1}) == std::string("\0\0\0\10\5\1\2\xac\2\2\1\1", 12));
  CHECK(bytes_of(message{1, "ab"}) == std::string("\0\0\0\10\4\1\1\1\2\2ab", 12));
  CHECK(bytes_of(refused{refusal::crowded}) == std::string("\0\0\0\4\3\1\1\11", 8));
}

TEST_CASE("link codec: every way to cut the bytes gives the same frames") {
  std::string wire;
  for (const auto& each : one_of_each("some bytes")) append(each, wire);
  for (const auto& end : {std::string{}, raw(0x85, "newer") + raw(9, "")}) {
    const auto bytes = wire + end;
    const auto whole = read(bytes, {});
    CHECK(whole.frames.size() == 7);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) REQUIRE(read(bytes, {cut}) == whole);
    std::vector<std::size_t> all;
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) all.push_back(cut);
    CHECK(read(bytes, all) == whole);
  }
}

TEST_CASE("link codec: what is wrong is a fault, after which nothing is read") {
  CHECK(fault_of(std::string(4, '\0')) == fault::empty);
  CHECK(fault_of("GET / HTTP/1.1\r\n\r\n") == fault::too_long);
  CHECK(fault_of(raw(7, "")) == fault::kind);
  CHECK(fault_of(raw(0, "")) == fault::kind);
  CHECK(fault_of(raw(5, field(1, "\1"))) == fault::missing);
  CHECK(fault_of(raw(5, field(1, "\1") + field(1, "\1") + field(2, "\1"))) == fault::repeated);
  CHECK(fault_of(raw(5, field(1, "") + field(2, "\1"))) == fault::field);
  CHECK(fault_of(raw(5, field(1, "\1\1") + field(2, "\1"))) == fault::field);
  CHECK(fault_of(raw(5, field(1, std::string(9, '\xff') + "\2") + field(2, "\1"))) == fault::field);
  CHECK(fault_of(raw(5, "\1\2\1")) == fault::field);
  CHECK(fault_of(raw(5, "\1")) == fault::field);
  std::string many;
  for (int i = 0; i <= fields_max; ++i) many += field(200, "");
  CHECK(fault_of(raw(6, many)) == fault::fields);
  auto h = bytes_of(any_hello());
  h[h.find("c0ffee")] = '\n';
  CHECK(fault_of(h) == fault::field);

  const auto r = read(bytes_of(ping{}) + raw(7, "") + bytes_of(ping{}), {2, 9, 11});
  CHECK(r.frames.size() == 1);
  CHECK(r.wrong == fault::kind);
  CHECK_FALSE(r.spoke_on);
}

TEST_CASE("link codec: what newer versions add is skipped where it may be") {
  const auto r = read(raw(0x80 | 77, "whatever it is") +
                          raw(5, field(99, "new") + field(1, "\5") + field(2, "\6")) +
                          raw(3, field(1, "\x7f")),
                      {});
  REQUIRE(r.frames.size() == 2);
  CHECK(r.frames[0] == bytes_of(acknowledge{5, 6}));
  CHECK(r.frames[1] == bytes_of(refused{}));
  CHECK_FALSE(r.wrong);
}

TEST_CASE("link codec: nothing longer than the bound is kept") {
  const std::string longest(message_bytes_max, 'x');
  const auto wire = bytes_of(message{most, longest});
  CHECK(wire.size() <= frame_bytes_max);
  CHECK(read(wire, {1, 100'000}).frames.size() == 1);
  CHECK(fault_of(raw(4, field(1, "\1") + field(2, longest + "x"))) == fault::field);

  // Before the hello.
  const std::string start("\0\0\4\1", 4);
  const auto r = read(start + std::string(1'100, 'x'), {4, 5, 900}, first_frame_bytes_max);
  CHECK(r.wrong == fault::too_long);
  CHECK(r.kept_most < 4);
  const std::string fits("\0\0\4\0", 4);
  CHECK(read(fits + std::string(1'000, 'x'), {900}, first_frame_bytes_max).kept_most == 1'004);
  auto h = any_hello();
  h.cluster = h.build = std::string(text_bytes_max, 'c');
  h.from = h.to = {most};
  h.least = h.greatest = std::numeric_limits<std::uint32_t>::max();
  h.attempt = h.sent = h.acknowledged = most;
  CHECK(read(bytes_of(h), {}, first_frame_bytes_max).frames.size() == 1);
}

TEST_CASE("link codec: a greater bound counts from the next frame") {
  reader in;
  const auto wire = bytes_of(any_hello()) + bytes_of(message{1, std::string(5'000, 'x')});
  in.receive(wire);
  CHECK(in.next());
  in.allow(frame_bytes_max);
  const auto next = in.next();
  REQUIRE(next);
  CHECK(std::holds_alternative<frame>(*next));
}

TEST_CASE("link codec: garbage is read alike however it is cut, and within the bound") {
  const char* const given = std::getenv("GAMEHUB_SEED");
  const auto first = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  std::string valid;
  for (const auto& each : one_of_each("some bytes")) append(each, valid);
  for (auto seed = first; seed < first + (given == nullptr ? 3'000 : 1); ++seed) {
    INFO("GAMEHUB_SEED=" << seed);
    base::seeded_entropy random{seed};
    auto bytes = valid;
    for (auto changes = random.below(8); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.below(bytes.size()));
      switch (random.below(3)) {
        case 0: bytes[at] = static_cast<char>(random.next()); break;
        case 1: bytes.erase(at, static_cast<std::size_t>(random.below(9))); break;
        default: bytes.insert(at, 1, static_cast<char>(random.next()));
      }
      if (bytes.empty()) break;
    }
    std::vector<std::size_t> cuts;
    for (std::size_t at = 0; at < bytes.size(); ++at)
      if (random.below(4) == 0) cuts.push_back(at);
    const auto cut = read(bytes, cuts, first_frame_bytes_max);
    REQUIRE(cut == read(bytes, {}, first_frame_bytes_max));
    REQUIRE_FALSE(cut.spoke_on);
    REQUIRE(cut.kept_most <= first_frame_bytes_max + 4);
  }
}
