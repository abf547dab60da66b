#include "engines/contract/move_examples.hpp"

#include "engines/json.hpp"
#include "engines/plugin.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {
namespace {

TEST_CASE("move examples: each player of every built-in engine has moves, as clients send them") {
  const auto built_in = host::registry::built_in();
  for (const auto& rules : built_in.all()) {
    CAPTURE(rules.id());
    const auto found = move_examples(rules, 1);
    std::set<int> seats;
    std::size_t bytes = 0;
    for (const auto& at : found) {
      seats.insert(at.seat);
      CHECK_FALSE(at.moves.empty());
      CHECK(at.moves.size() <= std::min<std::size_t>(at.legal, example_bounds{}.moves));
      bytes += at.view.size();
    }
    for (int seat = 0; seat < rules.players_min(); ++seat) CHECK(seats.count(seat) == 1);
    CHECK((seats.count(chance) == 1) == rules.has_chance());
    CHECK(found.size() <= example_bounds{}.positions);
    CHECK(bytes <= example_bounds{}.bytes);
    CHECK(json::valid(examples_json(found)));
    CHECK(examples_json(found) == examples_json(move_examples(rules, 1)));
  }
}

TEST_CASE("move examples: a position is as the seat sees it, and its moves are parsed again") {
  const auto rules = tests::built_in("tictactoe");
  const auto found = move_examples(rules, 1);
  const auto m = std::get<host::match>(rules.create({}));
  std::string view;
  m.view_json(0, view);
  REQUIRE(found.size() == 2);
  CHECK(found[0].view == view);
  CHECK(found[0].legal == 9);
  CHECK(found[0].moves.size() == 6);
  for (const auto& each : found[0].moves) {
    CHECK(m.from_text(0, each.text).value == m.from_json(0, each.json).value);
    CHECK(m.at_cell(0, each.cell).value == m.from_text(0, each.text).value);
  }
  CHECK(examples_json({{0, "{}", 2, {{"a\"\\", "{\"b\":1}", -1}, {"4", "{}", 4}}}}) ==
        R"([{"player":"X","view":{},"legal":2,"moves":[)"
        R"({"action":"a\"\\","json":{"b":1}},{"action":"4","position":4,"json":{}}]}])");
}

TEST_CASE("move examples: later phases of a game are there, secrets of others are not") {
  const auto found = move_examples(tests::built_in("oh-hell"), 1);
  const auto has = [&](const std::string& text) {
    return std::any_of(found.begin(), found.end(), [&](const auto& at) {
      return at.seat != chance && std::any_of(at.moves.begin(), at.moves.end(),
                                              [&](const auto& m) { return m.text == text; });
    });
  };
  CHECK(has("bid-0"));
  CHECK(has("8D"));
  for (const auto& at : move_examples(tests::built_in("kuhn-poker"), 1))
    CHECK(std::count(at.view.begin(), at.view.end(), 'k') <= 1);
}

TEST_CASE("move examples: the bounds hold") {
  const auto rules = tests::built_in("oh-hell");
  CHECK(move_examples(rules, 1, {}, {.positions = 2}).size() == 2);
  CHECK(move_examples(rules, 1, {}, {.seat_positions = 1}).size() == 4);
  CHECK(move_examples(rules, 1, {}, {.plies = 0}).empty());
  CHECK(move_examples(rules, 1, {}, {.bytes = 100}).empty());
  CHECK(move_examples(rules, 1, {}, {.time = std::chrono::nanoseconds{1}}).empty());
  for (const auto& at : move_examples(rules, 1, {}, {.moves = 1})) CHECK(at.moves.size() == 1);
  CHECK(move_examples(rules, 1, {"{\"rounds\":99}", 0}).empty());
}

// An engine whose texts no client could read.
class unreadable {
 public:
  static constexpr description about{.id = "unreadable",
                                     .title = "Unreadable",
                                     .actions_max = 2,
                                     .plies_max = 1,
                                     .actions_end = 2};
  seats to_move() const noexcept { return over_ != 0 ? 0 : only(0); }
  void legal_actions(int, action_list& out) const {
    out.add(0);
    out.add(1);
  }
  reason apply(int, action) noexcept {
    over_ = 1;
    return nullptr;
  }
  void scores(std::span<double> out) const { out[0] = out[1] = 0; }
  void view(int, writer& out) const { out << "{}"; }
  void to_text(action a, writer& out) const { out << (a == 0 ? "\x1b[2J" : "good"); }
  reason from_text(int, std::string_view text, action& to) const {
    to = 1;
    return text == "good" ? nullptr : reasons::malformed;
  }
  bool valid() const { return over_ <= 1; }

 private:
  std::uint8_t over_ = 0;
};

TEST_CASE("move examples: a text with control characters is left out") {
  const auto rules = std::get<host::engine>(host::engine::adopt(&abi_adapter<unreadable>::table));
  const auto found = move_examples(rules, 1);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].moves.size() == 1);
  CHECK(found[0].moves[0].text == "good");
}

}  // namespace
}  // namespace gamehub::engines::contract
