// Test engines that use what the four games do not: options, a varying number of players, their own
// saved bytes, long output, and faults.
#include "engines/plugin.hpp"

#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace gamehub::engines {
namespace {

constexpr const char* schema = R"({"type":"object","properties":{"length":{"type":"integer",)"
                               R"("minimum":1,"maximum":300,"default":5}}})";

// Each in turn names a new number, until all of `length` numbers are gone.
class countdown {
 public:
  static constexpr description about{.id = "countdown",
                                     .title = "Countdown",
                                     .players_min = 1,
                                     .players_max = 4,
                                     .actions_max = 300,
                                     .plies_max = 300,
                                     .actions_end = 300,
                                     .state_bytes_max = 400,
                                     .options_schema = schema};

  reason set_up(std::string_view options, int players) {
    const auto length = json::integer_or(options, "length", 5);
    if (length == 13) return "unlucky-length";
    left_.assign(static_cast<std::size_t>(length), 1);
    players_ = players;
    return nullptr;
  }
  int players() const { return players_; }

  seats to_move() const noexcept {
    for (const char c : left_)
      if (c != 0) return only(mover_);
    return 0;
  }

  void legal_actions(int, action_list& out) const {
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i] != 0) out.add(static_cast<action>(i));
  }

  // Not noexcept, and spoils its state before it refuses: the border has to put that right.
  reason apply(int, action a) {
    mover_ = (mover_ + 1) % players_;
    if (a < 0 || static_cast<std::size_t>(a) >= left_.size()) return "gone";
    char& at = left_[static_cast<std::size_t>(a)];
    if (at == 0) return "gone";
    at = 0;
    return nullptr;
  }

  void scores(std::span<double> out) const { out[0] = 1; }

  void view(int, writer& out) const {
    out << "{\"left\":[0";
    for (const char c : left_) out << ',' << (c != 0);
    out << "]}";
  }

  void save(writer& out) const {
    out << static_cast<char>(players_) << static_cast<char>(mover_);
    for (const char c : left_) out << c;
  }
  reason load(std::string_view bytes) {
    if (bytes.size() < 3 || bytes.size() > 302) return reasons::malformed;
    players_ = bytes[0];
    mover_ = bytes[1];
    if (players_ < 1 || players_ > 4 || mover_ < 0 || mover_ >= players_) return reasons::malformed;
    left_.assign(bytes.begin() + 2, bytes.end());
    for (const char c : left_)
      if (c != 0 && c != 1) return reasons::malformed;
    return nullptr;
  }

 private:
  int players_ = 1;
  int mover_ = 0;
  std::vector<char> left_ = std::vector<char>(5, 1);
};

// Throws wherever it may.
class faulty {
 public:
  static constexpr description about{
      .id = "faulty", .title = "Faulty", .actions_max = 1, .plies_max = 1, .state_bytes_max = 1};
  static constexpr const char* marks = "XO";
  static constexpr bool immediate = false;

  seats to_move() const noexcept { return only(0); }
  void legal_actions(int, action_list&) const { fail(); }
  reason apply(int, action) { return fail(); }
  void scores(std::span<double>) const { fail(); }
  void view(int, writer&) const { fail(); }
  reason from_text(int, std::string_view, action&) const { return fail(); }
  void to_text(action, writer&) const { fail(); }
  void save(writer&) const { fail(); }
  reason load(std::string_view) { return fail(); }
  grid board() const { throw std::runtime_error("board"); }
  char glyph(int, int) const { return 'X'; }
  reason action_at(int, std::int64_t, action&) const { return fail(); }
  std::int64_t cell_of(action) const { throw 1; }
  reason choose(int, std::chrono::nanoseconds, action&) const { return fail(); }

 private:
  static reason fail() { throw std::runtime_error("a fault"); }
};

template <class Class>
host::engine adopt() {
  return std::get<host::engine>(host::engine::adopt(&abi_adapter<Class>::table));
}

template <class Class>
host::match start(std::string_view options = {}, int players = 0) {
  return std::get<host::match>(adopt<Class>().create(options, players));
}

TEST_CASE("plugin: a class with options and any number of players keeps the engine contract") {
  for (const int players : {1, 2, 4})
    tests::check_engine_contract(adopt<countdown>(),
                                 {.options_json = R"({"length":7})", .players = players});
}

