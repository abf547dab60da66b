// The hub behind the sessions of a UDP socket: TicTacToe against its engine, which plays perfectly
// and answers at once, with simulated time. For tests of gateways/udp; one thread.
#pragma once

#include "engines/host/registry.hpp"
#include "gateways/udp/peer_table.hpp"
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::tests {

class engine_hub {
 public:
  explicit engine_hub(gateways::udp::peers_setup s = {}) : peers((s.key = {1, 2}, std::move(s))) {}

  gateways::udp::peer_table peers;
  base::instant now{std::chrono::hours{1}};
  std::uint64_t received = 0;

  // Sends each byte as one datagram; returns the answers.
  std::string send(const base::endpoint& from, std::string_view bytes) {
    std::string all;
    for (const char byte : bytes) {
      ++received;
      peers.receive(from, {&byte, 1}, now, out_);
      all += settle();
    }
    return all;
  }
  std::string pass(base::duration time) {
    std::string all;
    const auto until = now + time;
    while (peers.next() <= until) {
      now = std::max(now, peers.next());
      peers.advance(now, out_);
      all += settle();
    }
    now = until;
    return all;
  }
  std::size_t games() const { return games_.size(); }

 private:
  struct game {
    engines::host::match match;
    int client = 0;
    std::string cells = "---------";
  };

  std::string settle() {
    std::string all;
    while (!out_.datagrams.empty() || !out_.commands.empty()) {
      auto done = std::exchange(out_, {});
      for (const auto& each : done.datagrams) all += each.byte;
      for (const auto& each : done.commands) carry_out(each);
    }
    return all;
  }

  void carry_out(const gateways::peer_command& what) {
    const std::pair id{what.from.slot, what.from.generation};
    if (what.what == gateways::peer_command::kind::release) {
      games_.erase(id);
    } else if (const auto* wish = std::get_if<seek>(&what.intent)) {
      auto& g = games_
                    .emplace(id, game{std::get<engines::host::match>(engine_.create({})),
                                      static_cast<int>(*wish->seat)})
                    .first->second;
      started begin;
      begin.seat = static_cast<seat_index>(g.client);
      deliver(what.from, begin);
      show(what.from, g, std::nullopt);
      answer(what.from, g);
    } else if (const auto* move = std::get_if<play>(&what.intent)) {
      auto& g = games_.at(id);
      REQUIRE(mark(g, g.client, move->move.cell));
      show(what.from, g, g.client);
      answer(what.from, g);
    }
  }

  void answer(gateways::peer_id to, game& g) {
    const int own = 1 - g.client;
    if (g.match.over() || !holds(g.match.to_move(), own)) return;
    engines::play_style style;
    style.seed = dice_.next();
    mark(g, own, *g.match.choose(own, style));
    show(to, g, own);
  }

  bool mark(game& g, int seat, engines::action cell) {
    g.cells[static_cast<std::size_t>(cell)] = seat == 0 ? 'X' : 'O';
    return g.match.apply(seat, cell) == nullptr;
  }

  void show(gateways::peer_id to, const game& g, std::optional<int> by) {
    position p;
    p.cells = g.cells;
    if (by) p.by = static_cast<seat_index>(*by);
    p.to_move = g.match.over() ? 0 : g.match.to_move();
    if (g.match.over()) {
      double scores[2] = {0, 0};
      g.match.scores(scores);
      p.outcome = outcome{end_reason::rules, std::nullopt, {}};
      if (scores[0] != scores[1]) p.outcome->winner = scores[0] > scores[1] ? 0 : 1;
    }
    deliver(to, std::make_shared<const position>(std::move(p)));
  }

  void deliver(gateways::peer_id to, decltype(event::what) what) {
    event e;
    e.what = std::move(what);
    peers.deliver(to, e, now, out_);
  }

  engines::host::engine engine_ = *engines::host::registry::built_in().find("tictactoe");
  base::seeded_entropy dice_{7};
  gateways::peers_output out_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, game> games_;
};

}  // namespace gamehub::tests
