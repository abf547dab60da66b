// Tests the conformance suite with engines that each violate the contract once.
#include "engines/host/engine.hpp"
#include "engines/host/registry.hpp"
#include "engines/plugin.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests {
namespace {

using engines::action;

const gamehub_engine_abi& original(std::string_view id) {
  for (const auto* abi : engines::host::built_in_engines())
    if (id == abi->id) return *abi;
  throw std::out_of_range(std::string{id});
}

// The functions of the mutants use these, because a C function pointer has no context.
const gamehub_engine_abi& tictactoe() { return original("tictactoe"); }
const gamehub_engine_abi& kuhn() { return original("kuhn-poker"); }
const gamehub_engine_abi& rps() { return original("rock-paper-scissors"); }
const gamehub_engine_abi& gomoku() { return original("gomoku"); }
const gamehub_cells& cells() {
  return *static_cast<const gamehub_cells*>(tictactoe().extension(GAMEHUB_CELLS));
}

// The findings of the suite for the mutated engine, as one text.
template <class Spoil>
std::string findings(const gamehub_engine_abi& healthy, Spoil spoil) {
  // A description must live as long as the program.
  static std::vector<std::unique_ptr<gamehub_engine_abi>> kept;
  kept.push_back(std::make_unique<gamehub_engine_abi>(healthy));
  spoil(*kept.back());
  const auto rules =
      std::get<engines::host::engine>(engines::host::engine::adopt(kept.back().get()));
  std::string out;
  for (const auto& found : tests::violations(rules)) out += found + '\n';
  return out;
}

bool says(const std::string& findings, std::string_view promise) {
  INFO(findings);
  CHECK(findings.find(promise) != std::string::npos);
  return findings.find(promise) != std::string::npos;
}

TEST_CASE("engine_contract: finds nothing in the engines before they are mutated") {
  CHECK(findings(tictactoe(), [](auto&) {}).empty());
  CHECK(findings(kuhn(), [](auto&) {}).empty());
  CHECK(findings(rps(), [](auto&) {}).empty());
}

TEST_CASE("engine_contract: finds actions in the wrong order") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.legal_actions = [](const gamehub_match* m, std::int32_t seat,
                                               std::int64_t* out, std::size_t capacity) {
                          const auto count = tictactoe().legal_actions(m, seat, out, capacity);
                          std::reverse(out, out + std::min(count, capacity));
                          return count;
                        };
                      }),
             "legal actions are not ascending"));
}

TEST_CASE("engine_contract: finds an action that is missing from the list") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.legal_actions = [](const gamehub_match* m, std::int32_t seat,
                                               std::int64_t* out, std::size_t capacity) {
                          const auto count = tictactoe().legal_actions(m, seat, out, capacity);
                          return count > 1 ? count - 1 : count;
                        };
                      }),
             "an illegal action is taken"));
}

TEST_CASE("engine_contract: finds a refusal that changes the state") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.apply = [](gamehub_match* m, std::int32_t seat, std::int64_t a) {
                          const auto* why = tictactoe().apply(m, seat, a);
                          if (why != nullptr && a == 64) tictactoe().apply(m, seat, 8);
                          return why;
                        };
                      }),
             "an illegal action changes the state"));
}

TEST_CASE("engine_contract: finds a seat that may play out of turn") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.apply = [](gamehub_match* m, std::int32_t, std::int64_t a) {
                          const auto mover = tictactoe().to_move(m) == 2 ? 1 : 0;
                          return tictactoe().apply(m, mover, a);
                        };
                      }),
             "an illegal action is taken"));
}

TEST_CASE("engine_contract: finds a card that is shown to the other player") {
  CHECK(says(findings(kuhn(),
                      [](auto& abi) {
                        abi.view_json = [](const gamehub_match* m, std::int32_t viewer, char* out,
                                           std::size_t capacity) {
                          return kuhn().view_json(m, viewer == 1 ? 0 : viewer, out, capacity);
                        };
                      }),
             "a view shows what its viewer may not know"));
}

