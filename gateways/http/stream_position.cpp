#include "gateways/http/stream_position.hpp"

#include "gateways/http/updates.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace gamehub::gateways::http {
namespace {

// Removes and returns the first item of a list.
std::string_view next_of(std::string_view& list, char mark) {
  const auto end = list.find(mark);
  const auto each = base::trimmed(list.substr(0, end));
  list = end == list.npos ? std::string_view{} : list.substr(end + 1);
  return each;
}

// q=0, q=0.0 …: not acceptable at all.
bool is_refused(std::string_view type_parameters) {
  while (!type_parameters.empty()) {
    const auto each = next_of(type_parameters, ';');
    if (each.size() > 2 && base::same_letters(each.substr(0, 2), "q="))
      return each.substr(2).find_first_not_of("0.") == each.npos;
  }
  return false;
}

// Returns a parameter that its spec limits to nonnegative numbers.
std::optional<std::uint64_t> number(const parameters& given, std::string_view name) {
  const auto value = given.integer(name);
  if (!value) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

// A reconnecting browser repeats its first URL; only Last-Event-ID is new.
std::variant<std::optional<std::uint64_t>, error> after_field(const request& r) {
  if (r.last_event_id.empty()) return std::optional<std::uint64_t>{};
  const auto value = read_integer(r.last_event_id);
  if (!value || *value < 0) return bad_request("Last-Event-ID has to be the number of an update");
  return std::optional{static_cast<std::uint64_t>(*value)};
}

limits::seconds wait_of(const parameters& given) {
  const auto wait = given.integer("wait");
  if (!wait) return limits::http_wait_default;
  return limits::seconds{std::min<std::int64_t>(*wait, limits::http_wait_max.count())};
}

stream_position poll_position(const read_request& request, log_end log) {
  const auto next = request.after + 1;
  if (request.after < log.last) return answer_with{next};
  // Clients with a cursor do not look for the end: an immediate answer would make them spin.
  if ((log.ended && !request.by_cursor) || request.wait == limits::seconds{0})
    return answer_empty{};
  return wait_for{next, request.wait};
}

}  // namespace

std::variant<read_request, error> parse_read_request(const request& r, const parameters& given) {
  read_request request;
  // A blank cursor also means a poll, because such clients cannot read a stream.
  request.by_cursor = given.mentions("cursor");
  const bool poll = given.has("wait") || request.by_cursor;
  request.how = accepts_events(r.accept) ? read_plan::events
                : poll                   ? read_plan::poll
                                         : read_plan::lines;
  if (request.how == read_plan::events && given.has("wait"))
    return bad_request("wait is for long polls: it goes with no text/event-stream");
  if (request.how == read_plan::poll) request.wait = wait_of(given);

  request.offers = given.boolean("offers").value_or(false);
  if (request.offers && request.how == read_plan::poll)
    return bad_request("offers is for streams: GET /api/games/{game_id} has them, too");

  const auto last = number(given, "last_update_id");
  const auto cursor = number(given, "cursor");
  if (last && cursor && *last != *cursor)
    return bad_request("last_update_id and cursor are not the same");
  request.after = last ? *last : cursor.value_or(0);
  if (request.how != read_plan::events) return request;

  const auto field = after_field(r);
  if (const auto* wrong = std::get_if<error>(&field)) return *wrong;
  request.after = std::get<0>(field).value_or(request.after);
  return request;
}

std::variant<std::vector<followed_game>, error> parse_followed_games(std::string_view text) {
  std::vector<followed_game> all;
  while (!text.empty()) {
    auto rest = next_of(text, ',');
    const auto id = next_of(rest, '.');
    const auto game = read_game(id);
    const auto after = rest.empty() ? std::optional<std::int64_t>{0} : read_integer(rest);
    if (!game || !after || *after < 0)
      return bad_request(
          "games has to be a list like 12,15.40: the ids of games, and after a dot "
          "the number of the last update that is there");
    const auto same = [&](const followed_game& each) { return each.game == *game; };
    if (std::any_of(all.begin(), all.end(), same))
      return bad_request("games has game " + std::string{id} + " twice");
    all.push_back({*game, static_cast<std::uint64_t>(*after)});
  }
  if (all.empty() || all.size() > limits::http_followed_games_max)
    return bad_request("games has to have 1 to " + std::to_string(limits::http_followed_games_max) +
                       " ids");
  return all;
}

std::variant<follow_request, error> parse_follow_request(const parameters& given) {
  follow_request out;
  out.offers = given.boolean("offers").value_or(false);
  out.notices = given.boolean("notices").value_or(false);
  if (out.notices && !given.has("games")) return out;
  auto games = parse_followed_games(given.text("games"));
  if (auto* wrong = std::get_if<error>(&games)) return std::move(*wrong);
  out.games = std::get<0>(std::move(games));
  return out;
}

stream_position position_of(const read_request& request, log_end log) {
  if (request.after > log.last)
    return bad_request("there is no update of that number yet: the last one is " +
                       std::to_string(log.last));
  if (request.how == read_plan::poll) return poll_position(request, log);
  if (log.ended && request.after == log.last && !request.offers)
    return answer_empty{request.how == read_plan::events ? 204 : 200};
  return stream_from{request.after + 1};
}

limits::seconds error_pause(std::string_view query) {
  while (!query.empty()) {
    const auto pair = next_of(query, '&');
    if (pair == "cursor" || pair.starts_with("cursor=")) return limits::http_error_pause;
  }
  return limits::seconds{0};
}

bool accepts_events(std::string_view accept) {
  while (!accept.empty()) {
    auto parts = next_of(accept, ',');
    if (base::same_letters(next_of(parts, ';'), event_content_type) && !is_refused(parts))
      return true;
  }
  return false;
}

}  // namespace gamehub::gateways::http
