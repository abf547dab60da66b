#include "tools/bench/udp_load.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace gamehub::tools::bench {
namespace {

// A hub of a few lines without a network: it takes the first free cell.
class small_hub final : public udp_sockets {
 public:
  // Its faults: loses the first of two equal datagrams; sends S for D and C.
  struct habits {
    bool loses = false;
    bool lies = false;
  };
  explicit small_hub(habits h) : habits_(h) {}

  void send(udp_byte what) override {
    if (++in_flight_ > most_in_flight_) most_in_flight_ = in_flight_;
    auto& g = games_[what.player];
    if (habits_.loses && std::exchange(g.lost, what.byte) != what.byte) return;
    g.lost = 0;
    if (const auto say = answer(g, what.byte); say != 0) next_.push_back({what.player, say});
    most_marks_ = std::max(most_marks_, g.board.moves());
  }
  void flush() override {}
  std::size_t descriptors() const override { return 0; }
  std::span<const udp_byte> receive(std::chrono::milliseconds) override {
    came_ = std::exchange(next_, {});
    in_flight_ = 0;
    return came_;
  }
  std::size_t most_in_flight() const { return most_in_flight_; }
  // The most marks that a board has had.
  int most_marks() const { return most_marks_; }

 private:
  struct game {
    tools::bench::board board;
    char expects = 0;  // a byte, or m for a move
    char mine = 0;
    char lost = 0;
  };

  char answer(game& g, char in) {
    const auto say = [&](char out, char expects) { return g.expects = expects, out; };
    if (in == 'Q') return say('S', 'S');
    if (in == 'A' || in == 'B') {
      g = game{};
      return say(in, in == 'A' ? 'm' : 'E');
    }
    if (g.expects == 'm') {
      g.mine = in;
      return say(in, 'E');
    }
    if (in != g.expects) return 0;
    if (in == 'S' || in == 'D' || in == 'C') return say('Q', 0);
    if (g.mine != 0) g.board = g.board.with(std::exchange(g.mine, '\0') - '0');
    if (in != 'E') {
      g.board = g.board.with(in - '0');
      if (ending_of(g.board) == ending::none) return say('E', 'm');
      const auto end = ending_of(g.board) == ending::draw ? 'D' : 'S';
      return say(end, end);
    }
    if (ending_of(g.board) != ending::none) {
      auto end = ending_of(g.board) == ending::draw ? 'D' : 'C';
      if (habits_.lies) end = 'S';
      return say(end, end);
    }
    int cell = 0;
    while (!g.board.is_free(cell)) ++cell;
    return say(static_cast<char>('0' + cell), static_cast<char>('0' + cell));
  }

  habits habits_;
  std::map<std::uint32_t, game> games_;
  std::vector<udp_byte> next_, came_;
  std::size_t in_flight_ = 0, most_in_flight_ = 0;
  int most_marks_ = 0;
};

bool never() { return false; }

template <class Done>
void play_until(udp_load& load, Done done) {
  load.play(clock::now() + std::chrono::seconds{60}, done);
  REQUIRE(done());
}

// Until this number of games has ended.
void play_games(udp_load& load, std::uint64_t games) {
  load.play(clock::now() + std::chrono::seconds{60},
            [&] { return load.counts().games() >= games; });
  CHECK(load.counts().games() >= games);
}

TEST_CASE("udp load: plays many games at once, and few bytes are unanswered") {
  auto hub = std::make_unique<small_hub>(small_hub::habits{});
  auto& at = *hub;
  udp_load load{std::move(hub), {.games = 5'000}};
  REQUIRE(load.open(never));
  play_games(load, 20'000);
  CHECK(load.faults().count() == 0);
  CHECK(at.most_in_flight() <= 256);
  CHECK(load.counts().moves >= 5 * load.counts().games());
  CHECK(load.counts().latency.count() == load.counts().datagrams_received);
  CHECK(load.counts().datagrams_repeated == 0);
  load.leave();
  CHECK(load.running() == 0);
}

TEST_CASE("udp load: repeats a lost datagram") {
  udp_load load{std::make_unique<small_hub>(small_hub::habits{true, false}), {.games = 3}};
  REQUIRE(load.open(never));
  CHECK(load.faults().count() == 0);
  CHECK(load.counts().datagrams_repeated > 0);
}

TEST_CASE("udp load: a wrong end is a fault") {
  udp_load load{std::make_unique<small_hub>(small_hub::habits{false, true}), {.games = 64}};
  REQUIRE(load.open(never));
  play_games(load, 100);
  CHECK(load.faults().count() > 0);
}

TEST_CASE("udp load: idle games stand at the player's second move, with nothing to acknowledge") {
  udp_load load{std::make_unique<small_hub>(small_hub::habits{}), {.games = 1'000, .idle = true}};
  REQUIRE(load.open(never));
  CHECK(load.running() == 1'000);
  play_until(load, [&] { return load.counts().moves == 2'000; });
  // The first byte, the move, its confirmation, and the echo of the hub's move.
  play_until(load, [&] { return load.counts().datagrams_sent == 4'000; });
  load.play(clock::now() + std::chrono::milliseconds{1}, never);
  CHECK(load.counts().datagrams_sent == 4'000);
  CHECK(load.counts().moves == 2'000);
  load.leave();
  CHECK(load.running() == 0);
}

TEST_CASE("udp load: begins all games before the second move of one") {
  auto hub = std::make_unique<small_hub>(small_hub::habits{});
  auto& at = *hub;
  udp_load load{std::move(hub), {.games = 10'000}};
  REQUIRE(load.open(never));
  CHECK(load.counts().games() == 0);
  CHECK(at.most_marks() == 2);
  play_games(load, 10);
  CHECK(at.most_marks() > 2);
}

TEST_CASE("udp load: makes no more moves than the rate allows") {
  constexpr int rate = 5'000, games = 600, at_once = 50;
  udp_load load{std::make_unique<small_hub>(small_hub::habits{}), {.games = at_once, .rate = rate}};
  REQUIRE(load.open(never));
  const auto begun = clock::now();
  load.reset_counts();
  play_games(load, games);
  const auto most = rate * std::chrono::duration<double>(clock::now() - begun).count();
  // At first each game may have two under way, and there may be arrears of 100 ms.
  CHECK(static_cast<double>(load.counts().moves) <= most + 2 * at_once + rate / 10);
  CHECK(load.faults().count() == 0);
}

TEST_CASE("udp load: may be stopped before all games have begun") {
  udp_load load{std::make_unique<small_hub>(small_hub::habits{}), {.games = 1'000}};
  CHECK_FALSE(load.open([] { return true; }));
  CHECK(load.faults().count() == 0);
}

}  // namespace
}  // namespace gamehub::tools::bench
