#include "gateways/http/routes.hpp"

#include "gateways/http/errors.hpp"
#include "gateways/http/request_target.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gamehub::gateways::http {
namespace {

constexpr std::string_view prefix = "/api/";
constexpr std::string_view older_prefix = "/tictactoe/api/";
constexpr std::string_view game_segment = "{game_id}";
constexpr std::string_view engine_segment = "{engine}";

error no_such_path() {
  auto e = bad_request("there is no such path: GET /api/openapi.json lists those there are");
  e.status = 404;
  return e;
}

// True for a game id that needs no escapes in a path.
bool is_game_id(std::string_view text) {
  return !text.empty() && text.size() <= limits::http_game_id_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '-' || c == '_';
         });
}

std::string_view next_segment(std::string_view& rest) {
  const auto end = rest.find('/');
  const auto segment = rest.substr(0, end);
  rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
  return segment;
}

// The path after the prefix, which has at most two segments.
struct split_path {
  std::string first;
  std::optional<std::string> second;
};

std::optional<split_path> split(std::string_view path) {
  auto rest = path;
  const auto slashes = std::count(rest.begin(), rest.end(), '/');
  if (slashes > 1) return std::nullopt;
  const auto first = decoded(next_segment(rest), plus::is_plus);
  if (!first) return std::nullopt;
  if (slashes == 0) return split_path{*first, std::nullopt};
  auto second = decoded(rest, plus::is_plus);
  if (!second) return std::nullopt;
  return split_path{*first, std::move(second)};
}

bool fits(const route& r, const split_path& path) {
  if (r.answers == medium::file) return false;
  auto rest = r.path.substr(prefix.size());
  if (!rest.starts_with(path.first)) return false;  // most routes
  const bool two = rest.find('/') != rest.npos;
  if (next_segment(rest) != path.first || two != path.second.has_value()) return false;
  if (two && rest == engine_segment) return !path.second->empty();
  return !two || rest == game_segment || rest == *path.second;
}

bool allows_head(const route& r) {
  return r.method == "GET" && (r.answers == medium::object || r.answers == medium::document ||
                               r.answers == medium::file);
}

bool answers_to(const route& r, std::string_view method) {
  return r.method == method || (method == "HEAD" && allows_head(r));
}

// Adds the methods of another route of the path.
void allow(const route& r, error& e) {
  if (!e.allow.empty()) e.allow += ", ";
  e.allow += r.method;
  if (allows_head(r)) e.allow += ", HEAD";
  e.message = std::string{r.path} + " is for " + e.allow;
}

error wrong_method(const route& r) {
  error e;
  e.code = error_code::wrong_method;
  allow(r, e);
  return e;
}

std::variant<found_route, error> found(const route& r, std::string_view method, split_path path) {
  found_route out;
  out.to = &r;
  out.head = method == "HEAD";
  if (r.path.ends_with(game_segment)) {
    if (!is_game_id(*path.second)) return no_such_game();
    out.game_id = *std::move(path.second);
  } else if (r.path.ends_with(engine_segment)) {
    out.engine = *std::move(path.second);
  }
  return out;
}

// The names of the page's files are never escaped.
std::variant<found_route, error> find_file(std::string_view method, std::string_view path) {
  const auto* file = find_static_file(path);
  if (file == nullptr) return no_such_path();
  for (const auto& each : routes()) {
    if (each.answers != medium::file) continue;
    if (!answers_to(each, method)) return wrong_method(each);
    return found_route{&each, {}, file, method == "HEAD"};
  }
  return no_such_path();
}

}  // namespace

std::string_view to_string(operation what) {
  switch (what) {
    case operation::connect: return "connect";
    case operation::play: return "play";
    case operation::quit: return "quit";
    case operation::move: return "move";
    case operation::chat: return "chat";
    case operation::rematch: return "rematch";
    case operation::decline: return "decline";
    case operation::offer: return "offer";
    case operation::claim: return "claim";
    case operation::rename: return "rename";
    case operation::invitation: return "invitation";
    case operation::updates: return "updates";
    case operation::follow: return "follow";
    case operation::engines: return "engines";
    case operation::engine: return "engine";
    case operation::games: return "games";
    case operation::mine: return "mine";
    case operation::webhook: return "webhook";
    case operation::set_webhook: return "set_webhook";
    case operation::remove_webhook: return "remove_webhook";
    case operation::game: return "game";
    case operation::replay: return "replay";
    case operation::leaderboard: return "leaderboard";
    case operation::openapi: return "openapi";
    case operation::socket: return "socket";
    case operation::page: return "page";
  }
  return "unknown";
}

std::variant<found_route, error> find_route(std::string_view method, std::string_view path) {
  if (path.starts_with(older_prefix))
    path.remove_prefix(older_prefix.size());
  else if (path.starts_with(prefix))
    path.remove_prefix(prefix.size());
  else
    return find_file(method, path);
  auto segments = split(path);
  if (!segments) return no_such_path();
  std::optional<error> wrong;
  for (const auto& each : routes()) {
    if (!fits(each, *segments)) continue;
    if (answers_to(each, method)) return found(each, method, *std::move(segments));
    if (!wrong) wrong.emplace().code = error_code::wrong_method;
    allow(each, *wrong);
  }
  return wrong ? *std::move(wrong) : no_such_path();
}

}  // namespace gamehub::gateways::http
