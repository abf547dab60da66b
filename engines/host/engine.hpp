// The hub's side of the C ABI: an engine and its matches as C++ values. An engine is a cheap handle
// to a description that lives as long as the program; a match owns the state of one game. Any
// thread may use an engine; one thread at a time uses a match. A call costs one indirect call and
// allocates only to grow the caller's strings and vectors.
#pragma once

#include "engines/abi.h"
#include "engines/action.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::host {

// Thrown if an engine throws anything or does not return a required result: an engine defect or
// lack of memory, never a client error. It ends one game.
class engine_failure : public std::runtime_error {
 public:
  // `function` is the name of the called function in abi.h; empty: no particular one.
  explicit engine_failure(const std::string& what, std::string function = {})
      : std::runtime_error(what), function_(std::move(function)) {}

  const std::string& function() const { return function_; }

 private:
  std::string function_;
};

// Returns the exception that is being handled, whatever it is, as an engine_failure. `function` is
// used if the exception names none. Requires: called in a catch block.
engine_failure current_failure(const std::string& function = {});

// Throws current_failure().
[[noreturn]] void rethrow_as_failure(const char* function);

// Receives the failures of matches that are destroyed, because a destructor cannot throw. The
// function must not throw. One function for the process; an empty one ends it. Any thread.
class engine;
void report_destroy_failures(std::function<void(const engine&, const engine_failure&)>);

// One process of an engine that runs isolated. Calls on its matches wait for that process and throw
// engine_failure if it has ended. It outlives the engine. Any thread.
class host {
 public:
  virtual ~host() = default;
  // The number of the loop that may wait for this process, from 0.
  virtual std::size_t number() const = 0;
  // True while the process is running.
  virtual bool up() const = 0;
  // Starts the process if necessary. Returns true if it is running. May take seconds.
  virtual bool bring_up() = 0;
  // Calls `then`, at once or on another thread. A process that was stopped because no match used it
  // is started first, if that is possible.
  virtual void wake(std::function<void()> then) = 0;
  // The matches in this process that are not destroyed.
  virtual std::size_t matches() const = 0;
  // The engine in each of its processes, in a fixed order.
  virtual std::span<const engine> processes() const = 0;

  // As create and load of gamehub_engine_abi, whose functions do not say in which process.
  virtual gamehub_match* create(std::string_view options, int players, gamehub_reason*) = 0;
  virtual gamehub_match* load(std::string_view saved, gamehub_reason*) = 0;
  // Returns a match that is created at its first use, so that this call does not wait.
  virtual gamehub_match* prepare(std::string_view options, int players) = 0;
};

// The validated description of an engine: copies of its tables, cut to the size that this hub
// knows. Entries that an older engine does not have are null.
struct adopted {
  gamehub_engine_abi abi{};
  gamehub_cells cells{};
  gamehub_player player{};
  // Zero: the engine has no such extension.
  gamehub_failure failure{};
  gamehub_score score{};
  gamehub_summary summary{};
  std::string version;  // "1.0.0"
  std::string face;     // validated JSON; empty: none
  bool has_cells = false;
  bool has_player = false;
  engines::host::host* host = nullptr;

  // As the functions of `abi`, also of an engine in a process.
  gamehub_match* create(std::string_view options, int players, gamehub_reason* why) const {
    if (host != nullptr) return host->create(options, players, why);
    return abi.create(options.data(), options.size(), players, why);
  }
  gamehub_match* load(std::string_view saved, gamehub_reason* why) const {
    if (host != nullptr) return host->load(saved, why);
    return abi.load(saved.data(), saved.size(), why);
  }
};

// The state of one game. Every call throws engine_failure if the engine throws anything.
class match {
 private:
  template <class Call>
  static auto guarded(const char* function, Call call) {
    try {
      return call();
    } catch (...) {
      rethrow_as_failure(function);
    }
  }

