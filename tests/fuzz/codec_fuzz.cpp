// Whatever a client sends, however it is cut and whatever the hub tells it meanwhile: a codec does
// not crash, reads the same as from one piece, keeps no more than an unfinished message and says
// nothing after an error. Built once for each protocol, GAMEHUB_FUZZ_PROTOCOL.
//
// An input is what the client sends, then a list of lengths of pieces, then a byte that says how
// long that list is and another that says how the connection goes about it: so that a transcript
// with two zero bytes behind it is a seed.
#include "gateways/protocol.hpp"
#include "hub/core/limits.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gamehub::tests {
namespace {

constexpr std::size_t lengths_max = 15;

const gateways::protocol_info& fuzzed_protocol() {
  for (const auto* each : gateways::protocols())
    if (each->name == GAMEHUB_FUZZ_PROTOCOL) return *each;
  std::abort();
}

std::unique_ptr<gateways::codec> new_codec() {
  static const auto& protocol = fuzzed_protocol();
  return protocol.make_codec(tictactoe_traits());
}

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "%s: does not keep this: %s\n", GAMEHUB_FUZZ_PROTOCOL, promise);
  std::abort();
}

std::uint8_t take_last(std::string_view& from) {
  if (from.empty()) return 0;
  const auto last = static_cast<std::uint8_t>(from.back());
  from.remove_suffix(1);
  return last;
}

void expect_bounds(const reading& of) {
  expect(!of.endless, "says no more than its bytes can mean");
  expect(!of.kept_too_much, "keeps no more than an unfinished message");
  expect(!of.spoke_on, "says nothing after an error or a goodbye");
}

// The same bytes with any events between the pieces: nothing to compare, but nothing may break.
void mix_with_events(std::string_view bytes, const reading_plan& plan, std::uint64_t seed) {
  const auto tested = new_codec();
  engines::rng with{seed};
  std::size_t from = 0;
  bool ended = false;
  for (std::size_t i = 0; i <= plan.cuts.size(); ++i) {
    const auto cut = i < plan.cuts.size() ? plan.cuts[i] : bytes.size();
    const std::string piece{bytes.substr(from, cut - from)};
    from = cut;
    tested->receive(piece);
    while (const auto what = tested->next()) {
      expect(!ended, "says nothing after an error or a goodbye");
      ended = is_last(*what);
    }
    tested->compact();
    expect(tested->kept_bytes() <= limits::line_bytes_max, "keeps no more than a message");
    std::string out;
    for (int sent = 0; sent < 4; ++sent) tested->send(any_event(with), out);
    if (i == plan.cuts.size())
      tested->farewell(static_cast<close_reason>(with.below(close_reason_count)), out);
  }
}

void check(std::string_view input) {
  const auto how = take_last(input);
  reading_plan plan;
  std::size_t at = 0;
  for (std::size_t left = take_last(input) % (lengths_max + 1); left > 0; --left)
    plan.cuts.push_back(at += take_last(input));
  while (!plan.cuts.empty() && plan.cuts.back() > input.size()) plan.cuts.pop_back();
  plan.at = static_cast<pace>(how % 3);
  plan.in_game = (how & 4) != 0;

  const auto uncut = read(*new_codec(), input, {{}, pace::all, plan.in_game});
  const auto cut = read(*new_codec(), input, plan);
  expect_bounds(uncut);
  expect_bounds(cut);
  expect(uncut.said == cut.said, "reads the same however its bytes are cut");
  expect(uncut.written == cut.written, "writes the same however its bytes are cut");
  mix_with_events(input, plan, how);
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gamehub::tests::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
