#include "hub/journal/journal.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <thread>

using namespace gamehub;
using namespace gamehub::journal;

namespace {

class deaf_listener final : public commit_listener {
 public:
  void committed(std::span<const commit>) override { ++told; }
  int told = 0;
};

record numbered(record_number n, record::kind what = record::kind::moved) {
  record r;
  r.number = n;
  r.what = what;
  r.action = static_cast<std::int64_t>(n) * 10;
  return r;
}

game_header header(std::uint64_t id) {
  game_header h;
  h.id = game_id{id};
  h.engine = "tictactoe";
  return h;
}

std::vector<std::uint64_t> open_ids(const journal::journal& log) {
  std::vector<std::uint64_t> ids;
  for (const auto& h : log.open_games()) ids.push_back(h.id.value);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

TEST_CASE("memory_journal: append commits at once and returns the number") {
  const auto log = make_memory_journal(16);
  deaf_listener listener;
  log->open(header(1));
  const std::array first{numbered(1, record::kind::opened), numbered(2)};
  CHECK(log->append(game_id{1}, first, listener) == 2);
  const std::array second{numbered(3)};
  CHECK(log->append(game_id{1}, second, listener) == 3);
  CHECK(listener.told == 0);
}

TEST_CASE("memory_journal: finds games whole, and those that ended by their ids") {
  const auto log = make_memory_journal(64);
  deaf_listener listener;
  for (const std::uint64_t id : {5u, 2u, 9u}) {
    log->open(header(id));
    const std::array records{numbered(1, record::kind::opened), numbered(2, record::kind::ended)};
    log->append(game_id{id}, records, listener);
  }
  log->open(header(7));
  CHECK_FALSE(log->find(game_id{7}).has_value());
  const std::array first{numbered(1, record::kind::opened)};
  log->append(game_id{7}, first, listener);
  REQUIRE(log->find(game_id{7}).has_value());
  CHECK(log->find(game_id{7})->header.engine == "tictactoe");
  CHECK(log->find(game_id{9})->records.size() == 2);
  CHECK_FALSE(log->find(game_id{1}).has_value());
  CHECK(log->ended_before(game_id{9}, 5) == std::vector<game_id>{{5}, {2}});
  CHECK(log->ended_before(game_id{100}, 2) == std::vector<game_id>{{9}, {5}});
}

TEST_CASE("memory_journal: reads what lies above a number, oldest first") {
  const auto log = make_memory_journal(16);
  deaf_listener listener;
  log->open(header(1));
  const std::array records{numbered(1, record::kind::opened), numbered(2), numbered(3)};
  log->append(game_id{1}, records, listener);
  const auto all = log->read(game_id{1}, 0);
  REQUIRE(all.size() == 3);
  CHECK(all.front().what == record::kind::opened);
  const auto rest = log->read(game_id{1}, 2);
  REQUIRE(rest.size() == 1);
  CHECK(rest.front().number == 3);
  CHECK(rest.front().action == 30);
  CHECK(log->read(game_id{1}, 3).empty());
  CHECK(log->read(game_id{1}, ~record_number{0}).empty());
  CHECK(log->read(game_id{2}, 0).empty());
}

TEST_CASE("memory_journal: refuses records out of order and after the end") {
  const auto log = make_memory_journal(16);
  deaf_listener listener;
  log->open(header(1));
  const std::array ahead{numbered(2)};
  CHECK_THROWS_AS(log->append(game_id{1}, ahead, listener), std::logic_error);
  const std::array first{numbered(1), numbered(2, record::kind::ended)};
  CHECK(log->append(game_id{1}, first, listener) == 2);
  CHECK_THROWS_AS(log->append(game_id{1}, first, listener), std::logic_error);
  const std::array late{numbered(3)};
  CHECK_THROWS_AS(log->append(game_id{1}, late, listener), std::logic_error);
  CHECK(log->read(game_id{1}, 0).size() == 2);
}

TEST_CASE("memory_journal: a game is open from its header to its end") {
  const auto log = make_memory_journal(64);
  deaf_listener listener;
  for (const auto id : {1u, 2u, 17u}) log->open(header(id));
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{1, 2, 17});
  const std::array end{numbered(1, record::kind::ended)};
  log->append(game_id{17}, end, listener);
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{1, 2});
  CHECK(log->read(game_id{17}, 0).size() == 1);
}

TEST_CASE(
    "memory_journal: forgets ended games beyond its bound, the oldest first, and no open one") {
  constexpr std::size_t kept = 32;
  const auto log = make_memory_journal(kept);
  deaf_listener listener;
  const std::array end{numbered(1, record::kind::ended)};
  constexpr std::uint64_t games = 200;
  log->open(header(1'000));
  for (std::uint64_t id = 1; id <= games; ++id) {
    log->open(header(id));
    log->append(game_id{id}, end, listener);
  }
  std::size_t found = 0;
  for (std::uint64_t id = 1; id <= games; ++id) found += log->read(game_id{id}, 0).size();
  CHECK(found == kept);
  CHECK(log->read(game_id{1}, 0).empty());
  CHECK(log->read(game_id{games}, 0).size() == 1);
  CHECK(open_ids(*log) == std::vector<std::uint64_t>{1'000});
  // A log in the memory of a forgotten one has nothing of it.
  for (const std::uint64_t id : {2'001u, 2'002u, 2'003u}) {
    log->open(header(id));
    const std::array begin{numbered(1, record::kind::opened), numbered(2)};
    CHECK(log->append(game_id{id}, begin, listener) == 2);
    const auto found = log->find(game_id{id});
    REQUIRE(found.has_value());
    CHECK(found->header.id == game_id{id});
    CHECK(found->header.engine == "tictactoe");
    CHECK(found->records.size() == 2);
  }
}

TEST_CASE("memory_journal: loops on many threads append, each to its own games") {
  const auto log = make_memory_journal(100'000);
  constexpr std::uint64_t threads = 4, games = 100, moves = 20;
  std::vector<std::thread> loops;
  for (std::uint64_t t = 0; t < threads; ++t)
    loops.emplace_back([&log, t] {
      deaf_listener listener;
      for (std::uint64_t g = 0; g < games; ++g) {
        const auto id = t * games + g + 1;
        log->open(header(id));
        for (std::uint64_t n = 1; n <= moves; ++n) {
          const std::array one{numbered(n, n == moves ? record::kind::ended : record::kind::moved)};
          log->append(game_id{id}, one, listener);
        }
      }
    });
  for (auto& l : loops) l.join();
  for (std::uint64_t id = 1; id <= threads * games; ++id)
    REQUIRE(log->read(game_id{id}, 0).size() == moves);
  CHECK(log->open_games().empty());
}
