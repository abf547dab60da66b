#include "hub/app/bench/udp_load.hpp"

#include <string>
#include <utility>

namespace gamehub::app::bench {
namespace {

// The smallest socket buffers in use hold as many datagrams of a byte.
constexpr std::size_t unanswered_max = 256;
// A hub keeps only so many who have asked for a game and said nothing else.
constexpr std::size_t opening_max = 4096;
constexpr std::chrono::seconds again_after{1};
// How often it is looked who waits for so long.
constexpr std::chrono::milliseconds look_every{200};
constexpr std::chrono::milliseconds wait_max{20};
// For nothing to begin any more, and for nothing to be heard from a hub that is left.
constexpr std::chrono::seconds patience{15};
constexpr std::chrono::milliseconds farewell{500};

}  // namespace

udp_load::udp_load(std::unique_ptr<udp_sockets> sockets, std::size_t games, bool idle)
    : sockets_(std::move(sockets)), places_(games), idle_(idle), now_(clock::now()) {}

bool udp_load::open(const stop_requested& stop) {
  now_ = looked_at_ = clock::now();
  std::uint32_t begun = 0;
  const auto begin_more = [&] {
    for (; begun < places_.size() && begun < opened_ + opening_max; ++begun) {
      places_[begun].player.begin();
      enqueue(begun);
    }
  };
  begin_more();
  auto opened = opened_;
  auto give_up = clock::now() + patience;
  while (opened_ < places_.size() && !stop()) {
    step();
    if (opened_ == opened) {
      if (now_ > give_up) break;
      continue;
    }
    opened = opened_;
    give_up = now_ + patience;
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
    if (each.unanswered && each.asked_at < now_ - time)
      faults_.add("a player heard nothing for " + std::to_string(time.count()) + " s");
}

void udp_load::leave() {
  leaving_ = true;
  wanted_.clear();
  for (auto& each : places_) each.queued = each.unanswered = false;
  unanswered_ = 0;
  for (std::uint32_t i = 0; i < places_.size(); ++i)
    if (places_[i].player.resign() != 0) enqueue(i);
  auto heard = counts_.datagrams_received;
  auto give_up = clock::now() + farewell;
  while ((unanswered_ > 0 || !wanted_.empty()) && clock::now() < give_up) {
    step();
    if (std::exchange(heard, counts_.datagrams_received) == counts_.datagrams_received) continue;
    give_up = clock::now() + farewell;
  }
}

void udp_load::step() {
  send_queued();
  const auto came = sockets_->receive(wait_max);
  now_ = clock::now();
  for (const auto each : came) hear(each);
  if (now_ - looked_at_ < look_every) return;
  looked_at_ = now_;
  repeat_late();
}

void udp_load::hear(udp_byte what) {
  if (what.player >= places_.size()) return;
  ++counts_.datagrams_received;
  auto& at = places_[what.player];
  // A game that stands says nothing, also where the hub says its last byte again.
  if (idle_ && at.opened && !leaving_) return;
  const bool played_before = at.player.playing();
  const auto done = at.player.hear(what.byte, dice_.next());
  if (!done.fault.empty()) faults_.add(done.fault);
  counts_.moves += static_cast<std::uint64_t>(done.moves);
  if (done.ended) counts_.seats_ended += 2;
  if (at.unanswered && done.answered) {
    at.unanswered = false;
    --unanswered_;
    counts_.latency.add(now_ - at.asked_at);
  }
  follow_game(at, played_before);
  if (idle_ && at.opened && !leaving_) return;
  if (at.player.away()) {
    if (leaving_) return;
    at.player.begin();
    enqueue(what.player);
  } else if (done.say != 0) {
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
  wanted_.push_back(player);
}

void udp_load::send_queued() {
  const auto now = clock::now();
  while (!wanted_.empty() && unanswered_ < unanswered_max) {
    const auto player = wanted_.front();
    wanted_.pop_front();
    auto& at = places_[player];
    at.queued = false;
    if (!std::exchange(at.unanswered, true)) ++unanswered_;
    at.asked_at = at.sent_at = now;
    say(player);
  }
  sockets_->flush();
}

void udp_load::say(std::uint32_t player) {
  ++counts_.datagrams_sent;
  sockets_->send({player, places_[player].player.last_said()});
}

void udp_load::repeat_late() {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    auto& at = places_[i];
    if (!at.unanswered || now_ - at.sent_at < again_after) continue;
    at.sent_at = now_;
    ++counts_.datagrams_repeated;
    say(i);
  }
  sockets_->flush();
}

}  // namespace gamehub::app::bench
