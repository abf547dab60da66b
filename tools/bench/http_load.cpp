#include "tools/bench/http_load.hpp"

#include "hub/base/random.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gamehub::tools::bench {
namespace {

constexpr std::chrono::milliseconds http_wait_max{20};
// The interval of checks while a move waits for its time.
constexpr std::chrono::milliseconds paced_wait{1};
// A lost move time is not caught up.
constexpr std::chrono::milliseconds arrears_max{50};
// Without progress for this time, opening and leaving end.
constexpr std::chrono::seconds http_patience{15}, farewell{2};
constexpr std::size_t answer_shown_bytes_max = 120;

// Limit of concurrent unanswered streams, because a hub's backlog is finite.
constexpr std::size_t streams_unanswered_max = 64;

bool part_of(board small, board large) {
  return (small.x & ~large.x) == 0 && (small.o & ~large.o) == 0;
}

}  // namespace

http_load::http_load(connector& d, const http_plan& plan)
    : plan_(plan),
      sockets_(d),
      players_(2 * static_cast<std::size_t>(plan.games)),
      requesters_(static_cast<std::size_t>(plan.connections)),
      readers_(plan.streams ? players_.size() : 0),
      next_move_at_(clock::now()) {
  // Unique ids, also among several runs.
  base::system_entropy luck;
  const auto run = luck.secret();
  for (std::size_t i = 0; i < players_.size(); ++i)
    players_[i].id = run.substr(0, 32) + '-' + std::to_string(i);
  // Channel numbers: first the readers, numbered as their players, then the requesters.
  std::size_t number = 0;
  for (auto& each : readers_) each.number = number++;
  for (auto& each : requesters_) {
    each.number = number++;
    free_requesters_.push_back(&each);
  }
}

http_load::~http_load() {
  for (auto& each : requesters_) sockets_.close(each);
  for (auto& each : readers_) sockets_.close(each);
}

bool http_load::open(const stop_requested& stop) {
  for (std::uint32_t i = 0; i < players_.size(); ++i) pending_.push_back({request::play, i});
  const auto games = static_cast<std::size_t>(plan_.games);
  auto begun = begun_;
  auto give_up_at = clock::now() + http_patience;
  while (begun_ < games && !stop()) {
    step();
    if (begun_ == begun) {
      if (clock::now() > give_up_at) break;
      continue;
    }
    begun = begun_;
    give_up_at = clock::now() + http_patience;
  }
  if (begun_ >= games) return true;
  if (!stop())
    faults_.add("only " + std::to_string(begun_) + " of " + std::to_string(games) + " games began");
  return false;
}

void http_load::play(clock::time_point until, const stop_requested& stop) {
  while (clock::now() < until && !stop()) step();
}

void http_load::find_stalled(std::chrono::seconds time) {
  const auto before = clock::now() - time;
  for (const auto& t : tables_)
    if (t.live && !t.queued && t.since < before)
      faults_.add("a game made no progress for " + std::to_string(time.count()) + " s");
}

void http_load::leave() {
  leaving_ = true;
  pending_.clear();
  moves_wanted_.clear();
  streams_wanted_.clear();
  if (plan_.blind) return;
  for (const auto& t : tables_)
    if (t.live) pending_.push_back({request::quit, t.players[0]});
  for (const auto& [game, who] : waiting_) pending_.push_back({request::quit, who});
  auto left = pending_.size();
  auto give_up_at = clock::now() + farewell;
  while ((!pending_.empty() || free_requesters_.size() < requesters_.size()) &&
         clock::now() < give_up_at) {
    step();
    if (std::exchange(left, pending_.size()) != pending_.size())
      give_up_at = clock::now() + farewell;
  }
}

void http_load::step() {
  open_streams();
  send_requests();
  sockets_.wait(moves_wanted_.empty() ? http_wait_max : paced_wait, *this);
}

void http_load::send_requests() {
  while (!free_requesters_.empty()) {
    const auto next = next_request();
    if (!next) return;
    auto& by = *free_requesters_.back();
    free_requesters_.pop_back();
    ask(by, *next);
  }
}

std::optional<http_load::pending_request> http_load::next_request() {
  if (!pending_.empty()) {
    const auto next = pending_.front();
    pending_.pop_front();
    return next;
  }
  if (moves_wanted_.empty()) return std::nullopt;
  if (plan_.rate > 0) {
    const auto now = clock::now();
    if (next_move_at_ > now) return std::nullopt;
    next_move_at_ = std::max<clock::time_point>(next_move_at_, now - arrears_max) +
                    clock::duration{std::chrono::seconds{1}} / plan_.rate;
  }
  auto& t = *moves_wanted_.front();
  moves_wanted_.pop_front();
  return pending_request{request::move, t.players[t.at.x_to_move() ? 0 : 1]};
}

