// The parameters of a request: query, form or JSON object as one lookup, checked against the
// parameters of the route. Unknown parameters are only checked for well-formedness. Error messages
// repeat no value, because it may be a secret. A plain value, any thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/request.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/intent.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::gateways::http {

enum class parameter_type : std::uint8_t {
  text,           // without control characters
  name,           // name of a player; error 104 if it is not acceptable
  boolean,        // `true` or `false`
  integer,        // in JSON notation; numbers out of range are clamped
  document,       // a JSON object
  list,           // words with commas between them, or a JSON array of strings
  client_id,      // also in Authorization: Bearer; error 101 if it is malformed
  new_client_id,  // the same, with error 100
  any_client_id,  // an unknown one is a guest's: no error
};

struct parameter_spec {
  std::string_view name;
  parameter_type type = parameter_type::text;
  bool required = false;
  std::string_view what;  // description in the OpenAPI document
  std::size_t bytes_max = limits::http_parameter_bytes_max;
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

// True if requests with this method have their parameters in a body.
inline bool has_body(std::string_view method) { return method == "POST" || method == "PUT"; }

class parameters {
 public:
  // Reads the query, and the body if the method has one. The body is a form, also without
  // Content-Type, or a JSON object. Requires: the specs outlive the result.
  static std::variant<parameters, error> read(const request&, std::span<const parameter_spec>);

  // Reads those that another hub has read. Requires: as above.
  static std::variant<parameters, error> of(std::span<const std::string> names,
                                            std::span<const std::string> values,
                                            std::span<const parameter_spec>);

  // Appends all that are given but the client_id, as of() reads them.
  void append(std::vector<std::string>& names, std::vector<std::string>& values) const;

  // Return a parameter by its name in the specs; unknown names give nothing. A blank value and a
  // JSON null count as missing; mentions() is true for them.
  bool mentions(std::string_view name) const;
  bool has(std::string_view name) const { return !text(name).empty(); }
  std::string_view text(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;

 private:
  friend class parameter_reader;
  explicit parameters(std::span<const parameter_spec> specs)
      : specs_(specs), values_(specs.size()) {}

  std::span<const parameter_spec> specs_;
  std::vector<std::optional<std::string>> values_;  // in the order of the specs
};

// Parses the id of a game.
std::optional<game_id> read_game(std::string_view text);

// Parses an integer in JSON notation. Numbers out of range are clamped.
std::optional<std::int64_t> read_integer(std::string_view text);

// Parses a list; nothing: it is a JSON value that is no array of strings.
std::optional<std::vector<std::string>> read_list(std::string_view text);

// Returns the move that a request asks for: a cell, or text in the engine's own notation. Exactly
// one of them has to be given. Requires: the parameters are those of a move.
std::variant<gamehub::move, error> read_move(const parameters&);

}  // namespace gamehub::gateways::http