std::string refusal(std::string_view options) {
  const auto made = adopt<countdown>().create(options);
  const auto* why = std::get_if<std::string>(&made);
  return why == nullptr ? "" : *why;
}

TEST_CASE("plugin: hands the class no options that its schema does not allow") {
  CHECK(refusal("").empty());
  CHECK(refusal(R"({"length":1})").empty());
  CHECK(refusal(R"({"length":0})") == "bad-option");
  CHECK(refusal(R"({"length":301})") == "bad-option");
  CHECK(refusal(R"({"length":7,"length":0})") == "bad-option");
  CHECK(refusal(R"({"width":7})") == "unknown-option");
  CHECK(refusal(R"({"length":7)") == "malformed");
  CHECK(refusal(R"({"length":7})" + std::string(2048, ' ')) == "options-too-long");
}

TEST_CASE("plugin: hands options and the number of players to the class") {
  CHECK(start<countdown>().players() == 1);
  CHECK(start<countdown>("", 3).players() == 3);
  CHECK(refusal(R"({"length":13})") == "unlucky-length");
  CHECK(std::get<std::string>(adopt<countdown>().create("", 5)) == "wrong-number-of-players");
}

TEST_CASE("plugin: output of any length arrives whole") {
  const host::match m = start<countdown>(R"({"length":300})");
  std::vector<action> legal;
  m.legal_actions(0, legal);
  CHECK(legal.size() == 300);
  CHECK(legal.back() == 299);
  std::string view;
  m.view_json(spectator, view);
  CHECK(view.size() == 12 + 300 * 5);
  CHECK(view.substr(view.size() - 7) == ",true]}");
}

// Throws after it has changed its state.
class throwing_countdown : public countdown {
 public:
  reason apply(int player, action a) {
    const auto why = countdown::apply(player, a);
    if (a == 3) throw std::out_of_range{"three"};
    return why;
  }
};

TEST_CASE("plugin: an exception or a refusal after a change leaves the state as it was") {
  host::match m = start<throwing_countdown>("", 2);
  REQUIRE(m.apply(0, 4) == nullptr);
  const auto before = m.save();
  CHECK(m.apply(1, 4) == std::string{"gone"});
  CHECK(m.apply(1, 99) == std::string{"gone"});
  CHECK(m.apply(1, 3) == std::string{"engine-failure"});
  CHECK(m.save() == before);
}

TEST_CASE("plugin: no exception leaves an engine") {
  host::match m = start<faulty>();
  std::vector<action> legal;
  std::string text;
  CHECK_THROWS_AS(m.legal_actions(0, legal), host::engine_failure);
  CHECK(m.apply(0, 0) == std::string{"engine-failure"});
  CHECK(m.from_text(0, "0").reason == std::string{"engine-failure"});
  CHECK(m.from_json(0, R"({"action":"0"})").reason == std::string{"engine-failure"});
  CHECK(m.at_cell(0, 0).reason == std::string{"engine-failure"});
  CHECK_THROWS_AS(m.cell_of(0), host::engine_failure);
  CHECK_THROWS_AS(m.to_text(0), host::engine_failure);
  CHECK_THROWS_AS(m.to_json(0), host::engine_failure);
  CHECK_THROWS_AS(m.view_json(0, text), host::engine_failure);
  CHECK_THROWS_AS(m.cells(), host::engine_failure);
  CHECK_THROWS_AS(m.glyphs(0, text), host::engine_failure);
  CHECK_THROWS_AS(m.save(), host::engine_failure);
  CHECK_FALSE(adopt<faulty>().load("x"));
  CHECK_FALSE(m.choose(0, {.budget = std::chrono::seconds{1}}));
  CHECK_THROWS_AS(m.hash(), host::engine_failure);
}

// The failure of a call, as "function: text"; empty: the call threw nothing.
template <class Call>
std::string failure_of(Call call) {
  try {
    call();
  } catch (const host::engine_failure& failure) {
    return failure.function() + ": " + failure.what();
  }
  return {};
}

