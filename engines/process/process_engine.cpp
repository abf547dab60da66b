#include "engines/process/process_engine.hpp"

#include "engines/process/process_match.hpp"
#include "engines/process/reply_validation.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace gamehub::engines::process {

namespace {

process_match& of(const gamehub_match* m) {
  return *reinterpret_cast<process_match*>(const_cast<gamehub_match*>(m));
}
gamehub_match* handle(process_match* m) { return reinterpret_cast<gamehub_match*>(m); }

query about(query::kind what, std::int32_t seat, std::int64_t number = 0) {
  query q;
  q.what = what;
  q.seat = seat;
  q.number = number;
  return q;
}

std::size_t give(const std::string& text, char* out, std::size_t capacity) {
  if (text.size() <= capacity) std::copy(text.begin(), text.end(), out);
  return text.size();
}

template <class Each>
std::size_t give(const std::vector<Each>& all, Each* out, std::size_t capacity) {
  if (out != nullptr) std::copy_n(all.begin(), std::min(all.size(), capacity), out);
  return all.size();
}

// Returns a match, or nullptr and the reason. A process that has ended is an engine failure.
template <class Make>
gamehub_match* made(const char* function, gamehub_reason* why, Make make) {
  try {
    *why = reasons::engine_failure;
    return handle(make());
  } catch (...) {
    const auto failure = host::current_failure();
    if (!failure.function().empty() && failure.function() != function) throw;
    report_failure(function, failure);
    return nullptr;
  }
}

gamehub_match* clone(const gamehub_match* m) {
  gamehub_reason why = nullptr;
  return made("clone", &why, [&] { return of(m).clone(); });
}

void destroy(gamehub_match* m) { delete &of(m); }
std::int32_t players(const gamehub_match* m) { return of(m).now().players; }
std::uint64_t to_move(const gamehub_match* m) { return of(m).now().to_move; }
std::uint64_t hash(const gamehub_match* m) { return of(m).now().hash; }

std::size_t legal_actions(const gamehub_match* m, std::int32_t seat, std::int64_t* out,
                          std::size_t capacity) {
  return give(of(m).ask(about(query::kind::legal_actions, seat)).actions, out, capacity);
}

gamehub_reason apply(gamehub_match* m, std::int32_t seat, std::int64_t a) {
  return of(m).apply(seat, a);
}

std::size_t chance_outcomes(const gamehub_match* m, std::int64_t* actions, std::uint32_t* weights,
                            std::size_t capacity) {
  const auto& now = of(m).now();
  give(now.weights, weights, capacity);
  return give(now.draws, actions, capacity);
}

std::uint64_t audience(const gamehub_match* m, std::int32_t seat, std::int64_t a) {
  return of(m).audience(seat, a);
}

void scores(const gamehub_match* m, double* out) {
  const auto& all = of(m).now().scores;
  std::copy(all.begin(), all.end(), out);
}

gamehub_reason found(const gamehub_match* m, query q, std::int64_t* a) {
  const auto& said = of(m).ask(std::move(q));
  *a = said.number;
  return of(m).reason_of(said);
}

gamehub_reason from_words(query::kind what, const gamehub_match* m, std::int32_t seat,
                          const char* text, std::size_t size, std::int64_t* a) {
  auto q = about(what, seat);
  q.text.assign(text, size);
  return found(m, std::move(q), a);
}

gamehub_reason from_text(const gamehub_match* m, std::int32_t seat, const char* text,
                         std::size_t size, std::int64_t* a) {
  return from_words(query::kind::from_text, m, seat, text, size, a);
}

gamehub_reason from_json(const gamehub_match* m, std::int32_t seat, const char* text,
                         std::size_t size, std::int64_t* a) {
  return from_words(query::kind::from_json, m, seat, text, size, a);
}

std::size_t to_text(const gamehub_match* m, std::int64_t a, char* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::to_text, 0, a)).bytes, out, capacity);
}

