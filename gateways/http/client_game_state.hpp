// A client's place at its latest table, from what the hub tells it: what play answers, and what a
// request about the game is measured by. A plain value; the client owns it, one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/http/errors.hpp"
#include "hub/core/event.hpp"

namespace gamehub::gateways::http::server {

class place {
 public:
  enum class status : std::uint8_t { none, waiting, running, ended };

  // What the hub says of it.
  void take(game_id, const placed&);
  void take(game_id, const started&);
  void take(game_id, const position_ref&);
  // Nothing came of the waiting, or it was given up.
  void leave() { *this = {}; }

  status is() const { return status_; }
  game_id id() const { return id_; }
  seat_index seat() const { return seat_; }
  // Where the game stands is known, as far as there is a game.
  bool shown() const { return status_ == status::waiting || position_ != nullptr; }

  // Why a request that names this game is about another one, if it is. Empty: it names none.
  std::optional<error> why_not(std::string_view game_id) const;
  // Why no move can be made, and nothing be said at the table.
  std::optional<error> why_idle() const;

  // The members of play's answer that tell of the place, in a JSON object that is left open; with
  // the URL where this hub is, if it has one of its own.
  void append_members(std::string& out, std::string_view public_url = {}) const;

 private:
  status status_ = status::none;
  game_id id_;
  seat_index seat_ = 0;
  std::string engine_;
  std::string invitation_;
  std::size_t blanks_ = 0;  // cells of the board
  std::vector<std::string> players_;
  std::vector<wall_time> visits_;
  position_ref position_;
};

// What a game is called on this wire, and back.
std::string game_json(game_id);
std::optional<game_id> read_game(std::string_view text);

}  // namespace gamehub::gateways::http::server
