// What a client gave with a request: its query, its form or its JSON object as one lookup, checked
// against the list of parameters that its path knows. What is not in the list is checked for its
// form alone and then dropped. A mistake is an error, with a message that repeats no value. A plain
// value, any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/request.hpp"

namespace gamehub::gateways::http {

enum class parameter_type : std::uint8_t {
  text,           // no controls
  name,           // of a player: error 104 if it is not acceptable
  boolean,        // true or false
  integer,        // as JSON spells one; huge ones become the largest there is
  document,       // a JSON object
  client_id,      // also in Authorization: Bearer; error 101 if it can't be one
  new_client_id,  // the same, but error 100
  any_client_id,  // whoever is not known by it is a guest: no error
};

struct parameter_spec {
  std::string_view name;
  parameter_type type = parameter_type::text;
  bool required = false;
  std::string_view what;  // for those who read the documentation
  std::size_t bytes_max = limits::http_parameter_bytes_max;
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

class parameters {
 public:
  // Of a GET only the query is read; of a POST the query and the body, as its Content-Type has it:
  // a form, which is also what no type means, or a JSON object. Requires: the specs outlive the
  // result.
  static std::variant<parameters, error> read(const request&, std::span<const parameter_spec>);

  // Names are those of the specs: others give nothing. A blank one counts as missing, and so does
  // null in JSON; mentions() tells whether it was there all the same.
  bool mentions(std::string_view name) const;
  bool has(std::string_view name) const { return !text(name).empty(); }
  std::string_view text(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;

 private:
  friend class parameter_reader;
  explicit parameters(std::span<const parameter_spec> specs)
      : specs_(specs), values_(specs.size()) {}

  std::span<const parameter_spec> specs_;
  std::vector<std::optional<std::string>> values_;  // by spec
};

// Whether the text is an integer as JSON spells one, and which: the nearest there is.
std::optional<std::int64_t> read_integer(std::string_view text);

}  // namespace gamehub::gateways::http
