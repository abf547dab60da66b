#include "hub/app/bench/http_load.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hub/core/entropy.hpp"

namespace gamehub::app::bench {
namespace {

constexpr std::chrono::milliseconds wait_max{20};
// While a move waits for its time.
constexpr std::chrono::milliseconds paced_wait{1};
// A pace that was not kept is not made up for.
constexpr std::chrono::milliseconds arrears_max{50};
// For nothing to begin any more, and for nothing to be heard from a hub that is left.
constexpr std::chrono::seconds patience{15}, farewell{2};
constexpr std::size_t answer_shown_bytes_max = 120;

}  // namespace

http_load::http_load(connector& d, const http_plan& plan)
    : plan_(plan),
      sockets_(d),
      players_(2 * static_cast<std::size_t>(plan.games)),
      requesters_(static_cast<std::size_t>(plan.connections)),
      readers_(plan.streams ? players_.size() : 0),
      next_move_at_(clock::now()) {
  // Nobody else's, and not those of a run before.
  system_entropy luck;
  const auto run = luck.secret();
  for (std::size_t i = 0; i < players_.size(); ++i)
    players_[i].id = run.substr(0, 32) + '-' + std::to_string(i);
  // Readers are numbered as their players, then come those who ask.
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
  for (std::uint32_t i = 0; i < players_.size(); ++i) wanted_.push_back({request::play, i});
  const auto games = static_cast<std::size_t>(plan_.games);
  auto begun = begun_;
  auto give_up_at = clock::now() + patience;
  while (begun_ < games && !stop()) {
    step();
    if (begun_ == begun) {
      if (clock::now() > give_up_at) break;
      continue;
    }
    begun = begun_;
    give_up_at = clock::now() + patience;
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
      faults_.add("a game stood still for " + std::to_string(time.count()) + " s");
}

void http_load::leave() {
  leaving_ = true;
  wanted_.clear();
  moves_wanted_.clear();
  streams_wanted_.clear();
  if (plan_.blind) return;
  for (const auto& t : tables_)
    if (t.live) wanted_.push_back({request::quit, t.players[0]});
  for (const auto& [game, who] : waiting_) wanted_.push_back({request::quit, who});
  auto left = wanted_.size();
  auto give_up_at = clock::now() + farewell;
  while ((!wanted_.empty() || free_requesters_.size() < requesters_.size()) && clock::now() < give_up_at) {
    step();
    if (std::exchange(left, wanted_.size()) != wanted_.size()) give_up_at = clock::now() + farewell;
  }
}

void http_load::step() {
  open_streams();
  send_requests();
  sockets_.wait(moves_wanted_.empty() ? wait_max : paced_wait, *this);
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

std::optional<http_load::wanted> http_load::next_request() {
  if (!wanted_.empty()) {
    const auto next = wanted_.front();
    wanted_.pop_front();
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
  return wanted{request::move, t.players[t.at.x_to_move() ? 0 : 1]};
}

void http_load::ask(requester& by, wanted what) {
  auto& who = players_[what.player];
  by.here = what;
  by.busy = true;
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
  if (by.fd < 0 && !sockets_.open(by)) return lost(by, std::strerror(errno));
  sockets_.send(by);
}

std::size_t http_load::hear(channel& c, std::string_view bytes) {
  if (c.number < readers_.size()) return hear_stream(readers_[c.number], bytes);
  return hear_answer(requesters_[c.number - readers_.size()], bytes);
}

void http_load::lost(channel& c, std::string_view why) {
  if (c.number < readers_.size()) {
    auto& r = readers_[c.number];
    // Between two games the hub may close it.
    if (!r.asked && !r.reading) return;
    r.out.clear();
    return give_up(players_[c.number].at, why);
  }
  auto& a = requesters_[c.number - readers_.size()];
  a.out.clear();
  if (!std::exchange(a.busy, false)) return;
  free_requesters_.push_back(&a);
  give_up(players_[a.here.player].at, why);
}

std::size_t http_load::hear_answer(requester& from, std::string_view bytes) {
  const auto head = read_head(bytes);
  if (!head || bytes.size() < head->bytes + head->body_bytes) return 0;
  answered(from, head->status, bytes.substr(head->bytes, head->body_bytes));
  return head->bytes + head->body_bytes;
}

void http_load::answered(requester& from, int status, std::string_view body) {
  ++counts_.requests;
  const auto [what, who] = from.here;
  from.busy = false;
  free_requesters_.push_back(&from);
  auto* const at = players_[who].at;
  // What crossed the end of its game is an error to the hub, too.
  if (what == request::quit) return;
  if (status != 200)
    return give_up(at, "the hub answered " + std::to_string(status) + ": " +
                           std::string{body.substr(0, answer_shown_bytes_max)});
  if (what == request::play) return on_seated(who, body);
  // Given up meanwhile.
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
  if (leaving_) return wanted_.push_back({request::quit, who});
  if (plan_.blind) {
    players_[who].seated = true;
    const auto other = who ^ 1U;
    if (!players_[other].seated) return;
    players_[who].seated = players_[other].seated = false;
    return pair_up({}, who, other, true);
  }
  const auto told = read_place(body);
  if (!told)
    return faults_.add("no place at a new game: " + std::string{body.substr(0, answer_shown_bytes_max)});
  const auto [at, alone] = waiting_.emplace(std::string{told->game}, who);
  if (alone) return;
  auto game = waiting_.extract(at);
  pair_up(std::move(game.key()), who, game.mapped(), told->plays_x);
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

// Everybody who shall see it does.
void http_load::begin(table& t) {
  if (begun_ < static_cast<std::size_t>(plan_.games)) ++begun_;
  want_move(t);
}

void http_load::want_move(table& t) {
  if (t.queued || leaving_) return;
  t.queued = true;
  if (!plan_.idle) moves_wanted_.push_back(&t);
}

// Once all have heard of it who should, the game goes on.
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
    if (!leaving_) wanted_.push_back({request::play, each});
  }
  t.live = false;
  free_tables_.push_back(&t);
}

// A game that went wrong is played no more, and its players rest.
void http_load::give_up(table* t, std::string_view why) {
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

}  // namespace gamehub::app::bench
