#include "tools/bench/udp_load.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gamehub::tools::bench {
namespace {

// The smallest common socket buffers hold this number of one-byte datagrams.
constexpr std::size_t udp_unanswered_max = 256;
// A hub accepts only this number of clients that have only asked for a game.
constexpr std::size_t opening_max = 4096;
constexpr std::chrono::seconds again_after{1};
// The interval of checks for late answers.
constexpr std::chrono::milliseconds check_interval{200};
constexpr std::chrono::milliseconds udp_wait_max{20};
// The moves that may be made up for at once, if the load or the hub is late.
constexpr std::chrono::milliseconds udp_arrears_max{100};
// Without progress for this time, opening and leaving end.
constexpr std::chrono::seconds udp_patience{15};
constexpr std::chrono::milliseconds farewell{500};

}  // namespace

udp_load::udp_load(std::unique_ptr<udp_sockets> sockets, const udp_plan& plan)
    : sockets_(std::move(sockets)), plan_(plan), places_(plan.games), now_(clock::now()) {}

bool udp_load::open(const stop_requested& stop) {
  now_ = checked_at_ = clock::now();
  std::uint32_t begun = 0;
  const auto begin_more = [&] {
    for (; begun < places_.size() && begun < opened_ + opening_max; ++begun) {
      places_[begun].player.begin();
      enqueue(begun);
    }
  };
  begin_more();
  auto opened = opened_;
  auto deadline = clock::now() + udp_patience;
  while (opened_ < places_.size() && !stop()) {
    step();
    if (opened_ == opened) {
      if (now_ > deadline) break;
      continue;
    }
    opened = opened_;
    deadline = now_ + udp_patience;
    begin_more();
  }
  if (opened_ == places_.size()) return true;
  if (!stop())
    faults_.add("only " + std::to_string(opened_) + " of " + std::to_string(places_.size()) +
                " games began");
  return false;
}

void udp_load::play(clock::time_point until, const stop_requested& stop) {
  holds_moves_ = plan_.idle;
  while (clock::now() < until && !stop()) step();
}

void udp_load::find_stalled(std::chrono::seconds time) {
  for (const auto& each : unanswered_)
    if (each.first_sent_at < now_ - time)
      faults_.add("a player received nothing for " + std::to_string(time.count()) + " s");
}

void udp_load::leave() {
  leaving_ = true;
  queue_.clear();
  moves_.clear();
  unanswered_.clear();
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    auto& at = places_[i];
    at.queued = place_in::nothing;
    at.waits_at = nowhere;
    if (at.player.resign() != 0) enqueue(i);
  }
  auto received = counts_.datagrams_received;
  auto deadline = clock::now() + farewell;
  while ((!unanswered_.empty() || !queue_.empty()) && clock::now() < deadline) {
    step();
    if (std::exchange(received, counts_.datagrams_received) == counts_.datagrams_received) continue;
    deadline = clock::now() + farewell;
  }
}

void udp_load::step() {
  release_moves();
  send_queued();
  const auto came = sockets_->receive(wait_time());
  now_ = clock::now();
  for (const auto each : came) on_data(each);
  if (now_ - checked_at_ < check_interval) return;
  checked_at_ = now_;
  repeat_late();
}

// Moves are at most a millisecond late, and udp_arrears_max makes up for it.
std::chrono::milliseconds udp_load::wait_time() const {
  if (holds_moves_ || moves_.empty()) return udp_wait_max;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_move_at_ - clock::now());
  return std::clamp(left, std::chrono::milliseconds{0}, udp_wait_max);
}

void udp_load::on_data(udp_byte what) {
  if (what.player >= places_.size()) return;
  ++counts_.datagrams_received;
  auto& at = places_[what.player];
  const bool played_before = at.player.playing();
  const auto done = at.player.on_data(what.byte, dice_.next());
  if (!done.fault.empty()) faults_.add(done.fault);
  counts_.moves += static_cast<std::uint64_t>(done.moves);
  if (done.ended) counts_.seats_ended += 2;
  if (done.answered) take_answer(at);
  follow_game(at, played_before);
  if (at.player.away()) {
    if (leaving_) return;
    // The hub makes the first move.
    if (at.player.begin() == 'B') count_moves(1);
    enqueue(what.player);
  } else if (done.chose && at.player.playing()) {
    enqueue_move(what.player);
  } else if (done.reply != 0) {
    // The first move of a game does not wait, because it begins the game, but it counts.
    if (done.chose) count_moves(2);
    enqueue(what.player);
  }
}

void udp_load::take_answer(place& at) {
  if (at.waits_at == nowhere) return;
  auto& byte = unanswered_[std::exchange(at.waits_at, nowhere)];
  counts_.latency.add(now_ - byte.first_sent_at);
  if (&byte != &unanswered_.back()) {
    byte = unanswered_.back();
    places_[byte.player].waits_at = static_cast<std::uint32_t>(&byte - unanswered_.data());
  }
  unanswered_.pop_back();
}

void udp_load::follow_game(place& at, bool played_before) {
  if (at.player.playing() == played_before) return;
  if (played_before) {
    --playing_;
    return;
  }
  ++playing_;
  if (!std::exchange(at.opened, true)) ++opened_;
}

void udp_load::enqueue(std::uint32_t player) {
  if (std::exchange(places_[player].queued, place_in::bytes) == place_in::bytes) return;
  queue_.push_back(player);
}

void udp_load::enqueue_move(std::uint32_t player) {
  auto& queued = places_[player].queued;
  if (queued != place_in::nothing) return;
  queued = place_in::moves;
  moves_.push_back(player);
}

void udp_load::count_moves(int more) {
  if (plan_.rate > 0) next_move_at_ += more * clock::duration{std::chrono::seconds{1}} / plan_.rate;
}

void udp_load::release_moves() {
  if (holds_moves_ || moves_.empty()) return;
  const auto now = clock::now();
  next_move_at_ = std::max(next_move_at_, now - udp_arrears_max);
  while (!moves_.empty() && next_move_at_ <= now) {
    const auto player = moves_.front();
    moves_.pop_front();
    // It had to send another byte in the meantime.
    if (places_[player].queued != place_in::moves) continue;
    // The hub answers it with one.
    count_moves(2);
    enqueue(player);
  }
}

void udp_load::send_queued() {
  const auto now = clock::now();
  while (!queue_.empty() && unanswered_.size() < udp_unanswered_max) {
    const auto player = queue_.front();
    queue_.pop_front();
    auto& at = places_[player];
    at.queued = place_in::nothing;
    if (at.waits_at == nowhere) {
      at.waits_at = static_cast<std::uint32_t>(unanswered_.size());
      unanswered_.push_back({player, now, now});
    } else {
      auto& byte = unanswered_[at.waits_at];
      byte.first_sent_at = byte.sent_at = now;
    }
    send_byte(player);
  }
  sockets_->flush();
}

void udp_load::send_byte(std::uint32_t player) {
  ++counts_.datagrams_sent;
  sockets_->send({player, places_[player].player.last_sent()});
}

void udp_load::repeat_late() {
  for (auto& each : unanswered_) {
    if (now_ - each.sent_at < again_after) continue;
    each.sent_at = now_;
    ++counts_.datagrams_repeated;
    send_byte(each.player);
  }
  sockets_->flush();
}

}  // namespace gamehub::tools::bench
