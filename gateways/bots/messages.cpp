#include "gateways/bots/messages.hpp"

#include "gateways/http/player_symbols.hpp"
#include "hub/base/json.hpp"
#include "hub/core/ranks.hpp"

#include <bit>
#include <utility>

namespace gamehub::gateways::bots {
namespace {

constexpr char blank = '-';

std::string begin_call(std::string_view prefix, std::string_view method) {
  std::string out = R"({"jsonrpc":"2.0","method":")";
  out += prefix;
  out += '.';
  out += method;
  out += R"(","params":)";
  return out;
}

std::string end_call(std::string call, std::uint64_t number) {
  call += R"(,"id":)";
  call += std::to_string(number);
  call += '}';
  return call;
}

void append_mark(char mark, std::string& to) { base::json::append_quoted({&mark, 1}, to); }

void append_cells(std::string_view cells, std::string& to) {
  to += '[';
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) to += ',';
    if (cells[i] == blank)
      to += R"("")";
    else
      append_mark(cells[i], to);
  }
  to += ']';
}

void append_board(const board_view& board, std::string& to) {
  to += R"("mark":)";
  append_mark(board.mark, to);
  to += R"(,"gamestate":)";
  append_cells(board.cells, to);
  to += '}';
}

void append_texts(base::json_writer& to, std::string_view name,
                  const std::vector<std::string>& texts) {
  to.key(name).begin('[');
  for (const auto& each : texts) to.text(each);
  to.end(']');
}

void append_seats(base::json_writer& to, std::string_view name, seat_set seats) {
  to.key(name).begin('[');
  for (; seats != 0; seats &= seats - 1) to.number(std::countr_zero(seats));
  to.end(']');
}

// The members of a table from its mark on.
void append_table(const table_view& table, base::json_writer& to) {
  to.text("mark", table.marks.at(static_cast<std::size_t>(table.seat)));
  std::string state = table.document.empty() ? "{}" : table.document;
  if (!table.cells.empty()) {
    state.clear();
    append_cells(table.cells, state);
  }
  to.as_is("gamestate", state);
  to.number("seat", table.seat);
  to.number("seats", table.players.size());
  append_texts(to, "marks", table.marks);
  append_texts(to, "players", table.players);
  to.as_is("options", table.options.empty() ? "{}" : table.options);
  to.truth("hidden", table.hidden);
  to.truth("simultaneous", table.simultaneous);
  append_seats(to, "substitutes", table.substituted);
}

void append_clock(const table_view& table, base::json_writer& to) {
  if (table.clock_rule.empty()) return;
  to.text("clock_rule", table.clock_rule);
  to.key("milliseconds_left").begin('[');
  for (const auto left : table.left) to.number(left.count());
  to.end(']');
  if (table.periods.empty()) return;
  to.key("periods").begin('[');
  for (const auto left : table.periods) to.number(left);
  to.end(']');
}

}  // namespace

std::string ping_call(std::uint64_t number) {
  return end_call(begin_call("Status", "Ping") + "null", number);
}

std::string next_move_call(std::string_view prefix, const board_view& board, std::uint64_t number) {
  auto out = begin_call(prefix, "NextMove") + R"({"gameid":)" + std::to_string(board.game.value);
  out += ',';
  append_board(board, out);
  if (!board.opponent.empty()) {
    out.back() = ',';
    out += R"("opponent":)";
    base::json::append_quoted(board.opponent, out);
    out += '}';
  }
  return end_call(std::move(out), number);
}

std::vector<std::string> marks_of(std::string_view engine_marks, std::size_t seats) {
  std::vector<std::string> out;
  for (std::size_t seat = 0; seat < seats; ++seat)
    out.emplace_back(engine_marks.size() >= seats
                         ? engine_marks.substr(seat, 1)
                         : http::mark_of(static_cast<seat_index>(seat)).text());
  return out;
}

std::string next_move_call(std::string_view prefix, const table_view& table, std::uint64_t number) {
  auto out = begin_call(prefix, "NextMove");
  base::json_writer to{out};
  to.begin('{');
  to.number("gameid", table.game.value);
  append_table(table, to);
  if (!table.actions.empty()) to.as_is("actions", table.actions);
  if (table.more_actions) to.truth("more_actions", true);
  append_clock(table, to);
  to.end('}');
  return end_call(std::move(out), number);
}

std::string complete_call(std::string_view prefix, const table_view& table, const outcome& how,
                          std::uint64_t number) {
  auto out = begin_call(prefix, "Complete");
  base::json_writer to{out};
  to.begin('{');
  to.number("gameid", table.game.value);
  to.truth("winner", how.winner == table.seat);
  append_table(table, to);
  to.text("reason", to_string(how.reason));
  to.key("scores").begin('[');
  // The sum removes the sign of a zero.
  for (const auto score : how.scores) to.number(score + 0.0);
  to.end(']');
  to.key("ranks").begin('[');
  for (const auto rank : ranks_of(how)) to.number(rank);
  to.end(']');
  append_seats(to, "forfeits", how.forfeits);
  to.end('}');
  return end_call(std::move(out), number);
}

std::string complete_call(std::string_view prefix, const board_view& board, bool winner,
                          std::uint64_t number) {
  auto out = begin_call(prefix, "Complete") + R"({"gameid":)" + std::to_string(board.game.value);
  out += winner ? R"(,"winner":true,)" : R"(,"winner":false,)";
  append_board(board, out);
  return end_call(std::move(out), number);
}

std::string error_call(std::string_view prefix, const bot_error& what, std::uint64_t number) {
  auto out = begin_call(prefix, "Error") + R"({"gameid":)" + std::to_string(what.game.value);
  out += R"(,"message":)";
  base::json::append_quoted(what.text, out);
  out += R"(,"errorcode":)" + std::to_string(static_cast<unsigned>(what.code)) + '}';
  return end_call(std::move(out), number);
}

}  // namespace gamehub::gateways::bots