TEST_CASE("plugin: the hub is told in which function what was thrown") {
  host::match m = start<faulty>();
  std::vector<action> legal;
  std::string text;
  CHECK(failure_of([&] { m.legal_actions(0, legal); }) == "legal_actions: a fault");
  CHECK(failure_of([&] { static_cast<void>(m.to_text(0)); }) == "action_to_text: a fault");
  CHECK(failure_of([&] { static_cast<void>(m.to_json(0)); }) == "action_to_json: a fault");
  CHECK(failure_of([&] { m.view_json(0, text); }) == "view_json: a fault");
  CHECK(failure_of([&] { static_cast<void>(m.cells()); }) == "size: board");
  CHECK(failure_of([&] { static_cast<void>(m.save()); }) == "save: a fault");
  CHECK(failure_of([&] { static_cast<void>(m.hash()); }) == "hash: a fault");
  CHECK(failure_of([&] { static_cast<void>(m.cell_of(0)); }) ==
        "cell_of: it threw a value that is no std::exception");
  // A refused action is told by a reason; the caller asks for the text.
  REQUIRE(m.apply(0, 0) == std::string{"engine-failure"});
  CHECK(m.failure("apply").what() == std::string{"a fault"});
  // The text is told once.
  CHECK(m.failure("apply").what() == std::string{"engine-failure"});
}

// A player that is given no style: it plays its lowest number.
class stubborn : public countdown {
 public:
  static constexpr bool immediate = true;
  reason choose(int seat, std::chrono::nanoseconds budget, action& out) const {
    if (budget != std::chrono::milliseconds{7}) return "wrong-budget";
    action_list first{&out, nullptr, 1};
    legal_actions(seat, first);
    return nullptr;
  }
};

TEST_CASE("plugin: a player without levels is led astray, more often the lower the level") {
  const host::match m = start<stubborn>(R"({"length":300})");
  const auto astray = [&](level skill) {
    int out = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
      out += m.choose(0, {skill, seed, std::chrono::milliseconds{7}}) != action{0};
    return out;
  };
  CHECK(astray(level::perfect) == 0);
  CHECK(astray(level::medium) > 30);
  CHECK(astray(level::medium) < 70);
  CHECK(astray(level::random) > 90);
  CHECK_FALSE(m.choose(0, {.budget = std::chrono::milliseconds{8}}));
}

// A countdown with all that people see of it.
class presented : public countdown {
 public:
  static constexpr description about = [] {
    auto out = countdown::about;
    out.id = "presented";
    return out;
  }();
  static constexpr face_description face{
      .blurb = "Name \"each\" number once.",
      .rules = {"One.", "Two."},
      .board = "squares",
      .pieces = {"cross", "circle"},
      .marks = {"First", "Second"},
      .line = 3,
      .drops = true,
      .actions = {{"0", "Zero"}, {"1", "One"}},
      .groups = {{"Small", {"0", "1"}}},
      .score_label = "numbers",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>)"};

  // The first player has as many points as numbers are gone, the others have no score.
  void score(std::span<double> out) const { out[0] = gone(); }
  void summary(writer& out) const {
    if (gone() > 0) out << gone() << " gone";
  }

 private:
  int gone() const {
    std::string bytes(310, '\0');
    writer w{bytes.data(), bytes.size()};
    save(w);
    return static_cast<int>(
        std::count(bytes.begin() + 2, bytes.begin() + static_cast<std::ptrdiff_t>(w.size()), '\0'));
  }
};

TEST_CASE("plugin: face, score and summary of a class reach the hub") {
  const auto rules = adopt<presented>();
  CHECK(rules.face() ==
        R"({"blurb":"Name \"each\" number once.","rules":["One.","Two."],"board":"squares",)"
        R"("pieces":["cross","circle"],"marks":["First","Second"],"line":3,"drops":true,)"
        R"("actions":{"0":"Zero","1":"One"},"groups":[{"title":"Small","actions":["0","1"]}],)"
        R"("score_label":"numbers","icon":"<svg xmlns=\"http://www.w3.org/2000/svg\" )"
        R"(viewBox=\"0 0 1 1\"/>"})");
  CHECK(rules.has_score());
  CHECK(rules.has_summary());
  host::match m = start<presented>("", 2);
  std::vector<double> score;
  std::string summary;
  m.score(score);
  m.summary(summary);
  REQUIRE(score.size() == 2);
  CHECK(score[0] == 0);
  CHECK(std::isnan(score[1]));
  CHECK(summary.empty());
  REQUIRE(m.apply(0, 3) == nullptr);
  m.score(score);
  m.summary(summary);
  CHECK(score[0] == 1);
  CHECK(summary == "1 gone");
  tests::check_engine_contract(rules, {.playouts = 10});
  CHECK(adopt<countdown>().face().empty());
  start<countdown>().score(score);
  CHECK(score.empty());
}

