#include "tests/support/udp_world.hpp"

#include "engines/host/registry.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::tests {
namespace {

enum direction : std::uint64_t { to_hub, to_client };

// Longer than any game of these takes, status kept for a client that was away included.
constexpr auto patience = std::chrono::hours{2};
constexpr int steps_max = 200'000;

const engines::host::engine& tictactoe() {
  static const auto all = engines::host::registry::built_in();
  static const auto engine = *all.find("tictactoe");
  return engine;
}

gateways::udp::endpoint address() {
  gateways::udp::endpoint e;
  e.address[10] = e.address[11] = 0xFF;
  e.address[12] = 10;
  e.port = 4'000;
  return e;
}

gateways::udp::peers_setup setup_for(const udp_evening& evening, std::uint64_t seed) {
  gateways::udp::peers_setup s;
  s.engine = "tictactoe";
  s.settings.against_players = evening.against_players;
  if (evening.proves_at_once) s.settings.proof = 0;
  s.key = {seed, ~seed};
  return s;
}

}  // namespace

udp_world::udp_world(const udp_evening& evening, std::uint64_t seed)
    : client_(evening.habits, seed * 4 + 1, start),
      referee_(tictactoe(), evening.opponent, seed * 4 + 2),
      relay_(evening.faults, seed * 4 + 3),
      peers_(setup_for(evening, seed)) {}

std::string udp_world::play() {
  for (int steps = 0; !client_.gone() || peers_.sessions() > 0 || next() != base::instant::max();
       ++steps) {
    if (next() == base::instant::max() || next() - start > patience || steps > steps_max)
      return "does not come to an end: the client " +
             std::string{client_.gone() ? "is gone" : "waits"};
    now_ = std::max(now_, next());
    step();
  }
  return verdict();
}

base::instant udp_world::next() const {
  return std::min({client_.next(), referee_.next(), relay_.next(), peers_.next()});
}

void udp_world::step() {
  say(client_.advance(now_));
  while (const auto what = referee_.give(now_)) {
    if (seated_) peers_.deliver(*seated_, *what, now_, out_);
    carry_out();
  }
  while (const auto what = relay_.pop(now_)) {
    if (what->route == to_client) {
      say(client_.receive(what->bytes[0], now_));
    } else {
      peers_.receive(address(), what->bytes, now_, out_);
      carry_out();
    }
  }
  peers_.advance(now_, out_);
  carry_out();
}

void udp_world::say(const std::string& bytes) {
  if (!bytes.empty()) relay_.push({to_hub, bytes}, now_);
}

void udp_world::carry_out() {
  while (!out_.datagrams.empty() || !out_.commands.empty()) carry_out(std::exchange(out_, {}));
}

void udp_world::carry_out(const gateways::udp::peers_output& said) {
  using gateways::udp::peer_command;
  for (const auto& each : said.datagrams) relay_.push({to_client, std::string(1, each.byte)}, now_);
  for (const auto& each : said.commands) {
    const bool begins =
        each.what == peer_command::kind::submit && std::holds_alternative<seek>(each.intent);
    // Old bytes can begin one more when the client is done: no opponent is left for it.
    if (begins && client_.result() != '\0') {
      peers_.closed(each.from, now_, out_);
      continue;
    }
    if (begins) seat(each.from);
    if (seated_ != each.from) continue;
    if (each.what == peer_command::kind::submit)
      referee_.take(each.intent, each.ticket, now_);
    else
      referee_.take(leave{}, 1, now_);
  }
}

// The game may have ended before the client heard that it had begun: then it plays another, against
// someone who stays.
void udp_world::seat(gateways::udp::peer_id who) {
  if (seated_) referee_ = udp_referee{tictactoe(), {}, 1};
  seated_ = who;
}

std::string udp_world::verdict() const {
  const std::string heard(1, client_.result());
  if (!referee_.sought()) return client_.result() == 'S' ? "" : "heard " + heard + " of no game";
  if (!referee_.over()) return "the game has no end, and the client heard " + heard;
  if (client_.result() != referee_.result())
    return "the client heard " + heard + ", and it was " + std::string(1, referee_.result());
  if (referee_.by_rules() && client_.board() != referee_.board())
    return "the client has " + client_.board() + ", and the hub " + referee_.board();
  return {};
}

}  // namespace gamehub::tests
