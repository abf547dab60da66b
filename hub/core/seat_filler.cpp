#include "hub/core/seat_filler.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>

namespace gamehub {
namespace {

constexpr std::string_view any_word = "any", engine_word = "engine",
                           engine_prefix = "engine:", bot_prefix = "bot:";

bool is_person_or_wrong(const seat_filler& f, std::string_view word) {
  return f.who == seat_filler::kind::anyone && word != any_word;
}

seat_filler read_filler(std::string_view word) {
  if (word == engine_word) return {seat_filler::kind::engine};
  if (word.starts_with(engine_prefix))
    return {seat_filler::kind::engine, std::string{word.substr(engine_prefix.size())}};
  if (word.starts_with(bot_prefix) && word.size() > bot_prefix.size())
    return {seat_filler::kind::bot, std::string{word.substr(bot_prefix.size())}};
  return {};
}

}  // namespace

std::variant<std::vector<seat_filler>, std::string> read_fillers(
    const std::vector<std::string>& words) {
  if (words.size() > limits::fillers_max)
    return "opponents has more than " + std::to_string(limits::fillers_max) + " entries";
  std::vector<seat_filler> out;
  for (const auto& word : words) {
    auto one = read_filler(word);
    const auto entry = "entry " + std::to_string(out.size() + 1) + " of opponents ";
    if (is_person_or_wrong(one, word))
      return entry +
             "has to be any, engine, engine:LEVEL or bot:NAME; a person joins by the game_id or an "
             "invitation";
    if (one.who == seat_filler::kind::bot && std::find(out.begin(), out.end(), one) != out.end())
      return entry + "names a bot again: a bot has one seat of a game";
    out.push_back(std::move(one));
  }
  return out;
}

std::string to_string(const seat_filler& f) {
  switch (f.who) {
    case seat_filler::kind::anyone: return std::string{any_word};
    case seat_filler::kind::engine:
      return f.name.empty() ? std::string{engine_word} : std::string{engine_prefix} + f.name;
    case seat_filler::kind::bot: return std::string{bot_prefix} + f.name;
  }
  return {};
}

std::vector<seat_filler> fillers_by_seat(const std::vector<seat_filler>& others, seat_index own,
                                         int seats) {
  GAMEHUB_REQUIRE(own >= 0 && own < seats && others.size() < static_cast<std::size_t>(seats));
  if (count_filled(others) == 0) return {};
  std::vector<seat_filler> out(static_cast<std::size_t>(seats));
  auto from = others.begin();
  for (seat_index seat = 0; seat < seats && from != others.end(); ++seat)
    if (seat != own) out[static_cast<std::size_t>(seat)] = *from++;
  return out;
}

bool is_for_anyone(const std::vector<seat_filler>& by_seat, seat_index seat) {
  const auto at = static_cast<std::size_t>(seat);
  return at >= by_seat.size() || by_seat[at].who == seat_filler::kind::anyone;
}

std::size_t count_filled(const std::vector<seat_filler>& by_seat) {
  return static_cast<std::size_t>(
      std::count_if(by_seat.begin(), by_seat.end(),
                    [](const seat_filler& f) { return f.who != seat_filler::kind::anyone; }));
}

}  // namespace gamehub
