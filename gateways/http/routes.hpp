// The routes of the protocol. The same table (route_table.cpp) finds the route of a request, checks
// its parameters, and generates the OpenAPI document, so that they cannot differ. Constants, any
// thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/schemas.hpp"
#include "gateways/http/static_files.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::gateways::http {

enum class operation : std::uint8_t {
  connect,
  play,
  quit,
  move,
  chat,
  rematch,
  decline,
  offer,
  claim,
  rename,
  invitation,
  updates,
  follow,
  engines,
  engine,
  games,
  mine,
  webhook,
  set_webhook,
  remove_webhook,
  game,
  replay,
  leaderboard,
  openapi,
  socket,
  page,
};
inline constexpr int operation_count = 26;
// Returns the operation's name as metrics show it.
std::string_view to_string(operation);

// The kind of a response body.
enum class medium : std::uint8_t {
  object,    // one JSON object
  updates,   // a stream of updates, or one update
  lines,     // a stream of updates of several games
  document,  // the OpenAPI document
  socket,    // the connection becomes a WebSocket
  file,      // a file of the web page
};

struct route {
  operation what = operation::connect;
  std::string_view method;  // GET of one object also allows HEAD; of one path each has a route
  // {game_id} and {engine} are one segment, {file} a file of the web page.
  std::string_view path;
  std::string_view title;  // a summary
  std::string_view means;  // a description
  std::span<const parameter_spec> parameters;
  medium answers = medium::object;
  const schema* answer = nullptr;      // schema of an object
  std::span<const error_code> errors;  // without those of any_errors()
};

// Returns all routes.
std::span<const route> routes();

// Returns the errors that any request can get.
std::span<const error_code> any_errors();

struct found_route {
  const route* to = nullptr;
  std::string game_id;  // the {game_id} of the path
  const static_file* file = nullptr;
  bool head = false;        // a HEAD request
  std::string engine = {};  // the {engine} of the path
};

// False for the files of the web page, which the OpenAPI document omits.
inline bool is_documented(const route& r) { return r.answers != medium::file; }

// Finds the route of a request. Errors: 100 with status 404 for an unknown path, 108 with the
// allowed methods, 102 for a malformed game id. The prefix of older clients, /tictactoe/api/, is an
// alias of /api/.
std::variant<found_route, error> find_route(std::string_view method, std::string_view path);

}  // namespace gamehub::gateways::http
