// The members of all responses: for the generated documentation, and for tests that check real
// responses. Constants, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gamehub::gateways::http {

struct schema;

struct member {
  enum class kind : std::uint8_t {
    text,
    time,
    integer,
    number,
    boolean,
    document,
    array_of_text,
    array_of_integer,
    array_of_number,
    array_of_number_or_null,
    array_of,
    one_of
  };
  enum class presence : std::uint8_t { always, sometimes, or_null };

  std::string_view name;
  kind what = kind::text;
  presence is = presence::always;
  std::string_view means;
  const schema* of = nullptr;  // array_of: the element type; null: updates; one_of: the type
  // Of texts: all values that there are, separated by blanks, or a regular expression that begins
  // with '^'. Empty: any.
  std::string_view values = {};
};

struct schema {
  std::string_view name;
  std::string_view means;
  std::span<const member> members;
  std::string_view type_word{};  // value of the member "type" of an update
};

namespace shapes {

extern const schema session, player_name, invitation, seat, nothing, engine, engine_list, example,
    move_example, game_summary, game_list, game, replay, ranked_player, leaderboard, failure, clock,
    absent_player, offer, notice, notice_line, opponent, own_game, own_games, clock_bounds, webhook;

// The updates of a stream.
extern const std::span<const schema> updates;
// Members of every update, besides its type.
extern const std::span<const member> of_every_update;

// All schemas except those of updates.
extern const std::span<const schema* const> all;

}  // namespace shapes

}  // namespace gamehub::gateways::http
