#include "tests/contract/codec_events.hpp"

#include <utility>

namespace gamehub::tests {

using engines::rng;

namespace {

std::string document_of(const std::string& cells) {
  if (cells.empty()) return R"({"board":[],"winner":null})";
  std::string out = R"({"board":[)";
  for (std::size_t at = 0; at < cells.size(); ++at) {
    out += at == 0 ? "[" : at % 3 == 0 ? "],[" : ",";
    out += cells[at] == '-' ? std::string{"null"} : '"' + std::string(1, cells[at]) + '"';
  }
  return out + R"(]],"winner":null})";
}

position board(const std::string& cells) {
  position out;
  out.rows = out.columns = 3;
  out.cells = cells;
  out.document = document_of(cells);
  return out;
}

std::string any_text(rng& with) {
  static const std::vector<std::string> texts{
      "",
      "client-1",
      "space-not-empty",
      "\"quoted\" and \\ escaped",
      std::string{"\0\x01\x1f\x7f", 4},
      "line\nfeed\r\n",
      "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8E\xB2",
      "\xFF\xC3",
      "{\"type\":\"move\",\"row\":0,\"column\":0}",
      "[1e999,-0]",
      std::string(300, 'x'),
  };
  return with.one_of(texts);
}

std::optional<seat_index> any_seat(rng& with) {
  if (with.below(3) == 0) return std::nullopt;
  return static_cast<seat_index>(with.below(4)) - 1;
}

// Documents are JSON objects, which the contract of engines guarantees. Boards may have any size.
position_ref any_position(rng& with) {
  static const std::vector<std::string> documents{
      R"({"board":[[null,"X"]],"winner":null})", "{}", "{ }",
      R"({"text":"\u0000 \" \\ ä","deep":[[[{"a":[]}]]]})"};
  auto out = std::make_shared<position>();
  out->number = with.below(100);
  out->by = any_seat(with);
  out->to_move = with.below(4);
  out->prompted = with.below(4);
  out->rows = static_cast<std::uint16_t>(with.below(5));
  out->columns = static_cast<std::uint16_t>(with.below(5));
  out->cells.assign(with.below(12), "-XO"[with.below(3)]);
  out->document = with.one_of(documents);
  if (with.below(3) == 0) {
    out->outcome.emplace();
    out->outcome->reason = static_cast<end_reason>(with.below(end_reason_count));
    out->outcome->winner = any_seat(with);
  }
  return out;
}

refused any_refusal(rng& with) {
  refused out;
  out.why = static_cast<refusal>(with.below(refusal_count));
  out.detail = any_text(with);
  out.what.as = static_cast<move::form>(with.below(3));
  out.what.text = any_text(with);
  return out;
}

decltype(event::what) any_kind(rng& with) {
  static const std::vector<std::string> marks{"XO", "", "X"};
  switch (with.below(6)) {
    case 0: return signed_in{any_text(with), any_text(with)};
    case 1: return placed{"tictactoe", with.one_of(marks), any_seat(with)};
    case 2: {
      const auto seat = any_seat(with).value_or(0);
      return started{"tictactoe", with.one_of(marks), {any_text(with), any_text(with)}, seat};
    }
    case 3: return any_position(with);
    case 4: return any_refusal(with);
    default: return done{};
  }
}

}  // namespace

const engine_traits& tictactoe_traits() {
  static const engine_traits traits{.id = "tictactoe",
                                    .title = "Tic-Tac-Toe",
                                    .marks = "XO",
                                    .rows = 3,
                                    .columns = 3,
                                    .start = {},
                                    .actions_max = 9,
                                    .options = {}};
  return traits;
}

event told(decltype(event::what) what) {
  event out;
  out.game = tested_game;
  out.what = std::move(what);
  return out;
}

event answered(decltype(event::what) what) {
  auto out = told(std::move(what));
  out.answers.ticket = 1;
  return out;
}

position_ref position_of(const std::string& cells, seat_set prompted) {
  auto out = board(cells);
  out.to_move = out.prompted = prompted;
  return std::make_shared<const position>(std::move(out));
}

position_ref final_position(const std::string& cells, end_reason why,
                            std::optional<seat_index> winner) {
  auto out = board(cells);
  out.outcome.emplace();
  out.outcome->reason = why;
  out.outcome->winner = winner;
  return std::make_shared<const position>(std::move(out));
}

std::vector<event> beginning(seat_index seat) {
  return {
      answered(signed_in{"client-1", "secret"}),
      answered(placed{"tictactoe", "XO", seat}),
      told(started{"tictactoe", "XO", {"client-1", "client-2"}, seat}),
      told(position_of("---------", only(seat))),
  };
}

event any_event(rng& with) {
  event out;
  out.answers.ticket = static_cast<ticket>(with.below(2));
  out.game = game_id{with.below(4) + tested_game.value - 2};
  out.what = any_kind(with);
  return out;
}

}  // namespace gamehub::tests
