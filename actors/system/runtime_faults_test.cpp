// What engines and actors throw: which game or actor it ends, and what the hub is told of it.
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/spoiled_engine.hpp"
#include "tests/support/test_hub.hpp"

#include <stdexcept>

using namespace gamehub;
using namespace gamehub::tests;
using namespace std::chrono_literals;

namespace {

struct heard_faults final : fault_listener {
  void on_engine_fault(const engine_fault& f) override { engines.push_back(f); }
  void on_fault(std::string_view where, std::string_view what) override {
    faults.push_back(std::string{where} + ": " + std::string{what});
  }
  void on_essential_actor_lost(std::string_view actor) override { lost.emplace_back(actor); }

  std::vector<engine_fault> engines;
  std::vector<std::string> faults, lost;
};

actors::system::runtime_settings reporting_to(fault_listener& faults) {
  auto s = test_hub_options{}.settings;
  s.faults = &faults;
  return s;
}

// A Gomoku whose create() throws while `thrown` is set: an exception, or a number.
enum class thrown { nothing, exception, number };
thrown create_throws = thrown::nothing;

engines::host::engine gomoku_that_throws() {
  create_throws = thrown::nothing;
  return spoiled_engine("gomoku", "throws-in-create", [](gamehub_engine_abi& abi) {
    abi.create = [](const char* options, std::size_t size, std::int32_t players,
                    gamehub_reason* why) -> gamehub_match* {
      if (create_throws == thrown::exception) throw std::runtime_error{"a test"};
      if (create_throws == thrown::number) throw 42;
      return healthy_engine("gomoku").create(options, size, players, why);
    };
  });
}

const char* text_of(thrown what) {
  return what == thrown::exception ? "a test" : "it threw a value of type int";
}

}  // namespace

TEST_CASE("faults: a throw in create when a game begins ends that game, and the lobby goes on") {
  const auto what = GENERATE(thrown::exception, thrown::number);
  heard_faults heard;
  test_hub hub{{.settings = reporting_to(heard), .more_engines = {gomoku_that_throws()}}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::documents_wire);
  x->submit(seek_once("throws-in-create")), hub.settle();
  create_throws = what;
  o->submit(seek_again({"throws-in-create"})), hub.settle();
  create_throws = thrown::nothing;
  for (const auto& c : {x, o}) {
    REQUIRE(c->last<refused>() != nullptr);
    CHECK(c->last<refused>()->why == refusal::engine_failed);
  }
  REQUIRE(heard.engines.size() == 1);
  CHECK(heard.engines.front() == engine_fault{"throws-in-create", "1.0.0",
                                              heard.engines.front().game, "create", text_of(what)});
  CHECK(heard.engines.front().game);
  CHECK(hub.cells(0).loop.games_failed.value() == 1);
  CHECK(heard.faults.empty());
  CHECK(heard.lost.empty());
  x->submit(seek_once()), o->submit(seek_again({"tictactoe"})), hub.settle();
  CHECK(hub.games_started() == 1);
}

TEST_CASE("faults: a throw in create for options refuses the seek") {
  const auto what = GENERATE(thrown::exception, thrown::number);
  heard_faults heard;
  test_hub hub{{.settings = reporting_to(heard), .more_engines = {gomoku_that_throws()}}};
  const auto x = hub.connect(test_hub::cells_wire);
  create_throws = what;
  auto asks = seek_once("throws-in-create");
  std::get<seek>(asks).options = {R"({"rows":9})"};
  x->submit(asks), hub.settle();
  create_throws = thrown::nothing;
  REQUIRE(x->last<refused>() != nullptr);
  CHECK(x->last<refused>()->why == refusal::bad_options);
  REQUIRE(heard.engines.size() == 1);
  CHECK(heard.engines.front() ==
        engine_fault{"throws-in-create", "1.0.0", {}, "create", text_of(what)});
  // Nothing of the exception reaches a client.
  CHECK(x->last<refused>()->detail == "throws-in-create: the engine failed");
}

TEST_CASE("faults: a game whose engine throws is reported with its function and text") {
  heard_faults heard;
  static bool throws = false;
  const auto engine = spoiled_engine("tictactoe", "throws-in-hash", [](gamehub_engine_abi& abi) {
    abi.hash = [](const gamehub_match* m) -> std::uint64_t {
      if (throws) throw std::runtime_error{"a test"};
      return healthy_engine("tictactoe").hash(m);
    };
  });
  test_hub hub{{.settings = reporting_to(heard), .more_engines = {engine}}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::cells_wire);
  for (const auto& c : {x, o}) c->submit(seek_once("throws-in-hash")), hub.settle();
  throws = true;
  x->submit(play_cell(4)), hub.settle();
  throws = false;
  for (const auto& c : {x, o}) {
    REQUIRE(c->last_position() != nullptr);
    REQUIRE(c->last_position()->outcome);
    CHECK(c->last_position()->outcome->reason == end_reason::failed);
  }
  REQUIRE(heard.engines.size() == 1);
  CHECK(heard.engines.front() ==
        engine_fault{"throws-in-hash", "1.0.0", game_id{1}, "hash", "a test", 0, 4});
}

namespace {

// A journal that can't be asked whether it can write: the lobby asks at each seek.
class broken_journal final : public journal::journal {
 public:
  using record = gamehub::journal::record;
  using header = gamehub::journal::game_header;
  using log = gamehub::journal::game_log;
  using number = gamehub::journal::record_number;
  using listener = gamehub::journal::commit_listener;

  int what = 0;  // 1: throws an exception, 2: throws a number

