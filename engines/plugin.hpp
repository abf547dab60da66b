// The only header that the author of an engine includes: write one class with the members of
// `rules` below, and one line GAMEHUB_ENGINE(the_class). README.md in this folder shows a complete
// engine. The class is the state of one match. The hub copies it and calls it from one thread at a
// time, while other threads use other matches. It uses no clock, file, thread or random source. It
// may throw anywhere except in to_move(): the exception does not leave the engine, and the hub
// receives "engine-failure" and the exception's text for its log. Nothing here allocates.
#pragma once

#include "engines/abi.h"
#include "engines/action.hpp"

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace gamehub::engines {

// The description of the engine. Write it with designated initialisers.
struct description {
  const char* id;     // [a-z0-9-]+, what clients ask for.
  const char* title;  // For display.
  struct {
    std::uint32_t major = 1, minor = 0, patch = 0;
  } version{};
  int players_min = 2;
  int players_max = 2;
  bool perfect_information = true;
  bool simultaneous = false;  // Several seats may be in to_move() at once.
  bool has_chance = false;    // to_move() may be only(chance).
  std::uint64_t actions_max;  // The most legal actions that one seat can have.
  std::uint64_t plies_max;    // The most actions that a match can take, draws of chance included.
  // Actions are numbered 0 to actions_end - 1. Required unless the class parses its own text.
  action actions_end = 0;
  std::uint64_t state_bytes_max = 0;  // Required if the class has its own save().
  const char* options_schema = nullptr;
  // Players may not take moves back. Hidden information, simultaneous moves and chance forbid it,
  // too.
  bool no_takeback = false;
};

// Writes text or bytes to a buffer of the hub. Output beyond the capacity is only counted.
class writer {
 public:
  writer(char* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  writer& operator<<(std::string_view text) {
    if (!text.empty() && size_ <= capacity_ && text.size() <= capacity_ - size_)
      std::memcpy(out_ + size_, text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  writer& operator<<(char c) { return *this << std::string_view{&c, 1}; }
  // A bool is written as JSON does.
  writer& operator<<(bool b) { return *this << (b ? std::string_view{"true"} : "false"); }
  writer& operator<<(const char* text) { return *this << std::string_view{text}; }
  template <std::integral Number>
  writer& operator<<(Number n) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
    return *this << std::string_view{digits, static_cast<std::size_t>(end - digits)};
  }

  std::size_t size() const { return size_; }

 private:
  char* out_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

// Receives a list of actions, in ascending order. Only chance has weights.
class action_list {
 public:
  action_list(action* out, std::uint32_t* weights, std::size_t capacity)
      : out_(out), weights_(weights), capacity_(capacity) {}

  void add(action a, std::uint32_t weight = 1) {
    if (size_ < capacity_) {
      out_[size_] = a;
      if (weights_ != nullptr) weights_[size_] = weight;
    }
    ++size_;
  }

  std::size_t size() const { return size_; }

 private:
  action* out_;
  std::uint32_t* weights_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

// The required members of a class. It is also default constructible (a match at its start) and
// copyable.
template <class Class>
concept rules = std::default_initializable<Class> && std::copyable<Class> &&
    requires(Class m, const Class c, int seat, action a, action_list list, writer out,
             std::span<double> scores) {
  // static constexpr description about.
  { Class::about } -> std::convertible_to<const description&>;
  // The seats to move: only(seat) for each, or only(chance), or 0 if the match is over.
  { c.to_move() }
  noexcept->std::same_as<seats>;
  // Adds the legal actions of a seat in to_move(); for seat `chance`, every draw with its weight.
  c.legal_actions(seat, list);
  // Applies the action, or returns the reason for a refusal. Called only for a seat in to_move(),
  // but with any number. If it is noexcept, a refusal must leave the state unchanged; otherwise it
  // is called on a copy, at the cost of that copy.
  { m.apply(seat, a) } -> std::same_as<reason>;
  // One score for each player. Called only when the match is over.
  c.scores(scores);
  // Writes a JSON object: the view of a seat or of `spectator`.
  c.view(seat, out);
};

// The optional members of a class. Each is detected by its presence.

// Required unless everything is public: the viewers of a legal action in addition to its seat.
template <class Class>
concept has_audience = requires(const Class c, int seat, action a) {
  { c.audience(seat, a) } -> std::same_as<seats>;
};

// Options and a variable number of players. Called once on a new match, with empty text or a JSON
// object that is valid by the schema. A missing option has its default; json::integer_or() and
// similar functions read it.
template <class Class>
concept has_set_up = requires(Class m, const Class c, std::string_view options, int players) {
  { m.set_up(options, players) } -> std::same_as<reason>;
  { c.players() } -> std::same_as<int>;
};

// Text for actions. Without it an action is written as its number.
template <class Class>
concept has_text = requires(const Class c, int seat, std::string_view in, action a, writer out) {
  { c.from_text(seat, in, a) } -> std::same_as<reason>;
  c.to_text(a, out);
};

// JSON for actions. Without it they are {"type":"move","action":…}, with the number or the
// word of the text. "engines/json.hpp" reads members of objects.
template <class Class>
concept has_json = requires(const Class c, int seat, std::string_view in, action a, writer out) {
  { c.from_json(seat, in, a) } -> std::same_as<reason>;
  c.to_json(a, out);
};

// Serialisation. The object of a class without it is saved as its bytes and a digest of them;
// bytes with another digest are refused. Such an object must consist of integers without gaps.
template <class Class>
concept has_save = requires(Class m, const Class c, std::string_view in, writer out) {
  c.save(out);
  { m.load(in) } -> std::same_as<reason>;
};
// In place of the digest: returns for any bits whether they are a state from which the rules can
// continue. Use an integer instead of a bool, because such bits of a bool are undefined.
template <class Class>
concept has_valid = requires(const Class c) {
  { c.valid() } -> std::same_as<bool>;
};

// A board: `static constexpr const char* marks = "XO"`, and the four members. Cells are counted row
// by row from the top left. glyph() is called for cells of the board only, action_at() for any
// number.
template <class Class>
concept has_cells = requires(const Class c, int viewer, std::int64_t cell, action a) {
  { Class::marks } -> std::convertible_to<const char*>;
  { c.board() } -> std::same_as<grid>;
  { c.glyph(viewer, static_cast<int>(cell)) } -> std::same_as<char>;
  { c.action_at(viewer, cell, a) } -> std::same_as<reason>;
  { c.cell_of(a) } -> std::convertible_to<std::int64_t>;
};

// How games look to people. Write `static constexpr face_description face{...}` with designated
// initialisers; every member is optional, and README.md has the bounds of the texts. All texts are
// UTF-8.
struct face_description {
  const char* blurb = nullptr;  // A line: what the game is about.
  const char* rules[16] = {};   // Paragraphs.
  const char* board = nullptr;  // "squares", "lines", "felt", "rack", "hexagons" or "points".
  const char* pieces[8] = {};   // By seat, the shape of its piece: "cross", "black-stone".
  const char* marks[8] = {};    // By seat, what people call it: "Black".
  int line = 0;                 // Marks in a row that win, which a page points out.
  bool drops = false;           // A mark falls to the lowest free cell of its column.
  struct {
    const char* action = nullptr;  // The text of an action: "pass".
    const char* words = nullptr;   // "Pass".
  } actions[64] = {};
  struct {
    const char* title = nullptr;
    const char* actions[32] = {};
  } groups[12] = {};                  // Actions that a page shows together.
  const char* score_label = nullptr;  // What score() counts: "discs".
  const char* icon = nullptr;         // An SVG image.
};
template <class Class>
concept has_face = requires {
  { Class::face } -> std::convertible_to<const face_description&>;
};

// What each seat has won so far, also after the end, as everyone may know it. `out` has one element
// for each player, which are not numbers at first: a seat without a score keeps it.
template <class Class>
concept has_score = requires(const Class c, std::span<double> out) {
  c.score(out);
};

// Writes a sentence about the state for everyone, or nothing.
template <class Class>
concept has_summary = requires(const Class c, writer out) {
  c.summary(out);
};

// An engine player: a choice for a seat in to_move(), from the information of that seat, within the
// budget. `static constexpr bool immediate = true` if it costs no more than a move. A player with
// levels, or with several good choices, takes a play_style instead of the budget;
// "engines/dice.hpp" generates random numbers from its seed.
template <class Class>
concept has_style = requires(const Class c, int seat, const play_style& style, action a) {
  { c.choose(seat, style, a) } -> std::same_as<reason>;
};
template <class Class>
concept has_budget = requires(const Class c, int seat, std::chrono::nanoseconds budget, action a) {
  { c.choose(seat, budget, a) } -> std::same_as<reason>;
};
template <class Class>
concept has_player = (has_style<Class> || has_budget<Class>)&&requires {
  { Class::immediate } -> std::convertible_to<bool>;
};

}  // namespace gamehub::engines

#include "engines/abi_adapter.hpp"

// A plugin exports one fixed name. The build of the hub gives each built-in engine a different one.
#ifndef GAMEHUB_ENGINE_ENTRY
#define GAMEHUB_ENGINE_ENTRY gamehub_engine
#endif

#define GAMEHUB_ENGINE(Class)                                                     \
  extern "C" GAMEHUB_EXPORT const gamehub_engine_abi* GAMEHUB_ENGINE_ENTRY(void); \
  extern "C" const gamehub_engine_abi* GAMEHUB_ENGINE_ENTRY(void) {               \
    return &::gamehub::engines::abi_adapter<Class>::table;                        \
  }                                                                               \
  static_assert(::gamehub::engines::rules<Class>, "the class lacks a member of the rules concept")
