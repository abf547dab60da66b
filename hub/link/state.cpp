#include "hub/link/state.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::link {
namespace {

std::size_t cost_of(const std::string& message) { return message.size() + frame_overhead_max; }

}  // namespace

bool sender::send(std::string message) {
  const auto window = std::min<std::uint64_t>(bytes_max_, peer_window_);
  if (message.size() > message_bytes_max || bytes_ + cost_of(message) > window) return false;
  // Bytes that are reserved and not used would count for nothing.
  if (message.capacity() > message.size() + frame_overhead_max) message.shrink_to_fit();
  bytes_ += cost_of(message);
  kept_.push_back(std::move(message));
  return true;
}

std::uint64_t sender::connect() {
  open_ = false;
  return ++attempt_;
}

bool sender::on_answer(std::uint64_t received, std::uint64_t window) {
  if (received < acknowledged_ || received > written_) return false;
  forget(received);
  next_ = received + 1;
  peer_window_ = window;
  open_ = true;
  return true;
}

bool sender::on_acknowledge(std::uint64_t received, std::uint64_t window) {
  if (!open_ || received < acknowledged_ || received >= next_) return false;
  forget(received);
  peer_window_ = window;
  return true;
}

void sender::forget(std::uint64_t up_to) {
  for (; acknowledged_ < up_to; ++acknowledged_) {
    bytes_ -= cost_of(kept_.front());
    kept_.pop_front();
  }
}

std::size_t sender::write(std::string& out, std::size_t bytes_enough) {
  std::size_t count = 0;
  for (; has_more() && out.size() < bytes_enough; ++count, ++next_) {
    append_message(next_, kept_[static_cast<std::size_t>(next_ - acknowledged_ - 1)], out);
    if (next_ <= written_) ++repeated_;
    written_ = std::max(written_, next_);
  }
  return count;
}

bool receiver::fits(const hello& h, std::uint64_t written) const {
  return h.attempt > attempt_ && h.acknowledged <= received_ && received_ <= h.sent &&
         h.received <= written;
}

receiver::arrival receiver::take(std::uint64_t number) {
  if (number <= received_) return arrival::duplicate;
  if (number - received_ > 1) return arrival::gap;
  ++received_;
  return arrival::next;
}

std::optional<std::uint32_t> common_version(std::uint32_t least, std::uint32_t greatest) {
  const auto common = std::min(greatest, version_greatest);
  if (common < std::max(least, version_least)) return std::nullopt;
  return common;
}

void pulse::on_write(base::instant now) {
  said_ = writing_since_ = now;
  writing_ = true;
}

void pulse::on_progress(base::instant now, bool done) {
  said_ = writing_since_ = now;
  writing_ = !done;
}

pulse::verdict pulse::check(base::instant now) {
  const auto away = now - std::exchange(checked_, now);
  if (away > by_.beat) {
    heard_ = std::min(heard_ + away, now);
    writing_since_ = std::min(writing_since_ + away, now);
  }
  verdict v;
  v.silent = now - heard_ > by_.silence_max || (writing_ && now - writing_since_ > by_.silence_max);
  v.ping = !writing_ && now - said_ >= by_.beat;
  return v;
}

base::duration reconnect_pause::next() {
  const auto most = std::chrono::duration_cast<std::chrono::microseconds>(now_);
  now_ = std::min(2 * now_, most_);
  const auto half = static_cast<std::uint64_t>(most.count()) / 2;
  return std::chrono::microseconds{half + random_.below(half + 1)};
}

}  // namespace gamehub::link
