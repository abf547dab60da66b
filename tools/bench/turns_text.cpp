#include "hub/app/bench/turns_words.hpp"

#include <charconv>
#include <optional>

namespace gamehub::app::bench {
namespace {

// The hub writes its JSON without blanks, and that is all that is read here: a whole JSON reader
// would cost the load more than the hub's own work, and it would measure itself.
std::optional<std::string_view> after(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + key.size());
}

std::int64_t number_after(std::string_view line, std::string_view key) {
  std::int64_t n = -1;
  if (const auto rest = after(line, key))
    std::from_chars(rest->data(), rest->data() + rest->size(), n);
  return n;
}

// Cells as they stand in a payload: null, \"X\" or \"O\", in three rows.
std::optional<board> read_board(std::string_view payload) {
  auto rest = after(payload, R"(\"board\":[)");
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

ending read_winner(std::string_view payload, board b) {
  const auto rest = after(payload, R"(\"winner\":)");
  if (rest && rest->starts_with(R"(\"X\")")) return ending::x_won;
  if (rest && rest->starts_with(R"(\"O\")")) return ending::o_won;
  return b.used() == 0777 ? ending::draw : ending::none;
}

void read_message(std::string_view line, told& t) {
  const auto payload = after(line, R"("payload":")").value_or(std::string_view{});
  if (payload.find(R"(\"type\":\"turn\")") != payload.npos) {
    t.what = told::kind::turn;
  } else if (payload.find(R"(\"type\":\"state\")") != payload.npos) {
    if (const auto b = read_board(payload)) {
      t.what = told::kind::state;
      t.board = *b;
      t.end = read_winner(payload, *b);
    }
  }
}

}  // namespace

told read_turns_line(std::string_view line) {
  told t;
  t.what = told::kind::refused;
  t.text = line.substr(0, 120);
  t.game = number_after(line, R"("game_id":)");
  const auto type = after(line, R"("type":")").value_or(std::string_view{});
  if (type.starts_with(R"(message")"))
    read_message(line, t);
  else if (type.starts_with(R"(name")"))
    t.what = told::kind::welcome;
  else if (type.starts_with(R"(start")"))
    t.what = told::kind::started;
  else if (type.starts_with(R"(close")"))
    t.what = told::kind::over;
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

}  // namespace gamehub::app::bench
