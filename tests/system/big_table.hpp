// Games of three seats or more: their options, a player of JSON turns, and what HTTP shows of a
// game. One thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/socket_client.hpp"
#include "tests/system/turns_client.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace gamehub::tests::system {

using nlohmann::json;

// "%7B…": options of a game in a form.
inline const std::string small_boxes =
    "&engine=dots-and-boxes&options=%7B%22players%22%3A4%2C%22rows%22%3A2%2C%22columns%22%3A2%7D";
inline const json small_boxes_json{
    {"dots-and-boxes", {{"players", 4}, {"rows", 2}, {"columns", 2}}}};
inline const std::string short_oh_hell =
    "&engine=oh-hell&options=%7B%22players%22%3A4%2C%22rounds%22%3A2%7D";
inline const json short_oh_hell_json{{"oh-hell", {{"players", 4}, {"rounds", 2}}}};

// A player of JSON turns at such a table, over TCP or a WebSocket. It plays the first legal action.
class turns_player {
 public:
  turns_player(hub& at, const std::string& name, const json& options, bool socket,
               const json& opponents = {}) {
    json said{{"type", "connect"},
              {"name", name},
              {"supported_games", {options.begin().key()}},
              {"options", options},
              {"wants", {"actions"}}};
    if (!opponents.is_null()) said["opponents"] = opponents;
    const auto connect = said.dump();
    if (socket)
      ws_ = std::make_unique<socket_client>(at.http());
    else
      tcp_ = std::make_unique<turns_client>(at.turns());
    say(connect);
    REQUIRE(next("name")["name"] == name);
  }

  void say(const std::string& line) { ws_ ? ws_->say(line) : tcp_->say(line); }
  // The next line of this type, or payload of one. Every state before it is kept.
  json next(const std::string& type) {
    for (;;) {
      json said = line();
      if (said["type"] == "message") said = json::parse(said["payload"].get<std::string>());
      if (said["type"] == "state") keep(said);
      if (said["type"] == type) return said;
      if (said["type"] == "close") FAIL("waited for " << type << ", but: " << said);
    }
  }
  void play_first(const json& turn) {
    say(turns_client::message(0, turn["actions"][0].dump()));
    // The answer, so that the move is public.
    REQUIRE(next("state").is_object());
  }
  void leave() { say(R"({"type":"close","game_id":0})"); }

  const json& state() const { return state_; }
  // By round, all cards that were ever in the hand.
  const std::map<int, std::set<std::string>>& held() const { return held_; }

 private:
  json line() {
    if (ws_) {
      const auto text = ws_->next();
      INFO(text);
      REQUIRE(text.starts_with("{"));
      return json::parse(text);
    }
    const auto said = tcp_->next();
    INFO(said);
    REQUIRE(tcp_->line().is_object());
    REQUIRE(said != "end");
    return tcp_->line();
  }
  void keep(const json& said) {
    state_ = said;
    if (!said.contains("hand")) return;
    for (const auto& card : said["hand"])
      held_[said["round"].get<int>()].insert(card.get<std::string>());
  }

  std::unique_ptr<turns_client> tcp_;
  std::unique_ptr<socket_client> ws_;
  json state_;
  std::map<int, std::set<std::string>> held_;
};

inline json game_of(api_player& by, const std::string& game) {
  return by.http.get("/api/games/" + game + "?client_id=" + by.id).json();
}

}  // namespace gamehub::tests::system
