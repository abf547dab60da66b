#include "engines/host/engine.hpp"

#include "engines/dice.hpp"
#include "engines/host/description.hpp"
#include "engines/host/display_text.hpp"
#include "engines/host/engine_exception.hpp"
#include "engines/host/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <tuple>
#include <typeinfo>

namespace gamehub::engines::host {

namespace {

// Stores every validated description once, until the program ends. Never destroyed, because a match
// may outlive every other static object.
const adopted* keep(const gamehub_engine_abi* abi, const adopted& rules) {
  struct entry {
    const gamehub_engine_abi* abi;
    std::unique_ptr<const adopted> rules;
  };
  static std::mutex& guard = *new std::mutex;
  static std::vector<entry>& kept = *new std::vector<entry>;
  const std::lock_guard lock{guard};
  for (const auto& e : kept)
    if (e.abi == abi && std::memcmp(&e.rules->abi, &rules.abi, sizeof rules.abi) == 0)
      return e.rules.get();
  kept.push_back({abi, std::make_unique<const adopted>(rules)});
  return kept.back().rules.get();
}

// The largest output that an engine may request. A larger size is an engine failure and must not
// become the size of a buffer.
constexpr std::size_t answer_bytes_max = std::size_t{64} << 20;
constexpr std::size_t answer_items_max = answer_bytes_max / sizeof(action);

// The longest text of a failure that is kept.
constexpr std::size_t failure_bytes_max = 256;

std::string shortened(const char* text) {
  return text == nullptr ? std::string{} : std::string{text, strnlen(text, failure_bytes_max)};
}

// Describes a thrown value that is no std::exception.
std::string thrown_value() {
  const auto* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "it threw a foreign exception";
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> name{
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &failed), std::free};
  return "it threw a value of type " + shortened(failed == 0 && name ? name.get() : type->name());
}

// Returns the text of the exception that the engine caught in this function; empty: none.
std::string caught_in(const adopted& rules, const char* function) {
  if (rules.failure.take == nullptr) return {};
  std::array<char, failure_bytes_max> text;
  try {
    const auto size = rules.failure.take(function, text.data(), text.size());
    return {text.data(), std::min(size, text.size())};
  } catch (...) {
    return {};
  }
}

engine_failure failure_in(const adopted& rules, const char* function, const char* otherwise) {
  auto what = caught_in(rules, function);
  return engine_failure{what.empty() ? otherwise : what, function};
}

// Calls an engine function that fills a buffer, at most twice, and writes its output to `out`.
template <class Fill>
void fill(const adopted& rules, const char* function, std::string& out, const char* what,
          Fill call) {
  const auto write = [&](char* to, std::size_t capacity) {
    try {
      return call(to, capacity);
    } catch (...) {
      rethrow_as_failure(function);
    }
  };
  std::array<char, 1024> small;
  const std::size_t size = write(small.data(), small.size());
  if (size <= small.size()) {
    out.assign(small.data(), size);
    return;
  }
  if (size > answer_bytes_max) throw failure_in(rules, function, what);
  out.resize(size);
  if (write(out.data(), size) != size) throw failure_in(rules, function, what);
}

struct destroy_listener {
  std::mutex guard;
  std::function<void(const engine&, const engine_failure&)> call;
};

// Never destroyed, because a match may outlive every other static object.
destroy_listener& destroy_failures() {
  static destroy_listener& only = *new destroy_listener;
  return only;
}

// True if a seat of this level plays a random action now: always, every second time, or never.
bool astray(level skill, rng& d) {
  return skill == level::random || (skill == level::medium && d.below(2) == 0);
}

// The same for lists. Most turns have fewer actions than the first capacity.
constexpr std::size_t choices_guess = 64;

}  // namespace

engine_failure current_failure(const std::string& function) {
  try {
    throw;
  } catch (const engine_failure& failed) {
    return failed.function().empty() ? engine_failure{failed.what(), function} : failed;
  } catch (const std::exception& thrown) {
    return engine_failure{shortened(thrown.what()), function};
  } catch (...) {
    return engine_failure{thrown_value(), function};
  }
}

