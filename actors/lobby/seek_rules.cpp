#include "actors/lobby/seek_rules.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/table/engine_opponent.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

// The names of the first unknown engines, as the beginning of a sentence.
std::string unknown_text(const std::vector<std::string>& names) {
  constexpr std::size_t names_shown = 3;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < names_shown; ++i)
    (out += i == 0 ? "" : ", ") += names[i].substr(0, limits::name_bytes_max);
  return out + "; ";
}

}  // namespace

std::variant<engine_traits, std::string> traits_on(runtime::loop& where, std::uint16_t number,
                                                   const table::engine_entry& engine,
                                                   const engines::host::engine& rules,
                                                   std::string_view options) {
  const runtime::engine_call_scope it{where.cells().loop, number};
  try {
    return table::traits_for_options(engine, rules, options);
  } catch (const engines::host::engine_failure& failure) {
    where.report(engine.rules, {}, failure);
    return std::string{"the engine failed"};
  }
}

open_seek seek_rules::open_seek_of(const runtime::seek_request& m, std::vector<queue_key> keys,
                                   game_id table) const {
  return {m.player,        std::move(keys),         m.what.games_max,
          m.what.again,    m.what.seat_at_once,     m.playing,
          m.what.seat,     plays_against_engine(m), m.name,
          m.what.opponent, m.what.only_by_name,     table,
          m.what.any_clock};
}

void seek_rules::add_board(const runtime::seek_request& m, const queue_key& awaited,
                           placed& in) const {
  const auto number = directory_.newest(awaited.engine);
  auto board = directory_.engines[number].traits;
  if (!awaited.options.empty()) {
    auto with = traits_for(m, number, awaited.options);
    if (auto* traits = std::get_if<engine_traits>(&with)) board = std::move(*traits);
  }
  in.rows = static_cast<std::uint16_t>(board.rows);
  in.columns = static_cast<std::uint16_t>(board.columns);
  in.start = std::move(board.start);
}

engines::level level_at(const std::vector<seat_filler>& by_seat, std::size_t seat,
                        const engines::host::engine& rules, engines::level otherwise) {
  const auto own = seat < by_seat.size() ? engines::level_of(by_seat[seat].name) : std::nullopt;
  return table::engine_opponent::level_or_strongest(rules, own.value_or(otherwise));
}

void show_fillers(const std::vector<seat_filler>& by_seat, const engines::host::engine& rules,
                  engines::level otherwise, game_metadata& of) {
  for (std::size_t i = 0; i < by_seat.size(); ++i) {
    const auto& filler = by_seat[i];
    if (filler.who == seat_filler::kind::anyone) continue;
    const bool bot = filler.who == seat_filler::kind::bot;
    of.kinds.at(i) = bot ? seat_kind::bot : seat_kind::engine;
    of.players.at(i) =
        bot ? filler.name : table::engine_opponent::name_of(level_at(by_seat, i, rules, otherwise));
  }
}

bool seek_rules::plays_against_engine(const runtime::seek_request& m) const {
  if (!m.what.others.empty()) return false;
  return m.what.against_engine || directory_.wires[m.wire].opponent.is_engine;
}

engines::level seek_rules::engine_level(const runtime::seek_request& m) const {
  if (!m.what.level.empty())
    if (const auto asked = engines::level_of(m.what.level)) return *asked;
  return directory_.wires[m.wire].opponent.skill;
}

std::optional<std::string> seek_rules::engine_unsupported_reason(
    const runtime::seek_request& m, const engines::host::engine& rules,
    const engine_traits& traits) const {
  if (auto why = directory_.wires[m.wire].why_not(traits)) return why;
  if (const auto seat = m.what.seat.value_or(0); seat < 0 || seat >= traits.players)
    return "has no seat " + std::to_string(seat) + ": they are numbered 0 to " +
           std::to_string(traits.players - 1);
  if (traits.players == 1 && (!m.what.opponent.empty() || !m.what.others.empty()))
    return "is for one player, who has no opponent";
  if (!m.what.opponent.empty() && traits.players != 2)
    return "is played by " + std::to_string(traits.players) +
           ", and one of them was asked for: name the others in opponents";
  if (auto why = unfit_fillers(m, rules, traits)) return why;
  if (m.what.level.empty()) return std::nullopt;
  return table::engine_opponent::unsupported_reason(rules, m.what.level);
}

