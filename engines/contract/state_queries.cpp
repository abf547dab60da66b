#include "engines/contract/state_queries.hpp"

#include "engines/contract/information_leak_check.hpp"
#include "engines/contract/random_game.hpp"
#include "engines/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace gamehub::engines::contract {

namespace {

// The plies of matches from damaged bytes in one game: enough for each state of a short game, and a
// bound for the time that a long one takes.
constexpr std::size_t plies_restored_max = 3'000;

bool is_word(std::string_view why) {
  return !why.empty() && std::all_of(why.begin(), why.end(),
                                     [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace

std::string refused_action(const host::match& m, const std::string& text, std::string_view why) {
  if (why == reasons::engine_failure) return text + " fails: " + failure_detail(m.failure("apply"));
  return text + " is " + std::string{why};
}

std::string failure_detail(const host::engine_failure& failure) {
  const std::string text = failure.what();
  return failure.function().empty() ? text : text + ", in " + failure.function();
}

std::vector<aspect> aspects_of(const host::match& m) {
  std::vector<aspect> out;
  for (const int viewer : viewers(m))
    out.push_back({"what " + name_of(viewer) + " sees", view_for(m, viewer)});
  if (m.over()) {
    std::vector<double> scores(static_cast<std::size_t>(m.players()));
    m.scores(scores);
    std::string text;
    for (const double each : scores) text += (text.empty() ? "" : " ") + std::to_string(each);
    out.push_back({"the scores", std::move(text)});
  }
  out.push_back({std::string{saved_bytes}, m.save()});
  out.push_back({"the hash", std::to_string(m.hash())});
  return out;
}

std::string difference_part(const std::string& text, const std::string& other) {
  constexpr std::size_t before = 30;
  constexpr std::size_t shown = 120;
  const auto end = std::min(text.size(), other.size());
  const auto differs = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), other.begin())
          .first -
      text.begin());
  if (text.size() <= shown) return text;
  const auto from = differs > before ? differs - before : 0;
  return (from > 0 ? "…" : "") + text.substr(from, shown) + (from + shown < text.size() ? "…" : "");
}

std::string difference(const std::vector<aspect>& here, const std::vector<aspect>& there) {
  const auto count = std::min(here.size(), there.size());
  for (std::size_t i = 0; i < count; ++i) {
    auto one = here[i].value;
    auto two = there[i].value;
    if (one == two) continue;
    if (here[i].name == saved_bytes) {
      one = in_hex(one);
      two = in_hex(two);
    }
    return here[i].name + ": " + difference_part(one, two) + " here, " + difference_part(two, one) +
           " there";
  }
  return here.size() == there.size() ? "" : "one of them is over";
}

void state_queries::ask_running(const host::match& m) {
  if (!shape(m)) return;
  const auto was = aspects_of(m);
  clones(m);
  refusals(m);
  words(m);
  cells(m);
  saving(m);
  player(m);
  same(was, m, "the state changed though it was only asked");
}

void state_queries::ask_over(const host::match& m) {
  if (!shape(m)) return;
  const auto players = static_cast<std::size_t>(m.players());
  std::vector<double> scores(players, std::numeric_limits<double>::quiet_NaN());
  m.scores(scores);
  out_.expect(std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); }),
              "a score is not a number");
  std::vector<double> again(players, std::numeric_limits<double>::quiet_NaN());
  m.clone().scores(again);
  out_.expect(scores == again, "the scores of a match that is over change");
  refusals(m);
  saving(m);
}

bool state_queries::shape(const host::match& m) {
  const auto broken_before = out_.found().size();
  const auto mask = m.to_move();
  const int players = m.players();
  if (!out_.expect(players >= rules_.players_min() && players <= rules_.players_max(),
                   "the number of players is out of bounds", std::to_string(players)))
    return false;
  const auto seated = (std::uint64_t{1} << players) - 1;
  out_.expect(mask == only(chance) ? rules_.has_chance() : (mask & ~seated) == 0,
              "someone is to move who does not play", std::to_string(mask));
  out_.expect(std::has_single_bit(mask) || mask == 0 || rules_.simultaneous(),
              "several are to move though turns are not simultaneous");
  std::vector<action> legal;
  for (int seat = spectator; seat <= chance + 1; ++seat) {
    m.legal_actions(seat, legal);
    const bool may = holds(mask, seat);
    out_.expect(!legal.empty() || !may, "who is to move has no legal action", name_of(seat));
    out_.expect(legal.empty() || may, "who is not to move has legal actions",
                name_of(seat) + " has " + std::to_string(legal.size()));
    out_.expect(
        std::adjacent_find(legal.begin(), legal.end(), std::greater_equal<>{}) == legal.end(),
        "legal actions are not ascending, each once");
    out_.expect(legal.size() <= rules_.actions_max(), "there are more actions than actions_max");
  }
  std::vector<action> drawn;
  std::vector<std::uint32_t> weights;
  m.chance_outcomes(drawn, weights);
  m.legal_actions(chance, legal);
  out_.expect(drawn == legal, "draws of chance are not its legal actions");
  out_.expect(std::count(weights.begin(), weights.end(), 0U) == 0, "a draw has no weight");
  const auto bytes = m.save();
  out_.expect(bytes.size() <= rules_.state_bytes_max(), "save needs more than state_bytes_max");
  views(m);
  return out_.found().size() == broken_before;
}

