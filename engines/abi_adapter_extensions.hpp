// Builds the C tables of the extensions from the optional members of an author's class. Only
// abi_adapter.hpp includes it. Stateless, any thread.
#pragma once

#include "engines/abi_adapter.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#pragma GCC visibility push(hidden)

namespace gamehub::engines {

// The extension cells of a class that has it.
template <rules Class>
struct cells_adapter {
  using base = abi_adapter<Class>;

  static void size(const gamehub_match* m, std::int32_t* rows, std::int32_t* columns) noexcept {
    const grid board = base::guarded("size", grid{}, [&] { return base::of(m).board(); });
    *rows = board.rows;
    *columns = board.columns;
  }

  static std::size_t glyphs(const gamehub_match* m, std::int32_t viewer, char* out,
                            std::size_t capacity) noexcept {
    return base::guarded("glyphs", GAMEHUB_FAILED, [&] {
      const Class& state = base::of(m);
      const int sees = base::viewer_of(m, viewer);
      const auto count = static_cast<std::size_t>(state.board().cells());
      if (count <= capacity)
        for (std::size_t i = 0; i < count; ++i) out[i] = state.glyph(sees, static_cast<int>(i));
      return count;
    });
  }

  static gamehub_reason action_at(const gamehub_match* m, std::int32_t seat, std::int64_t cell,
                                  std::int64_t* out) noexcept {
    return base::reason_of("action_at", [&] { return base::of(m).action_at(seat, cell, *out); });
  }

  static std::int64_t cell_of(const gamehub_match* m, std::int64_t a) noexcept {
    return base::guarded("cell_of", std::int64_t{-1},
                         [&] { return std::int64_t{base::of(m).cell_of(a)}; });
  }

  static constexpr gamehub_cells table{.struct_size = sizeof(gamehub_cells),
                                       .reserved = 0,
                                       .marks = Class::marks,
                                       .size = size,
                                       .glyphs = glyphs,
                                       .action_at = action_at,
                                       .cell_of = cell_of};
};

// The extension player of a class that has it.
template <rules Class>
struct player_adapter {
  using base = abi_adapter<Class>;

  static gamehub_reason ask(const gamehub_match* m, std::int32_t seat, const play_style& style,
                            std::int64_t* out) noexcept {
    if (!holds(base::of(m).to_move(), seat) || seat == chance) return reasons::not_your_turn;
    return base::reason_of("choose", [&] {
      if constexpr (has_style<Class>)
        return base::of(m).choose(seat, style, *out);
      else
        return base::of(m).choose(seat, style.budget, *out);
    });
  }

  // The clock type is signed; a budget over 292 years is cut.
  static std::chrono::nanoseconds budget_of(std::uint64_t ns) {
    return std::chrono::nanoseconds{
        static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX))};
  }

  static gamehub_reason choose(const gamehub_match* m, std::int32_t seat, std::uint64_t budget_ns,
                               std::int64_t* out) noexcept {
    return ask(m, seat, {.budget = budget_of(budget_ns)}, out);
  }

  static gamehub_reason choose_in_style(const gamehub_match* m, std::int32_t seat,
                                        const gamehub_play_style* style,
                                        std::int64_t* out) noexcept {
    const auto skill = static_cast<level>(
        std::min<std::uint32_t>(style->level, static_cast<std::uint32_t>(level::perfect)));
    return ask(m, seat, {skill, style->seed, budget_of(style->budget_ns)}, out);
  }

  static constexpr gamehub_player table{
      .struct_size = sizeof(gamehub_player),
      .immediate = Class::immediate ? 1U : 0U,
      .choose = choose,
      .choose_in_style = has_style<Class> ? choose_in_style : nullptr};
};

// Writes a face as JSON.
class face_writer {
 public:
  explicit face_writer(writer& out) : out_(out) {}

  void write(const face_description& face) {
    begin('{');
    text("blurb", face.blurb);
    list("rules", face.rules);
    text("board", face.board);
    list("pieces", face.pieces);
    list("marks", face.marks);
    if (face.line != 0) key("line"), out_ << face.line;
    if (face.drops) key("drops"), out_ << true;
    actions(face);
    groups(face);
    text("score_label", face.score_label);
    text("icon", face.icon);
    end('}');
  }

