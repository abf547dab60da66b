// Any bytes as a message between the hub of a player and the hub of its game. It is refused, or it
// is a value that is written and read again alike, and a front takes it without harm.
#include "hub/far/codec.hpp"
#include "hub/far/front_seat.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace {

namespace far_of = gamehub::far;
constexpr gamehub::base::instant now{std::chrono::hours{1'000}};

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "far_fuzz: does not keep this: %s\n", promise);
  std::abort();
}

// A seat with an intent under way gets the message.
void try_front(const far_of::message& m) {
  far_of::front_seat seat{far_of::seated{far_of::place_of(m), {1}, "x", "1"}, {2}};
  far_of::front_seat::output out;
  seat.on_request({{3}, {}, {}, 1}, gamehub::play{}, out);
  seat.on_told({{}, far_of::place_of(m).game, std::make_shared<gamehub::position>()}, out);
  expect(out.send.size() == 1, "an intent is sent once its game is shown");
  if (const auto* t = std::get_if<far_of::told>(&m)) seat.on_told(t->what, out);
  if (std::holds_alternative<far_of::gap>(m)) seat.on_gap(out);
  seat.on_host_lost();
  seat.take_at({4}, out);
  if (const auto* t = std::get_if<far_of::taken>(&m)) seat.on_taken(*t, out);
  seat.abandon(gamehub::refusal::not_in_game, out);
  int answers = 0;
  for (const auto& e : out.deliver)
    if (e.answers.ticket != 0) ++answers;
  expect(answers == 1, "each intent has one answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto found = far_of::decode(bytes, now);
  if (!found || std::holds_alternative<far_of::fault>(*found)) return 0;
  const auto& m = std::get<far_of::message>(*found);
  const auto again = far_of::encode(m, now);
  expect(again.has_value(), "what was read can be written");
  const auto twice = far_of::decode(*again, now);
  expect(twice && std::holds_alternative<far_of::message>(*twice), "what was written is read");
  expect(far_of::encode(std::get<far_of::message>(*twice), now) == again, "it reads as it was");
  try_front(m);
  return 0;
}
