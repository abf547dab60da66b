// The hub's side of the plugin border: an engine and its matches as C++ values. An engine is a
// cheap handle on a description that lives as long as the program; a match owns the state of one
// game. Any thread may use an engine; one match is used by one thread at a time. Calls cost one
// indirect call and allocate nothing but what the caller's strings and vectors grow by.
#pragma once

#include "engines/abi.h"
#include "engines/action.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines {

// Thrown where an engine owes an answer and has none: a fault of the engine or the end of memory,
// never something that a client can cause. It ends one game.
class engine_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where the matches of an engine are that runs in a process of its own. Calls on them wait for that
// process, and throw engine_failure when it is gone. Outlives the engine; any thread may ask.
class host {
 public:
  virtual ~host() = default;
  // Which of the threads that may wait for such processes, counted from 0.
  virtual std::size_t number() const = 0;
  virtual bool up() const = 0;
  // Whether it is up after all that could be done for it; may take long.
  virtual bool bring_up() = 0;
  // A match that is made when it is first used, so that nobody waits until then.
  virtual gamehub_match* prepare(std::string_view options, int players) = 0;
};

// What adopt() found in a description: copies of its tables, no longer than this hub knows them and
// with nothing in the places that an older engine does not know.
struct adopted {
  gamehub_engine_abi abi{};
  gamehub_cells cells{};
  gamehub_player player{};
  bool has_cells = false;
  bool has_player = false;
  engines::host* host = nullptr;
};

// The state of one game, as its rules see it.
class match {
 public:
  // What a client wrote: the action, or the reason why there is none.
  struct parsed {
    action value = 0;
    const char* reason = nullptr;  // nullptr: the value is good.
  };

  match(match&& other) noexcept
      : rules_(other.rules_), state_(std::exchange(other.state_, nullptr)) {}
  match& operator=(match&& other) noexcept {
    std::swap(rules_, other.rules_);
    std::swap(state_, other.state_);
    return *this;
  }
  ~match() {
    if (state_ != nullptr) rules_->abi.destroy(state_);
  }

  // Has the state brought near, for who will ask for it soon.
  void prefetch() const { __builtin_prefetch(state_); }

  int players() const { return rules_->abi.players(state_); }

  // Who may act: bits of seats, or the bit of chance alone, or 0 when the match is over.
  seats to_move() const { return rules_->abi.to_move(state_); }
  bool over() const { return to_move() == 0; }
  bool at_chance() const { return to_move() == only(chance); }

  // Replaces what is in out; ascending, and empty unless the seat is to move.
  void legal_actions(int seat, std::vector<action>& out) const;
  // The same for who asks often: the answer lies in the room, which grows if it has to and is never
  // cleared.
  std::span<action> list_actions(int seat, std::vector<action>& room) const {
    const auto count = rules_->abi.legal_actions(state_, seat, room.data(), room.size());
    if (count <= room.size()) return {room.data(), count};
    return list_in_more_room(seat, count, room);
  }

  // Takes the action: nullptr, or the reason why it was refused and the state is as it was.
  const char* apply(int seat, action a) {
    const char* why = rules_->abi.apply(state_, seat, a);
    return why == nullptr ? nullptr : word_of(why);
  }

  // Replaces what is in both; empty unless the match is at chance. The draw is applied with the
  // seat `chance`.
  void chance_outcomes(std::vector<action>& actions, std::vector<std::uint32_t>& weights) const;

  // Who may know of this legal action once it is taken, beside the seat itself: only(seat) for
  // each, only(spectator) for spectators, `everyone` for a public one. Ask before apply.
  seats audience(int seat, action a) const { return rules_->abi.audience(state_, seat, a); }

  // Requires: over(), and out has room for players(). Won is +1, drawn 0, lost -1.
  void scores(std::span<double> out) const;

  // An action that exists but is not allowed now is good here: apply refuses it.
  parsed from_text(int seat, std::string_view text) const;
  parsed from_json(int seat, std::string_view text) const;
  parsed at_cell(int seat, std::int64_t cell) const;