void state_queries::views(const host::match& m) {
  std::string view;
  std::string glyphs;
  for (const int viewer : viewers(m)) {
    m.view_json(viewer, view);
    out_.expect(json::member(view, "").has_value(), "a view is no JSON object", view);
    m.glyphs(viewer, glyphs);
    out_.expect(glyphs.size() == static_cast<std::size_t>(m.cells().cells()),
                "there are not as many glyphs as cells", glyphs);
    out_.expect(std::all_of(glyphs.begin(), glyphs.end(), [](char c) { return c > 32 && c < 127; }),
                "a glyph is not printable", glyphs);
  }
  for (const int nobody : {-2, m.players(), 62})
    out_.expect(view_for(m, nobody) == view_for(m, spectator),
                "a viewer without a seat sees something else than spectators",
                std::to_string(nobody));
}

void state_queries::clones(const host::match& m) {
  const auto was = aspects_of(m);
  std::vector<action> legal;
  for (const int seat : seats_to_move(m)) {
    m.legal_actions(seat, legal);
    for (const auto a : legal) {
      host::match copy = m.clone();
      same(was, copy, "a clone is not the same");
      const auto* why = copy.apply(seat, a);
      out_.expect(why == nullptr, "a legal action is refused",
                  why == nullptr ? "" : refused_action(copy, std::to_string(a), why));
      same(was, m, "what happens to a clone changes the original");
      spelling(m, seat, a);
    }
  }
}

void state_queries::spelling(const host::match& m, int seat, action a) {
  const auto text = m.to_text(a);
  const auto json = m.to_json(a);
  const auto from_text = m.from_text(seat, text);
  const auto from_json = m.from_json(seat, json);
  out_.expect(from_text.reason == nullptr && from_text.value == a,
              "text does not lead back to its action", text);
  out_.expect(json::member(json, "").has_value(), "an action's JSON is no object", json);
  out_.expect(from_json.reason == nullptr && from_json.value == a,
              "JSON does not lead back to its action", json);
  out_.expect(!text.empty() && text.find(' ') == text.npos, "a text is not one word", text);
}

void state_queries::refusals(const host::match& m) {
  std::vector<action> tried{std::numeric_limits<action>::min(), std::numeric_limits<action>::max()};
  for (action a = -1; a <= 64; ++a) tried.push_back(a);
  for (int i = 0; i < 4; ++i) tried.push_back(static_cast<action>(dice_.next()));
  std::vector<action> legal;
  std::vector<action> of_others;
  for (const int seat : seats_to_move(m)) {
    m.legal_actions(seat, legal);
    of_others.insert(of_others.end(), legal.begin(), legal.end());
  }
  tried.insert(tried.end(), of_others.begin(), of_others.end());
  for (const int seat :
       {-2, spectator, 0, 1, m.players() - 1, m.players(), 62, chance, 64, 1 << 20})
    refuses_all(m, seat, tried);
}

void state_queries::same(const std::vector<aspect>& was, const host::match& now,
                         std::string_view promise, const std::string& before_detail) {
  const auto found = difference(was, aspects_of(now));
  out_.expect(found.empty(), promise, found.empty() ? "" : before_detail + found);
}

// A client would end the game by such a text.
void state_queries::finds_no_failure(const host::match& m, const char* function,
                                     const host::match::parsed& found, const std::string& text) {
  if (found.reason == nullptr || found.reason != std::string_view{reasons::engine_failure}) return;
  out_.expect(false, "the engine fails where it should refuse",
              text + " fails: " + failure_detail(m.failure(function)));
}

void state_queries::refuses_all(const host::match& m, int seat, const std::vector<action>& tried) {
  const auto was = aspects_of(m);
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  host::match victim = m.clone();
  for (const auto a : tried) {
    if (std::binary_search(legal.begin(), legal.end(), a)) continue;
    const auto detail = "seat " + std::to_string(seat) + ", action " + std::to_string(a);
    const auto* why = victim.apply(seat, a);
    if (!out_.expect(why != nullptr, "an illegal action is taken", detail)) return;
    out_.expect(is_word(why), "a reason is not a lower-case word", why);
    // A client would end the game by it.
    if (why == std::string_view{reasons::engine_failure})
      out_.expect(false, "the engine fails where it should refuse",
                  refused_action(victim, detail, why));
  }
  same(was, victim, "an illegal action changes the state", "seat " + std::to_string(seat) + ", ");
}

