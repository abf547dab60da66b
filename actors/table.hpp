// A table: one match, the players seated at it, and every decision about it. A plain value without
// runtime: each call appends to a decision what has to be logged and, once that is committed, who
// has to be told what. A game actor owns it and does both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/event.hpp"
#include "hub/core/wire.hpp"
#include "hub/journal/record.hpp"

namespace gamehub::actors {

struct table_seat {
  player_id player;
  std::string name;
  view_form form = view_form::cells;
  bool can_return = false;  // by a secret, also after the hub was away
  // The house plays it, that well, and nobody is told anything there.
  std::optional<engines::level> house = {};
  // When the player was last heard of.
  wall_time visited = {};
};

// How a player came to its seat, for the log.
struct arrival {
  std::string secret;  // the digest of what brings it back; empty: nothing does
  std::string wire;
};

// What happened at a table in one call.
struct decision {
  struct notice {
    seat_index to = 0;
    event what;
  };

  std::vector<journal::record> records;
  std::vector<notice> notices;

  void clear() { records.clear(), notices.clear(); }
};

class table {
 public:
  // Requires: as many seats as the match has players.
  table(game_id, const engines::engine&, engines::match, std::vector<table_seat>);

  // The first records, and for everyone how it begins: started, then a position.
  // Requires: as many arrivals as seats.
  void open(std::span<const arrival>, entropy&, decision&, bool closed = false);

  // Goes on after the last of these records, from which the match was replayed.
  void go_on(std::span<const journal::record>);

  void play(seat_index, const receipt&, move, entropy&, decision&);

  // The house plays what was thought of at the turn with that number; nothing if that is over.
  // Throws engine_failure if the rules do not allow it.
  void play_house(seat_index, std::uint64_t turn, engines::action, entropy&, decision&);

  // The house makes those of its moves that it makes at once, as it does by itself after play() and
  // open(): for a game that goes on.
  void play_house_at_once(entropy&, decision&);

  // The seat's player says something. For all who watch, so that it is only logged and answered.
  void say(seat_index, const receipt&, std::string text, decision&);

  // The seat's player leaves or is gone: the others win. Nothing after the end.
  void leave(seat_index, const receipt&, decision&);

  // As leave, but to nobody's loss: the hub was away, and not everyone is back.
  void excuse(seat_index, const receipt&, decision&);

  // Shows one player the game anew: started, then a position that prompts if it is its turn. It
  // may have come by another wire than before.
  void show(seat_index, view_form, decision&);

  // Those who still have to move in this turn lose. Nothing if the turn is over already.
  void turn_ran_out(std::uint64_t turn, decision&);

  // The seat's player was heard of.
  void visited(seat_index seat, wall_time at) {
    seats_[static_cast<std::size_t>(seat)].visited = at;
  }

  // Ends the game to nobody's loss. The note is for the log.
  void end(end_reason, std::string note, decision&);

  // Ends the game because of a fault, without asking the engine anything more: the positions have
  // neither cells nor document. An end that was logged before the fault stands.
  void abandon(decision&);

  bool over() const { return outcome_.has_value(); }
  // Requires: over().
  const gamehub::outcome& outcome() const { return *outcome_; }
  // Throws engine_failure if the engine names a seat that is not there.
  seat_set to_move() const;
  // The seats that the house has, and those of them where it plays at once.
  seat_set house() const { return house_at_once_ | house_thinks_; }
  seat_set house_at_once() const { return house_at_once_; }
  // The seats to move that the house has to think about.
  seat_set house_to_think() const;
  // Counts the turns that began; each has a clock of its own.
  std::uint64_t turn() const { return turn_; }
  // Has what a move touches brought near.
  void prefetch() const {
    match_.prefetch();
    for (const auto& s : seats_) __builtin_prefetch(&s);
  }
  game_id id() const { return id_; }
  const engines::match& match() const { return match_; }
  const std::vector<table_seat>& seats() const { return seats_; }

 private:
  journal::record& log(journal::record::kind, decision&);
  void draw_chances(entropy&, decision&);
  void finish(gamehub::outcome, decision&);
  void forfeit(seat_set losers, end_reason, decision&);
  void refuse(seat_index, const receipt&, refusal, std::string_view detail, move, decision&);
  engines::match::parsed read(seat_index, const move&) const;
  void take_from_house(seat_index, engines::action, entropy&, decision&);
  // What follows from an action that the engine took.
  void moved(seat_index, const receipt&, engines::action, bool hidden, entropy&, decision&);
  seat_set begin_turns();
  void tell_position(std::optional<seat_index> by, const receipt& answers, seat_set prompted,
                     decision&);
  position_ref render(seat_index, std::optional<seat_index> by, seat_set prompted) const;
  started introduction(seat_index) const;

  game_id id_;
  const engines::engine* engine_;
  engines::match match_;
  std::vector<table_seat> seats_;
  journal::record_number last_record_ = 0;
  std::uint64_t turn_ = 0;
  std::uint16_t chats_ = 0;
  seat_set asked_ = 0;                             // prompted, and has not moved since
  seat_set house_at_once_ = 0, house_thinks_ = 0;  // seats
  std::optional<gamehub::outcome> outcome_;
};

// The word that an engine gave for a refused move, as the hub's refusal.
refusal refusal_of(std::string_view engine_word);

}  // namespace gamehub::actors