TEST_CASE("engine_contract: finds a score and a summary that tell everyone a hidden card") {
  CHECK(says(findings(kuhn(),
                      [](auto& abi) {
                        abi.extension = [](const char* id) -> const void* {
                          static const gamehub_score score{
                              sizeof score, 0,
                              [](const gamehub_match* m, double* out, std::size_t) -> std::size_t {
                                out[0] = static_cast<double>(kuhn().hash(m) % 1000);
                                out[1] = 0;
                                return 2;
                              }};
                          return std::string_view{id} == GAMEHUB_SCORE ? &score : nullptr;
                        };
                      }),
             "a view shows what its viewer may not know"));
  CHECK(says(findings(kuhn(),
                      [](auto& abi) {
                        abi.extension = [](const char* id) -> const void* {
                          static const gamehub_summary summary{
                              sizeof summary, 0,
                              [](const gamehub_match* m, char* out, std::size_t capacity) {
                                return kuhn().view_json(m, 0, out, capacity);
                              }};
                          return std::string_view{id} == GAMEHUB_SUMMARY ? &summary : nullptr;
                        };
                      }),
             "a view shows what its viewer may not know"));
}

TEST_CASE("engine_contract: finds a score that is not one number for each player") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.extension = [](const char* id) -> const void* {
                          static const gamehub_score score{
                              sizeof score, 0,
                              [](const gamehub_match*, double*, std::size_t) -> std::size_t {
                                return 3;
                              }};
                          return std::string_view{id} == GAMEHUB_SCORE ? &score
                                                                       : tictactoe().extension(id);
                        };
                      }),
             "the engine failed: the engine's score is not one number for each player"));
}

TEST_CASE("engine_contract: names who is to move without an action, and who may act out of turn") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.legal_actions = [](const gamehub_match*, std::int32_t, std::int64_t*,
                                               std::size_t) -> std::size_t { return 0; };
                      }),
             "who is to move has no legal action"));
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.legal_actions = [](const gamehub_match* m, std::int32_t seat,
                                               std::int64_t* out, std::size_t capacity) {
                          return tictactoe().legal_actions(m, seat == 1 ? 0 : seat, out, capacity);
                        };
                      }),
             "who is not to move has legal actions: seat 1 has 9"));
}

TEST_CASE("engine_contract: finds a choice that spectators see too early") {
  CHECK(says(findings(rps(),
                      [](auto& abi) {
                        abi.view_json = [](const gamehub_match* m, std::int32_t viewer, char* out,
                                           std::size_t capacity) {
                          return rps().view_json(m, viewer == 1 ? 1 : 0, out, capacity);
                        };
                      }),
             "a view shows what its viewer may not know"));
}

TEST_CASE("engine_contract: finds a secret choice that the log would reveal") {
  CHECK(says(findings(rps(),
                      [](auto& abi) {
                        abi.audience = [](const gamehub_match*, std::int32_t, std::int64_t) {
                          return GAMEHUB_EVERYONE;
                        };
                      }),
             "an action is told to someone whose view hides it"));
}

TEST_CASE("engine_contract: finds a saved game that loads as another one") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.load = [](const char*, std::size_t, gamehub_reason* why) {
                          return tictactoe().create("", 0, 0, why);
                        };
                      }),
             "a loaded match is not the one that was saved"));
}

// Removes one of five stones per turn, and accepts any saved number of stones.
class gullible {
 public:
  static constexpr engines::description about{.id = "gullible",
                                              .title = "Gullible",
                                              .players_min = 1,
                                              .players_max = 1,
                                              .actions_max = 1,
                                              .plies_max = 5,
                                              .actions_end = 1};

  engines::seats to_move() const noexcept { return stones_ == 0 ? 0 : engines::only(0); }
  void legal_actions(int, engines::action_list& out) const { out.add(0); }
  engines::reason apply(int, action a) noexcept {
    if (a != 0) return engines::reasons::out_of_bounds;
    --stones_;
    return nullptr;
  }
  void scores(std::span<double> out) const { out[0] = 0; }
  void view(int, engines::writer& out) const { out << "{\"stones\":" << stones_ << '}'; }
  bool valid() const { return true; }

