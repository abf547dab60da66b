// What an author of an engine includes, and all of it: write one class with the members of `rules`
// below, and one line GAMEHUB_ENGINE(the_class). README.md beside this file shows a whole engine.
// The class is the state of one match: the hub copies it, asks it and plays on it, from one thread
// at a time, while other threads use other matches. It keeps no clock, file, thread or randomness
// of its own. It may throw anywhere but in to_move(): no exception leaves the engine, the hub is
// told "engine-failure". Nothing here allocates.
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

// What the hub must know before any match exists. Write it with designated initialisers.
struct description {
  const char* id;     // [a-z0-9-]+, what clients ask for.
  const char* title;  // What people read.
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
  // Actions are numbered 0 to actions_end - 1. Needed unless the class reads its own text.
  action actions_end = 0;
  std::uint64_t state_bytes_max = 0;  // Needed if the class has its own save().
  const char* options_schema = nullptr;
};

// Where a class writes text or bytes: into a buffer of the hub's. What does not fit is counted
// only.
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

// Where a class lists actions, in ascending order. Weights are for chance alone.
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

// What every class must have. It is also default constructible (a match at its start) and copyable.
template <class Class>
concept rules = std::default_initializable<Class> && std::copyable<Class> &&
    requires(Class m, const Class c, int seat, action a, action_list list, writer out,
             std::span<double> scores) {
  // static constexpr description about.
  { Class::about } -> std::convertible_to<const description&>;
  // Who may act: only(seat) for each, or only(chance), or 0 when the match is over.
  { c.to_move() }
  noexcept->std::same_as<seats>;
  // Adds what the seat may do; for seat `chance`, every draw with its weight. Is asked only for a
  // seat in to_move().
  c.legal_actions(seat, list);
  // Takes the action, or returns why not. Is asked only for a seat in to_move(), but for any
  // number. If it is noexcept it must not have changed anything when it refuses; if it is not, it
  // works on a copy, which costs a copy.
  { m.apply(seat, a) } -> std::same_as<reason>;
  // One score for each player. Is asked only when the match is over.
  c.scores(scores);
  // Writes a JSON object: what a seat, or `spectator`, may see.
  c.view(seat, out);
};

// What a class may have beside these. Each is found by its presence.

// Needed unless all is public: who may know of a legal action, beside the seat that takes it.
template <class Class>
concept has_audience = requires(const Class c, int seat, action a) {
  { c.audience(seat, a) } -> std::same_as<seats>;
};

// Options and a number of players that can differ. Is called on a new match, once, with nothing or
// a JSON object that the schema of the options allows: no other options, none out of its bounds.
// What is not there has its default: json::integer_or() and its like read it so.
template <class Class>
concept has_set_up = requires(Class m, const Class c, std::string_view options, int players) {
  { m.set_up(options, players) } -> std::same_as<reason>;
  { c.players() } -> std::same_as<int>;
};

// Its own words for actions. Without them an action is written as its number.
template <class Class>
concept has_text = requires(const Class c, int seat, std::string_view in, action a, writer out) {
  { c.from_text(seat, in, a) } -> std::same_as<reason>;
  c.to_text(a, out);
};

// Its own JSON for actions. Without it they are {"type":"move","action":…}, with the number or the
// word of the text. "engines/json.hpp" reads members of objects.
template <class Class>
concept has_json = requires(const Class c, int seat, std::string_view in, action a, writer out) {
  { c.from_json(seat, in, a) } -> std::same_as<reason>;
  c.to_json(a, out);
};

// Its own bytes. Without them the bytes of the object are saved, so it must be plain integers
// without gaps, and valid() must say of any bits whether they are a state that the rules can reach
// or at least go on from. A bool must be spelled as an integer then: forged bits of a bool are
// undefined.
template <class Class>
concept has_save = requires(Class m, const Class c, std::string_view in, writer out) {
  c.save(out);
  { m.load(in) } -> std::same_as<reason>;
};
template <class Class>
concept has_valid = requires(const Class c) {
  { c.valid() } -> std::same_as<bool>;
};

// A board: `static constexpr const char* marks = "XO"`, and the four members. Cells are counted row
// by row from the top left. glyph() is asked for cells of the board only, action_at() for any
// number.
template <class Class>
concept has_cells = requires(const Class c, int viewer, std::int64_t cell, action a) {
  { Class::marks } -> std::convertible_to<const char*>;
  { c.board() } -> std::same_as<grid>;
  { c.glyph(viewer, static_cast<int>(cell)) } -> std::same_as<char>;
  { c.action_at(viewer, cell, a) } -> std::same_as<reason>;
  { c.cell_of(a) } -> std::convertible_to<std::int64_t>;
};

// An opponent: a choice for a seat in to_move(), from what that seat may know, within the budget.
// `static constexpr bool immediate = true` if that costs no more than a move. One that has levels,
// or more than one good choice, takes a play_style in place of the budget; "engines/dice.hpp" draws
// numbers from its seed.
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

#include "engines/border.hpp"

// A plugin exports one fixed name. The hub's build gives each engine that it compiles in another.
#ifndef GAMEHUB_ENGINE_ENTRY
#define GAMEHUB_ENGINE_ENTRY gamehub_engine
#endif

#define GAMEHUB_ENGINE(Class)                                                     \
  extern "C" GAMEHUB_EXPORT const gamehub_engine_abi* GAMEHUB_ENGINE_ENTRY(void); \
  extern "C" const gamehub_engine_abi* GAMEHUB_ENGINE_ENTRY(void) {               \
    return &::gamehub::engines::border<Class>::table;                             \
  }                                                                               \
  static_assert(::gamehub::engines::rules<Class>, "the class lacks a member of the rules concept")
