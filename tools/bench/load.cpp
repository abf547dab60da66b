#include "tools/bench/load.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gamehub::tools::bench {
namespace {

// Limit of unanswered connections while the games are opened, because a hub's backlog is finite.
constexpr std::size_t unanswered_max = 64;
// Without a new game for this time, opening ends.
constexpr std::chrono::seconds patience{15};
constexpr std::size_t load_read_bytes_max = 64 * 1024;
constexpr int wait_milliseconds_max = 20;
// While moves wait for their time.
constexpr int paced_wait_milliseconds = 1;
// Moves that are late by more than this are not made up for.
constexpr std::chrono::milliseconds arrears_max{10};
constexpr std::chrono::milliseconds redial_pause{100};
// A hub asks others at once only if no other player came in the last 10 ms (hub/relay/README.md).
constexpr std::chrono::milliseconds across_pause{15};
// A start or move that has waited this long at the end counts with that time.
constexpr std::chrono::seconds waiting_counts_after{1};

// The games of a connection have increasing numbers, so its seats are sorted.
bool by_game(const bench_seat* s, std::int64_t game) { return s->game < game; }

}  // namespace

struct load::connection {
  int fd = -1;
  std::size_t port = 0;  // of those of the connector
  int places = 1;
  int taken = 0;  // seats in which a game has begun since the start
  bool answered = false;
  bool writing = false;                       // what is in `out` did not fit into the socket
  std::optional<clock::time_point> asked_at;  // a client of one game at a time waits for it
  std::string in, out;                        // an unfinished message; what has to be sent
  std::vector<bench_seat*> seats;
};

load::load(const wire& w, connector& d, const load_plan& plan)
    : wire_(w),
      connector_(d),
      plan_(plan),
      connections_(static_cast<std::size_t>(plan.connections)),
      holds_moves_(plan.across),
      buffer_(load_read_bytes_max),
      epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  const auto places = 2 * plan.games;
  for (int i = 0; i < plan.connections; ++i) {
    auto& c = connections_[static_cast<std::size_t>(i)];
    c.places = places / plan.connections + (i < places % plan.connections ? 1 : 0);
    const auto number = static_cast<std::size_t>(i);
    c.port = plan.across ? number % d.ports() : number * d.ports() / connections_.size();
  }
}

load::~load() {
  for (auto& c : connections_)
    if (c.fd >= 0) close(c.fd);
  close(epoll_);
}

bool load::open(const stop_requested& stop) {
  const auto places = 2 * static_cast<std::size_t>(plan_.games);
  auto taken = taken_;
  auto deadline = clock::now() + patience;
  while (taken_ < places && !stop()) {
    dial_more();
    step();
    if (taken_ == taken) {
      if (clock::now() > deadline) break;
      continue;
    }
    taken = taken_;
    deadline = clock::now() + patience;
  }
  holds_moves_ = false;
  if (taken_ >= places) return true;
  if (!stop())
    faults_.add("only " + std::to_string(taken_ / 2) + " of " + std::to_string(plan_.games) +
                " games began");
  return false;
}

void load::play(clock::time_point until, const stop_requested& stop) {
  while (clock::now() < until && !stop()) step();
}

void load::find_stalled(std::chrono::seconds time) {
  const auto now = clock::now();
  const auto before = now - time;
  for (const auto& c : connections_) {
    if (c.asked_at && now - *c.asked_at > waiting_counts_after)
      counts_.starts.add(now - *c.asked_at);
    for (const auto* s : c.seats) {
      if (s->awaited && now - s->awaited_since > waiting_counts_after)
        counts_.latency.add(now - s->awaited_since);
      if (s->playing && s->received_at < before && (s->plays_x == true || s->seen.moves() > 0))
        faults_.add("a player received nothing for " + std::to_string(time.count()) + " s");
    }
  }
}

