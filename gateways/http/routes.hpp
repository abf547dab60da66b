// What the wire offers, path by path: route_table.cpp is the page that shows it. The same table
// finds the route of a request, checks its parameters, and is what the OpenAPI document is
// generated from, so that they can't differ. Constants, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "gateways/http/errors.hpp"
#include "gateways/http/page.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/shapes.hpp"

namespace gamehub::gateways::http {

enum class operation : std::uint8_t {
  connect,
  play,
  quit,
  move,
  chat,
  rematch,
  updates,
  engines,
  games,
  game,
  replay,
  leaderboard,
  openapi,
  socket,
  page,
};
inline constexpr int operation_count = 15;
std::string_view to_string(operation);

// What an answer is made of.
enum class medium : std::uint8_t {
  object,    // one JSON object
  updates,   // a stream of updates, or one of them
  document,  // the OpenAPI document
  socket,    // no answer: the connection is a WebSocket from then on
  file,      // a file of the page to play on
};

struct route {
  operation what = operation::connect;
  std::string_view method;  // GET, which also allows HEAD where the answer is one object, or POST
  std::string_view path;    // {game_id} is any one segment, {file} one that there is
  std::string_view title;   // for lists
  std::string_view means;   // the rest of what there is to say
  std::span<const parameter_spec> parameters;
  medium answers = medium::object;
  const shape* answer = nullptr;       // of an object
  std::span<const error_code> errors;  // of its own: any_errors can always come
};

std::span<const route> routes();

// Errors that any request can get.
std::span<const error_code> any_errors();

struct found_route {
  const route* to = nullptr;
  std::string game_id;  // of the path, if it names one
  const static_file* file = nullptr;
  bool head = false;  // the answer is wanted without its body
};

// The page is for browsers: whoever reads the document of the API has no need of it.
inline bool is_documented(const route& r) { return r.answers != medium::file; }

// Error 100 with 404 for a path that is none, 108 with the methods that the path has, 102 for what
// can't be a game. The prefix of older clients, /tictactoe/api/, is an alias of /api/.
std::variant<found_route, error> find_route(std::string_view method, std::string_view path);

}  // namespace gamehub::gateways::http
