#include "hub/app/bench/wire.hpp"

#include <charconv>

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

told read_line(std::string_view line) {
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

class turns_wire final : public wire {
 public:
  std::string_view name() const override { return "turns"; }
  std::uint16_t port_default() const override { return 8889; }
  int games_per_connection_max() const override { return 1000; }
  bool seats_again_unasked() const override { return true; }

  void greet(int games, std::string& out) const override {
    out += R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":)";
    out += std::to_string(games) + "}\n";
  }
  // The hub seats the client again by itself.
  void again(std::string&) const override {}
  void move(std::int64_t game, int cell, std::string& out) const override {
    out += R"({"type":"message","game_id":)" + std::to_string(game);
    out += R"(,"payload":"{\"type\":\"move\",\"row\":)";
    out += static_cast<char>('0' + cell / 3);
    out += R"(,\"column\":)";
    out += static_cast<char>('0' + cell % 3);
    out += "}\"}\n";
  }

  std::size_t read(std::string_view bytes, std::vector<told>& out) const override {
    std::size_t at = 0;
    for (auto end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n', at)) {
      out.push_back(read_line(bytes.substr(at, end - at)));
      at = end + 1;
    }
    return at;
  }
};

}  // namespace

const wire& turns() {
  static const turns_wire it;
  return it;
}

}  // namespace gamehub::app::bench
