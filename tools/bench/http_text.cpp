#include "tools/bench/http_text.hpp"

#include "hub/base/text.hpp"

#include <charconv>

namespace gamehub::tools::bench {
namespace {

constexpr std::string_view blank_line = "\r\n\r\n";

template <class Number>
std::optional<Number> number_at(std::string_view text) {
  Number n{};
  if (std::from_chars(text.data(), text.data() + text.size(), n).ec != std::errc{})
    return std::nullopt;
  return n;
}

// Reads only JSON without blanks, as the hub writes it: a complete JSON parser would take more time
// than the hub's own work, and the bench would measure itself.
std::string_view text_member(std::string_view json, std::string_view key) {
  const auto rest = base::text_after(json, key).value_or(std::string_view{});
  const auto end = rest.find('"');
  return end == rest.npos ? std::string_view{} : rest.substr(0, end);
}

std::optional<board> board_of_update(std::string_view json) {
  const auto cells = text_member(json, R"("board":")");
  if (cells.size() != 9) return std::nullopt;
  board b;
  for (int cell = 0; cell < 9; ++cell) b.mark(cell, cells[static_cast<std::size_t>(cell)]);
  return b;
}

ending winner_of_update(std::string_view json) {
  const auto winner = text_member(json, R"("winner":")");
  if (winner == "X") return ending::x_won;
  if (winner == "O") return ending::o_won;
  return winner == "D" ? ending::draw : ending::none;
}

void append_form(std::string_view path, std::string_view client_id, std::string_view more,
                 std::string& out) {
  constexpr std::string_view parameter = "client_id=";
  out.append("POST ").append(path);
  out +=
      " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
      "Content-Length: ";
  out += std::to_string(parameter.size() + client_id.size() + more.size());
  out += blank_line;
  out.append(parameter).append(client_id).append(more);
}

}  // namespace

void append_play(std::string_view client_id, std::string& out) {
  append_form("/api/play", client_id, {}, out);
}

void append_position(std::string_view client_id, int cell, std::string& out) {
  constexpr std::string_view positions =
      "&position=0&position=1&position=2&position=3&position=4"
      "&position=5&position=6&position=7&position=8";
  constexpr std::size_t each = positions.size() / 9;
  append_form("/api/move", client_id, positions.substr(static_cast<std::size_t>(cell) * each, each),
              out);
}

void append_quit(std::string_view client_id, std::string& out) {
  append_form("/api/quit", client_id, {}, out);
}

void append_reading(std::string_view game, std::string_view client_id, std::string& out) {
  out.append("GET /api/updates/").append(game).append("?client_id=").append(client_id);
  out += " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

std::optional<seat_answer> read_seat_answer(std::string_view json) {
  seat_answer out;
  out.game = text_member(json, R"("game_id":")");
  const auto mark = text_member(json, R"("player":")");
  out.plays_x = mark == "X";
  if (out.game.empty() || (mark != "X" && mark != "O") || board_of_update(json) != board{})
    return std::nullopt;
  return out;
}

std::optional<update_message> read_update(std::string_view json) {
  const auto type = text_member(json, R"("type":")");
  const auto number = number_at<std::int64_t>(
      base::text_after(json, R"("update_id":)").value_or(std::string_view{}));
  if (type.empty() || !number) return std::nullopt;
  update_message out;
  out.number = *number;
  if (type == "end") out.what = update_message::kind::end;
  if (type == "state" || type == "away" || type == "back") out.what = update_message::kind::live;
  if (type != "move" && type != "status") return out;
  const auto board = board_of_update(json);
  if (!board) return std::nullopt;
  out.what = type == "move" ? update_message::kind::move : update_message::kind::status;
  out.board = *board;
  out.end = winner_of_update(json);
  return out;
}

}  // namespace gamehub::tools::bench
