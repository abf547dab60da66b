#include "tests/contract/codec_reading.hpp"

#include "hub/core/limits.hpp"
#include "tests/contract/codec_events.hpp"

#include <deque>
#include <optional>
#include <variant>

namespace gamehub::tests {
namespace {

std::string line_of_intent(const intent& what) {
  std::string out;
  const auto add = [&](std::string_view key, std::string_view text) {
    out += ' ';
    out += key;
    out += '=';
    out += text;
  };
  if (const auto* who = std::get_if<sign_in>(&what)) {
    out = "sign_in";
    add("name", who->name);
    add("resume", who->resume_secret);
  } else if (const auto* wish = std::get_if<seek>(&what)) {
    out = "seek";
    for (const auto& engine : wish->engines) add("engine", engine);
    if (wish->options.empty()) add("options", "");
    for (const auto& options : wish->options) add("options", options);
    add("games_max", std::to_string(wish->games_max));
    add("again", wish->again ? "yes" : "no");
    add("seat_at_once", wish->seat_at_once ? "yes" : "no");
  } else if (const auto* turn = std::get_if<play>(&what)) {
    out = "play";
    add("game", std::to_string(turn->game.value));
    add("form", std::to_string(static_cast<int>(turn->move.as)));
    add("cell", std::to_string(turn->move.cell));
    add("text", turn->move.text);
  } else if (const auto* gone = std::get_if<leave>(&what)) {
    out = "leave";
    add("game", std::to_string(gone->game.value));
  }
  return out;
}

// Possible answers of a hub. All ways of cutting get the same answers in the same order.
event answer_to(const gateways::decoded& what, std::size_t number) {
  const auto* asked = std::get_if<intent>(&what);
  if (asked == nullptr) return answered(done{});
  if (std::holds_alternative<sign_in>(*asked)) return answered(signed_in{"client-1", "secret"});
  if (std::holds_alternative<seek>(*asked)) return answered(placed{"tictactoe", "XO", 0});
  if (number % 2 == 0) return answered(position_of("X--------", only(0)));
  refused no;
  no.why = refusal::out_of_bounds;
  if (const auto* turn = std::get_if<play>(asked)) no.what = turn->move;
  return answered(no);
}

class connection_like {
 public:
  connection_like(gateways::codec& tested, const reading_plan& plan, std::size_t bytes)
      : tested_(tested), plan_(plan), said_max_(2 * bytes + 2) {
    if (plan.in_game)
      for (const auto& each : beginning()) tested_.send(each, out_.written);
  }

  void take(std::string_view piece, bool is_last_piece) {
    // The received bytes are invalid after compact(): they are overwritten.
    buffers_.emplace_back(piece);
    received_ += piece.size();
    tested_.receive(buffers_.back());
    if (plan_.at != pace::behind || is_last_piece) {
      while (take_one())
        if (plan_.at == pace::pauses) tested_.compact();
    } else {
      take_one();
    }
    tested_.compact();
    buffers_.back().assign(piece.size(), '\xEE');
    check_kept();
  }

  reading result() { return std::move(out_); }

 private:
  bool take_one() {
    const auto what = tested_.next();
    if (!what) return false;
    if (out_.ended) out_.spoke_on = true;
    if (out_.said.size() > said_max_) out_.endless = true;
    if (out_.spoke_on || out_.endless) return false;
    out_.said.push_back(line_of(*what));
    out_.ended = is_last(*what);
    if (plan_.in_game) tested_.send(answer_to(*what, out_.said.size()), out_.written);
    return true;
  }

  void check_kept() {
    const auto unfinished = plan_.at == pace::behind ? received_ : limits::line_bytes_max;
    if (tested_.kept_bytes() > (out_.ended ? 0 : unfinished)) out_.kept_too_much = true;
  }

  gateways::codec& tested_;
  const reading_plan& plan_;
  std::size_t said_max_;
  std::size_t received_ = 0;
  // Not freed before the end, so that a read by the codec is detected and has defined behaviour.
  std::deque<std::string> buffers_;
  reading out_;
};

}  // namespace

std::string line_of(const gateways::decoded& what) {
  if (const auto* error = std::get_if<gateways::protocol_error>(&what))
    return "error " + std::string{to_string(*error)};
  if (std::holds_alternative<gateways::goodbye>(what)) return "goodbye";
  return line_of_intent(std::get<intent>(what));
}

bool is_last(const gateways::decoded& what) { return !std::holds_alternative<intent>(what); }

reading read(gateways::codec& tested, std::string_view bytes, const reading_plan& plan) {
  connection_like connection{tested, plan, bytes.size()};
  std::size_t from = 0;
  for (const auto cut : plan.cuts) {
    connection.take(bytes.substr(from, cut - from), false);
    from = cut;
  }
  connection.take(bytes.substr(from), true);
  return connection.result();
}

}  // namespace gamehub::tests
