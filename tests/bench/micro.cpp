// Micro-benchmarks of what a move passes through: the codecs, the table, and a hop from one actor's
// mailbox to another's on the manual loop, on one loop of the program and between two of them. And
// of what the lobby does for one player while many others wait.
//
//   micro [--milliseconds N]     time for each of 5 runs of a case, default 200; prints medians
#include "actors/lobby/matchmaker.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/loop_asio.hpp"
#include "actors/runtime/loop_manual.hpp"
#include "actors/system/runtime.hpp"
#include "actors/table/engine_directory.hpp"
#include "actors/table/table.hpp"
#include "engines/host/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/plugins/engine_traits.hpp"
#include "tests/bench/border.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::tests::bench {
namespace {

using std::chrono::steady_clock;

constexpr int runs = 5;
std::chrono::milliseconds run_time{200};

void require(bool held, const char* what) {
  if (!held) throw std::logic_error{what};
}

// Median nanoseconds of one thing, of which each call of `work` does `each`.
void measure(const std::string& name, int each, const std::function<void()>& work) {
  std::vector<double> found;
  for (int run = 0; run < runs; ++run) {
    std::int64_t calls = 0;
    const auto start = steady_clock::now();
    auto now = start;
    do {
      work();
      ++calls;
      now = steady_clock::now();
    } while (now - start < run_time);
    const std::chrono::duration<double, std::nano> took = now - start;
    found.push_back(took.count() / static_cast<double>(calls * each));
  }
  std::nth_element(found.begin(), found.begin() + runs / 2, found.end());
  std::cout << "| " << name << " | " << std::fixed << std::setprecision(1) << found[runs / 2]
            << " |" << std::endl;
}

const gateways::protocol_info& protocol_named(std::string_view name) {
  for (const auto* p : gateways::protocols())
    if (p->name == name) return *p;
  throw std::logic_error{"a protocol is missing"};
}

engines::host::engine tictactoe() { return *engines::host::registry::built_in().find("tictactoe"); }

position_ref position_of(const char* cells, const char* document) {
  position p;
  p.number = 3;
  p.by = 0;
  p.to_move = p.prompted = only(1);
  p.rows = p.columns = 3;
  p.cells = cells;
  p.document = document;
  return std::make_shared<const position>(std::move(p));
}

// A codec of a player at seat 1 of game 7, and what it hears before its turn comes.
struct player {
  explicit player(const char* wire) {
    const auto& p = protocol_named(wire);
    static const auto of_port = plugins::traits_of(tictactoe());
    static const engine_traits none;
    codec = p.make_codec(p.engine_per_port ? of_port : none);
    started begins{"tictactoe", "XO", {"ann", "bob"}, 1};
    codec->send({{}, game_id{7}, placed{"tictactoe", "XO", 1}}, out);
    codec->send({{}, game_id{7}, begins}, out);
    codec->send({{}, game_id{7}, shown}, out);
    out.clear();
  }

  std::unique_ptr<gateways::codec> codec;
  std::string out;
  position_ref shown = position_of(
      "----X----",
      R"({"type":"state","board":[[null,null,null],[null,"X",null],[null,null,null]],"winner":null})");
};

void measure_codec(const char* wire, const std::string& move) {
  player p{wire};
  measure(std::string{wire} + ": a move read", 1, [&] {
    p.codec->receive(move);
    const auto said = p.codec->next();
    const auto* asked = said ? std::get_if<intent>(&*said) : nullptr;
    require(asked != nullptr && std::holds_alternative<play>(*asked), "a move was not read");
    require(!p.codec->next(), "there is more than a move");
    p.codec->compact();
  });
  const event told{{}, game_id{7}, p.shown};
  measure(std::string{wire} + ": a position written", 1, [&] {
    p.out.clear();
    p.codec->send(told, p.out);
    require(!p.out.empty(), "a position was not written");
  });
}

void measure_table(const char* name, view_form form) {
  const auto rules = tictactoe();
  base::seeded_entropy luck{1};
  const std::vector<actors::table::table_seat> seats{{player_id{1}, "ann", form},
                                                     {player_id{2}, "bob", form}};
  const std::vector<actors::table::join> arrivals(seats.size());
  actors::table::transition d;
  constexpr int moves = 7;
  measure(name, moves, [&] {
    d.clear();
    actors::table::table t{game_id{1}, rules, std::get<engines::host::match>(rules.create({})),
                           seats};
    t.open(arrivals, luck, d);
    int seat = 0;
    for (const auto cell : {0, 3, 1, 4, 8, 6, 2}) {
      d.clear();
      receipt r;
      r.ticket = 1;
      const move cell_move{move::form::cell, cell, {}};
      t.play(seat, r, cell_move, luck, d);
      seat = 1 - seat;
    }
    require(t.over(), "seven moves did not end the game");
  });
}

// One player comes, can't meet any of those who wait, and goes.
void measure_matchmaker(std::uint64_t waiting) {
  using actors::lobby::open_seek;
  actors::lobby::matchmaker m{{2}};
  base::instant now{std::chrono::hours{1}};
  const auto seek_of = [](std::uint64_t who) {
    open_seek o{{who}, {{0, {}}}};
    o.name = "p" + std::to_string(who);
    o.opponent = "absent" + std::to_string(who);
    return o;
  };
  for (std::uint64_t who = 1; who <= waiting; ++who) m.place(seek_of(who), now);
  const auto last = seek_of(waiting + 1);
  measure("matchmaker: a seek and its withdrawal, " + std::to_string(waiting) + " wait", 1, [&] {
    now += std::chrono::microseconds{100};
    std::vector<actors::lobby::pairing> tables;
    m.advance(now, tables);
    const auto placed = m.place(last, now);
    require(std::holds_alternative<actors::lobby::placement>(placed) && tables.empty(),
            "a seek was refused, or players met");
    m.withdraw(last.player);
  });
}

using hopper_actor = caf::typed_actor<caf::result<void>(std::uint64_t)>;

// Sends what it gets to the other one, less one, until nothing is left.
class hopper : public actors::runtime::typed_loop_actor<hopper_actor> {
 public:
  hopper(caf::actor_config& config, std::function<void()> at_zero)
      : typed_loop_actor(config), at_zero_(std::move(at_zero)) {}

