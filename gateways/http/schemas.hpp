// What answers hold, member by member: for the documentation that is generated from it, and for
// tests that hold real answers against it. Constants, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gamehub::gateways::http {

struct shape;

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
    array_of
  };
  enum class presence : std::uint8_t { always, sometimes, or_null };

  std::string_view name;
  kind what = kind::text;
  presence is = presence::always;
  std::string_view means;
  const shape* of = nullptr;  // array_of: of what; no shape: of any
};

struct shape {
  std::string_view name;
  std::string_view means;
  std::span<const member> members;
  std::string_view type_word{};  // of an update: what its member "type" says
};

namespace shapes {

extern const shape session, seat, nothing, engine, engine_list, game_summary, game_list, game,
    replay, ranked_player, leaderboard, failure;

// What a stream of updates is made of.
extern const std::span<const shape> updates;
// Members of each of them, besides its type and its own.
extern const std::span<const member> of_every_update;

// Every shape but those of updates.
extern const std::span<const shape* const> all;

}  // namespace shapes

}  // namespace gamehub::gateways::http
