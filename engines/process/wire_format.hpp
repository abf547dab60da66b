// The protocol between the hub and an engine process: one request, one reply, each as bytes.
// Numbers are little-endian and of fixed size; texts and lists are a count of 32 bits and their
// contents. Neither side trusts the other: a message that does not decode exactly to its last byte
// is invalid. Plain values and functions, any thread.
#pragma once

#include "engines/action.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::engines::process {

// Maximum bytes of one request or reply.
inline constexpr std::size_t message_bytes_max = 8 * 1024 * 1024;

// The description of the engine without its functions.
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
  std::optional<std::string> face;   // the extension, as JSON
  bool has_score = false;            // the extension
  bool has_summary = false;          // the extension
  bool has_player = false;           // the extension
  bool player_immediate = false;
  // Not a part of the description's bytes: the version in the first message.
  std::uint16_t protocol_minor = 0;

  friend bool operator==(const description&, const description&) = default;
};

// A query about a match, which does not change it.
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
    score,
    summary,
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
inline constexpr int query_kind_count = 14;
// True for queries that find an action.
inline bool is_move(const query& q) {
  using kind = query::kind;
  return q.what == kind::from_text || q.what == kind::from_json || q.what == kind::at_cell;
}

// The failure of an engine: the function of abi.h in which it happened, and the text of the
// exception.
struct failure_text {
  std::string function;
  std::string what;

  friend bool operator==(const failure_text&, const failure_text&) = default;
};

// The answer to a query.
struct query_result {
  bool failed = false;          // the engine itself
  failure_text failure;         // if it failed
  std::string reason;           // of a refusal; empty: none
  std::int64_t number = 0;      // an action or a cell
  seats audience = 0;           // of the action in the query or in the answer
  std::string bytes;            // text, JSON, glyphs, a saved state, a summary
  std::vector<action> actions;  // legal_actions
  std::vector<double> scores;   // score

  friend bool operator==(const query_result&, const query_result&) = default;
};

// The data that every reply contains about a state, because the hub always needs it.
struct state_summary {
  std::int32_t players = 0;
  seats to_move = 0;
  std::uint64_t hash = 0;
  grid size;
  std::vector<double> scores;  // once it is over, by seat
  std::vector<action> draws;   // of chance
  std::vector<std::uint32_t> weights;

  friend bool operator==(const state_summary&, const state_summary&) = default;
};

// A request of the hub.
struct request {
  enum class kind : std::uint8_t {
    create,  // number: players; text: options
    load,    // text: what save() gave
    clone,   // number: the match that is copied
    apply,   // seat, number: the action
    ask,     // queries alone
    // Since version 1.1. number: the new match. The first query reads an action; a copy of the
    // match gets this number, and the seat of the query applies the action to it. The other queries
    // are answered there. Unless the copy was made, only the first query has an answer.
    play,
  };

  kind what = kind::ask;
  std::vector<std::uint64_t> released;  // matches to destroy
  std::uint64_t match = 0;              // assigned by the hub
  std::int32_t seat = 0;
  std::int64_t number = 0;
  std::string text;
  std::vector<query> queries;  // answered in the state that the request leads to

  friend bool operator==(const request&, const request&) = default;
};
inline constexpr int request_kind_count = 6;
inline constexpr std::uint16_t minor_with_play = 1;

// The reply to a request.
struct reply {
  bool failed = false;   // there is no such match, or the engine failed to create one
  failure_text failure;  // if the engine failed
  std::string reason;    // reason of a refusal; empty: accepted
  // Set if the request succeeded and was not `ask`.
  std::optional<state_summary> state;
  // As many as queries. None if it failed or was refused; of `play` then one, unless it failed.
  std::vector<query_result> answers;

  friend bool operator==(const reply&, const reply&) = default;
};

// The first message of the process: the name of the protocol, the version that it needs, then the
// description.
inline constexpr std::string_view protocol_name = "GHENGINE";
inline constexpr std::uint16_t protocol_major = 1, protocol_minor = 1;
std::string encode_hello(const description&);
inline constexpr std::string_view not_an_engine =
    "its first message is not that of an engine: standard output is for the protocol alone";
// Returns the description, or a sentence that says why the process can't be used.
std::variant<description, std::string> decode_hello(std::string_view bytes);

std::string encode(const description&);
std::string encode(const request&);
std::string encode(const reply&);

// Return nothing if the bytes are invalid.
std::optional<description> decode_description(std::string_view bytes);
std::optional<request> decode_request(std::string_view bytes);
std::optional<reply> decode_reply(std::string_view bytes);

}  // namespace gamehub::engines::process
