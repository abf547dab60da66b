// A whole hub on manual loops, without sockets, threads or real time: for tests of actors and for
// the simulation. Clients are attachments that keep what they were told.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "actors/catalog.hpp"
#include "actors/loop_manual.hpp"
#include "actors/runtime.hpp"
#include "hub/journal/journal.hpp"
#include "metrics/cells.hpp"
#include "tests/support/patient_thinker.hpp"

namespace gamehub::tests {

// One client of the test hub: says intents, keeps events.
class test_client final : public attachment {
 public:
  test_client(attachment_id id, std::function<instant()> clock)
      : id_(id), clock_(std::move(clock)) {}

  // What the hub told it, in order, since the last forget().
  std::vector<event> heard;
  // Why the hub closed it, if it did. Such a client hangs up in the next settle().
  std::optional<close_reason> closed;
  // The answers it is still owed: one for each intent.
  std::uint32_t pending_replies = 0;
  // Answers to what it never asked, or was answered before.
  std::uint32_t unexpected_replies = 0;

  // Says something; false if it has no door (any more).
  bool say(intent);
  void disconnect() { door_.reset(); }
  bool connected() const { return door_ != nullptr; }
  void forget() { heard.clear(); }

  // The latest of what it heard that is a T, or null.
  template <class T>
  const T* last() const {
    for (auto e = heard.rbegin(); e != heard.rend(); ++e)
      if (const auto* found = std::get_if<T>(&e->what)) return found;
    return nullptr;
  }
  // The latest position of any game, or null.
  const position* last_position() const {
    const auto* p = last<position_ref>();
    return p == nullptr ? nullptr : p->get();
  }

  attachment_id id() const override { return id_; }
  void deliver(const event&) override;
  void close(close_reason why) override { closed = why; }
  // Whoever has hung up needs no door any more.
  void set_session(std::unique_ptr<session_handle> to) override {
    if (connected()) door_ = std::move(to);
  }
  void enter_by(std::unique_ptr<session_handle> d) { door_ = std::move(d); }

 private:
  attachment_id id_;
  std::function<instant()> clock_;
  std::unique_ptr<session_handle> door_;
  ticket next_ticket_ = 0;
  std::set<ticket> asked_;
};

struct test_hub_options {
  int loops = 1;
  int engine_loops = 0;  // after them, by the number of an engine's host
  actors::runtime_settings settings{
      std::chrono::seconds{120}, std::chrono::seconds{0}, std::chrono::seconds{0}, 100'000, 100'000,
      std::chrono::seconds{60}};
  // By wire: "cells" is like opcodes, "documents" like turns; both carry every engine.
  std::chrono::seconds grace{0};
  std::uint64_t seed = 1;
  // The journal to use; the memory journal if null. Must outlive the hub.
  journal::journal* log = nullptr;
  // Beside those that are built in.
  std::vector<engines::engine> more_engines{};
  // Whom the players of both wires meet.
  actors::opponent opponent{};
  // Of the cells wire.
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
};

class test_hub {
 public:
  static constexpr std::size_t cells_wire = 0, documents_wire = 1;

  explicit test_hub(test_hub_options = {});
  ~test_hub();

  // A new client on a wire and loop; null door (connected() is false) if the hub takes nobody.
  std::shared_ptr<test_client> connect(std::size_t wire, std::size_t loop = 0);

  // Runs until nothing is left to do. Clients that were closed hang up.
  void settle();
  // One turn of one loop: for interleavings that settle() does not make.
  bool step(std::size_t loop);
  // Moves the clock of all loops, a second at a time, settling in between.
  void advance(std::chrono::milliseconds);
  // Moves it and runs nothing.
  void pass(std::chrono::milliseconds);
  instant now() const;

  actors::runtime& runtime() { return *runtime_; }
  const actors::catalog& directory() const { return catalog_; }
  // As a plugin that comes while the hub runs; returns its number.
  std::uint16_t add_engine(const engines::engine&);
  const metrics::cells& cells(std::size_t loop) const { return *cells_[loop]; }
  std::uint16_t engine(std::string_view id) const { return *catalog_.find_engine(id); }

  // Where the house thinks.
  manual_search& searches() { return searches_; }

  actors::loop_manual& loop(std::size_t index) { return *loops_[index]; }
  std::size_t loop_count() const { return loops_.size(); }
  // Beside the lobby and the gateways: sessions and games.
  std::size_t actors_running() const;

  // Sums over loops and engines.
  std::int64_t games_started() const;
  std::int64_t games_finished() const;
  std::int64_t sessions_open() const;

 private:
  actors::catalog catalog_;
  std::unique_ptr<journal::journal> memory_;
  manual_search searches_;
  std::unique_ptr<actors::runtime> runtime_;
  std::vector<std::unique_ptr<metrics::cells>> cells_;
  std::vector<std::unique_ptr<actors::loop_manual>> loops_;
  std::vector<std::shared_ptr<test_client>> clients_;
  id_source<attachment_id> attachment_ids_;
};

// Intents as the two wires say them.
intent seek_once(std::string engine = "tictactoe");
intent seek_engine(std::string engine = "tictactoe", std::optional<seat_index> seat = {});
intent seek_again(std::vector<std::string> engines, std::uint32_t games_max = 1);
intent play_cell(std::int64_t cell, game_id = {});
intent play_document(std::string document, game_id);

}  // namespace gamehub::tests