// A face, a score and a summary against the ABI.
class misrepresented : public countdown {
 public:
  static constexpr bool immediate = true;
  void score(std::span<double> out) const {
    out[0] = fails ? throw std::runtime_error("no score") : HUGE_VAL;
  }
  void summary(writer& out) const {
    if (fails) throw std::runtime_error("no summary");
    out << "a\nb";
  }
  static inline bool fails = false;
};

TEST_CASE("plugin: a score that is no number and a summary that is no line are failures") {
  const host::match m = start<misrepresented>();
  std::vector<double> score;
  std::string summary;
  misrepresented::fails = false;
  CHECK(failure_of([&] { m.score(score); }) ==
        "score: the engine's score is not one number for each player");
  CHECK(failure_of([&] { m.summary(summary); }) ==
        "summary: the engine's summary is no line of text for people, or too long");
  misrepresented::fails = true;
  CHECK(failure_of([&] { m.score(score); }) == "score: no score");
  CHECK(failure_of([&] { m.summary(summary); }) == "summary: no summary");
  misrepresented::fails = false;
}

// What a saved class may consist of.
struct of_integers {
  std::uint8_t a = 1, b = 2;
};
struct of_a_bool {
  std::uint8_t a = 1;
  bool b = false;
};
struct of_bools_inside {
  std::array<std::array<bool, 2>, 2> a{};
};
enum class color : std::uint8_t { red };
struct of_enumerators {
  std::array<color, 4> a{};
};

TEST_CASE("plugin: a class with a bool whose saved bytes valid() would check does not compile") {
  STATIC_REQUIRE(has_bool<of_a_bool>);
  STATIC_REQUIRE(has_bool<of_bools_inside>);
  STATIC_REQUIRE_FALSE(has_bool<of_integers>);
  STATIC_REQUIRE_FALSE(has_bool<of_enumerators>);
}

// One of two moves, twice. It has neither save() nor valid().
class of_bytes {
 public:
  static constexpr description about{
      .id = "of-bytes", .title = "Of Bytes", .actions_max = 2, .plies_max = 2, .actions_end = 2};

  seats to_move() const noexcept { return moves_ == 2 ? 0 : only(moves_); }
  void legal_actions(int, action_list& out) const { out.add(0), out.add(1); }
  reason apply(int, action a) noexcept {
    if (a < 0 || a > 1) return reasons::out_of_bounds;
    last_ = a == 1;
    ++moves_;
    return nullptr;
  }
  void scores(std::span<double> out) const { out[last_ ? 1 : 0] = 1; }
  void view(int, writer& out) const {
    out << R"({"moves":)" << moves_ << R"(,"last":)" << last_ << '}';
  }

 private:
  std::uint8_t moves_ = 0;
  bool last_ = false;
};

TEST_CASE("plugin: damaged bytes of a class without valid() are refused by their digest") {
  const auto rules = adopt<of_bytes>();
  tests::check_engine_contract(rules);
  host::match m = start<of_bytes>();
  REQUIRE(m.apply(0, 1) == nullptr);
  const auto bytes = m.save();
  CHECK(bytes.size() == 2 + 8);
  REQUIRE(rules.load(bytes));
  CHECK(rules.load(bytes)->hash() == m.hash());
  for (std::size_t i = 0; i < 8 * bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    CHECK_FALSE(rules.load(damaged));
  }
}

TEST_CASE("plugin: a writer counts what does not fit and never writes past its end") {
  char buffer[4] = {'a', 'b', 'c', 'd'};
  writer w{buffer, 3};
  w << 12 << std::string_view{} << "345";
  CHECK(w.size() == 5);
  CHECK(std::string(buffer, 4) == "12cd");
  writer nowhere{nullptr, 0};
  nowhere << "text" << true << INT64_MIN;
  CHECK(nowhere.size() == 28);
}

}  // namespace
}  // namespace gamehub::engines