void load::step() {
  std::array<epoll_event, 512> events;
  if (!redials_.empty()) redial_due();
  if (!moves_wanted_.empty() && !holds_moves_) make_due_moves();
  const auto n = epoll_wait(epoll_, events.data(), events.size(), wait_milliseconds());
  for (int i = 0; i < n; ++i) {
    const auto& e = events[static_cast<std::size_t>(i)];
    auto& c = *static_cast<connection*>(e.data.ptr);
    if (c.fd >= 0 && (e.events & EPOLLOUT) != 0) send(c);
    if (c.fd >= 0 && (e.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) readable(c);
  }
}

int load::wait_milliseconds() const {
  return moves_wanted_.empty() ? wait_milliseconds_max : paced_wait_milliseconds;
}

bool load::moves_wait() const {
  return plan_.rate > 0 || plan_.think > plan_.think.zero() || holds_moves_;
}

clock::time_point load::thought_by() {
  using microseconds = std::chrono::microseconds;
  const microseconds most = plan_.think;
  return received_at_ +
         microseconds{std::uniform_int_distribution<std::int64_t>{0, most.count()}(random_)};
}

void load::make_due_moves() {
  for (const auto now = clock::now(); !moves_wanted_.empty() && next_move_at_ <= now;) {
    if (moves_wanted_.begin()->first > now) break;
    const auto next = moves_wanted_.extract(moves_wanted_.begin()).mapped();
    auto* s = find(*next.by, next.game);
    if (s == nullptr || !s->to_move) continue;
    if (plan_.rate > 0)
      next_move_at_ = std::max<clock::time_point>(next_move_at_, now - arrears_max) +
                      clock::duration{std::chrono::seconds{1}} / plan_.rate;
    make_move(*next.by, *s);
  }
}

void load::redial_due() {
  for (const auto now = clock::now(); !redials_.empty() && redials_.front().at <= now;) {
    auto& c = *redials_.front().by;
    redials_.pop_front();
    dial(c);
  }
}

void load::dial_more() {
  while (dialled_ < connections_.size() && dialled_ - answered_ < unanswered_max) {
    if (plan_.across) {
      if (dialled_ != answered_ || clock::now() < next_dial_at_) return;
      next_dial_at_ = clock::now() + across_pause;
    }
    dial(connections_[dialled_++]);
  }
}

void load::dial(connection& c) {
  if (!c.asked_at && c.places == 1) c.asked_at = clock::now();
  c.fd = connector_.dial(c.port);
  if (c.fd < 0) return drop(c, std::string{"can't connect: "} + std::strerror(errno));
  epoll_event e{};
  e.events = EPOLLIN;
  e.data.ptr = &c;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, c.fd, &e);
  wire_.greet(c.places, c.out);
  send(c);
}

void load::hang_up(connection& c) {
  if (c.fd >= 0) connector_.hang_up(c.fd);
  c.fd = -1;
  c.writing = false;
  c.in.clear();
  c.out.clear();
}

// Closes the connection after an error, and ends its games.
void load::drop(connection& c, std::string_view why) {
  faults_.add(why);
  hang_up(c);
  if (!std::exchange(c.answered, true)) ++answered_;
  while (!c.seats.empty()) {
    auto& s = *c.seats.back();
    if (s.playing) --playing_;
    openings_.release(s);
    part(s);
    c.seats.pop_back();
    free_seats_.push_back(&s);
  }
  if (plan_.redial) redials_.push_back({clock::now() + redial_pause, &c});
}

void load::watch(connection& c, bool for_writing) {
  c.writing = for_writing;
  epoll_event e{};
  e.events = EPOLLIN | (for_writing ? EPOLLOUT : 0U);
  e.data.ptr = &c;
  epoll_ctl(epoll_, EPOLL_CTL_MOD, c.fd, &e);
}

void load::send(connection& c) {
  const auto n = c.out.empty() ? 0 : ::send(c.fd, c.out.data(), c.out.size(), MSG_NOSIGNAL);
  // If the connection failed, reading reports the cause.
  if (n > 0) c.out.erase(0, static_cast<std::size_t>(n));
  if (c.writing == c.out.empty()) watch(c, !c.out.empty());
}

void load::readable(connection& c) {
  const auto n = recv(c.fd, buffer_.data(), buffer_.size(), 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n == 0) return drop(c, "the hub closed a connection");
  if (n < 0) return drop(c, std::strerror(errno));
  received_at_ = clock::now();
  if (!std::exchange(c.answered, true)) ++answered_;
  std::string_view bytes{buffer_.data(), static_cast<std::size_t>(n)};
  // Messages may refer to kept bytes.
  std::string kept;
  if (!c.in.empty()) {
    kept = std::exchange(c.in, {}).append(bytes);
    bytes = kept;
  }
  messages_.clear();
  const auto used = wire_.read(bytes, messages_);
  c.in.assign(bytes.substr(used));
  for (const auto& t : messages_)
    if (!on_data(c, t)) return;
  if (!c.out.empty() && !c.writing) send(c);
}

