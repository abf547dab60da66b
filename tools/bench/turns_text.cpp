#include "tools/bench/turns_text.hpp"

#include "hub/base/text.hpp"

#include <charconv>
#include <optional>

namespace gamehub::tools::bench {
namespace {

// Reads only JSON without blanks, as the hub writes it: a complete JSON parser would take more time
// than the hub's own work, and the bench would measure itself.
std::int64_t number_after(std::string_view line, std::string_view key) {
  std::int64_t n = -1;
  if (const auto rest = base::text_after(line, key))
    std::from_chars(rest->data(), rest->data() + rest->size(), n);
  return n;
}

// The cells in a payload: null, \"X\" or \"O\", in three rows.
std::optional<board> board_of_payload(std::string_view payload) {
  auto rest = base::text_after(payload, R"(\"board\":[)");
  if (!rest) return std::nullopt;
  board b;
  int cell = 0;
  for (std::size_t i = 0; i < rest->size() && cell < 9; ++i) {
    const auto c = (*rest)[i];
    if (c == 'X' || c == 'O')
      b.mark(cell++, c);
    else if (c == 'n')
      ++cell, i += 3;
  }
  if (cell < 9) return std::nullopt;
  return b;
}

ending winner_of_payload(std::string_view payload, board b) {
  const auto rest = base::text_after(payload, R"(\"winner\":)");
  if (rest && rest->starts_with(R"(\"X\")")) return ending::x_won;
  if (rest && rest->starts_with(R"(\"O\")")) return ending::o_won;
  return b.used() == 0777 ? ending::draw : ending::none;
}

void read_message(std::string_view line, server_message& t) {
  const auto payload = base::text_after(line, R"("payload":")").value_or(std::string_view{});
  if (payload.find(R"(\"type\":\"turn\")") != payload.npos) {
    t.what = server_message::kind::turn;
  } else if (payload.find(R"(\"type\":\"state\")") != payload.npos) {
    if (const auto b = board_of_payload(payload)) {
      t.what = server_message::kind::state;
      t.board = *b;
      t.end = winner_of_payload(payload, *b);
    }
  }
}

}  // namespace

server_message read_turns_line(std::string_view line) {
  server_message t;
  t.what = server_message::kind::refused;
  t.text = line.substr(0, 120);
  t.game = number_after(line, R"("game_id":)");
  const auto type = base::text_after(line, R"("type":")").value_or(std::string_view{});
  if (type.starts_with(R"(message")"))
    read_message(line, t);
  else if (type.starts_with(R"(name")"))
    t.what = server_message::kind::welcome;
  else if (type.starts_with(R"(start")"))
    t.what = server_message::kind::started;
  else if (type.starts_with(R"(close")"))
    t.what = server_message::kind::over;
  return t;
}

void append_connect(int games, std::string& out) {
  out += R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":)";
  out += std::to_string(games) + '}';
}

void append_turns_move(std::int64_t game, int cell, std::string& out) {
  out += R"({"type":"message","game_id":)" + std::to_string(game);
  out += R"(,"payload":"{\"type\":\"move\",\"row\":)";
  out += static_cast<char>('0' + cell / 3);
  out += R"(,\"column\":)";
  out += static_cast<char>('0' + cell % 3);
  out += R"(}"})";
}

}  // namespace gamehub::tools::bench
