// Hubs whose engine goes wrong on command (tests/plugins/hostile.cpp), and games of it. One thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/patience.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {

// Two players of one game over turns.
class match {
 public:
  // `wants` is what both clients want in addition.
  match(hub& at, std::string engine, std::vector<std::string> wants = {})
      : at_(at),
        engine_(std::move(engine)),
        wants_(std::move(wants)),
        x_(at.turns()),
        o_(at.turns()) {}

  // Both ask for it; whether it begins is another question.
  void seek() { seek_first(), seek_second(); }
  void seek_first() {
    x_.connect(nullptr, engine_, 1, wants_);
    REQUIRE(x_.next().starts_with("name "));
    at_.await_waiting(engine_, 1);
  }
  void seek_second() {
    o_.connect(nullptr, engine_, 1, wants_);
    REQUIRE(o_.next().starts_with("name "));
  }
  void begin() {
    seek();
    for (auto* each : {&x_, &o_}) {
      REQUIRE(each->next() == "start 0");
      REQUIRE(each->next().starts_with("0 state "));
    }
    REQUIRE(x_.next() == "0 turn");
  }
  void move_x(int row, int column) { x_.move(0, row, column); }
  void move_o(int row, int column) { o_.move(0, row, column); }
  // A move that is no cell of a board.
  void play_x(const std::string& payload) { x_.play(0, payload); }
  // All that a good move of the one leads to, until the other is asked.
  void hear_x_moved() { hear(o_); }
  void hear_o_moved() { hear(x_); }
  // Both are told that it is over.
  void hear_end() {
    for (auto* each : {&x_, &o_})
      for (auto said = each->next(); said != "close 0"; said = each->next()) {
        CAPTURE(said);
        REQUIRE((said == "start 0" || said == "0 turn" || said.starts_with("0 state ")));
      }
  }
  // True if the next to move is asked; false if both are told that it is over.
  bool x_is_asked() { return !ends_before_asking(x_, o_); }
  bool o_is_asked() { return !ends_before_asking(o_, x_); }
  void leave() {
    for (auto* each : {&x_, &o_}) each->socket().close();
  }

 private:
  static bool ends_before_asking(turns_client& asked, turns_client& other) {
    bool ends = false;
    for (std::string said; said != "0 turn" && !ends;) {
      said = asked.next();
      CAPTURE(said);
      ends = said == "close 0";
      REQUIRE((ends || said == "start 0" || said == "0 turn" || said.starts_with("0 state ")));
    }
    for (std::string said; ends ? said != "close 0" : !said.starts_with("0 state ");) {
      said = other.next();
      CAPTURE(said);
      REQUIRE((said == "start 0" || said == "close 0" || said.starts_with("0 state ")));
    }
    return ends;
  }

  void hear(turns_client& next_to_move) {
    for (auto* each : {&x_, &o_}) {
      const auto said = each->next();
      CAPTURE(said);
      REQUIRE(said.starts_with("0 state "));
    }
    REQUIRE(next_to_move.next() == "0 turn");
  }

  hub& at_;
  std::string engine_;
  std::vector<std::string> wants_;
  turns_client x_, o_;
};

// A folder of plugins with the hostile ones, and the files beside them that they read.
class orders {
 public:
  // `marks` are the files whose presence changes what the plugins are.
  explicit orders(const std::vector<std::string>& marks = {}) {
    for (const auto& each :
         std::filesystem::directory_iterator{std::string{GAMEHUB_TEST_PLUGINS} + "/hostile"})
      std::filesystem::copy(each.path(), folder_.path());
    // Also for a hub of another account.
    std::filesystem::permissions(folder(), std::filesystem::perms{0755});
    for (const auto& each : marks) folder_.write(each, "");
  }
  std::string folder() const { return folder_.path(); }
  void give(const std::string& word) const {
    // In one step, as the engine may be reading.
    std::filesystem::rename(folder_.write("orders.next", word), folder() + "/orders");
  }
  void take_back() const { std::filesystem::remove(folder() + "/orders"); }

 private:
  temporary_folder folder_;
};

struct stage {
  explicit stage(bool isolated, const std::string& slow = "200", std::vector<std::string> more = {},
                 const std::vector<std::string>& marks = {},
                 const std::string& program = hub_program())
      : to(marks), at(flags(to, isolated, slow, std::move(more)), {}, program) {}

  static std::vector<std::string> flags(const orders& of, bool isolated, const std::string& slow,
                                        std::vector<std::string> more) {
    std::vector<std::string> out{"--plugins",
                                 of.folder(),
                                 "--loops",
                                 "2",
                                 "--isolate-call-milliseconds",
                                 std::to_string(500 * slowness),
                                 "--isolate-memory-mib",
                                 "128",
                                 "--engine-slow-milliseconds",
                                 slow};
    if (isolated) out.insert(out.end(), {"--isolate", "hostile"});
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  double restarts() { return at.count("gamehub_engine_restarts_total"); }

  const orders to;
  hub at;
};

// A game of the engine begins and takes moves.
inline void expect_plays(hub& at, const std::string& engine) {
  match m{at, engine};
  m.begin();
  m.move_x(0, 0), m.hear_x_moved();
  m.move_o(1, 1), m.hear_o_moved();
  m.leave();
}

// Ends a hub that has had failures.
inline void end(hub& at) {
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
}

}  // namespace gamehub::tests::system
