// The clock of a game: how much time its players have. It is chosen with the table, has one short
// form of text, and never changes during the game. A plain value; any thread.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub {

// The texts of the kinds:
//   none                no clock
//   move:30             30 s for each move
//   days:3              3 days for each move
//   sudden:300          300 s for all moves of a player
//   fischer:180+2       180 s, and 2 s more after each move
//   bronstein:180+2     180 s; the first 2 s of each move do not count
//   byoyomi:600+5x30    600 s, then 5 periods of 30 s; a move that takes less gives its period back
// Times are seconds with at most three digits after the point: fischer:0.2+0.002.
struct clock_rule {
  enum class kind : std::uint8_t {
    none,
    per_move,
    days,
    sudden_death,
    increment,  // Fischer
    delay,      // Bronstein
    byo_yomi,
  };

  static constexpr std::size_t text_bytes_max = 64;
  // The bounds of every clock; an operator may set narrower ones (clock_policy).
  static constexpr std::chrono::milliseconds least{1};
  static constexpr std::chrono::milliseconds main_max = std::chrono::days{366};
  static constexpr std::chrono::milliseconds step_max = std::chrono::days{1};
  static constexpr int periods_max = 100;

  std::chrono::milliseconds main{0};  // of a move, or of the game
  std::chrono::milliseconds step{0};  // the increment, the delay, or a period
  kind how = kind::none;
  std::uint8_t periods = 0;  // of byo-yomi

  explicit operator bool() const { return how != kind::none; }
  // True if a player has a store of time for all moves.
  bool has_store() const { return how >= kind::sudden_death; }
  // The time of a turn, if each has the same; else zero.
  std::chrono::milliseconds turn_time() const {
    return has_store() ? std::chrono::milliseconds{0} : main;
  }

  friend auto operator<=>(const clock_rule&, const clock_rule&) = default;
};

inline constexpr int clock_kind_count = static_cast<int>(clock_rule::kind::byo_yomi) + 1;

// A time for each move; zero: no clock.
constexpr clock_rule per_move_clock(std::chrono::milliseconds time) {
  if (time.count() == 0) return {};
  return {time, std::chrono::milliseconds{0}, clock_rule::kind::per_move, 0};
}

// Returns true if this is a clock that read_clock() could return.
bool is_valid(const clock_rule&);

// The forms of its text, for messages.
inline constexpr std::string_view clock_forms =
    "none, move:SECONDS, days:DAYS, sudden:SECONDS, fischer:SECONDS+SECONDS, "
    "bronstein:SECONDS+SECONDS or byoyomi:SECONDS+PERIODSxSECONDS";

// Reads a clock from its text, or returns a sentence that says what is wrong.
std::variant<clock_rule, std::string> read_clock(std::string_view text);
// The same without the sentence.
std::optional<clock_rule> find_clock(std::string_view text);

// Returns the text of a clock. Requires: is_valid().
std::string to_text(const clock_rule&);

// Returns a time in seconds as in the text of a clock: "0.002".
std::string seconds_text(std::chrono::milliseconds);
// Reads such a time. Returns false if the text has another form, or is over clock_rule::main_max.
bool read_seconds(std::string_view text, std::chrono::milliseconds& to);

}  // namespace gamehub