 public:
  // The result of parsing client input: the action, or the reason for the refusal.
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
    if (state_ != nullptr) destroy_or_report();
  }

  // Destroys the state, for a caller that handles the failure. Nothing else may follow.
  void destroy();

  // Prefetches the state.
  void prefetch() const { __builtin_prefetch(state_); }

  int players() const;

  // Returns the seats to move: a bit for each, or only the chance bit, or 0 if the match is over.
  seats to_move() const {
    return guarded("to_move", [&] { return rules_->abi.to_move(state_); });
  }
  bool over() const { return to_move() == 0; }
  bool at_chance() const { return to_move() == only(chance); }

  // Writes the legal actions of a seat to `out`, ascending. Empty unless the seat is to move.
  void legal_actions(int seat, std::vector<action>& out) const;
  // The same for frequent calls: the result is a part of `room`, which grows if necessary and is
  // never cleared.
  std::span<action> list_actions(int seat, std::vector<action>& room) const {
    const auto count = legal_actions(seat, room.data(), room.size());
    if (count <= room.size()) return {room.data(), count};
    return list_in_more_room(seat, count, room);
  }

  // Applies an action. Returns nullptr, or the reason for a refusal, which leaves the state
  // unchanged.
  const char* apply(int seat, action a) {
    const char* why = guarded("apply", [&] { return rules_->abi.apply(state_, seat, a); });
    return why == nullptr ? nullptr : word_of(why);
  }

  // Writes the possible draws and their weights. Empty unless the match is at chance. The draw is
  // applied with the seat `chance`.
  void chance_outcomes(std::vector<action>& actions, std::vector<std::uint32_t>& weights) const;

  // Returns the viewers that may see this legal action in addition to the seat itself: only(seat)
  // for each seat, only(spectator) for spectators, `everyone` if it is public. Call it before
  // apply().
  seats audience(int seat, action a) const {
    const auto viewers = guarded("audience", [&] { return rules_->abi.audience(state_, seat, a); });
    if (viewers == 0) check_failure("audience");
    return viewers;
  }

  // Writes the scores of a match that is over; `out` has players() elements. Won +1, drawn 0, lost
  // -1.
  void scores(std::span<double> out) const;

  // Writes what each seat has won so far, as everyone may know it; not a number: it has no score.
  // Empty if the engine has no score.
  void score(std::vector<double>& out) const;
  // Writes a line about the state for everyone; empty: no such line.
  void summary(std::string& out) const;

  // Parse client input. An action that exists but is not legal now is accepted; apply() refuses it.
  parsed from_text(int seat, std::string_view text) const;
  parsed from_json(int seat, std::string_view text) const;
  parsed at_cell(int seat, std::int64_t cell) const;

  // Write an action that is legal, or was before the last apply().
  std::string to_text(action a) const;
  std::string to_json(action a) const;

  // The next three functions describe the board. An engine without cells has an empty one.
  grid cells() const;
  // Writes one character per cell to `out`, the top row first.
  void glyphs(int viewer, std::string& out) const;
  // Returns the cell that the action marks, or -1.
  int cell_of(action a) const;

  // Writes the view of a seat or a spectator to `out`: a JSON object.
  void view_json(int viewer, std::string& out) const;

  // Returns the serialised state, for engine::load().
  std::string save() const;
  std::uint64_t hash() const {
    const auto h = guarded("hash", [&] { return rules_->abi.hash(state_); });
    if (h == 0) check_failure("hash");
    return h;
  }
  match clone() const;

  // The engine of this match, in its process.
  engine rules() const;

  // Returns the choice of the engine's player for a seat that is to move, or nothing if there is no
  // player or it failed. If the player ignores the level, some of its choices are replaced by
  // random actions, more often at a lower level.
  std::optional<action> choose(int seat, const play_style& style) const;

  // Returns the failure of the function that has just failed without a throw. `otherwise` is its
  // text if the engine has none.
  engine_failure failure(const char* function,
                         const char* otherwise = reasons::engine_failure) const;

 private:
  friend class engine;
  match(const adopted* rules, gamehub_match* state) : rules_(rules), state_(state) {}

  // Throws if the engine caught an exception in this function, whose result cannot say so.
  void check_failure(const char* function) const;
  void destroy_or_report() noexcept;

  std::size_t legal_actions(int seat, action* out, std::size_t capacity) const {
    return guarded("legal_actions",
                   [&] { return rules_->abi.legal_actions(state_, seat, out, capacity); });
  }
  std::span<action> list_in_more_room(int seat, std::size_t count, std::vector<action>&) const;

  // Returns the reason if it is a valid word, otherwise the reason of an engine failure.
  static const char* word_of(const char* given);

  const adopted* rules_;
  gamehub_match* state_;
};