 private:
  std::uint8_t stones_ = 5;
};

TEST_CASE("engine_contract: finds damaged bytes that become a match against the rules") {
  CHECK(says(findings(engines::abi_adapter<gullible>::table, [](auto&) {}),
             "a match from damaged bytes is longer than plies_max"));
}

// Ends at its start: the state of an engine whose author has not written to_move() yet.
class unplayed {
 public:
  static constexpr engines::description about{.id = "unplayed",
                                              .title = "Unplayed",
                                              .players_min = 1,
                                              .players_max = 1,
                                              .actions_max = 1,
                                              .plies_max = 1,
                                              .actions_end = 1};

  engines::seats to_move() const noexcept { return 0; }
  void legal_actions(int, engines::action_list&) const {}
  engines::reason apply(int, action) noexcept { return engines::reasons::out_of_bounds; }
  void scores(std::span<double> out) const { out[0] = 0; }
  void view(int, engines::writer& out) const { out << "{}"; }
  bool valid() const { return moves_ == 0; }

 private:
  std::uint8_t moves_ = 0;
};

TEST_CASE("engine_contract: finds an engine whose games have no moves") {
  CHECK(says(findings(engines::abi_adapter<unplayed>::table, [](auto&) {}), "no game has a move"));
}

TEST_CASE("engine_contract: finds text that does not convert back to its action") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.action_to_text = [](const gamehub_match* m, std::int64_t a, char* out,
                                                std::size_t capacity) {
                          return tictactoe().action_to_text(m, 8 - a, out, capacity);
                        };
                      }),
             "text does not lead back to its action"));
}

TEST_CASE("engine_contract: finds JSON without meaning that is accepted") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.action_from_json = [](const gamehub_match* m, std::int32_t seat,
                                                  const char* text, std::size_t size,
                                                  std::int64_t* out) -> gamehub_reason {
                          if (tictactoe().action_from_json(m, seat, text, size, out)) *out = 0;
                          return nullptr;
                        };
                      }),
             "JSON without meaning is an action"));
}

TEST_CASE("engine_contract: finds a clone that is a new game") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.clone = [](const gamehub_match*) {
                          gamehub_reason why = nullptr;
                          return tictactoe().create("", 0, 0, &why);
                        };
                      }),
             "a clone is not the same"));
}

TEST_CASE("engine_contract: finds a hash that differs each time") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.hash = [](const gamehub_match*) -> std::uint64_t {
                          static std::uint64_t calls = 0;
                          return ++calls;
                        };
                      }),
             "a clone is not the same"));
}

TEST_CASE("engine_contract: finds bounds that are too small") {
  CHECK(
      says(findings(tictactoe(), [](auto& abi) { abi.plies_max = 6; }),
           "longer than plies_max: it goes on after 6 actions, the most that the engine declares"));
  CHECK(says(findings(tictactoe(), [](auto& abi) { abi.actions_max = 8; }),
             "there are more actions than actions_max"));
  CHECK(says(findings(tictactoe(), [](auto& abi) { abi.state_bytes_max = 3; }),
             "save needs more than state_bytes_max"));
}

TEST_CASE("engine_contract: finds cells that are not where their actions are") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.extension = [](const char* id) -> const void* {
                          if (std::string_view{id} != GAMEHUB_CELLS) return nullptr;
                          static gamehub_cells turned = cells();
                          turned.cell_of = [](const gamehub_match*, std::int64_t a) {
                            return (a + 1) % 9;
                          };
                          return &turned;
                        };
                      }),
             "a cell does not lead back to its action"));
}

TEST_CASE("engine_contract: finds options that create accepts and the schema forbids") {
  CHECK(says(findings(gomoku(),
                      [](auto& abi) {
                        abi.create = [](const char* text, std::size_t size, std::int32_t players,
                                        gamehub_reason* why) {
                          const std::string_view options{text, size};
                          const bool large = options == R"({"rows":20})";
                          return gomoku().create(text, large ? 0 : size, players, why);
                        };
                      }),
             R"(create takes an option that its schema does not allow: {"rows":20})"));
}

