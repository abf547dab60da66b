// One bot as the hub calls it: registrations, the hub's events, what came of calls, and time in;
// calls, intents and news out. One call at a time, since some bots are no better than that; whoever
// sits opposite waits for this bot alone. What a bot does wrong ends its own games and nobody
// else's. A plain value without socket or clock; its attachment owns it, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gateways/jsonrpc/messages.hpp"
#include "gateways/jsonrpc/move_answer.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/time.hpp"

namespace gamehub::gateways::bots {

// As which it comes into the hub, and what it plays there.
struct bot_identity {
  std::string name;
  std::string secret;  // brings its player back
  std::string engine;
  std::string prefix;            // of its methods
  bool knows_opponents = false;  // is told by NextMove who sits opposite
};

struct bot_limits {
  std::uint32_t games_max = 1;  // at once
  duration call_time{};         // for each call
};

// To be made now. Its outcome comes before there is another.
struct call {
  enum class method : std::uint8_t { ping, next_move, complete, error };

  method what = method::ping;
  std::string body;
  instant deadline{};
  trace_id trace;  // of what it is about; what comes of its answer has the same
  span_id span;    // its own
};
std::string_view to_string(call::method);

// What came of a call: an answer of HTTP, whatever it says, or none.
struct answered {
  int status = 0;
  bool encoded = false;  // compressed, although nobody asked for that
  std::string body;
};
struct unanswered {
  bool too_late = false;
  std::string why = {};    // a sentence
  bool connected = false;  // somebody was there
};
using call_outcome = std::variant<answered, unanswered>;

// What is wrong with it before its body is looked at, if anything is.
std::optional<bot_error> wrong_with(const call_outcome&);

// What others than the hub want to know of it.
namespace report {
// It answers, and can be asked for.
struct came_online {};
// It is called no more until it registers again.
struct went_wrong {
  bot_fault_code code = bot_fault_code::transport;
  std::string text;
  game_id game;    // none: outside of any
  trace_id trace;  // of the call that it answered badly; none: there was no call
};
// It was told the end of a game, or its mistake. Its reply is never required to be anything.
struct replied {
  call::method to = call::method::complete;
  game_id game;
  trace_id trace;
  std::string text;  // what it said, or why nothing came
};
// How the hub calls it: two can have one name.
struct named {
  std::string name;
};
struct game_over {
  game_id game;
  gamehub::outcome how;
};
// Of meet(): the game has this id, and waits for begin(); or there will be none.
struct reserved {
  std::uint64_t request = 0;
  game_id game;
};
struct not_met {
  std::uint64_t request = 0;
};
}  // namespace news
using bot_report = std::variant<report::came_online, report::went_wrong, report::replied, report::named,
                              report::game_over, report::reserved, report::not_met>;

struct session_output {
  struct order {
    gamehub::ticket number = 0;
    trace_id trace;
    intent what;
  };

  bool enter = false;    // asks for a door, before the orders
  bool release = false;  // gives it up, before all else
  std::vector<order> orders;
  std::optional<call> to_call;
  std::vector<bot_report> told;
};

class bot_session {
 public:
  // Each of the traces is another one, and none is zero.
  bot_session(bot_identity, const bot_limits&, std::function<trace_id()> traces);

  // It has registered, once more or for the first time. What it plays it goes on with, unless it is
  // another engine now.
  void registered(bot_identity, instant now, session_output&);
  void hear(const event&, instant now, session_output&);
  // The hub has nothing more for it, or has not let it in.
  void closed(bool for_good, instant now, session_output&);
  void called(const call_outcome&, instant now, session_output&);
  // It is called no more until it registers again.
  void give_up(std::string why, instant now, session_output&);
  // Requires: next() <= now.
  void advance(instant now, session_output&);
  // When advance() has something to do; never: instant::max().
  instant next() const;

  // A game against that bot, this one in the first seat; `request` comes back in the news.
  void challenge(std::uint64_t request, const std::string& opponent, instant now, session_output&);
  void begin(std::uint64_t request, const std::string& opponent, game_id, session_output&);

  // It answers, and can be asked for by its name.
  bool online() const { return online_ && has_standing_seek_; }
  bool calling() const { return active_call_.has_value(); }
  std::size_t games() const { return games_.size(); }
  const bot_identity& who() const { return who_; }

 private:
  enum class presence : std::uint8_t { outside, entering, here, leaving };

  struct game {
    std::string prefix;  // of its engine's methods
    seat_index seat = 0;
    char mark = ' ';
    std::string cells;
    std::string opponent;  // its name
    ticket played = 0;     // whose answer it waits for
    std::int64_t position = 0;
    bool to_move = false;  // has to be asked, or is just being asked
  };

  // Waits for its turn to be called.
  struct work {
    call::method what = call::method::ping;
    game_id of;
    std::string body;     // of what is said at the end of a game
    trace_id trace = {};  // none: it gets one when it is called
  };

  struct trial {
    instant until;
    instant next_try;
    duration pause;
  };

  struct request {
    std::uint64_t number = 0;
    bool begins = false;
  };

  void hear_answer(const event&, session_output&);
  void hear_refusal(const event&, const refused&, instant now, session_output&);
  void begin_game(game_id, const started&, session_output&);
  void see(const event&, const position&, session_output&);
  void end_game(game_id, const outcome&, trace_id, session_output&);
  void move_refused(game_id, const game&, const refused&, trace_id, session_output&);

  void trial_answered(const work&, const call_outcome&, instant now, session_output&);
  void game_call_answered(work, const call_outcome&, session_output&);

  void go_wrong(bot_error, game_id, trace_id, session_output&);
  void leave_all(trace_id, session_output&);
  void come_online(session_output&);
  void stand(session_output&);
  void enter(session_output&);
  void seek_players(session_output&);
  // Without a trace it gets a new one.
  ticket order(intent, session_output&, trace_id = {});
  // Makes the next call, if it is time, and goes where there is nothing more to do.
  void go_on(instant now, session_output&);
  void go_out_if_done(session_output&);
  void start(work, instant deadline, session_output&);
  std::string body_of(const work&);
  void add_last_words(work);
  bool may_call() const { return online_ || at_ == presence::leaving; }

  bot_identity who_;
  bot_limits rules_;
  std::function<trace_id()> traces_;
  presence at_ = presence::outside;
  bool online_ = false;     // it answered, and has done nothing wrong since
  bool has_standing_seek_ = false;     // the hub has its offer
  bool reachable_ = true;   // its last call was answered
  bool withdrawn_ = false;  // while it leaves: the hub has taken its offer back
  game_id failed_in_;       // where it was told of its mistake, and needs no other end
  std::optional<trial> trial_;
  instant retry_at_ = instant::max();  // entering or seeking, which was not possible
  std::map<game_id, game> games_;
  std::deque<work> call_queue_;
  std::optional<work> active_call_;
  std::uint64_t registrations_ = 0;
  std::uint64_t called_under_ = 0;  // registration of the call under way
  std::uint64_t calls_ = 0;
  ticket last_ticket_ = 0;
  ticket entering_ = 0, seeking_ = 0, withdrawing_ = 0;
  std::map<ticket, request> requests_;
};

}  // namespace gamehub::gateways::jsonrpc
