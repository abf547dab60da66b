// The protocol state of one bot: registrations, events of the hub, results of calls and time in;
// calls, intents and reports out. At most one call is in flight per bot, because some bots are
// single-threaded. Only the opponent waits for it. An error of a bot ends its own games only. A
// plain value without socket or clock; a bot_client owns it, one thread.
#pragma once

#include "gateways/bots/call_errors.hpp"
#include "gateways/bots/messages.hpp"
#include "gateways/bots/move_answer.hpp"
#include "hub/base/time.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/event.hpp"
#include "hub/core/intent.hpp"
#include "hub/core/scheduled_match.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::gateways::bots {

// The options of calls to one bot.
struct call_options {
  std::string prefix = {};  // prefix of its method names
  // Set by the operator for bots that support more than the basic protocol (README.md, "Bots that
  // can do more").
  bool keep_alive = false;
  bool tell_opponent = false;  // NextMove names the opponent
  // Of the engine: its games for two have calls with a board only (bots.hpp, has_board_calls).
  bool board_calls = true;
  // Of the engine, for the other calls.
  bool hidden = false, simultaneous = false;
  bool for_two = true;       // it has games for two
  std::string options = {};  // of those games, as JSON; empty: the defaults
};

struct bot_limits {
  std::uint32_t games_max = 1;  // running at the same time
  base::duration call_time{};   // deadline of each call
};

// A call to make now. Its result comes before the next call.
struct call {
  enum class method : std::uint8_t { ping, next_move, complete, error };

  method what = method::ping;
  std::string body;
  base::instant deadline{};
  trace_id trace;  // trace of the event that caused it; its consequences have the same one
  span_id span;    // id of this call
};
// Returns the method's name as metrics and logs show it.
std::string_view to_string(call::method);

// Reports of a bot's state for the dispatcher and the league.
namespace report {
// It answers calls, and players can ask for it by name.
struct online {};
// It failed and is not called until it registers again.
using failed = bot_error;
// Reply to a game-over or error call. The content is ignored.
struct replied {
  call::method to = call::method::complete;
  game_id game;
  trace_id trace;
  std::string text;  // the reply, or why it is missing
};
// The name of its session in the hub, which may get a suffix if it is in use.
struct name_assigned {
  std::string name;
};
struct game_over {
  game_id game;
  gamehub::outcome how;
};
// Results of challenge(): the game is reserved and waits for begin(), or the challenge failed.
struct reserved {
  match_id match;
  game_id game;
};
struct challenge_failed {
  match_id match;
};
}  // namespace report
using bot_report =
    std::variant<report::online, report::failed, report::replied, report::name_assigned,
                 report::game_over, report::reserved, report::challenge_failed>;

struct session_output {
  struct command {
    gamehub::ticket number = 0;
    trace_id trace;
    intent what;
  };

  bool enter = false;    // open an attachment, before the commands
  bool release = false;  // drop the attachment, before everything else
  std::vector<command> commands;
  std::optional<call> to_call;
  std::vector<bot_report> reports;
};

class bot_session {
 public:
  // `traces` returns a new nonzero trace id at each call.
  bot_session(const bot_limits&, std::function<trace_id()> traces);

  // Handles a registration. Running games continue unless the engine has changed.
  session_output registered(bot_record, call_options, base::instant now);
  // Handles an event of the hub.
  session_output on_event(const event&, base::instant now);
  // The session in the hub has ended, or the hub accepted none. If not `for_good`, it is retried.
  session_output closed(bool for_good, base::instant now);
  // Handles the result of the active call.
  session_output on_call_result(const call_outcome&, base::instant now);
  // Stops calling the bot until it registers again.
  session_output stop_calling(std::string why, base::instant now);
  // Stops calling the bot for good, without an error.
  session_output remove(base::instant now);
  // Handles expired deadlines. Requires: next() <= now.
  session_output advance(base::instant now);
  // Returns the next deadline, or instant::max() without a deadline.
  base::instant next() const;

  // Challenges another bot, with this one in the first seat. begin() starts the reserved game.
  session_output challenge(match_id, const std::string& opponent, base::instant now);
  session_output begin(match_id, const std::string& opponent, game_id);