std::optional<std::string> seek_rules::unfit_fillers(const runtime::seek_request& m,
                                                     const engines::host::engine& rules,
                                                     const engine_traits& traits) {
  const auto& others = m.what.others;
  if (others.empty()) return std::nullopt;
  if (traits.players < 3)
    return "is played by " + std::to_string(traits.players) +
           ", and opponents is for three or more: ask for one opponent";
  const auto free = static_cast<std::size_t>(traits.players - 1);
  if (others.size() > free)
    return "has " + std::to_string(free) + " further seats, and opponents has " +
           std::to_string(others.size()) + " entries";
  for (const auto& each : others) {
    if (each.who != seat_filler::kind::engine || each.name.empty()) continue;
    if (auto why = table::engine_opponent::unsupported_reason(rules, each.name)) return why;
  }
  return std::nullopt;
}

const std::string* seek_rules::other_bot(const runtime::seek_request& m,
                                         std::uint16_t engine) const {
  for (const auto& each : m.what.others)
    if (each.who == seat_filler::kind::bot && !matches_.is_ready(each.name, engine))
      return &each.name;
  return nullptr;
}

std::variant<engine_traits, std::string> seek_rules::traits_for(const runtime::seek_request& m,
                                                                std::uint16_t number,
                                                                std::string_view options) const {
  if (const auto at = m.asked.find(number); at != m.asked.end()) return at->second;
  const auto& engine = directory_.engines[number];
  return traits_on(where_, number, engine, engine.rules.least_loaded(), options);
}

std::variant<std::vector<queue_key>, runtime::seek_result> seek_rules::queues_for(
    const runtime::seek_request& m) const {
  std::vector<queue_key> queues;
  auto why = refusal::unknown_engine;
  std::string detail;
  for (std::size_t i = 0; i < m.what.engines.size(); ++i) {
    const auto number = directory_.find_engine(m.what.engines[i]);
    if (!number) continue;
    const auto& engine = directory_.engines[*number];
    if (!engine.rules.up()) {
      why = refusal::engine_restarting;
      detail = restarting;
      continue;
    }
    std::optional<engine_traits> with_options;  // nothing: the defaults
    if (i < m.what.options.size() && !m.what.options[i].empty()) {
      auto with = traits_for(m, *number, m.what.options[i]);
      // Invalid options refuse the seek, even if it names further engines.
      if (const auto* wrong = std::get_if<std::string>(&with))
        return runtime::seek_result{
            {}, {}, refusal::bad_options, engine.traits.id + ": " + *wrong, m.answers};
      with_options = std::get<engine_traits>(std::move(with));
    }
    const auto& traits = with_options ? *with_options : engine.traits;
    if (auto reason = engine_unsupported_reason(m, engine.rules, traits)) {
      why = refusal::unfit_engine;
      detail = *std::move(reason);
      continue;
    }
    if (const auto* bot = other_bot(m, engine.kind)) {
      why = refusal::unfit_engine;
      detail = "is not played by the bot " + *bot;
      continue;
    }
    auto clock = clocks_.choose(engine.traits.id, m.what.clock);
    if (auto* wrong = std::get_if<std::string>(&clock))
      return runtime::seek_result{{}, {}, refusal::bad_clock, std::move(*wrong), m.answers};
    const auto& rule = std::get<clock_rule>(clock);
    if (matches_.refuses_clock(m.what.opponent, engine.kind, rule)) {
      why = refusal::unfit_engine;
      detail = "is played by " + m.what.opponent + " with another clock only";
      continue;
    }
    auto& key = queues.emplace_back();
    key.engine = engine.kind;
    key.options = traits.options;
    if (traits.players != engine.traits.players) key.players = traits.players;
    key.fillers = fillers_by_seat(m.what.others, m.what.seat.value_or(0), traits.players);
    key.clock = rule;
    const bool known = std::find(queues.begin(), queues.end(), key) != std::prev(queues.end());
    if (known || queues.size() > limits::seeks_per_player_max) queues.pop_back();
  }
  if (!queues.empty()) return queues;
  if (why == refusal::unknown_engine)
    detail = unknown_text(m.what.engines) + directory_.playable_engines(directory_.wires[m.wire]);
  return runtime::seek_result{{}, {}, why, std::move(detail), m.answers};
}

}  // namespace gamehub::actors::lobby
