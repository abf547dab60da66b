// A client of the turns wire, written from the protocol's document alone: what it hears, it says in
// words that a test compares with what it should hear. One thread.
#pragma once

#include "tests/system/tcp_client.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::system {

class turns_client {
 public:
  explicit turns_client(std::uint16_t port, tcp_options options = {}) : socket_(port, options) {}

  void say(std::string_view line) { socket_.send(std::string{line} + '\n'); }
  // As most tests need it: a name or null, one game, `max_games` at once, and what it wants.
  void connect(const char* name = nullptr, const std::string& game = "tictactoe", int max_games = 1,
               const std::vector<std::string>& wants = {});
  void resume(const std::string& secret);
  void move(int game, int row, int column);
  // Any move at all, the payload being text.
  void play(int game, const std::string& payload) { say(message(game, payload)); }

  // The next line: "name ann", "start 0", "0 state X--/---/--- null" (the board by rows, then the
  // winner as JSON), "0 state {…}" where there is no board, "0 turn", "0 repeat-turn WORD MOVE",
  // "close 0"; or "end" if the hub ended the connection.
  std::string next();
  // The latest line, unchanged, and the content of its payload.
  const nlohmann::json& line() const { return line_; }
  const nlohmann::json& payload() const { return payload_; }
  // Why the hub closed the connection, as its last line said; empty: it said nothing.
  const std::string& closed_because() const { return closed_because_; }
  // As the latest "name" told it.
  const std::string& secret() const { return secret_; }

  tcp_client& socket() { return socket_; }

  static std::string message(int game, const std::string& payload);
  static std::string move_payload(int row, int column);

 private:
  std::string in_words(const std::string& line);

  tcp_client socket_;
  nlohmann::json line_, payload_;
  std::string secret_, closed_because_;
};

}  // namespace gamehub::tests::system
