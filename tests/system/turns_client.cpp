#include "tests/system/turns_client.hpp"

namespace gamehub::tests::system {

using nlohmann::json;

namespace {

std::string board_text(const json& board) {
  std::string out;
  for (const auto& row : board) {
    if (!out.empty()) out += '/';
    for (const auto& cell : row) out += cell.is_null() ? "-" : cell.get<std::string>();
  }
  return out;
}

bool is_board(const json& state) {
  const auto at = state.find("board");
  return at != state.end() && at->is_array() && !at->empty() && at->front().is_array();
}

}  // namespace

void turns_client::connect(const char* name, const std::string& game, int max_games,
                           const std::vector<std::string>& wants) {
  json line{{"type", "connect"}, {"supported_games", {game}}, {"max_games", max_games}};
  line["name"] = name == nullptr ? json() : json(name);
  if (!wants.empty()) line["wants"] = wants;
  say(line.dump());
}

void turns_client::resume(const std::string& secret) {
  say(json{{"type", "connect"},
           {"name", nullptr},
           {"supported_games", {"tictactoe"}},
           {"max_games", 0},
           {"resume", secret}}
          .dump());
}

void turns_client::move(int game, int row, int column) { play(game, move_payload(row, column)); }

std::string turns_client::message(int game, const std::string& payload) {
  return R"({"type":"message","game_id":)" + std::to_string(game) + R"(,"payload":)" +
         json(payload).dump() + "}";
}

std::string turns_client::move_payload(int row, int column) {
  return R"({"type":"move","row":)" + std::to_string(row) + R"(,"column":)" +
         std::to_string(column) + "}";
}

std::string turns_client::next() {
  auto line = socket_.read_line();
  if (line && line->starts_with(R"({"type":"close","error":)")) {
    closed_because_ = json::parse(*line).at("error").get<std::string>();
    line = socket_.read_line();
  }
  if (!line)
    return socket_.unread().empty() ? socket_.state_text() : "half a line: " + socket_.unread();
  try {
    return in_words(*line);
  } catch (const json::exception& e) {
    return "a bad line: " + *line + " (" + e.what() + ")";
  }
}

std::string turns_client::in_words(const std::string& text) {
  line_ = json::parse(text);
  payload_ = {};
  const auto type = line_.at("type").get<std::string>();
  if (type == "name") {
    secret_ = line_.value("secret", "");
    return "name " + line_.at("name").get<std::string>();
  }
  const auto game = std::to_string(line_.at("game_id").get<int>());
  if (type == "start" || type == "close") return type + " " + game;
  if (type != "message") return text;
  payload_ = json::parse(line_.at("payload").get<std::string>());
  const auto said = payload_.at("type").get<std::string>();
  const auto head = game + " " + said;
  if (said == "turn") return head;
  if (said == "repeat-turn")
    return head + " " + payload_.at("error").get<std::string>() + " " +
           payload_.at("last-move").dump();
  if (said == "state" && is_board(payload_))
    return head + " " + board_text(payload_.at("board")) + " " + payload_.at("winner").dump();
  auto rest = payload_;
  rest.erase("type");
  return head + " " + rest.dump();
}

}  // namespace gamehub::tests::system
