#include "hub/league/league_registry.hpp"

#include "hub/base/log.hpp"
#include "hub/core/trace.hpp"

#include <utility>
#include <variant>

namespace gamehub::league {

namespace {

// Matches that one call returns. The rest follows in the next iteration of the loop, after other
// work.
constexpr std::size_t games_at_once = 64;

registered_bot known(const bot& b) {
  return {b.id.value, b.registration, b.name, b.owner, b.engine, b.endpoint, b.secret};
}

bot_ref ref_to(const registered_bot& b) { return {{b.id}, b.registration}; }

}  // namespace

void league_registry::enter(const bot_registration& what, const std::string& engine,
                            std::function<void(entered)> answer) {
  arena_.register_bot({what.token, what.name, what.version, engine, what.endpoint, what.language,
                       what.website, what.description},
                      base::wall_now(), [answer = std::move(answer)](const registered& result) {
                        if (const auto* why = std::get_if<std::string>(&result))
                          return answer(*why);
                        const auto& b = std::get<bot>(result);
                        base::log::info("a bot registered", {{"bot", b.name},
                                                             {"version", b.version},
                                                             {"owner", b.owner},
                                                             {"engine", b.engine},
                                                             {"endpoint", b.endpoint}});
                        answer(known(b));
                      });
}

void league_registry::on_online(const registered_bot& who) {
  base::log::info("a bot is online", {{"bot", who.name}});
  arena_.on_online(ref_to(who), base::wall_now());
}

void league_registry::on_failure(const registered_bot& who, const bot_fault& what) {
  base::log::warning("calls to a bot stop until it registers again",
                     {{"bot", who.name},
                      {"reason", to_string(what.code)},
                      {"game", what.game.value},
                      {"trace", text_of(what.trace)},
                      {"detail", what.text}});
  arena_.on_failure(ref_to(who), {static_cast<int>(what.code), what.text, what.game},
                    base::wall_now());
}

void league_registry::on_reply(const registered_bot& who, std::string_view method, game_id game,
                               trace_id trace, const std::string& text) {
  base::log::debug("a bot replied", {{"bot", who.name},
                                     {"method", method},
                                     {"game", game.value},
                                     {"trace", text_of(trace)},
                                     {"detail", text}});
}

std::vector<registered_bot> league_registry::bots_to_reconnect() {
  std::vector<registered_bot> out;
  for (const auto& each : arena_.expected()) out.push_back(known(each));
  return out;
}

std::vector<gamehub::scheduled_match> league_registry::next_games() {
  std::vector<gamehub::scheduled_match> out;
  for (const auto& each : arena_.next_pairings(base::wall_now(), games_at_once))
    out.push_back({each.id.value, {each.bots[0].value, each.bots[1].value}});
  return out;
}

void league_registry::when_due(std::function<void()> what) { arena_.when_due(std::move(what)); }

void league_registry::game_opened(std::uint64_t fixture, game_id game) {
  arena_.game_opened({fixture}, game, base::wall_now());
}

void league_registry::game_not_opened(std::uint64_t fixture) {
  arena_.game_not_opened({fixture}, base::wall_now());
}

void league_registry::game_ended(game_id game, const outcome& how) {
  arena_.game_ended(game, {how.reason, how.winner}, base::wall_now());
}

}  // namespace gamehub::league
