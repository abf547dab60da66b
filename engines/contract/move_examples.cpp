#include "engines/contract/move_examples.hpp"

#include "engines/contract/random_game.hpp"
#include "engines/host/display_text.hpp"
#include "engines/json.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::engines::contract {

namespace {

using clock = std::chrono::steady_clock;
using forms = std::set<std::string, std::less<>>;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The text with '0' for each number and 'a' for each one or two letters: "b6-a5" and "c3-d4" are
// alike, "bid-1" and "8D" are not.
std::string form_of(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    auto end = i + 1;
    if (is_digit(text[i])) {
      while (end < text.size() && is_digit(text[end])) ++end;
      out += '0';
    } else if (is_letter(text[i])) {
      while (end < text.size() && is_letter(text[end])) ++end;
      out += end - i > 2 ? text.substr(i, end - i) : "a";
    } else {
      out += text[i];
    }
    i = end;
  }
  return out;
}

class collector {
 public:
  collector(const host::engine& rules, const example_bounds& with)
      : rules_(rules), with_(with), end_(clock::now() + with.time) {}

  bool time_is_up() const { return with_.time.count() > 0 && clock::now() > end_; }

  void look_at(const host::match& m, int seat) {
    auto& known = known_[seat];
    if (out_.size() >= with_.positions || known.positions >= with_.seat_positions) return;
    m.legal_actions(seat, legal_);
    auto found = candidates(m);
    forms fresh;
    for (const auto& each : found) {
      auto form = form_of(each.json);
      if (known.of_moves.count(form) == 0) fresh.insert(std::move(form));
    }
    if (fresh.empty()) return;
    example_position at{seat, {}, legal_.size(), some_of(std::move(found), fresh)};
    m.view_json(seat == chance ? spectator : seat, at.view);
    const auto bytes = size_of(at);
    if (!json::valid(at.view) || bytes_ + bytes > with_.bytes) return;
    bytes_ += bytes;
    ++known.positions;
    known.of_moves.merge(fresh);
    out_.push_back(std::move(at));
  }

  std::vector<example_position> take() { return std::move(out_); }

 private:
  struct seen {
    forms of_moves;
    std::size_t positions = 0;
  };

  // Some of the legal moves, evenly spaced, that clients can read.
  std::vector<move_example> candidates(const host::match& m) const {
    std::vector<move_example> out;
    const auto count = std::min(legal_.size(), with_.candidates);
    for (std::size_t i = 0; i < count && !time_is_up(); ++i) {
      const auto a = legal_[i * legal_.size() / count];
      move_example one{m.to_text(a), m.to_json(a), rules_.has_cells() ? m.cell_of(a) : -1};
      if (!one.text.empty() && host::is_display_text(one.text) && json::valid(one.json))
        out.push_back(std::move(one));
    }
    return out;
  }

  // The first move of each fresh form, then evenly spaced ones, in their order.
  std::vector<move_example> some_of(std::vector<move_example> from, forms fresh) const {
    std::set<std::size_t> chosen;
    for (std::size_t i = 0; i < from.size() && chosen.size() < with_.moves; ++i)
      if (fresh.erase(form_of(from[i].json)) != 0) chosen.insert(i);
    const auto wanted = std::min(with_.moves, from.size());
    for (std::size_t i = 0; i < wanted && chosen.size() < wanted; ++i)
      chosen.insert(i * from.size() / wanted);
    std::vector<move_example> out;
    for (const auto i : chosen) out.push_back(std::move(from[i]));
    return out;
  }

  static std::size_t size_of(const example_position& at) {
    auto out = at.view.size();
    for (const auto& each : at.moves) out += each.text.size() + each.json.size();
    return out;
  }

  const host::engine& rules_;
  const example_bounds& with_;
  const clock::time_point end_;
  std::map<int, seen> known_;
  std::vector<action> legal_;
  std::size_t bytes_ = 0;
  std::vector<example_position> out_;
};

}  // namespace

std::vector<example_position> move_examples(const host::engine& rules, std::uint64_t seed,
                                            const game_setup& with, const example_bounds& bounds) {
  auto made = rules.create(with.options_json, with.players);
  auto* begun = std::get_if<host::match>(&made);
  if (begun == nullptr) return {};
  random_game game{std::move(*begun), seed};
  collector out{rules, bounds};
  for (int ply = 0; ply < bounds.plies && !game.over() && !out.time_is_up(); ++ply) {
    for (const int seat : seats_to_move(game.state())) out.look_at(game.state(), seat);
    if (game.take(game.draw()) != nullptr) break;
  }
  return out.take();
}

std::string player_name(int seat) {
  if (seat == chance) return "chance";
  return seat < 2 ? std::string(1, "XO"[seat]) : std::to_string(seat + 1);
}

std::string examples_json(const std::vector<example_position>& all) {
  std::string out = "[";
  for (const auto& at : all) {
    if (out.size() > 1) out += ',';
    out += R"({"player":")" + player_name(at.seat) + R"(","view":)" + at.view + R"(,"legal":)" +
           std::to_string(at.legal) + R"(,"moves":[)";
    for (const auto& each : at.moves) {
      if (out.back() == '}') out += ',';
      out += R"({"action":")";
      // Display text has no control characters.
      for (const char c : each.text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
      out += R"(",)";
      if (each.cell >= 0) out += R"("position":)" + std::to_string(each.cell) + ',';
      out += R"("json":)" + each.json + '}';
    }
    out += "]}";
  }
  return out + ']';
}

}  // namespace gamehub::engines::contract