void http_load::ask(requester& by, pending_request what) {
  auto& who = players_[what.player];
  by.here = what;
  by.busy = true;
  by.parser.reset();
  switch (what.what) {
    case request::play: append_play(who.id, by.out); break;
    case request::quit: append_quit(who.id, by.out); break;
    case request::move: {
      auto& t = *who.at;
      const auto cell = t.at == board{} ? static_cast<int>(what.player % 9) : scripts_.next(t.at);
      append_position(who.id, cell, by.out);
      t.at = t.at.with(cell);
      t.queued = t.answered = t.read = false;
      t.since = clock::now();
    }
  }
  if (by.fd < 0 && !sockets_.open(by)) return on_closed(by, std::strerror(errno));
  sockets_.send(by);
}

void http_load::on_data(channel& c, std::string_view bytes) {
  if (c.number < readers_.size()) return on_stream_data(readers_[c.number], bytes);
  return on_answer(requesters_[c.number - readers_.size()], bytes);
}

void http_load::on_closed(channel& c, std::string_view why) {
  if (c.number < readers_.size()) {
    auto& r = readers_[c.number];
    // The hub may close an idle connection.
    if (!r.asked && !r.reading) return;
    r.out.clear();
    return fail_game(players_[c.number].at, why);
  }
  auto& a = requesters_[c.number - readers_.size()];
  a.out.clear();
  if (!std::exchange(a.busy, false)) return;
  free_requesters_.push_back(&a);
  fail_game(players_[a.here.player].at, why);
}

void http_load::on_answer(requester& from, std::string_view bytes) {
  using state = response_parser::state;
  if (!from.busy) return;
  const auto result = from.parser.receive(bytes);
  if (result == state::done)
    on_response(from, from.parser.here().status, from.parser.here().body);
  else if (result == state::failed)
    on_response(from, 0, bytes);
}

void http_load::on_response(requester& from, int status, std::string_view body) {
  ++counts_.requests;
  const auto [what, who] = from.here;
  from.busy = false;
  free_requesters_.push_back(&from);
  auto* const at = players_[who].at;
  // A request that crossed the end of its game is also an error for the hub.
  if (what == request::quit) return;
  if (status != 200)
    return fail_game(at, "the hub answered " + std::to_string(status) + ": " +
                             std::string{body.substr(0, answer_shown_bytes_max)});
  if (what == request::play) return on_seated(who, body);
  // The game failed meanwhile.
  if (at == nullptr) return;
  at->answered = true;
  if (!plan_.streams) {
    ++counts_.moves;
    counts_.latency.add(sockets_.received_at() - at->since);
    at->read = true;
  }
  move_is_known(*at);
}

void http_load::on_seated(std::uint32_t who, std::string_view body) {
  if (leaving_) return pending_.push_back({request::quit, who});
  if (plan_.blind) {
    players_[who].seated = true;
    const auto other = who ^ 1U;
    if (!players_[other].seated) return;
    players_[who].seated = players_[other].seated = false;
    return pair_up({}, who, other, true);
  }
  const auto seat = read_seat_answer(body);
  if (!seat)
    return faults_.add("no seat in a new game: " +
                       std::string{body.substr(0, answer_shown_bytes_max)});
  const auto [at, alone] = waiting_.emplace(std::string{seat->game}, who);
  if (alone) return;
  auto game = waiting_.extract(at);
  pair_up(std::move(game.key()), who, game.mapped(), seat->plays_x);
}

void http_load::pair_up(std::string game, std::uint32_t one, std::uint32_t other,
                        bool one_plays_x) {
  if (free_tables_.empty()) free_tables_.push_back(&tables_.emplace_back());
  auto& t = *free_tables_.back();
  free_tables_.pop_back();
  t = table{};
  t.game = std::move(game);
  t.players = {one_plays_x ? one : other, one_plays_x ? other : one};
  t.live = true;
  t.since = sockets_.received_at();
  for (const auto each : t.players) players_[each].at = &t;
  ++playing_;
  if (!plan_.streams) return begin(t);
  for (const auto each : t.players) streams_wanted_.push_back(each);
}

// Both players see the game.
void http_load::begin(table& t) {
  if (begun_ < static_cast<std::size_t>(plan_.games)) ++begun_;
  want_move(t);
}

void http_load::want_move(table& t) {
  if (t.queued || leaving_) return;
  t.queued = true;
  if (!plan_.idle) moves_wanted_.push_back(&t);
}

// The game continues when the move is answered and the opponent has read it.
void http_load::move_is_known(table& t) {
  if (!t.answered || !t.read) return;
  if (ending_of(t.at) == ending::none) return want_move(t);
  if (!plan_.streams || t.closed == 2) end(t);
}

