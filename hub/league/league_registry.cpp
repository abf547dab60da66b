#include "hub/app/bots/arena_registrar.hpp"

#include <chrono>
#include <utility>
#include <variant>

#include "hub/app/log.hpp"
#include "hub/core/trace.hpp"

namespace gamehub::app::bots {

namespace rpc = gateways::bots;

namespace {

// Games that begin in one go: the rest follows at once, when others have had their turn.
constexpr std::size_t games_at_once = 64;

wall_time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

rpc::registered_bot known(const arena::bot& b) {
  return {b.id.value, b.registration, b.name, b.owner, b.engine, b.endpoint, b.secret};
}

arena::bot_ref ref_to(const rpc::registered_bot& b) { return {{b.id}, b.registration}; }

}  // namespace

void league_registry::enter(const rpc::registration& what, const std::string& engine,
                            std::function<void(entered)> answer) {
  arena_.register_bot({what.token, what.name, what.version, engine, what.endpoint, what.language,
                       what.website, what.description},
                      now(), [answer = std::move(answer)](const arena::registered& came) {
                        if (const auto* why = std::get_if<std::string>(&came)) return answer(*why);
                        const auto& b = std::get<arena::bot>(came);
                        log::info("a bot registered", {{"bot", b.name},
                                                       {"version", b.version},
                                                       {"owner", b.owner},
                                                       {"engine", b.engine},
                                                       {"endpoint", b.endpoint}});
                        answer(known(b));
                      });
}

void league_registry::came_online(const rpc::registered_bot& who) {
  log::info("a bot is online", {{"bot", who.name}});
  arena_.came_online(ref_to(who), now());
}

void league_registry::went_wrong(const rpc::registered_bot& who, const rpc::bot_fault& what) {
  log::warning("a bot is called no more until it registers again",
               {{"bot", who.name},
                {"reason", to_string(what.code)},
                {"game", what.game.value},
                {"trace", text_of(what.trace)},
                {"detail", what.text}});
  arena_.went_wrong(ref_to(who), {static_cast<int>(what.code), what.text, what.game}, now());
}

void league_registry::replied(const rpc::registered_bot& who, std::string_view method, game_id game,
                              trace_id trace, const std::string& text) {
  log::debug("a bot replied", {{"bot", who.name},
                               {"method", method},
                               {"game", game.value},
                               {"trace", text_of(trace)},
                               {"detail", text}});
}

std::vector<rpc::registered_bot> league_registry::expected() {
  std::vector<rpc::registered_bot> out;
  for (const auto& each : arena_.expected()) out.push_back(known(each));
  return out;
}

std::vector<rpc::fixture> league_registry::next_games() {
  std::vector<rpc::fixture> out;
  for (const auto& each : arena_.next_pairings(now(), games_at_once))
    out.push_back({each.id.value, {each.bots[0].value, each.bots[1].value}});
  return out;
}

void league_registry::when_due(std::function<void()> what) { arena_.when_due(std::move(what)); }

void league_registry::game_opened(std::uint64_t fixture, game_id game) {
  arena_.game_opened({fixture}, game, now());
}

void league_registry::game_not_opened(std::uint64_t fixture) {
  arena_.game_not_opened({fixture}, now());
}

void league_registry::game_ended(game_id game, const outcome& how) {
  arena_.game_ended(game, {how.reason, how.winner}, now());
}

}  // namespace gamehub::app::bots
