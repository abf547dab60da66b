#include "tools/bench/udp_load.hpp"

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
// Without progress for this time, opening and leaving end.
constexpr std::chrono::seconds udp_patience{15};
constexpr std::chrono::milliseconds farewell{500};

}  // namespace

udp_load::udp_load(std::unique_ptr<udp_sockets> sockets, std::size_t games, bool idle)
    : sockets_(std::move(sockets)), places_(games), idle_(idle), now_(clock::now()) {}

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
  while (clock::now() < until && !stop()) step();
}

void udp_load::find_stalled(std::chrono::seconds time) {
  for (const auto& each : places_)
    if (each.unanswered && each.first_sent_at < now_ - time)
      faults_.add("a player received nothing for " + std::to_string(time.count()) + " s");
}

void udp_load::leave() {
  leaving_ = true;
  queue_.clear();
  for (auto& each : places_) each.queued = each.unanswered = false;
  unanswered_ = 0;
  for (std::uint32_t i = 0; i < places_.size(); ++i)
    if (places_[i].player.resign() != 0) enqueue(i);
  auto received = counts_.datagrams_received;
  auto deadline = clock::now() + farewell;
  while ((unanswered_ > 0 || !queue_.empty()) && clock::now() < deadline) {
    step();
    if (std::exchange(received, counts_.datagrams_received) == counts_.datagrams_received) continue;
    deadline = clock::now() + farewell;
  }
}

void udp_load::step() {
  send_queued();
  const auto came = sockets_->receive(udp_wait_max);
  now_ = clock::now();
  for (const auto each : came) on_data(each);
  if (now_ - checked_at_ < check_interval) return;
  checked_at_ = now_;
  repeat_late();
}

void udp_load::on_data(udp_byte what) {
  if (what.player >= places_.size()) return;
  ++counts_.datagrams_received;
  auto& at = places_[what.player];
  // In an idle game the player sends nothing, even if the hub repeats its last byte.
  if (idle_ && at.opened && !leaving_) return;
  const bool played_before = at.player.playing();
  const auto done = at.player.on_data(what.byte, dice_.next());
  if (!done.fault.empty()) faults_.add(done.fault);
  counts_.moves += static_cast<std::uint64_t>(done.moves);
  if (done.ended) counts_.seats_ended += 2;
  if (at.unanswered && done.answered) {
    at.unanswered = false;
    --unanswered_;
    counts_.latency.add(now_ - at.first_sent_at);
  }
  follow_game(at, played_before);
  if (idle_ && at.opened && !leaving_) return;
  if (at.player.away()) {
    if (leaving_) return;
    at.player.begin();
    enqueue(what.player);
  } else if (done.reply != 0) {
    enqueue(what.player);
  }
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
  if (std::exchange(places_[player].queued, true)) return;
  queue_.push_back(player);
}

void udp_load::send_queued() {
  const auto now = clock::now();
  while (!queue_.empty() && unanswered_ < udp_unanswered_max) {
    const auto player = queue_.front();
    queue_.pop_front();
    auto& at = places_[player];
    at.queued = false;
    if (!std::exchange(at.unanswered, true)) ++unanswered_;
    at.first_sent_at = at.sent_at = now;
    send_byte(player);
  }
  sockets_->flush();
}

void udp_load::send_byte(std::uint32_t player) {
  ++counts_.datagrams_sent;
  sockets_->send({player, places_[player].player.last_sent()});
}

void udp_load::repeat_late() {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    auto& at = places_[i];
    if (!at.unanswered || now_ - at.sent_at < again_after) continue;
    at.sent_at = now_;
    ++counts_.datagrams_repeated;
    send_byte(i);
  }
  sockets_->flush();
}

}  // namespace gamehub::tools::bench