std::size_t to_json(const gamehub_match* m, std::int64_t a, char* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::to_json, 0, a)).bytes, out, capacity);
}

std::size_t view_json(const gamehub_match* m, std::int32_t viewer, char* out,
                      std::size_t capacity) {
  return give(of(m).ask(about(query::kind::view, viewer)).bytes, out, capacity);
}

std::size_t save(const gamehub_match* m, char* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::save, 0)).bytes, out, capacity);
}

void size(const gamehub_match* m, std::int32_t* rows, std::int32_t* columns) {
  const auto& now = of(m).now();
  *rows = now.size.rows;
  *columns = now.size.columns;
}

std::size_t glyphs(const gamehub_match* m, std::int32_t viewer, char* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::glyphs, viewer)).bytes, out, capacity);
}

gamehub_reason action_at(const gamehub_match* m, std::int32_t seat, std::int64_t cell,
                         std::int64_t* a) {
  return found(m, about(query::kind::at_cell, seat, cell), a);
}

std::int64_t cell_of(const gamehub_match* m, std::int64_t a) {
  return of(m).ask(about(query::kind::cell_of, 0, a)).number;
}

std::size_t score(const gamehub_match* m, double* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::score, 0)).scores, out, capacity);
}

std::size_t summary(const gamehub_match* m, char* out, std::size_t capacity) {
  return give(of(m).ask(about(query::kind::summary, 0)).bytes, out, capacity);
}

gamehub_reason choose_in_style(const gamehub_match* m, std::int32_t seat,
                               const gamehub_play_style* style, std::int64_t* a) {
  auto q = about(query::kind::choose, seat);
  q.level = style->level;
  q.seed = style->seed;
  q.budget_ns = style->budget_ns;
  const std::chrono::nanoseconds budget{
      static_cast<std::int64_t>(std::min<std::uint64_t>(style->budget_ns, INT64_MAX / 2))};
  try {
    const auto& said = of(m).ask(std::move(q), budget);
    *a = said.number;
    return of(m).reason_of(said);
  } catch (const host::engine_failure& failure) {
    report_failure("choose", failure);
    return reasons::engine_failure;
  }
}

gamehub_reason choose(const gamehub_match* m, std::int32_t seat, std::uint64_t budget_ns,
                      std::int64_t* a) {
  const gamehub_play_style style{sizeof style, GAMEHUB_LEVEL_PERFECT, 0, budget_ns};
  return choose_in_style(m, seat, &style, a);
}

class remote_host;
// The engine that is asked for its extensions, by its constructor's thread.
thread_local const remote_host* adopting = nullptr;

// Data with the lifetime of the program, because the engine has it.
class remote_host final : public host::host {
 public:
  // `all` are the engine in each of its processes. It outlives this object, which is one of them.
  remote_host(const description& engine_description, const engine_process& process,
              const std::vector<engines::host::engine>& all)
      : exchange_(engine_description, *process.to), number_(process.number), all_(all) {
    const auto& d = exchange_.engine_description();
    abi.magic = GAMEHUB_ENGINE_MAGIC;
    abi.abi_major = GAMEHUB_ABI_MAJOR;
    abi.abi_minor = GAMEHUB_ABI_MINOR;
    abi.struct_size = sizeof abi;
    abi.flags = d.flags;
    abi.id = d.id.c_str();
    abi.title = d.title.c_str();
    abi.options_schema = d.options_schema ? d.options_schema->c_str() : nullptr;
    abi.version_major = d.version_major;
    abi.version_minor = d.version_minor;
    abi.version_patch = d.version_patch;
    abi.players_min = d.players_min;
    abi.players_max = d.players_max;
    abi.actions_max = d.actions_max;
    abi.plies_max = d.plies_max;
    abi.state_bytes_max = d.state_bytes_max;
    add_functions();
    if (d.face) face.json = d.face->c_str();
    if (d.marks) cells.marks = d.marks->c_str();
    player.immediate = d.player_immediate ? 1 : 0;
  }

