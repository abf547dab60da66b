#include "hub/league/league_registry.hpp"

#include "hub/base/log.hpp"
#include "hub/core/trace.hpp"

#include <utility>

namespace gamehub::league {

namespace {

// Matches that one call returns. The rest follows in the next iteration of the loop, after other
// work.
constexpr std::size_t games_at_once = 64;

}  // namespace

void league_registry::find_owner(const std::string& token, found_owner answer) {
  arena_.find_owner(token, std::move(answer));
}

void league_registry::enter(const bot_profile& what, const bot_owner& owner,
                            std::function<void(const entered&)> answer) {
  arena_.register_bot(what, owner, base::wall_now(),
                      [answer = std::move(answer)](const entered& result) {
                        if (const auto* b = std::get_if<bot_record>(&result))
                          base::log::info("a bot registered", {{"bot", b->name},
                                                               {"version", b->version},
                                                               {"owner", b->owner},
                                                               {"engine", b->engine},
                                                               {"endpoint", b->endpoint}});
                        answer(result);
                      });
}

bool league_registry::is_registered(bot_id who) const { return arena_.find(who).has_value(); }

void league_registry::when_removed(std::function<void(const std::vector<bot_id>&)> what) {
  arena_.when_removed([what = std::move(what)](const std::vector<bot_id>& bots) {
    base::log::info("bots were removed", {{"count", bots.size()}});
    what(bots);
  });
}

void league_registry::on_online(const bot_record& who, bool for_two) {
  base::log::info("a bot is online", {{"bot", who.name}});
  arena_.on_online(who, base::wall_now(), for_two);
}

void league_registry::on_failure(const bot_record& who, const bot_error& what) {
  base::log::warning("calls to a bot stop until it registers again",
                     {{"bot", who.name},
                      {"reason", to_string(what.code)},
                      {"game", what.game.value},
                      {"trace", text_of(what.trace)},
                      {"detail", what.text}});
  arena_.on_failure(who, what, base::wall_now());
}

void league_registry::on_reply(const bot_record& who, std::string_view method, game_id game,
                               trace_id trace, const std::string& text) {
  base::log::debug("a bot replied", {{"bot", who.name},
                                     {"method", method},
                                     {"game", game.value},
                                     {"trace", text_of(trace)},
                                     {"detail", text}});
}

std::vector<bot_record> league_registry::bots_to_reconnect() { return arena_.expected(); }

void league_registry::when_arrived(std::function<void()> what) {
  const std::lock_guard lock{mutex_};
  arrived_ = std::move(what);
}

void league_registry::arrive() {
  here_ = true;
  const std::lock_guard lock{mutex_};
  if (arrived_) arrived_();
}

std::vector<scheduled_match> league_registry::next_games() {
  return arena_.next_matches(base::wall_now(), games_at_once);
}

void league_registry::when_due(std::function<void()> what) { arena_.when_due(std::move(what)); }

void league_registry::game_opened(match_id match, game_id game) {
  arena_.game_opened(match, game, base::wall_now());
}

void league_registry::game_not_opened(match_id match) {
  arena_.game_not_opened(match, base::wall_now());
}

void league_registry::game_ended(game_id game, const outcome& how) {
  arena_.game_ended(game, {how.reason, how.winner}, base::wall_now());
}

}  // namespace gamehub::league