void state_queries::words(const host::match& m) {
  static const std::array<std::string, 10> never{
      "",  " ",  "\n",   "\xff\xfe",       std::string(3, '\0'),
      "{", "[]", "\"\"", "no such action", std::string(70000, '[')};
  for (const int seat : seats_to_move(m)) {
    for (const auto& text : never) {
      const auto from_text = m.from_text(seat, text);
      const auto from_json = m.from_json(seat, text);
      finds_no_failure(m, "action_from_text", from_text, text);
      finds_no_failure(m, "action_from_json", from_json, text);
      out_.expect(from_text.reason != nullptr, "a text without meaning is an action", text);
      out_.expect(from_json.reason != nullptr, "JSON without meaning is an action", text);
    }
    // These texts are actions of some games; every engine must handle them.
    for (const char* text :
         {"-1", "--1", "+1", "4.5", "1e400", "99999999999999999999", "null", "true", "{}",
          R"({"action":-1})", R"({"action":1e400})", R"({"action":99999999999999999999})",
          R"({"action":[1]})", R"({"row":-1,"column":true})", R"({"row":"0","column":0.5})"}) {
      finds_no_failure(m, "action_from_text", m.from_text(seat, text), text);
      finds_no_failure(m, "action_from_json", m.from_json(seat, text), text);
    }
  }
}

void state_queries::cells(const host::match& m) {
  if (!rules_.has_cells()) return;
  const int count = m.cells().cells();
  std::vector<action> legal;
  for (const int seat : seats_to_move(m)) {
    if (seat == chance) continue;
    for (const std::int64_t cell : {INT64_MIN, std::int64_t{-1}, std::int64_t{count}, INT64_MAX})
      out_.expect(m.at_cell(seat, cell).reason != nullptr, "a cell off the board is an action");
    m.legal_actions(seat, legal);
    for (const auto a : legal) {
      const int cell = m.cell_of(a);
      if (!out_.expect(cell >= -1 && cell < count, "an action is off the board")) continue;
      const auto back = m.at_cell(seat, std::max(cell, 0));
      out_.expect(cell == -1 || (back.reason == nullptr && back.value == a),
                  "a cell does not lead back to its action", std::to_string(cell));
    }
  }
}

void state_queries::saving(const host::match& m) {
  const auto bytes = m.save();
  const auto back = rules_.load(bytes);
  if (!out_.expect(back.has_value(), "saved bytes can't be loaded")) return;
  same(aspects_of(m), *back, "a loaded match is not the one that was saved");
  for (int i = 0; i < 6; ++i) {
    auto damaged = bytes;
    if (i == 0) damaged.clear();
    if (i == 1) damaged.pop_back();
    if (i == 2) damaged += '\0';
    if (i == 3)
      for (auto& c : damaged) c = static_cast<char>(dice_.next());
    if (i > 3) damaged[dice_.below(damaged.size())] ^= static_cast<char>(1 << dice_.below(8));
    auto odd = rules_.load(damaged);
    if (odd && plies_restored_ < plies_restored_max) play_restored(std::move(*odd), damaged);
  }
}

// A match from damaged bytes must keep the contract until its end.
void state_queries::play_restored(host::match m, const std::string& bytes) {
  std::vector<step> turns;
  std::vector<action> legal;
  while (shape(m) && !m.over()) {
    const int seat = dice_.one_of(seats_to_move(m));
    m.legal_actions(seat, legal);
    const auto a = dice_.one_of(legal);
    const auto* why = m.apply(seat, a);
    turns.push_back({seat, a, std::to_string(a)});
    ++plies_restored_;
    const auto detail = [&] { return "load of " + in_hex(bytes) + ", then " + describe(turns); };
    if (why != nullptr) {
      out_.expect(false, "a match from damaged bytes refuses a legal action",
                  detail() + " is " + why);
      return;
    }
    if (turns.size() > rules_.plies_max()) {
      out_.expect(false, "a match from damaged bytes is longer than plies_max", detail());
      return;
    }
  }
}

void state_queries::player(const host::match& m) {
  if (!rules_.has_player()) return;
  using engines::level;
  for (const auto skill : {level::random, level::medium, level::perfect})
    for (int seat = 0; seat < m.players(); ++seat)
      choice(m, seat, {skill, dice_.next(), std::chrono::milliseconds{50}});
}

void state_queries::choice(const host::match& m, int seat, const engines::play_style& style) {
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  const auto chosen = m.choose(seat, style);
  out_.expect(chosen.has_value() == holds(m.to_move(), seat),
              "the player chooses though it is not its turn, or not though it is");
  out_.expect(!chosen || std::binary_search(legal.begin(), legal.end(), *chosen),
              "the player chooses what is not legal");
  if (rules_.player_immediate())
    out_.expect(m.choose(seat, style) == chosen, "the player chooses otherwise when asked again");
}

}  // namespace gamehub::engines::contract
