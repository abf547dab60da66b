#include "gateways/bots/messages.hpp"

#include "hub/base/json.hpp"

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

void append_board(const board_view& board, std::string& to) {
  to += R"("mark":)";
  append_mark(board.mark, to);
  to += R"(,"gamestate":[)";
  for (std::size_t i = 0; i < board.cells.size(); ++i) {
    if (i > 0) to += ',';
    if (board.cells[i] == blank)
      to += R"("")";
    else
      append_mark(board.cells[i], to);
  }
  to += "]}";
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