  // Requires: the action is legal, or was before the last apply.
  std::string to_text(action a) const;
  std::string to_json(action a) const;

  // The next three are about a board. An engine without cells has an empty one.
  grid cells() const;
  // Replaces what is in out with one character a cell, the top row first.
  void glyphs(int viewer, std::string& out) const;
  // The cell that the action would mark, or -1.
  int cell_of(action a) const;

  // Replaces what is in out with a JSON object: what a seat or a spectator may see.
  void view_json(int viewer, std::string& out) const;

  std::string save() const;
  std::uint64_t hash() const { return rules_->abi.hash(state_); }
  match clone() const;

  // The engine's own choice for a seat that is to move; nothing if it has no player or it failed.
  // A player that knows one way only is led astray here, more often the lower the level.
  std::optional<action> choose(int seat, const play_style& style) const;

 private:
  friend class engine;
  match(const adopted* rules, gamehub_match* state) : rules_(rules), state_(state) {}

  std::span<action> list_in_more_room(int seat, std::size_t count, std::vector<action>&) const;

  // The reason, if it is a word; else the engine failed.
  static const char* word_of(const char* given);

  const adopted* rules_;
  gamehub_match* state_;
};

// The rules of one game.
class engine {
 public:
  // An engine whose description this hub understands, or a sentence that says what is wrong.
  static std::variant<engine, std::string> adopt(const gamehub_engine_abi* abi,
                                                 engines::host* = nullptr);

  std::string_view id() const { return rules_->abi.id; }
  std::string_view title() const { return rules_->abi.title; }
  // "1.0.0"
  std::string version_text() const;
  // Older versions are smaller.
  friend bool older(const engine& a, const engine& b);
  friend bool operator==(const engine& a, const engine& b) { return a.rules_ == b.rules_; }

  int players_min() const { return rules_->abi.players_min; }
  int players_max() const { return rules_->abi.players_max; }
  bool perfect_information() const { return flag(GAMEHUB_PERFECT_INFORMATION); }
  bool simultaneous() const { return flag(GAMEHUB_SIMULTANEOUS); }
  bool has_chance() const { return flag(GAMEHUB_HAS_CHANCE); }
  // A JSON schema; empty if there are no options.
  std::string_view options_schema() const;

  // Bounds of every match: legal actions of one seat at once, actions in all, bytes of save().
  std::uint64_t actions_max() const { return rules_->abi.actions_max; }
  std::uint64_t plies_max() const { return rules_->abi.plies_max; }
  std::uint64_t state_bytes_max() const { return rules_->abi.state_bytes_max; }

  bool has_cells() const { return rules_->has_cells; }
  bool has_player() const { return rules_->has_player; }
  // The player costs no more than a move.
  bool player_immediate() const { return rules_->player.immediate != 0; }
  // The character of a seat on the board; the blank without cells or such a seat.
  char mark(int seat) const;

  // Of an engine that runs in a process of its own; else nullptr.
  engines::host* host() const { return rules_->host; }
  // As adopted.
  const adopted& table() const { return *rules_; }

  // A new match, or the reason why there is none. Empty options mean the defaults, no players the
  // smallest number.
  std::variant<match, std::string> create(std::string_view options_json, int players = 0) const;
  // The same without waiting: an engine that runs elsewhere may fail to make it when it is first
  // used. Requires: nothing is wrong with the options.
  std::variant<match, std::string> prepare(std::string_view options_json) const;
  // A match from what save() gave, or nothing if the bytes are not such.
  std::optional<match> load(std::string_view bytes) const;

  // What is behind it, for who puts another engine in front of it.
  const adopted& tables() const { return *rules_; }

 private:
  explicit engine(const adopted* rules) : rules_(rules) {}
  bool flag(std::uint32_t bit) const { return (rules_->abi.flags & bit) != 0; }

  const adopted* rules_;
};

}  // namespace gamehub::engines