void http_load::end(table& t) {
  counts_.seats_ended += 2;
  --playing_;
  for (const auto each : t.players) {
    players_[each].at = nullptr;
    if (!leaving_) pending_.push_back({request::play, each});
  }
  t.live = false;
  free_tables_.push_back(&t);
}

// A failed game ends, and its players play no more.
void http_load::fail_game(table* t, std::string_view why) {
  faults_.add(why);
  if (t == nullptr || !std::exchange(t->live, false)) return;
  --playing_;
  for (const auto each : t->players) {
    players_[each].at = nullptr;
    if (!plan_.streams) continue;
    auto& r = readers_[each];
    if (std::exchange(r.asked, false)) --streams_unanswered_;
    r.reading = false;
    sockets_.close(r);
  }
  std::erase(moves_wanted_, t);
  free_tables_.push_back(t);
}

void http_load::open_streams() {
  while (!streams_wanted_.empty() && streams_unanswered_ < streams_unanswered_max) {
    const auto who = streams_wanted_.front();
    streams_wanted_.pop_front();
    auto& by = readers_[who];
    const auto* at = players_[who].at;
    if (at == nullptr) continue;
    by.asked = true;
    by.parser.reset();
    ++streams_unanswered_;
    append_reading(at->game, players_[who].id, by.out);
    if (by.fd < 0 && !sockets_.open(by))
      on_closed(by, std::strerror(errno));
    else
      sockets_.send(by);
  }
}

void http_load::on_stream_data(reader& from, std::string_view bytes) {
  using state = response_parser::state;
  const auto result = from.parser.receive(bytes);
  if (from.asked && (result != state::reading || from.parser.has_header())) on_stream_begun(from);
  if (from.reading) on_lines(from);
  if (!from.reading) return;
  if (result == state::failed)
    fail_game(players_[from.number].at, "a stream has an invalid chunk");
  else if (result == state::done)
    stream_ended(from);
}

void http_load::on_stream_begun(reader& from) {
  from.asked = false;
  --streams_unanswered_;
  const auto status = from.parser.here().status;
  if (status != 200 || !from.parser.is_chunked())
    return fail_game(players_[from.number].at,
                     "a stream was answered by " + std::to_string(status));
  from.reading = true;
  from.shown = from.over = false;
  from.last = 0;
  from.seen = {};
}

// Takes the complete lines of what is read of the stream.
void http_load::on_lines(reader& from) {
  auto& body = from.parser.here().body;
  std::size_t taken = 0;
  while (from.reading) {
    const auto end = body.find('\n', taken);
    if (end == body.npos) break;
    // An empty line keeps a quiet stream open.
    if (end > taken) on_update(from, std::string_view{body}.substr(taken, end - taken));
    taken = end + 1;
  }
  body.erase(0, taken);
}

void http_load::on_update(reader& from, std::string_view line) {
  auto* const at = players_[from.number].at;
  if (at == nullptr) return;
  const auto update = read_update(line);
  if (!update)
    return fail_game(at, "no update: " + std::string{line.substr(0, answer_shown_bytes_max)});
  if (update->what == update_message::kind::live) return;
  if (update->number != from.last + 1) return fail_game(at, "updates have a gap");
  from.last = update->number;
  if (from.over) return fail_game(at, "an update came after the end");
  switch (update->what) {
    case update_message::kind::status:
      if (from.shown || update->board != board{}) return fail_game(at, "a game began with a mark");
      from.shown = true;
      if (++at->shown == 2) begin(*at);
      return;
    case update_message::kind::move: return on_move(from, *update);
    case update_message::kind::end: from.over = true; return;
    case update_message::kind::live:
    case update_message::kind::other: return;
  }
}

void http_load::on_move(reader& from, const update_message& update) {
  auto& t = *players_[from.number].at;
  const auto& after = update.board;
  if (after.moves() != from.seen.moves() + 1 || !part_of(from.seen, after) || !part_of(after, t.at))
    return fail_game(&t, "a board differs from the position after the move");
  if (update.end != ending_of(after))
    return fail_game(&t, "a game ended differently than by its rules");
  from.seen = after;
  // The mover receives the move, too.
  const auto reads = t.players[after.x_to_move() ? 0 : 1];
  if (reads != from.number || after != t.at) return;
  ++counts_.moves;
  counts_.latency.add(sockets_.received_at() - t.since);
  t.read = true;
  move_is_known(t);
}

void http_load::stream_ended(reader& from) {
  from.reading = false;
  auto* const at = players_[from.number].at;
  if (at == nullptr) return;
  if (!from.over && !leaving_) return fail_game(at, "a stream ended before its game");
  ++at->closed;
  move_is_known(*at);
}

}  // namespace gamehub::tools::bench