void rethrow_as_failure(const char* function) {
  try {
    throw;
  } catch (const engine_failure&) {
    throw current_failure(function);
  } catch (...) {
    throw engine_exception{current_failure().what(), function};
  }
}

void report_destroy_failures(std::function<void(const engine&, const engine_failure&)> call) {
  auto& to = destroy_failures();
  const std::lock_guard lock{to.guard};
  to.call = std::move(call);
}

void match::destroy() {
  auto* const state = std::exchange(state_, nullptr);
  if (state != nullptr) guarded("destroy", [&] { rules_->abi.destroy(state); });
}

void match::destroy_or_report() noexcept {
  try {
    destroy();
  } catch (const engine_failure& failed) {
    auto& to = destroy_failures();
    const std::lock_guard lock{to.guard};
    if (to.call) to.call(engine{rules_}, failed);
  }
}

engine_failure match::failure(const char* function, const char* otherwise) const {
  return failure_in(*rules_, function, otherwise);
}

void match::check_failure(const char* function) const {
  auto what = caught_in(*rules_, function);
  if (!what.empty()) throw engine_failure{what, function};
}

int match::players() const {
  const auto count = guarded("players", [&] { return rules_->abi.players(state_); });
  if (count == 0) throw failure_in(*rules_, "players", "the engine reports no players");
  return count;
}

// Reads at most the longest valid word, because the text may lack a terminator.
const char* match::word_of(const char* given) {
  constexpr std::size_t word_bytes_max = 64;
  for (std::size_t i = 0; i <= word_bytes_max; ++i) {
    const char c = given[i];
    if (c == '\0' && i > 0) return given;
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) break;
  }
  return reasons::engine_failure;
}

void match::legal_actions(int seat, std::vector<action>& out) const {
  // Not cleared, because clearing takes longer than the calls of most engines.
  std::array<action, choices_guess> few;
  if (out.capacity() <= few.size()) {
    const auto count = legal_actions(seat, few.data(), few.size());
    if (count <= few.size()) {
      out.assign(few.data(), few.data() + count);
      return;
    }
  }
  out.resize(std::max(out.capacity(), choices_guess));
  out.resize(list_actions(seat, out).size());
}

std::span<action> match::list_in_more_room(int seat, std::size_t count,
                                           std::vector<action>& room) const {
  if (count > answer_items_max)
    throw failure_in(*rules_, "legal_actions", "the engine failed to list its actions");
  room.resize(count);
  if (legal_actions(seat, room.data(), count) != count)
    throw failure_in(*rules_, "legal_actions", "the engine lists other actions when asked twice");
  return room;
}

void match::chance_outcomes(std::vector<action>& actions,
                            std::vector<std::uint32_t>& weights) const {
  constexpr auto function = "chance_outcomes";
  const auto list = [&](action* to, std::uint32_t* by, std::size_t capacity) {
    return guarded(function, [&] { return rules_->abi.chance_outcomes(state_, to, by, capacity); });
  };
  const auto count = list(nullptr, nullptr, 0);
  if (count > answer_items_max)
    throw failure_in(*rules_, function, "the engine failed to list its draws");
  actions.resize(count);
  weights.resize(count);
  if (list(actions.data(), weights.data(), count) != count)
    throw failure_in(*rules_, function, "the engine lists other draws when asked twice");
}

void match::scores(std::span<double> out) const {
  if (out.size() < static_cast<std::size_t>(players()))
    throw engine_failure{"scores need room for every player", "scores"};
  guarded("scores", [&] { rules_->abi.scores(state_, out.data()); });
  // Engines compute the loser's score as -x, and a draw's would be shown as -0.0.
  for (auto& each : out) each += 0.0;
  if (out.front() == 0) check_failure("scores");
}

void match::score(std::vector<double>& out) const {
  constexpr auto function = "score";
  out.clear();
  if (rules_->score.score == nullptr) return;
  out.resize(static_cast<std::size_t>(players()));
  const auto count =
      guarded(function, [&] { return rules_->score.score(state_, out.data(), out.size()); });
  const auto infinite = [](double s) { return std::isinf(s); };
  if (count != out.size() || std::any_of(out.begin(), out.end(), infinite))
    throw failure_in(*rules_, function, "the engine's score is not one number for each player");
}