  std::size_t number() const override { return number_; }
  bool up() const override { return exchange_.life() != 0; }
  bool bring_up() override { return exchange_.bring_up(); }
  void wake(std::function<void()> then) override { exchange_.wake(std::move(then)); }
  std::size_t matches() const override { return exchange_.matches(); }
  std::span<const engines::host::engine> processes() const override { return all_; }
  gamehub_match* prepare(std::string_view options, int seated) override {
    return handle(new process_match{exchange_, std::string{options}, seated});
  }

  gamehub_match* create(std::string_view options, int seated, gamehub_reason* why) override {
    request how;
    how.what = request::kind::create;
    how.number = seated;
    how.text = options;
    return made("create", why,
                [&] { return process_match::make(exchange_, std::move(how), *why); });
  }

  gamehub_match* load(std::string_view saved, gamehub_reason* why) override {
    request how;
    how.what = request::kind::load;
    how.text = saved;
    return made("load", why, [&] { return process_match::make(exchange_, std::move(how), *why); });
  }

  const void* extension(std::string_view id) const {
    if (id == GAMEHUB_CELLS && exchange_.engine_description().marks) return &cells;
    if (id == GAMEHUB_PLAYER && exchange_.engine_description().has_player) return &player;
    if (id == GAMEHUB_FACE && face.json != nullptr) return &face;
    if (id == GAMEHUB_SCORE && exchange_.engine_description().has_score) return &score_table;
    if (id == GAMEHUB_SUMMARY && exchange_.engine_description().has_summary) return &summary_table;
    if (id == GAMEHUB_FAILURE) return &failure;
    return nullptr;
  }

  gamehub_engine_abi abi{};
  gamehub_cells cells{sizeof(gamehub_cells), 0, nullptr, size, glyphs, action_at, cell_of};
  gamehub_player player{sizeof(gamehub_player), 0, choose, choose_in_style};
  gamehub_failure failure{sizeof(gamehub_failure), 0, take_failure};
  gamehub_face face{sizeof(gamehub_face), 0, nullptr};
  gamehub_score score_table{sizeof(gamehub_score), 0, score};
  gamehub_summary summary_table{sizeof(gamehub_summary), 0, summary};

 private:
  void add_functions() {
    // Matches are created by the functions of the host, which have the process.
    abi.create = [](const char*, std::size_t, std::int32_t, gamehub_reason*) {
      return static_cast<gamehub_match*>(nullptr);
    };
    abi.load = [](const char*, std::size_t, gamehub_reason*) {
      return static_cast<gamehub_match*>(nullptr);
    };
    abi.extension = [](const char* id) { return adopting->extension(id); };
    abi.clone = clone;
    abi.destroy = destroy;
    abi.players = players;
    abi.to_move = to_move;
    abi.legal_actions = legal_actions;
    abi.apply = apply;
    abi.chance_outcomes = chance_outcomes;
    abi.audience = audience;
    abi.scores = scores;
    abi.action_from_text = from_text;
    abi.action_from_json = from_json;
    abi.action_to_text = to_text;
    abi.action_to_json = to_json;
    abi.view_json = view_json;
    abi.save = save;
    abi.hash = hash;
  }

  exchange exchange_;
  const std::size_t number_;
  const std::vector<engines::host::engine>& all_;
};

}  // namespace

std::variant<host::engine, std::string> make_process_engine(
    const description& engine_description, std::span<const engine_process> processes) {
  if (auto wrong = validate(engine_description); !wrong.empty()) return "the engine " + wrong;
  // Never destroyed, because engines live as long as the program.
  auto all = std::make_unique<std::vector<host::engine>>();
  for (const auto& each : processes) {
    auto where = std::make_unique<remote_host>(engine_description, each, *all);
    adopting = where.get();
    auto made = host::engine::adopt(&where->abi, where.get());
    if (std::holds_alternative<std::string>(made)) return made;
    where.release();
    all->push_back(std::get<host::engine>(made));
  }
  return all.release()->front();
}

}  // namespace gamehub::engines::process
