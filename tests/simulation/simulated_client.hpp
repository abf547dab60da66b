// One connection of a simulation run. It submits intents and checks that each event is consistent
// with the earlier ones. Owned by the simulation run and used on its thread.
#pragma once

#include "tests/simulation/invariant_checker.hpp"
#include "tests/support/test_hub.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace gamehub::tests {

using generator = std::mt19937_64;

class simulated_client {
 public:
  simulated_client(std::shared_ptr<test_client> client, std::size_t wire, identity who,
                   invariant_checker& watched)
      : client_(std::move(client)), wire_(wire), player_(who), checker_(watched) {}

  test_client& client() { return *client_; }
  const test_client& client() const { return *client_; }
  std::shared_ptr<test_client> share() const { return client_; }
  bool connected() const { return client_->connected(); }
  const std::string& secret() const { return secret_; }
  identity who() const { return player_; }

  // Submits an intent at step `now` of the run.
  void submit(intent, std::uint64_t now);

  // Returns a legal move in one of the client's games, by the committed log, or nothing.
  std::optional<intent> legal_move(generator&) const;
  // Returns a game that the client has received, or zero.
  game_id some_game(generator&) const;

  // Checks the events since the last call. `owner` returns the player of a secret. Throws
  // violation.
  template <class Owner>
  void read_events(std::uint64_t now, Owner owner) {
    for (; read_ < client_->events.size(); ++read_) {
      const auto& e = client_->events[read_];
      if (const auto* me = std::get_if<signed_in>(&e.what))
        if (const auto was = owner(me->secret)) set_player(*was);
      on_event(e, now);
    }
  }

  std::size_t events_read() const { return read_; }

  // Another client has resumed the player: this one, if it goes on at another hub, may be shown the
  // games of that one's seeks.
  void note_other_client() { has_other_client_ = true; }

  // Describes the intents without a reply.
  std::string unanswered() const;

  // True if the client sent a leave without a game while it was being seated. Then it does not know
  // whether its standing seek still exists.
  bool seek_unknown() const { return seek_unknown_; }
  // True if the client has a seek with a free seat for this engine, as far as it knows.
  bool waits_for(const std::string& engine) const;

  std::int64_t refusals = 0, accepted = 0;

 private:
  struct view {
    seat_index seat = 0;
    std::uint64_t number = 0;
    bool started = false, over = false;
  };
  struct pending_seek {
    std::vector<std::string> engines;
    std::uint32_t games_max = 1;
    bool again = false, placed = false;
    std::optional<seat_index> seat = {};  // that it must have
    bool against_engine = false;
    // Of three seats or more: the seats that engines take; none: not known.
    std::optional<std::ptrdiff_t> engine_seats = 0;
  };

  pending_seek rematch_seek(game_id) const;

  // The client has resumed this player. Events may have gone to the other connection of the player.
  void set_player(identity was) {
    player_ = was;
    resumed_ = true;
    checker_.stop_waiting(was);
  }
  static std::optional<game_id> rematch_of(const intent&);
  void on_offer(game_id of, const offer_update&);
  void on_event(const event&, std::uint64_t now);
  void on_started(game_id, const started&);
  void on_position(game_id, const position&);
  void on_reply(const event&, std::uint64_t now);

  std::shared_ptr<test_client> client_;
  std::size_t wire_;
  identity player_;
  invariant_checker& checker_;
  std::size_t read_ = 0;
  bool resumed_ = false, has_other_client_ = false, seek_unknown_ = false;
  std::string secret_;
  std::map<game_id, view> games_;
  std::map<ticket, std::pair<std::size_t, std::uint64_t>>
      sent_;  // kind of intent, and step of the run
  std::map<ticket, pending_seek> sent_seeks_;
  std::map<ticket, game_id> sent_rematches_;    // by ticket: the ended game
  std::map<ticket, game_id> sent_withdrawals_;  // of offers of rematches, by ticket
  std::optional<pending_seek> seek_;
  game_id rematch_;       // the ended game whose rematch a standing seek waits for
  game_id next_rematch_;  // the latest rematch that begins
  ticket last_ticket_ = 0;
};

}  // namespace gamehub::tests
