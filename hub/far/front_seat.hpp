// What the front decides of one seat whose game is at another hub: when an intent is sent, which
// event answers it, and what is said again when the game goes on at another hub. A plain value
// without clock, link or thread; owned by the proxy of the game.
//
// One intent of a seat is under way at a time, the others wait here. So if the host dies, its log
// tells whether that one was carried out: by the number of records of its kind.
#pragma once

#include "hub/far/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::far {

class front_seat {
 public:
  // Intents that wait for their turn. A connection has at most limits::intents_in_flight_max.
  static constexpr std::size_t intents_max = 64;

  // What one call leads to, in this order.
  struct output {
    std::vector<event> deliver;  // to the session
    std::vector<message> send;   // to the host
    bool ended = false;          // nothing follows
    bool lost = false;  // ended without an end of the game: the session has the seat no more
  };

  // The host has said that the player has this seat.
  front_seat(const seated& by, member_id host)
      : at_(by.at), player_(by.player), host_(host), form_(by.form), features_(by.features) {}

  member_id host() const { return host_; }
  place at() const { return at_; }
  // The player waits for an answer: such seats are taken first.
  bool is_urgent() const { return !queue_.empty(); }
  // The host has the game. False from on_host_lost() until another one has.
  bool is_connected() const { return state_ == state::opening || state_ == state::playing; }

  // Of the session.
  void on_request(const receipt&, game_intent, output&);
  void on_resend(view_form, client_features, attachment_id client, output&);
  void on_presence(std::optional<base::instant> kept_until, output&);
  void on_rename(std::string, output&);
  // The session sends nothing more.
  void on_leave(leave_cause, output&);

  // Of the host. Requires: the message is of host().
  void on_told(event, output&);
  void on_gap(output&);
  // Returns false if the hub that was asked does not have the game yet: ask it again later.
  bool on_taken(const taken&, output&);

  // The host does not run the game any more. Intents wait.
  void on_host_lost();
  // The game goes on at this member: asks for the seat there.
  void take_at(member_id, output&);
  // No hub continues the game.
  void abandon(refusal, output&);

 private:
  enum class state : std::uint8_t {
    opening,  // until the first position
    playing,
    without_host,
    taking,  // until `taken`
  };
  // The answer to a resend of the front: `started`, then the position.
  enum class shown : std::uint8_t { all, before_start, before_position };
  struct intent_entry {
    receipt answers;
    game_intent what;
  };

  void send_next(output&);
  void answer(event, output&);
  void on_position(event, output&);
  bool was_carried_out(const tally&) const;
  void end_if_left(output&);

  const place at_;
  const player_id player_;
  member_id host_;
  state state_ = state::opening;
  std::uint64_t attempt_ = 0;

  std::deque<intent_entry> queue_;
  bool under_way_ = false;    // the first of them was sent
  bool carried_out_ = false;  // the log has it: the next position answers it

  // Intents that were carried out after this record, and answered.
  std::uint64_t after_ = 0;
  tally answered_;
  std::uint64_t position_ = 0;  // the latest that was delivered

  shown shown_ = shown::all;
  bool shows_client_ = false;  // that resend is for a client
  attachment_id unseen_by_;    // the client that waits for `started`
  view_form form_;
  client_features features_;
  std::optional<base::instant> away_until_;
  std::string name_;  // empty: as the host knows it
  std::optional<leave_cause> leaves_;
};

}  // namespace gamehub::far