bool load::on_data(connection& c, const server_message& t) {
  auto* s = find(c, t.game);
  switch (t.what) {
    case server_message::kind::open: wire_.join(c.places, c.out); return true;
    case server_message::kind::welcome: return true;
    case server_message::kind::token:
      if (s == nullptr) {
        s = &begin(c, t.game);
        s->plays_x = t.mark == 'X';
        if (t.mark == 'O') mark_playing(c, *s);
      }
      return true;
    case server_message::kind::started: mark_playing(c, begin(c, t.game)); return true;
    case server_message::kind::state:
      if (s != nullptr) on_state(c, *s, t);
      return true;
    case server_message::kind::turn:
      if (s == nullptr) return true;
      if (!s->plays_x) s->plays_x = s->seen.x_to_move();
      s->to_move = !plan_.idle;
      if (s->to_move && moves_wait())
        moves_wanted_.emplace(thought_by(), wanted_move{&c, s->game});
      else if (s->to_move)
        make_move(c, *s);
      return true;
    case server_message::kind::over: return s == nullptr || end(c, *s);
    case server_message::kind::refused:
      drop(c, "the hub refused: " + std::string{t.text});
      return false;
  }
  return true;
}

bench_seat* load::find(connection& c, std::int64_t game) {
  const auto at = std::lower_bound(c.seats.begin(), c.seats.end(), game, by_game);
  return at == c.seats.end() || (*at)->game != game ? nullptr : *at;
}

bench_seat& load::begin(connection& c, std::int64_t game) {
  if (free_seats_.empty()) free_seats_.push_back(&seats_.emplace_back());
  auto& s = *free_seats_.back();
  free_seats_.pop_back();
  s = bench_seat{};
  s.game = game;
  s.received_at = received_at_;
  c.seats.push_back(&s);
  return s;
}

void load::mark_playing(connection& c, bench_seat& s) {
  if (std::exchange(s.playing, true)) return;
  ++playing_;
  if (c.asked_at) counts_.starts.add(received_at_ - *std::exchange(c.asked_at, {}));
  if (c.taken == c.places) return;
  ++c.taken;
  ++taken_;
}

void load::on_state(connection& c, bench_seat& s, const server_message& t) {
  mark_playing(c, s);
  s.received_at = received_at_;
  const auto moves = t.board.moves();
  const auto left = t.end != ending::none && ending_of(t.board) == ending::none;
  if (left && plan_.fresh && wire_.seats_again_unasked()) {
    ++counts_.walkovers;
    s.ended = s.walked_over = true;
    return;
  }
  if (t.end != ending_of(t.board))
    faults_.add(t.end == ending::none ? "a game continued after its end"
                                      : "a game ended differently than by its rules");
  else if (!(moves == 0 && s.seen == t.board) && !follows(s.seen, t.board))
    faults_.add("a board did not follow from the one before");
  s.seen = t.board;
  // The opponent of its first move is not a player of this load.
  if (moves > 1) openings_.release(s);
  // X is asked for a move before the board has any mark.
  if (moves > 0 && !s.plays_x) s.plays_x = false;
  // On some protocols the mover receives its own move.
  if (moves > 0 && s.plays_x == t.board.x_to_move()) time_move(s, t.board);
  if (t.end != ending::none) s.ended = true;
}

void load::time_move(bench_seat& s, board after) {
  ++counts_.moves;
  if (s.opponent == nullptr && after.moves() == 1) {
    auto* const mover = openings_.find_owner(after);
    if (mover == nullptr) return;
    s.awaited = std::exchange(mover->awaited, {});
    s.awaited_since = mover->awaited_since;
    openings_.release(*mover);
    join(s, *mover);
  }
  const auto awaited = std::exchange(s.awaited, {});
  if (awaited == after)
    counts_.latency.add(received_at_ - s.awaited_since);
  else
    part(s);
}

void load::make_move(connection& c, bench_seat& s) {
  s.to_move = false;
  if (ending_of(s.seen) != ending::none) return;
  const auto first = s.seen == board{};
  const auto cell = first ? openings_.choose(s) : scripts_.next(s.seen);
  if (auto* const reader = first && s.opening ? &s : s.opponent; reader != nullptr) {
    reader->awaited = s.seen.with(cell);
    reader->awaited_since = clock::now();
  }
  wire_.move(s.game, cell, c.out);
  if (!c.writing) send(c);
}

// The game is over for this seat. The next one may be on another connection.
bool load::end(connection& c, bench_seat& s) {
  if (s.ended && !s.playing) faults_.add("a game ended that had not begun");
  if (!s.ended) faults_.add("a game was closed without a result");
  if (s.ended && !s.walked_over) ++counts_.seats_ended;
  if (s.playing) --playing_;
  openings_.release(s);
  part(s);
  c.seats.erase(std::lower_bound(c.seats.begin(), c.seats.end(), s.game, by_game));
  free_seats_.push_back(&s);
  if (plan_.fresh) {
    hang_up(c);
    dial(c);
    return false;
  }
  if (c.places == 1) c.asked_at = received_at_;
  wire_.again(c.out);
  return true;
}

}  // namespace gamehub::tools::bench