TEST_CASE("engine_contract: finds a default that differs from the engine's behaviour without it") {
  CHECK(says(findings(gomoku(),
                      [](auto& abi) {
                        abi.options_schema =
                            R"({"properties":{"rows":{"type":"integer","default":14}}})";
                      }),
             "an option's default is not what the engine does without it: rows"));
}

TEST_CASE("engine_contract: finds a schema that contradicts itself") {
  const auto with = [](auto schema) {
    return findings(gomoku(), [schema](auto& abi) { abi.options_schema = schema; });
  };
  CHECK(says(with(R"({"properties":{"rows":{"type":"integer","maximum":9,"default":15}}})"),
             "an option's default is not what the option may be"));
  CHECK(says(with(R"({"properties":{"rows":{"type":"integer","minimum":9,"maximum":8}}})"),
             "no number is within an option's bounds"));
  CHECK(says(with(R"({"properties":{"r\u006fws":{"type":"integer"}}})"),
             "an option's name is not plain ASCII"));
  CHECK(says(with("{"), "the schema of the options is no JSON object"));
}

TEST_CASE("engine_contract: finds an opponent that does not follow its style") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.extension = [](const char* id) -> const void* {
                          static gamehub_player fickle{*static_cast<const gamehub_player*>(
                              tictactoe().extension(GAMEHUB_PLAYER))};
                          fickle.choose_in_style = [](const gamehub_match* m, std::int32_t seat,
                                                      const gamehub_play_style* style,
                                                      std::int64_t* out) {
                            static std::uint64_t calls = 0;
                            auto other = *style;
                            other.seed += ++calls;
                            return static_cast<const gamehub_player*>(
                                       tictactoe().extension(GAMEHUB_PLAYER))
                                ->choose_in_style(m, seat, &other, out);
                          };
                          if (std::string_view{id} == GAMEHUB_PLAYER) return &fickle;
                          return tictactoe().extension(id);
                        };
                      }),
             "the player chooses otherwise when asked again"));
}

TEST_CASE("engine_contract: finds an engine that fails instead of answering") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.save = [](const gamehub_match*, char*, std::size_t) {
                          return GAMEHUB_FAILED;
                        };
                      }),
             "the engine failed"));
}

TEST_CASE("engine_contract: finds a refusal that is a failure, which would end the game") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.apply = [](gamehub_match* m, std::int32_t seat,
                                       std::int64_t a) -> gamehub_reason {
                          if (a == 64) return engines::reasons::engine_failure;
                          return tictactoe().apply(m, seat, a);
                        };
                      }),
             "the engine fails where it should refuse: seat -2, action 64 fails: engine-failure"));
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.action_from_json = [](const gamehub_match* m, std::int32_t seat,
                                                  const char* text, std::size_t size,
                                                  std::int64_t* out) -> gamehub_reason {
                          if (size == 2) return engines::reasons::engine_failure;
                          return tictactoe().action_from_json(m, seat, text, size, out);
                        };
                      }),
             "the engine fails where it should refuse: "));
}

TEST_CASE("engine_contract: finds scores that change after the end") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.scores = [](const gamehub_match*, double* out) {
                          static int calls = 0;
                          out[0] = ++calls;
                          out[1] = 0;
                        };
                      }),
             "the scores of a match that is over change"));
}

TEST_CASE("engine_contract: finds a hash that does not depend on the whole state") {
  CHECK(says(findings(tictactoe(),
                      [](auto& abi) {
                        abi.hash = [](const gamehub_match* m) -> std::uint64_t {
                          std::string board(9, '-');
                          cells().glyphs(m, 0, board.data(), board.size());
                          return 1 + static_cast<std::uint64_t>(
                                         std::count(board.begin(), board.end(), '-'));
                        };
                      }),
             "two states that differ have the same hash"));
}

TEST_CASE("engine_contract: names the seed and the game of a violation") {
  CHECK(says(findings(tictactoe(), [](auto& abi) { abi.plies_max = 6; }),
             "(seed " + std::to_string(seed_of_this_run()) + ", after 0:"));
}

}  // namespace
}  // namespace gamehub::tests