 private:
  void begin(char bracket) {
    out_ << bracket;
    first_ = true;
  }
  void end(char bracket) {
    out_ << bracket;
    first_ = false;
  }
  void separate() {
    if (!first_) out_ << ',';
    first_ = false;
  }
  void quoted(std::string_view text) {
    out_ << '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out_ << '\\';
      out_ << c;
    }
    out_ << '"';
  }
  void key(std::string_view name) {
    separate();
    quoted(name);
    out_ << ':';
  }
  void text(const char* name, const char* value) {
    if (value == nullptr) return;
    key(name);
    quoted(value);
  }
  template <std::size_t Size>
  void list(const char* name, const char* const (&all)[Size]) {
    if (all[0] == nullptr) return;
    key(name);
    begin('[');
    for (const char* each : all)
      if (each != nullptr) separate(), quoted(each);
    end(']');
  }
  void actions(const face_description& face) {
    if (face.actions[0].action == nullptr) return;
    key("actions");
    begin('{');
    for (const auto& each : face.actions)
      if (each.action != nullptr) text(each.action, each.words);
    end('}');
  }
  void groups(const face_description& face) {
    if (face.groups[0].title == nullptr) return;
    key("groups");
    begin('[');
    for (const auto& each : face.groups) {
      if (each.title == nullptr) continue;
      separate();
      begin('{');
      text("title", each.title);
      list("actions", each.actions);
      end('}');
    }
    end(']');
  }

  writer& out_;
  bool first_ = true;
};

// The extensions face, score and summary of a class that has them.
template <rules Class>
struct face_adapter {
  using base = abi_adapter<Class>;

  // Longer text than the ABI allows has no end within the bound, which the hub refuses.
  static const gamehub_face* face() noexcept {
    static const auto text = [] {
      std::array<char, GAMEHUB_FACE_BYTES_MAX + 2> out{};
      writer w{out.data(), out.size() - 1};
      face_writer{w}.write(Class::face);
      if (w.size() > GAMEHUB_FACE_BYTES_MAX) out.fill(' ');
      return out;
    }();
    static const gamehub_face table{sizeof(gamehub_face), 0, text.data()};
    return &table;
  }

  static std::size_t score(const gamehub_match* m, double* out, std::size_t capacity) noexcept {
    return base::guarded("score", GAMEHUB_FAILED, [&] {
      const auto count = static_cast<std::size_t>(base::players(m));
      if (count > capacity) return count;
      const std::span<double> all{out, count};
      std::fill(all.begin(), all.end(), std::numeric_limits<double>::quiet_NaN());
      base::of(m).score(all);
      return count;
    });
  }
  // A function, because it is instantiated only for a class with this member.
  static const gamehub_score* score_table() noexcept {
    static constexpr gamehub_score table{sizeof(gamehub_score), 0, score};
    return &table;
  }

  static std::size_t summary(const gamehub_match* m, char* out, std::size_t capacity) noexcept {
    return base::size_of("summary", out, capacity, [&](writer& w) { base::of(m).summary(w); });
  }
  static const gamehub_summary* summary_table() noexcept {
    static constexpr gamehub_summary table{sizeof(gamehub_summary), 0, summary};
    return &table;
  }
};

template <rules Class>
const void* abi_adapter<Class>::extension(const char* id) noexcept {
  const std::string_view wanted{id};
  if constexpr (has_cells<Class>)
    if (wanted == GAMEHUB_CELLS) return &cells_adapter<Class>::table;
  if constexpr (has_player<Class>)
    if (wanted == GAMEHUB_PLAYER) return &player_adapter<Class>::table;
  if constexpr (has_face<Class>)
    if (wanted == GAMEHUB_FACE) return face_adapter<Class>::face();
  if constexpr (has_score<Class>)
    if (wanted == GAMEHUB_SCORE) return face_adapter<Class>::score_table();
  if constexpr (has_summary<Class>)
    if (wanted == GAMEHUB_SUMMARY) return face_adapter<Class>::summary_table();
  if (wanted == GAMEHUB_FAILURE) return &failure_adapter::table;
  return nullptr;
}

}  // namespace gamehub::engines

#pragma GCC visibility pop
