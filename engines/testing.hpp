// Tests of the rules of an engine, for authors outside of the tree of gamehub: plays a match by the
// C table, as a hub does, and counts failed expectations. A test is a program of the engine's
// sources and a main() that returns gamehub::engines::testing::failures(). gamehub_test_rules of
// the CMake package builds it. Used by one thread.
#pragma once

#include "engines/action.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// The entry function of the engine that is tested.
extern "C" const gamehub_engine_abi* gamehub_engine(void);

namespace gamehub::engines::testing {

// The number of failed expectations so far.
inline int& failures() {
  static int count = 0;
  return count;
}

template <class Found, class Wanted>
void expect_equal(const char* file, int line, const char* what, const Found& found,
                  const Wanted& wanted) {
  if (found == wanted) return;
  ++failures();
  std::ostringstream text;
  text << file << ':' << line << ": " << what << "\n  is     " << found << "\n  wanted " << wanted
       << '\n';
  std::fputs(text.str().c_str(), stderr);
}

// Prints the place and both values if they differ.
#define GAMEHUB_EXPECT_EQUAL(found, wanted) \
  ::gamehub::engines::testing::expect_equal(__FILE__, __LINE__, #found, found, wanted)

// One match. A function that the engine fails, and a match that can't be created, end the test.
class tested_match {
 public:
  explicit tested_match(std::string_view options = {}, int players = 0)
      : rules_(*gamehub_engine()) {
    gamehub_reason why = nullptr;
    match_ = rules_.create(options.data(), options.size(), players, &why);
    if (match_ == nullptr) stop("create", why);
  }
  ~tested_match() { rules_.destroy(match_); }
  tested_match(const tested_match&) = delete;
  tested_match& operator=(const tested_match&) = delete;

  // Plays the action with this text. Returns "", or the reason for the refusal. `chance` is a seat.
  std::string play(int seat, std::string_view text) {
    action a = 0;
    const char* why = rules_.action_from_text(match_, seat, text.data(), text.size(), &a);
    if (why == nullptr) why = rules_.apply(match_, seat, a);
    return why == nullptr ? "" : why;
  }
  // Plays actions, separated by blanks, of the seats that are to move: the first of them each time.
  std::string play_in_turn(std::string_view texts) {
    std::istringstream all{std::string{texts}};
    for (std::string text; all >> text;) {
      const auto movers = to_move();
      int seat = 0;
      while (seat < chance && !holds(movers, seat)) ++seat;
      if (const auto why = play(seat, text); !why.empty()) return text + ": " + why;
    }
    return {};
  }

  // The seats that are to move, as a set; 0: the match is over.
  seats to_move() const { return rules_.to_move(match_); }

  // The texts of the legal actions of a seat, separated by blanks.
  std::string legal(int seat) const {
    std::vector<action> all(rules_.legal_actions(match_, seat, nullptr, 0));
    rules_.legal_actions(match_, seat, all.data(), all.size());
    std::string out;
    for (const auto a : all)
      out += (out.empty() ? "" : " ") + text_of("action_to_text", [&](char* to, std::size_t size) {
               return rules_.action_to_text(match_, a, to, size);
             });
    return out;
  }

  // What a seat or `spectator` sees: as JSON, and as the board of an engine with cells.
  std::string view(int viewer) const {
    return text_of("view_json", [&](char* to, std::size_t size) {
      return rules_.view_json(match_, viewer, to, size);
    });
  }
  std::string board(int viewer) const {
    const auto* cells = static_cast<const gamehub_cells*>(rules_.extension(GAMEHUB_CELLS));
    if (cells == nullptr) return {};
    return text_of("glyphs", [&](char* to, std::size_t size) {
      return cells->glyphs(match_, viewer, to, size);
    });
  }
  std::string summary() const {
    const auto* found = static_cast<const gamehub_summary*>(rules_.extension(GAMEHUB_SUMMARY));
    if (found == nullptr) return {};
    return text_of("summary",
                   [&](char* to, std::size_t size) { return found->summary(match_, to, size); });
  }

  // The scores of a match that is over, by seat.
  double score_of(int seat) const {
    std::vector<double> all(static_cast<std::size_t>(rules_.players(match_)));
    rules_.scores(match_, all.data());
    return all.at(static_cast<std::size_t>(seat));
  }

 private:
  [[noreturn]] static void stop(const char* function, const char* why) {
    std::fprintf(stderr, "%s failed: %s\n", function, why == nullptr ? "no reason" : why);
    std::exit(EXIT_FAILURE);
  }

  template <class Fill>
  static std::string text_of(const char* function, Fill fill) {
    const std::size_t size = fill(nullptr, std::size_t{0});
    if (size == GAMEHUB_FAILED) stop(function, "engine-failure");
    std::string out(size, '\0');
    fill(out.data(), size);
    return out;
  }

  const gamehub_engine_abi& rules_;
  gamehub_match* match_ = nullptr;
};

}  // namespace gamehub::engines::testing