  std::optional<std::string> trouble() const override {
    if (what == 1) throw std::runtime_error{"a test"};
    if (what == 2) throw 42;
    return inner_->trouble();
  }
  void open(const header& h) override { inner_->open(h); }
  number append(game_id id, std::span<const record> all, listener& to) override {
    return inner_->append(id, all, to);
  }
  void flush() override { inner_->flush(); }
  std::optional<log> find(game_id id) const override { return inner_->find(id); }
  std::vector<game_id> ended_before(game_id id, std::size_t most) const override {
    return inner_->ended_before(id, most);
  }
  void claim_games(game_id upto) override { inner_->claim_games(upto); }
  std::vector<record> read(game_id id, number after) const override {
    return inner_->read(id, after);
  }
  std::vector<header> open_games() const override { return inner_->open_games(); }
  bool durable() const override { return inner_->durable(); }
  numbers last_numbers() const override { return inner_->last_numbers(); }
  base::wall_time last_written() const override { return inner_->last_written(); }
  bool congested() const override { return inner_->congested(); }
  void announce_replay(std::span<const game_id> all) override { inner_->announce_replay(all); }
  void replayed(std::span<const game_id> all) override { inner_->replayed(all); }
  int suspicions(game_id id) const override { return inner_->suspicions(id); }
  void quarantine(game_id id, const std::string& why) override { inner_->quarantine(id, why); }

 private:
  std::unique_ptr<gamehub::journal::journal> inner_ = gamehub::journal::make_memory_journal(100);
};

}  // namespace

TEST_CASE("faults: the end of the lobby is reported, whatever ended it") {
  const auto what = GENERATE(1, 2);
  heard_faults heard;
  broken_journal log;
  test_hub hub{{.settings = reporting_to(heard), .log = &log}};
  const auto x = hub.connect(test_hub::cells_wire);
  log.what = what;
  x->submit(seek_once()), hub.settle();
  log.what = 0;
  const std::string text = what == 1 ? "a test" : "it threw a value of type int";
  CHECK(heard.faults == std::vector<std::string>{"lobby: " + text});
  CHECK(heard.lost == std::vector<std::string>{"lobby"});
  CHECK(hub.cells(0).loop.faults.value() == 1);
  // The sessions wait for an answer of the lobby.
  x->disconnect();
}

TEST_CASE("faults: the end of a gateway is reported") {
  heard_faults heard;
  test_hub hub{{.settings = reporting_to(heard)}};
  // The last gateway that is drained calls it.
  hub.runtime().begin_drain([] { throw std::runtime_error{"a test"}; });
  hub.settle();
  CHECK(heard.faults == std::vector<std::string>{"gateway: a test"});
  CHECK(heard.lost == std::vector<std::string>{"gateway of documents"});
  CHECK(hub.cells(0).loop.faults.value() == 1);
}

namespace {

// A client whose protocol can't encode an event.
struct unspeakable final : attachment {
  attachment_id id() const override { return attachment_id{1'000}; }
  void deliver(const event&) override { throw std::runtime_error{"a test"}; }
  void close(close_reason why) override {
    closed = why;
    handle.reset();
  }
  void set_session(std::unique_ptr<session_handle> to) override { handle = std::move(to); }

  std::unique_ptr<session_handle> handle;
  std::optional<close_reason> closed;
};

}  // namespace

TEST_CASE("faults: a session that throws ends for its player alone, and is counted") {
  heard_faults heard;
  test_hub hub{{.settings = reporting_to(heard)}};
  const auto x = hub.connect(test_hub::cells_wire), o = hub.connect(test_hub::cells_wire);
  x->submit(seek_once()), o->submit(seek_once()), hub.settle();
  const auto bad = std::make_shared<unspeakable>();
  auto why = close_reason::hub_full;
  bad->handle = hub.runtime().acceptor_for(test_hub::documents_wire, 0).accept(bad, why);
  REQUIRE(bad->handle != nullptr);
  bad->handle->submit({{bad->id(), {}, hub.now(), 1}, seek_once("nim")});
  hub.settle();
  CHECK(heard.faults == std::vector<std::string>{"session: a test"});
  CHECK(heard.lost.empty());
  CHECK(bad->closed == close_reason::failed);
  CHECK(hub.cells(0).wires[test_hub::documents_wire].sessions_failed.value() == 1);
  CHECK(hub.sessions_open() == 2);
  // Its seek is gone; the others play.
  x->submit(play_cell(4)), hub.settle();
  CHECK(o->last_position()->prompted == only(1));
  const auto nim = hub.connect(test_hub::documents_wire);
  nim->submit(seek_once("nim")), hub.settle();
  CHECK(hub.games_started() == 1);
}

TEST_CASE("faults: an orderly end of lobby and gateways is no loss") {
  heard_faults heard;
  { test_hub hub{{.settings = reporting_to(heard)}}; }
  CHECK(heard.lost.empty());
  CHECK(heard.faults.empty());
}

TEST_CASE(
    "faults: a task or a timer that throws does not keep the others of its loop from running") {
  heard_faults heard;
  test_hub hub{{.settings = reporting_to(heard)}};
  int ran = 0;
  hub.loop(0).post([] { throw std::runtime_error{"a test"}; });
  hub.loop(0).post([&] { ++ran; });
  hub.settle();
  CHECK(ran == 1);
  const auto when = hub.loop(0).now() + 1s;
  hub.loop(0).timers().arm(when, [] { throw 42; });
  hub.loop(0).timers().arm(when, [&] { ++ran; });
  hub.advance(2s);
  CHECK(ran == 2);
  CHECK(heard.faults ==
        std::vector<std::string>{"a task: a test", "a timer: it threw a value of type int"});
  CHECK(hub.cells(0).loop.faults.value() == 2);
}
