// What one seat knows of a game, and matches that agree with it. An observation is made from the
// true game and has no secret of it: of an action that the seat may not know it has the mover
// alone, and of each state a digest of what the seat sees. A sampler replays the game from the
// start with other hidden actions until the seat would have seen the same at every step. It uses
// only functions of the C ABI that every engine has. Plain values; used by one thread at a time.
#pragma once

#include "engines/dice.hpp"
#include "engines/host/draw.hpp"
#include "engines/host/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::engines::host {

// An action that was applied, of a seat or of `chance`.
struct ply {
  int seat = 0;
  action what = 0;
};

// A game from its start: the arguments of engine::create(), and all actions so far.
struct played_game {
  std::string options;
  int players = 0;
  std::vector<ply> plies;
};

struct observation {
  struct event {
    int mover = 0;
    bool hidden = false;     // The seat may not know the action.
    action what = 0;         // If it is not hidden.
    std::uint64_t view = 0;  // What the seat sees after it, as of digest_of_view().
  };

  engine rules;
  std::string options;
  int players = 0;
  int seat = 0;
  // Without the choices of others in a simultaneous turn that has not ended: the seat chooses as if
  // it were the first.
  std::vector<event> events;
  std::vector<action> legal;  // Of the seat now.
};

// Returns what the seat, which is to move, knows of the game. Throws engine_failure if the engine
// fails or refuses the game.
observation observe(const engine&, const played_game&, int seat);

// Returns a digest of what a seat sees: view, board, who is to move, its legal actions.
std::uint64_t digest_of_view(const match&, int seat);

// Finds matches that agree with an observation. The result depends on the observation and the seed
// alone. A hidden action is at first one of the legal ones at random, a draw by its weight; for a
// further match some are drawn again. Where a replay fails, a hidden action before that place is
// changed, mostly one that can be the cause: the draws that the mover knows, or the same action in
// another place.
class sampler {
 public:
  sampler(const observation& of, std::uint64_t seed);

  // Replays until it finds a match, or has applied `plies` actions: then it returns nothing, and
  // the next call continues. At least one replay.
  std::optional<match> find(std::size_t plies);

  // True if no other match can be found: no action is hidden.
  bool is_certain() const { return unknown_.empty(); }

 private:
  // One hidden action of the current attempt.
  struct guess {
    std::size_t at = 0;  // its event
    std::optional<action> what{};
    seats known_to = 0;
  };
  struct outcome {
    std::size_t failed_at = 0;  // the number of events: none failed
    bool was_refused = false;   // else the view is another one
    std::optional<match> found{};
  };

  // Begins an attempt with the match that was found last, and some other guesses.
  void vary_latest();
  outcome replay();
  // Applies the guess, or another legal action if it is not legal. Returns false if none fits.
  bool apply_guess(match&, int mover, guess&);
  void change_one(const outcome& failure);
  bool repair(std::size_t failed_at);
  void redraw(std::size_t at) { guesses_[at].what.reset(); }
  // The guesses before an event that its mover knows, without those whose action it has taken
  // since.
  std::vector<std::size_t> known_to_mover(std::size_t event) const;
  bool is_used(const guess&, int mover, std::size_t before) const;

  const observation& of_;
  rng dice_;
  draw_source chance_;
  std::vector<guess> unknown_;  // one for each hidden action, without an action
  std::vector<guess> guesses_;
  std::vector<guess> before_;  // those of the best replay
  std::vector<guess> latest_;  // those of the match that was found last
  std::optional<outcome> best_;
  std::size_t changes_ = 0;  // since the best replay was found
  std::size_t applied_ = 0;
};

}  // namespace gamehub::engines::host