void match::summary(std::string& out) const {
  constexpr auto function = "summary";
  out.clear();
  if (rules_->summary.summary == nullptr) return;
  constexpr auto wrong = "the engine's summary is no line of text for people, or too long";
  fill(*rules_, function, out, wrong, [&](char* to, std::size_t capacity) {
    return rules_->summary.summary(state_, to, capacity);
  });
  if (out.size() > GAMEHUB_SUMMARY_BYTES_MAX || !is_display_text(out))
    throw failure_in(*rules_, function, wrong);
}

match::parsed match::from_text(int seat, std::string_view text) const {
  parsed out;
  out.reason = guarded("action_from_text", [&] {
    return rules_->abi.action_from_text(state_, seat, text.data(), text.size(), &out.value);
  });
  if (out.reason != nullptr) out.reason = word_of(out.reason);
  return out;
}

match::parsed match::from_json(int seat, std::string_view text) const {
  parsed out;
  out.reason = guarded("action_from_json", [&] {
    return rules_->abi.action_from_json(state_, seat, text.data(), text.size(), &out.value);
  });
  if (out.reason != nullptr) out.reason = word_of(out.reason);
  return out;
}

match::parsed match::at_cell(int seat, std::int64_t cell) const {
  parsed out;
  if (!rules_->has_cells)
    out.reason = reasons::out_of_bounds;
  else
    out.reason = guarded("action_at",
                         [&] { return rules_->cells.action_at(state_, seat, cell, &out.value); });
  if (out.reason != nullptr) out.reason = word_of(out.reason);
  return out;
}

std::string match::to_text(action a) const {
  std::string out;
  fill(*rules_, "action_to_text", out, "the engine has no text for an action",
       [&](char* to, std::size_t capacity) {
         return rules_->abi.action_to_text(state_, a, to, capacity);
       });
  return out;
}

std::string match::to_json(action a) const {
  std::string out;
  fill(*rules_, "action_to_json", out, "the engine has no JSON for an action",
       [&](char* to, std::size_t capacity) {
         return rules_->abi.action_to_json(state_, a, to, capacity);
       });
  return out;
}

grid match::cells() const {
  grid out;
  if (!rules_->has_cells) return out;
  std::int32_t rows = 0;
  std::int32_t columns = 0;
  guarded("size", [&] { rules_->cells.size(state_, &rows, &columns); });
  // A board whose size overflows an int is an engine failure and must not become the size of a
  // buffer.
  constexpr std::int32_t side_max = 1024;
  if (rows < 1 || columns < 1 || rows > side_max || columns > side_max)
    throw failure_in(*rules_, "size", "the engine's board has an impossible size");
  out.rows = rows;
  out.columns = columns;
  return out;
}

void match::glyphs(int viewer, std::string& out) const {
  if (!rules_->has_cells) return out.clear();
  fill(*rules_, "glyphs", out, "the engine failed to show its board",
       [&](char* to, std::size_t capacity) {
         return rules_->cells.glyphs(state_, viewer, to, capacity);
       });
}

int match::cell_of(action a) const {
  if (!rules_->has_cells) return -1;
  const auto cell = guarded("cell_of", [&] { return rules_->cells.cell_of(state_, a); });
  if (cell == -1) check_failure("cell_of");
  return static_cast<int>(cell);
}

void match::view_json(int viewer, std::string& out) const {
  fill(*rules_, "view_json", out, "the engine failed to show its state",
       [&](char* to, std::size_t capacity) {
         return rules_->abi.view_json(state_, viewer, to, capacity);
       });
}

std::string match::save() const {
  std::string out;
  fill(*rules_, "save", out, "the engine failed to save its state",
       [&](char* to, std::size_t capacity) { return rules_->abi.save(state_, to, capacity); });
  return out;
}