  const char* name() const override { return "hopper"; }

  // Requires: on its loop, or before that runs.
  void play_with(hopper_actor other) { other_ = std::move(other); }

 protected:
  bool receive(caf::message& what) override {
    return dispatch(what, std::tuple{[this](const std::uint64_t& left) {
                      if (left == 0) return at_zero_();
                      send(other_, left - 1);
                    }});
  }
  void on_exit() override { other_ = nullptr; }

 private:
  std::function<void()> at_zero_;
  hopper_actor other_;
};

struct hoppers {
  hoppers(actors::runtime::loop& a, actors::runtime::loop& b, const std::function<void()>& at_zero)
      : one(actors::runtime::spawn_on<hopper>(a, at_zero)),
        other(actors::runtime::spawn_on<hopper>(b, at_zero)) {
    const auto join = [](const hopper_actor& from, const hopper_actor& to) {
      static_cast<hopper*>(caf::actor_cast<caf::abstract_actor*>(from))->play_with(to);
    };
    join(one, other);
    join(other, one);
  }
  void end() {
    for (auto* each : {&one, &other}) {
      caf::anon_send_exit(*each, caf::exit_reason::user_shutdown);
      *each = nullptr;
    }
  }

  hopper_actor one, other;
};

constexpr std::uint64_t hops = 1'000;

class loops {
 public:
  loops()
      : journal_(journal::make_memory_journal(1)), runtime_(catalog_, *journal_, {}, [] {
          return std::make_unique<base::seeded_entropy>(1);
        }) {}

  void measure_manual() {
    metrics::cells cells{0, 0};
    actors::runtime::loop_manual loop{runtime_.system(), 0, cells};
    bool done = false;
    hoppers pair{loop, loop, [&] { done = true; }};
    measure("a hop, manual loop", hops, [&] {
      done = false;
      caf::anon_send(pair.one, hops);
      while (loop.step()) {
      }
      require(done, "a message was lost");
    });
    pair.end();
    while (loop.step()) {
    }
  }

  void measure_real(const char* name, std::size_t count) {
    metrics::cells cells[2]{{0, 0}, {0, 0}};
    std::vector<std::unique_ptr<actors::runtime::loop_asio>> all;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(std::make_unique<actors::runtime::loop_asio>(runtime_.system(),
                                                                 static_cast<int>(i), cells[i]));
    std::binary_semaphore done{0};
    hoppers pair{*all.front(), *all.back(), [&] { done.release(); }};
    for (auto& l : all) threads.emplace_back([&l] { l->run(); });
    measure(name, hops, [&] {
      caf::anon_send(pair.one, hops);
      done.acquire();
    });
    pair.end();
    for (auto& l : all) l->stop();
    for (auto& t : threads) t.join();
  }

 private:
  actors::table::engine_directory catalog_;
  std::unique_ptr<journal::journal> journal_;
  actors::system::runtime runtime_;
};

int main_of(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--milliseconds") == 0) {
    run_time = std::chrono::milliseconds{std::stoi(argv[2])};
  } else if (argc != 1) {
    std::cerr << "micro: say micro, or micro --milliseconds N.\n";
    return 2;
  }
  std::cout << "| what | ns |\n|---|---|\n";
  measure_codec("opcodes", std::string{"\0\2\0", 3});
  measure_codec(
      "turns",
      R"({"type":"message","game_id":0,"payload":"{\"type\":\"move\",\"row\":0,\"column\":0}"})"
      "\n");
  measure_table("table: a move, shown as cells", view_form::cells);
  measure_table("table: a move, shown as documents", view_form::document);
  for (const std::uint64_t waiting : {10u, 1'000u, 10'000u}) measure_matchmaker(waiting);
  loops l;
  l.measure_manual();
  l.measure_real("a hop, one loop", 1);
  l.measure_real("a hop, two loops", 2);
  std::cout << '\n' << border_table(run_time, runs);
  return 0;
}

}  // namespace
}  // namespace gamehub::tests::bench

int main(int argc, char** argv) {
  try {
    return gamehub::tests::bench::main_of(argc, argv);
  } catch (const std::exception& fault) {
    std::cerr << "micro: " << fault.what() << '\n';
    return 1;
  }
}
