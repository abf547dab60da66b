// What the hub and a process that hosts an engine say to each other: one request, one reply, each
// as bytes. Numbers are little-endian and of fixed size; texts and lists are a count of 32 bits and
// what they hold. Neither side trusts the other: what does not decode to its last byte is nonsense.
// Plain values and functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/action.hpp"

namespace gamehub::engines::remote {

// Bytes of one request or reply.
inline constexpr std::size_t message_bytes_max = 8 * 1024 * 1024;

// The engine's description, but for its functions: what its process says first, unasked.
struct description {
  std::uint32_t flags = 0;
  std::string id;
  std::string title;
  std::optional<std::string> options_schema;
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::uint32_t version_patch = 0;
  std::int32_t players_min = 0;
  std::int32_t players_max = 0;
  std::uint64_t actions_max = 0;
  std::uint64_t plies_max = 0;
  std::uint64_t state_bytes_max = 0;
  std::optional<std::string> marks;  // of the extension cells
  bool has_player = false;           // the extension
  bool player_immediate = false;

  friend bool operator==(const description&, const description&) = default;
};

// What may be asked of a match without changing it.
struct query {
  enum class kind : std::uint8_t {
    legal_actions,
    audience,
    from_text,
    from_json,
    at_cell,
    to_text,
    to_json,
    glyphs,
    cell_of,
    view,
    save,
    choose,
  };

  kind what = kind::view;
  std::int32_t seat = 0;    // or viewer
  std::int64_t number = 0;  // an action or a cell
  std::string text;         // from_text and from_json
  std::uint32_t level = 0;  // this and the next: how to choose
  std::uint64_t seed = 0;
  std::uint64_t budget_ns = 0;

  friend bool operator==(const query&, const query&) = default;
};
inline constexpr int query_kind_count = 12;

struct answer {
  bool failed = false;          // the engine itself
  std::string reason;           // of a refusal; empty: none
  std::int64_t number = 0;      // an action or a cell
  seats audience = 0;           // of the action that was asked about or found
  std::string bytes;            // text, JSON, glyphs, a saved state
  std::vector<action> actions;  // legal_actions

  friend bool operator==(const answer&, const answer&) = default;
};

// What is told of every state: what the hub always asks first.
struct state {
  std::int32_t players = 0;
  seats to_move = 0;
  std::uint64_t hash = 0;
  grid size;
  std::vector<double> scores;  // once it is over, by seat
  std::vector<action> draws;   // of chance
  std::vector<std::uint32_t> weights;

  friend bool operator==(const state&, const state&) = default;
};

struct request {
  enum class kind : std::uint8_t {
    create,  // number: players; text: options
    load,    // text: what save() gave
    clone,   // number: the match that is copied
    apply,   // seat, number: the action
    ask,     // queries alone
  };

  kind what = kind::ask;
  std::vector<std::uint64_t> released;  // matches that are not needed any more
  std::uint64_t match = 0;              // the hub counts them
  std::int32_t seat = 0;
  std::int64_t number = 0;
  std::string text;
  std::vector<query> queries;  // answered in the state that the request leads to

  friend bool operator==(const request&, const request&) = default;
};
inline constexpr int request_kind_count = 5;

struct reply {
  bool failed = false;  // there is no such match, or the engine failed to make one
  std::string reason;   // why it was refused; empty: it was not
  // Of a request that was carried out and was not `ask`.
  std::optional<remote::state> state;
  std::vector<answer> answers;  // as many as queries, unless it failed or was refused

  friend bool operator==(const reply&, const reply&) = default;
};

std::string encoded(const description&);
std::string encoded(const request&);
std::string encoded(const reply&);

std::optional<description> decode_description(std::string_view bytes);
std::optional<request> decode_request(std::string_view bytes);
std::optional<reply> decode_reply(std::string_view bytes);

}  // namespace gamehub::engines::remote
