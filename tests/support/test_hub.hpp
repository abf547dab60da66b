// A whole hub on manual loops, without sockets, threads and real time, for tests of actors and for
// the simulation. Its clients are attachments that record their events. Used on one thread.
#pragma once

#include "actors/runtime/loop_manual.hpp"
#include "actors/system/runtime.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/journal/journal.hpp"
#include "metrics/cells.hpp"
#include "tests/support/manual_search.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

// One client of the test hub: submits intents and records events.
class test_client final : public attachment {
 public:
  test_client(attachment_id id, actors::runtime::loop_manual& at, address_account_ref account)
      : id_(id), loop_(at), account_(std::move(account)) {}

  // The events of this client, in order, since the last clear_events().
  std::vector<event> events;
  // The reason if the hub closed the attachment. The client disconnects in the next settle().
  std::optional<close_reason> closed;
  // The number of intents without a reply.
  std::uint32_t pending_replies = 0;
  // The number of replies to unknown or answered intents.
  std::uint32_t unexpected_replies = 0;

  // Submits an intent. Returns false if the client is not connected.
  bool submit(intent);
  void disconnect() { handle_.reset(); }
  // Goes while the attachment stays, or comes back.
  void set_away(std::optional<base::instant> kept_until) { handle_->set_away(kept_until); }
  bool connected() const { return handle_ != nullptr; }
  void clear_events() { events.clear(); }

  // Returns the latest event of type T, or null.
  template <class T>
  const T* last() const {
    for (auto e = events.rbegin(); e != events.rend(); ++e)
      if (const auto* found = std::get_if<T>(&e->what)) return found;
    return nullptr;
  }
  // Returns the latest position of any game, or null.
  const position* last_position() const {
    const auto* p = last<position_ref>();
    return p == nullptr ? nullptr : p->get();
  }

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return account_; }
  void deliver(const event&) override;
  void close(close_reason why) override { closed = why; }
  // A disconnected client ignores its new session.
  void set_session(std::unique_ptr<session_handle> to) override {
    if (connected()) handle_ = std::move(to);
  }
  void attach(std::unique_ptr<session_handle> d) { handle_ = std::move(d); }

 private:
  attachment_id id_;
  actors::runtime::loop_manual& loop_;
  const address_account_ref account_;
  std::unique_ptr<session_handle> handle_;
  ticket next_ticket_ = 0;
  std::set<ticket> open_tickets_;
};

struct test_hub_options {
  int loops = 1;
  int engine_loops = 0;  // loops of engine processes, by host::number()
  actors::system::runtime_settings settings{
      std::chrono::seconds{120}, std::chrono::seconds{0}, std::chrono::seconds{0}, 100'000, 100'000,
      std::chrono::seconds{60}};
  // Grace time of both protocols. "cells" is like opcodes, "documents" like turns; both support
  // every engine.
  std::chrono::seconds grace{0};
  std::uint64_t seed = 1;
  // The journal; null: a memory journal. It outlives the hub.
  journal::journal* log = nullptr;
  // As of runtime::expect_players().
  std::function<bool(base::instant)> may_arrive{};
  // A built-in engine that the hub lacks.
  std::string without_engine{};
  // Engines in addition to the built-in ones.
  std::vector<engines::host::engine> more_engines{};
  // The default opponent of both protocols.
  actors::table::opponent opponent{};
  // Of both protocols.
  hub_crossing crossing = hub_crossing::sessions;
  // The function of the protocol "cells".
  std::optional<std::string> (*unsupported_reason)(const engine_traits&) = nullptr;
};

// Returns the built-in engines and the two protocols, as a hub with these options has them.
actors::table::engine_directory make_directory(const test_hub_options&);

class test_hub {
 public:
  static constexpr std::size_t cells_wire = 0, documents_wire = 1;

  explicit test_hub(test_hub_options = {});
  ~test_hub();

  // Connects a new client by a protocol and loop, of an address. connected() is false if the hub
  // refuses it.
  std::shared_ptr<test_client> connect(std::size_t wire, std::size_t loop = 0,
                                       address_account_ref of = nullptr);

  // Runs until no work is left. Closed clients disconnect.
  void settle();
  // Runs one iteration of one loop, for interleavings that settle() does not produce.
  bool step(std::size_t loop);
  // Moves the clock of all loops by steps of at most a second and settles after each.
  void advance(std::chrono::milliseconds);
  // Moves the clock without running the loops.
  void pass(std::chrono::milliseconds);
  base::instant now() const;

  actors::system::runtime& runtime() { return *runtime_; }
  const actors::table::engine_directory& directory() const { return directory_; }
  // Adds an engine like a plugin that is loaded at run time. Returns its index.
  std::uint16_t add_engine(const engines::host::engine&);
  const metrics::cells& cells(std::size_t loop) const { return *cells_[loop]; }
  std::uint16_t engine(std::string_view id) const { return *directory_.find_engine(id); }

  // The executor of engine searches.
  manual_search& searches() { return searches_; }

  actors::runtime::loop_manual& loop(std::size_t index) { return *loops_[index]; }
  std::size_t loop_count() const { return loops_.size(); }
  // The number of session and game actors.
  std::size_t actors_running() const;

  // Sums over loops and engines.
  std::int64_t games_started() const;
  std::int64_t games_finished() const;
  std::int64_t sessions_open() const;

 private:
  actors::table::engine_directory directory_;
  std::unique_ptr<journal::journal> memory_;
  manual_search searches_;
  std::unique_ptr<actors::system::runtime> runtime_;
  std::vector<std::unique_ptr<metrics::cells>> cells_;
  std::vector<std::unique_ptr<actors::runtime::loop_manual>> loops_;
  std::size_t wakers_ = 0;
  std::vector<std::shared_ptr<test_client>> clients_;
  id_source<attachment_id> attachment_ids_;
};

// Intents as the two protocols send them.
intent seek_once(std::string engine = "tictactoe");
intent seek_engine(std::string engine = "tictactoe", std::optional<seat_index> seat = {});
intent seek_again(std::vector<std::string> engines, std::uint32_t games_max = 1);
intent play_cell(std::int64_t cell, game_id = {});
intent play_document(std::string document, game_id);

}  // namespace gamehub::tests
