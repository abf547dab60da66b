// Two players of JSON turns at one hub of a cluster, which stays the entry of their connections
// when another one has their game. One thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>

namespace gamehub::tests::system {

struct turns_pair {
  explicit turns_pair(hub& at) : ann{at.turns()}, bob{at.turns()} {
    ann.connect("ann");
    REQUIRE(ann.next() == "name ann");
    at.await_waiting("tictactoe", 1);
    bob.connect("bob");
    while (ann.next() != "0 turn") continue;
  }

  // A signal ends the entry at once, with this code, and Ann comes back to her game.
  void come_back(hub& entry, hub& to, int code) {
    entry.await_count("gamehub_relay_returned_total", {}, 2);
    entry.process().signal(SIGTERM);
    REQUIRE(ann.next() == "end");
    CHECK(ann.closed_because() == "draining");
    for (auto* each : {&ann, &bob}) each->socket().close();
    CHECK(entry.wait() == code);
    turns_client back{to.turns()};
    back.resume(ann.secret());
    for (const auto* said : {"name ann", "start 0", "0 state ---/---/--- null"})
      REQUIRE(back.next() == said);
    back.say(R"({"type":"close","game_id":0})");
    while (back.next() != "close 0") continue;
  }

  turns_client ann, bob;
};

}  // namespace gamehub::tests::system