// The rules of one game.
class engine {
 public:
  // Validates a description. Returns the engine, or a sentence that states the error.
  static std::variant<engine, std::string> adopt(const gamehub_engine_abi* abi, host* = nullptr);

  std::string_view id() const { return rules_->abi.id; }
  std::string_view title() const { return rules_->abi.title; }
  // "1.0.0"
  const std::string& version_text() const { return rules_->version; }
  // Orders engines by version.
  friend bool older(const engine& a, const engine& b);
  friend bool operator==(const engine& a, const engine& b) { return a.rules_ == b.rules_; }

  int players_min() const { return rules_->abi.players_min; }
  int players_max() const { return rules_->abi.players_max; }
  bool perfect_information() const { return flag(GAMEHUB_PERFECT_INFORMATION); }
  bool simultaneous() const { return flag(GAMEHUB_SIMULTANEOUS); }
  bool has_chance() const { return flag(GAMEHUB_HAS_CHANCE); }
  // True if players may take moves back: no player learns by it what was hidden or drawn.
  bool allows_takeback() const {
    return perfect_information() && !simultaneous() && !has_chance() && !flag(GAMEHUB_NO_TAKEBACK);
  }
  // The JSON schema of the options; empty without options.
  std::string_view options_schema() const;

  // Bounds of every match: legal actions of one seat, actions of one game, bytes of save().
  std::uint64_t actions_max() const { return rules_->abi.actions_max; }
  std::uint64_t plies_max() const { return rules_->abi.plies_max; }
  std::uint64_t state_bytes_max() const { return rules_->abi.state_bytes_max; }

  bool has_cells() const { return rules_->has_cells; }
  bool has_player() const { return rules_->has_player; }
  // True if the player costs no more than a move.
  bool player_immediate() const { return rules_->player.immediate != 0; }
  // How games look to people: a JSON object of known, validated members; empty: not declared.
  std::string_view face() const { return rules_->face; }
  bool has_score() const { return rules_->score.score != nullptr; }
  bool has_summary() const { return rules_->summary.summary != nullptr; }
  // The character of a seat on the board; a blank if there are no cells or no such seat.
  char mark(int seat) const;

  // The process of an isolated engine, otherwise nullptr. An engine can run in several processes:
  // in each it is another `engine`, with its own matches.
  engines::host::host* host() const { return rules_->host; }
  // True if it runs in this process, or one of its processes is running.
  bool up() const;
  // Returns the engine in the process with the fewest matches, of those that run.
  engine least_loaded() const;
  // Returns the engine in one of its processes, the same one for the same number.
  engine in_process(std::uint64_t number) const;
  // The validated description.
  const adopted& table() const { return *rules_; }

  // Creates a match, or returns the reason for a refusal. Empty options are the defaults; 0 players
  // is the number of the option "players" (options.hpp), or the smallest one.
  std::variant<match, std::string> create(std::string_view options_json, int players = 0) const;
  // The same without waiting: the match of an isolated engine is created at its first use and may
  // fail then. The options are valid.
  std::variant<match, std::string> prepare(std::string_view options_json) const;
  // Restores a match from the bytes of save(), or returns nothing if they are invalid.
  std::optional<match> load(std::string_view bytes) const;

  // The validated description, for an engine that wraps this one.
  const adopted& tables() const { return *rules_; }

  // As match::failure(), for create().
  engine_failure failure(const char* function) const;

 private:
  friend class match;
  explicit engine(const adopted* rules) : rules_(rules) {}
  bool flag(std::uint32_t bit) const { return (rules_->abi.flags & bit) != 0; }

  const adopted* rules_;
};

inline engine match::rules() const { return engine{rules_}; }

}  // namespace gamehub::engines::host
