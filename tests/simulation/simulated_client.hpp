// One connection of an evening: says things, hears things, and finds what contradicts what it heard
// before. An evening owns it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "tests/simulation/referee.hpp"
#include "tests/support/test_hub.hpp"

namespace gamehub::tests {

using dice = std::mt19937_64;

class guest {
 public:
  guest(std::shared_ptr<test_client> client, std::size_t wire, identity who, referee& watched)
      : client_(std::move(client)), wire_(wire), who_(who), referee_(watched) {}

  test_client& client() { return *client_; }
  const test_client& client() const { return *client_; }
  bool connected() const { return client_->connected(); }
  const std::string& secret() const { return secret_; }
  identity who() const { return who_; }

  // Says it at that time of the evening.
  void say(intent, std::uint64_t now);

  // A move that the rules allow by what is committed, in any of its games; nothing if there is
  // none.
  std::optional<intent> legal_move(dice&) const;
  // Any game it was ever told of, or none.
  game_id some_game(dice&) const;

  // Looks at what it was told since the last time. `owner` finds whose secret that is. Throws foul.
  template <class Owner>
  void listen(std::uint64_t now, Owner owner) {
    for (; read_ < client_->heard.size(); ++read_) {
      const auto& e = client_->heard[read_];
      if (const auto* me = std::get_if<signed_in>(&e.what))
        if (const auto was = owner(me->secret)) become(*was);
      hear(e, now);
    }
  }

  // What it is still owed an answer to, in words.
  std::string unanswered() const;

  // It left "the only game or the queue" just when it was seated, so that it can't tell whether its
  // standing offer still stands.
  bool seek_unknown() const { return seek_unknown_; }
  // Waits by an offer that has a free place, so far as it has heard.
  bool waits_for(const std::string& engine) const;

  std::int64_t refusals = 0, accepted = 0;

 private:
  struct view {
    seat_index seat = 0;
    std::uint64_t number = 0;
    bool begun = false, over = false;
  };
  struct offer {
    std::vector<std::string> engines;
    std::uint32_t games_max = 1;
    bool again = false, placed = false;
    std::optional<seat_index> seat = {};  // that it must have
    bool house = false;
  };

  offer rematch_seek(game_id) const;

  // It has proved to be that person. What the person heard on another connection it may have
  // missed here, and the reverse.
  void become(identity was) {
    who_ = was;
    resumed_ = true;
    referee_.stop_waiting(was);
  }
  void hear(const event&, std::uint64_t now);
  void on_started(game_id, const started&);
  void on_position(game_id, const position&);
  void hear_answer(const event&, std::uint64_t now);

  std::shared_ptr<test_client> client_;
  std::size_t wire_;
  identity who_;
  referee& referee_;
  std::size_t read_ = 0;
  bool resumed_ = false, seek_unknown_ = false;
  std::string secret_;
  std::map<game_id, view> games_;
  std::map<ticket, std::pair<std::size_t, std::uint64_t>> said_;  // kind of intent, and when
  std::map<ticket, offer> asked_;
  std::optional<offer> offer_;
  ticket last_ticket_ = 0;
};

}  // namespace gamehub::tests
