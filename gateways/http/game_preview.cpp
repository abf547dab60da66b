#include "gateways/http/game_preview.hpp"

#include "gateways/http/parameters.hpp"
#include "gateways/http/static_files.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gamehub::gateways::http {
namespace {

constexpr std::string_view game_folder = "/game/";
constexpr std::string_view game_view = "/#/game/";

std::string title_of(const game_metadata& game, std::string_view engine) {
  std::string out{engine};
  auto separator = ": ";
  for (const auto& name : game.players) {
    if (name.empty()) continue;
    out += separator + name;
    separator = " \u2013 ";
  }
  return out;
}

std::string sentence_of(const game_snapshot& s) {
  const auto& players = s.progress.game->players;
  if (s.progress.status == game_status::waiting) return "Waits for another player.";
  const auto& how = s.position.outcome;
  std::string out;
  if (s.progress.status == game_status::running)
    out = "Being played.";
  else if (how && how->winner && static_cast<std::size_t>(*how->winner) < players.size())
    out = players[static_cast<std::size_t>(*how->winner)] + " won.";
  else
    out = how && how->draw() ? "A draw." : "Over.";
  if (!s.position.summary.empty()) out += ' ' + s.position.summary;
  return out;
}

std::string property(std::string_view name, std::string_view value) {
  auto out = "<meta property=\"og:" + std::string{name} + "\" content=\"";
  out += html_of(value) + "\">";
  return out;
}

}  // namespace

std::optional<game_id> previewed_game(const request& r) {
  if (r.method != "GET" && r.method != "HEAD") return std::nullopt;
  const auto takes = [&r](std::string_view type) { return r.accept.find(type) != r.accept.npos; };
  if (!takes("text/html") && !takes("*/*")) return std::nullopt;
  if (!r.path.starts_with(game_folder)) return std::nullopt;
  return read_game(r.path.substr(game_folder.size()));
}

response preview_page(game_id game, const game_snapshot* found, std::string_view title) {
  if (found != nullptr && found->progress.game->closed) found = nullptr;
  const auto named =
      found != nullptr ? title_of(*found->progress.game, title) : std::string{"A game at gamehub"};
  const auto view = std::string{game_view} + std::to_string(game.value);
  auto head = "<meta http-equiv=\"refresh\" content=\"0; url=" + view + "\"><title>";
  head += html_of(named) + "</title>";
  head += property("type", "website") + property("site_name", "gamehub") + property("title", named);
  head += property("description", found != nullptr ? sentence_of(*found)
                                                   : "Play games with people, programs and bots.");
  return small_page(
      head, "<h1>" + html_of(named) + "</h1><p><a href=\"" + view + "\">To the game</a></p>");
}

}  // namespace gamehub::gateways::http