  // True if it answers calls and players can ask for it by name.
  bool online() const { return online_ && has_standing_seek_; }
  // Return the number of running games, the latest registration, and the options of calls.
  std::size_t games() const { return games_.size(); }
  const bot_record& who() const { return who_; }
  const call_options& options() const { return how_; }

 private:
  enum class connection_state : std::uint8_t { outside, entering, here, leaving };

  struct game {
    std::string prefix;  // prefix of the method names of its engine
    std::size_t seats = 2;
    seat_index seat = 0;
    char mark = ' ';
    std::string cells;
    std::string opponent;  // name of the opponent
    ticket played = 0;     // ticket of the submitted move
    std::int64_t position = 0;
    std::string tried = {};  // the submitted move in the engine's JSON; empty: `position`
    bool to_move = false;    // a NextMove call is queued or active
    accepted_offers accepts = {};
    std::unique_ptr<table_view> table = {};  // null: its calls have the board only
  };

  // A call that waits in the queue.
  struct queued_call {
    call::method what = call::method::ping;
    game_id of;
    std::string body;     // body of a Complete or Error call
    trace_id trace = {};  // none: assigned when the call starts
  };

  struct reconnect {
    base::instant until;
    base::instant next_try;
    base::duration pause;
  };

  struct request {
    match_id match;
    bool begins = false;
  };

  void on_answer(const event&);
  void on_refusal(const event&, const refused&, base::instant now);
  void begin_game(game_id, const started&);
  // True if people have chosen the clock of the game.
  static bool has_chosen_clock(const game& g) { return g.table && !g.table->clock_rule.empty(); }
  // Keeps what the bot is told of a game whose calls have more than a board.
  void follow_table(game&, const position&);
  void on_position(const event&, const position&);
  void on_offer(const event&, const offer_update&);
  void end_game(game_id, const outcome&, trace_id);
  void move_refused(game_id, const game&, const refused&, trace_id);

  void on_ping_result(const queued_call&, const call_outcome&, base::instant now);
  void on_game_call_result(queued_call, const call_outcome&);

  void fail(bot_error);
  // The time of the turn is up.
  void fail_late(game_id, trace_id);
  // Ends calls and games. Returns true if it was in the hub.
  bool go_offline(trace_id, leave_cause);
  void leave_all(trace_id, leave_cause);
  void go_online();
  void on_standing_seek();
  void enter();
  void seek_players();
  // Submits an intent. Without a trace it gets a new one.
  ticket submit(intent, trace_id = {});
  // Starts the next call if one is due, and leaves the hub if nothing remains to do.
  session_output continue_session(base::instant now);
  session_output take_output() { return std::exchange(out_, {}); }
  void leave_if_done();
  void start(queued_call, base::instant deadline);
  std::string body_of(const queued_call&);
  void queue_complete_call(queued_call);
  bool may_call() const { return online_ || at_ == connection_state::leaving; }

  bot_record who_;
  call_options how_;
  bot_limits rules_;
  std::function<trace_id()> traces_;
  connection_state at_ = connection_state::outside;
  bool online_ = false;             // has answered since it registered, without an error
  bool has_standing_seek_ = false;  // the hub has its standing seek
  bool reachable_ = true;           // the last call was answered
  bool withdrawn_ = false;          // while leaving: the hub has withdrawn its seek
  game_id failed_in_;               // game with an Error call; it gets no Complete call
  std::optional<reconnect> reconnect_;
  base::instant retry_at_ = base::instant::max();  // next attempt to enter or to seek
  std::map<game_id, game> games_;
  std::deque<queued_call> call_queue_;
  std::optional<queued_call> active_call_;
  std::uint64_t registrations_ = 0;
  std::uint64_t called_registration_ = 0;  // registration at the start of the active call
  std::uint64_t calls_ = 0;
  ticket last_ticket_ = 0;
  ticket entering_ = 0, seeking_ = 0, withdrawing_ = 0;
  std::map<ticket, request> requests_;
  session_output out_;  // of the public call that runs
};

}  // namespace gamehub::gateways::bots
