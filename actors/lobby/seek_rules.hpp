// What a seek asks for, read by the engines and the settings of its wire: the queues that it
// enters, or why none of its engines can be played. Made by the lobby for one seek; on its thread.
#pragma once

#include "actors/lobby/matchmaker.hpp"
#include "actors/runtime/loop.hpp"
#include "actors/runtime/messages.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/clock_policy.hpp"
#include "hub/core/game_update.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::actors::lobby {

// Complete the sentence "it can't be played here: it …".
inline constexpr const char* restarting = "is restarting after a failure";

// Returns the traits of games with these options, or the text of the refusal. `rules` as in
// table::traits_for_options(). On the thread of the loop, which reports a failure of the engine.
std::variant<engine_traits, std::string> traits_on(runtime::loop& where, std::uint16_t number,
                                                   const table::engine_entry&,
                                                   const engines::host::engine& rules,
                                                   std::string_view options);

// Returns the level at which an engine takes a seat of a table. If the seat names no level, it is
// that of the player who opens the table.
engines::level level_at(const std::vector<seat_filler>& by_seat, std::size_t seat,
                        const engines::host::engine&, engines::level otherwise);

// Adds the engines and bots that take seats of a waiting table to its metadata.
void show_fillers(const std::vector<seat_filler>& by_seat, const engines::host::engine&,
                  engines::level otherwise, game_metadata& of);

class seek_rules {
 public:
  seek_rules(const table::engine_directory& directory, const matchmaker& matches,
             const clock_policy& clocks, runtime::loop& where)
      : directory_(directory), matches_(matches), clocks_(clocks), where_(where) {}

  std::variant<engine_traits, std::string> traits_for(const runtime::seek_request&,
                                                      std::uint16_t engine,
                                                      std::string_view options) const;
  // Returns the queues of a seek, or the refusal.
  std::variant<std::vector<queue_key>, runtime::seek_result> queues_for(
      const runtime::seek_request&) const;
  // Returns what the matchmaker has to know. `table` is the waiting game that it joins, or zero.
  open_seek open_seek_of(const runtime::seek_request&, std::vector<queue_key>, game_id table) const;
  // Adds to the reply the size of the board, and what is on it when the game begins.
  void add_board(const runtime::seek_request&, const queue_key&, placed& in) const;
  bool plays_against_engine(const runtime::seek_request&) const;
  // Returns the requested level of the engine opponent, or that of the protocol.
  engines::level engine_level(const runtime::seek_request&) const;

 private:
  // Returns why this engine does not support the seek, or nothing.
  std::optional<std::string> engine_unsupported_reason(const runtime::seek_request&,
                                                       const engines::host::engine&,
                                                       const engine_traits&) const;

  // Returns why the fillers that the seek names can't take seats of this engine, or nothing.
  static std::optional<std::string> unfit_fillers(const runtime::seek_request&,
                                                  const engines::host::engine&,
                                                  const engine_traits&);
  // Returns the first bot that the seek names and that does not play this engine, or null.
  const std::string* other_bot(const runtime::seek_request&, std::uint16_t engine) const;

  const table::engine_directory& directory_;
  const matchmaker& matches_;
  const clock_policy& clocks_;
  runtime::loop& where_;
};

}  // namespace gamehub::actors::lobby