match match::clone() const {
  auto* copy = guarded("clone", [&] { return rules_->abi.clone(state_); });
  if (copy == nullptr) throw failure_in(*rules_, "clone", "the engine failed to copy a match");
  return match{rules_, copy};
}

std::optional<action> match::choose(int seat, const play_style& style) const {
  if (!rules_->has_player) return std::nullopt;
  const auto& player = rules_->player;
  const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(style.budget.count(), 0));
  action out = 0;
  const char* why = nullptr;
  if (player.choose_in_style != nullptr) {
    const gamehub_play_style wish{.struct_size = sizeof wish,
                                  .level = static_cast<std::uint32_t>(style.skill),
                                  .seed = style.seed,
                                  .budget_ns = time};
    why = guarded("choose", [&] { return player.choose_in_style(state_, seat, &wish, &out); });
  } else if (rng d{style.seed}; astray(style.skill, d)) {
    std::vector<action> legal;
    legal_actions(seat, legal);
    if (legal.empty()) return std::nullopt;
    out = legal[d.below(legal.size())];
  } else {
    why = guarded("choose", [&] { return player.choose(state_, seat, time, &out); });
  }
  if (why != nullptr) return std::nullopt;
  return out;
}

std::variant<engine, std::string> engine::adopt(const gamehub_engine_abi* abi,
                                                engines::host::host* where) {
  adopted rules;
  rules.host = where;
  if (auto wrong = read_description(abi, rules); !wrong.empty()) return wrong;
  return engine{keep(abi, rules)};
}

bool older(const engine& a, const engine& b) {
  const auto version = [](const gamehub_engine_abi& abi) {
    return std::tuple{abi.version_major, abi.version_minor, abi.version_patch};
  };
  return version(a.rules_->abi) < version(b.rules_->abi);
}

std::string_view engine::options_schema() const {
  const char* schema = rules_->abi.options_schema;
  return schema == nullptr ? std::string_view{} : std::string_view{schema};
}

char engine::mark(int seat) const {
  if (!has_cells() || seat < 0 || seat >= players_max()) return GAMEHUB_BLANK;
  return rules_->cells.marks[seat];
}

std::variant<match, std::string> engine::create(std::string_view options_json, int players) const {
  if (players == 0 && players_max() > players_min())
    if (const auto [rest, chosen] = split_players(options_json, options_schema()); chosen != 0)
      return create(rest, chosen);
  gamehub_reason why = nullptr;
  auto* state =
      match::guarded("create", [&] { return rules_->create(options_json, players, &why); });
  if (state != nullptr) return match{rules_, state};
  return std::string{why == nullptr ? reasons::engine_failure : match::word_of(why)};
}

bool engine::up() const {
  if (host() == nullptr) return true;
  const auto all = host()->processes();
  return std::any_of(all.begin(), all.end(), [](const engine& e) { return e.host()->up(); });
}

engine engine::least_loaded() const {
  if (host() == nullptr) return *this;
  const auto all = host()->processes();
  return *std::min_element(all.begin(), all.end(), [](const engine& a, const engine& b) {
    return std::pair{!a.host()->up(), a.host()->matches()} <
           std::pair{!b.host()->up(), b.host()->matches()};
  });
}

engine engine::in_process(std::uint64_t number) const {
  if (host() == nullptr) return *this;
  const auto all = host()->processes();
  return all[number % all.size()];
}

engine_failure engine::failure(const char* function) const {
  return failure_in(*rules_, function, reasons::engine_failure);
}

std::variant<match, std::string> engine::prepare(std::string_view options_json) const {
  if (rules_->host == nullptr) return create(options_json);
  if (players_max() == players_min()) return match{rules_, rules_->host->prepare(options_json, 0)};
  const auto [rest, chosen] = split_players(options_json, options_schema());
  return match{rules_, rules_->host->prepare(rest, chosen)};
}

std::optional<match> engine::load(std::string_view bytes) const {
  gamehub_reason why = nullptr;
  auto* state = match::guarded("load", [&] { return rules_->load(bytes, &why); });
  if (state == nullptr) return std::nullopt;
  return match{rules_, state};
}

}  // namespace gamehub::engines::host
