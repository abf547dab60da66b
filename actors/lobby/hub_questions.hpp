// What the lobby has asked the other hubs of the cluster, and which of them have not answered: is
// the player of a secret there, would a seek be paired there? A plain value; owned by the lobby,
// one thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/relay/messages.hpp"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace gamehub::actors::lobby {

class hub_questions {
 public:
  using member_id = relay::member_id;

  // A hub that has not answered by then says no: it may be paused.
  static constexpr std::chrono::milliseconds answer_max{1'500};
  // More are not asked.
  static constexpr std::size_t questions_max = 4'096;

  // All of a question that was asked for this player.
  struct result {
    player_id about;
    std::optional<member_id> yes;  // the first that said so; none: no hub did
  };

  // Begins a question for a player, which has no other one. `ask` sends it to a member, and returns
  // false if that can't be. Returns false if no hub was asked.
  template <class Ask>
  bool begin(player_id about, const std::vector<member_id>& members, base::instant now, Ask ask) {
    if (open_.size() >= questions_max) return false;
    const auto number = ++last_number_;
    std::set<member_id> asked;
    for (const auto each : members)
      if (ask(each, number)) asked.insert(each);
    if (asked.empty()) return false;
    open_.emplace(number, question{about, now + answer_max, std::move(asked)});
    numbers_[about] = number;
    return true;
  }
  std::optional<result> on_answer(member_id from, std::uint64_t number, bool yes);
  // Only these can answer.
  std::vector<result> on_members(const std::vector<member_id>&);
  std::vector<result> expire(base::instant now);
  // When to call expire(); none: nothing is asked.
  std::optional<base::instant> next() const;
  void forget(player_id about);

  std::size_t open() const { return open_.size(); }
  bool is_open(player_id about) const { return numbers_.contains(about); }

 private:
  struct question {
    player_id about;
    base::instant until;
    std::set<member_id> unanswered;
  };
  using open_question = std::map<std::uint64_t, question>::iterator;

  result end(open_question, std::optional<member_id> yes);

  std::map<std::uint64_t, question> open_;  // by number: the earliest first
  std::map<player_id, std::uint64_t> numbers_;
  std::uint64_t last_number_ = 0;
};

// Returns true if a player does not go to a hub where it would find an opponent, because another
// one was told to come to it, who then finds it here. The hubs of two who expect each other, or of
// more in a circle, would say so again and again: one of them at least goes to a lesser hub.
constexpr bool stays_for_another(relay::member_id self, relay::member_id there, bool expects) {
  return expects && self < there;
}

// The players that wait at one hub for the same game of three seats or more, and those of them that
// can't move: a client that sends requests was told its game.
struct gathering {
  std::uint32_t stay = 0, all = 0;

  friend auto operator<=>(const gathering&, const gathering&) = default;
};

// The same for such games: players go where more wait that can't move, then where more wait. A move
// only makes that greater, so none goes to and fro.
constexpr bool gathers_here(relay::member_id self, relay::member_id asker, gathering here,
                            gathering there) {
  return here > there || (here == there && self < asker);
}

}  // namespace gamehub::actors::lobby
