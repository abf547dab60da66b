#include "tests/support/udp_client.hpp"

#include <chrono>

namespace gamehub::tests {
namespace {

constexpr auto patience = std::chrono::milliseconds{1'000};

}  // namespace

// It sends its first byte at the first time step.
udp_client::udp_client(const udp_habits& habits, std::uint64_t seed, base::instant now)
    : habits_(habits), dice_(seed), due_(now), last_said_(habits.hub_first ? 'B' : 'A') {}

std::string udp_client::receive(char byte, base::instant now) {
  if (state_ == state::gone || is_away_) return {};
  if (habits_.ignores_repeats && byte == last_heard_) return {};
  last_heard_ = byte;
  if (byte == 'C' || byte == 'D' || byte == 'S') return hear_end(byte, now);
  switch (state_) {
    case state::greeting: return hear_in_greeting(byte, now);
    case state::opening:
      if (byte == 'B') return again(now);
      return is_free(byte) ? hear_move(byte, now) : std::string{};
    case state::resigning: return {};
    case state::thinking:
      if (byte == 'I') return say('I', state::admitting, now);
      if (choice_ != '\0' && byte == choice_) return say('E', state::ending, now);
      return byte == hub_move_ ? say(byte, state::echoing, now) : "";
    case state::proposing: return hear_in_proposing(byte, now);
    case state::ending: return hear_in_ending(byte, now);
    case state::echoing: return hear_in_echoing(byte, now);
    case state::admitting: return hear_in_admitting(byte, now);
    case state::leaving: return byte == 'Q' ? go() : std::string{};
    case state::gone: break;
  }
  return {};
}

std::string udp_client::advance(base::instant now) {
  if (now < due_) return {};
  is_away_ = false;
  if (state_ == state::thinking) return propose(now);
  if (state_ == state::leaving && --farewells_ == 0) return go();
  if (state_ == state::opening && habits_.opens_again) return say('B', state::greeting, now);
  return again(now);
}

std::string udp_client::say(char byte, state next, base::instant now) {
  state_ = next;
  last_said_ = byte;
  return again(now);
}

std::string udp_client::again(base::instant now) {
  due_ = now + patience;
  return std::string(1, last_said_);
}

std::string udp_client::go() {
  state_ = state::gone;
  due_ = base::instant::max();
  return {};
}

std::string udp_client::hear_end(char byte, base::instant now) {
  if (state_ == state::leaving) return again(now);
  // The client's move that is not confirmed yet was the last one, unless the hub has won.
  if (byte != 'S') settle_own_move();
  result_ = byte;
  if (byte == 'D' && habits_.leaves_after_draw) {
    go();
    return std::string(1, last_said_);
  }
  auto out = say(byte, state::leaving, now);
  if (!habits_.waits_for_quit) go();
  return out;
}

std::string udp_client::hear_in_greeting(char byte, base::instant now) {
  if (!habits_.hub_first) return byte == 'A' ? think(now) : std::string{};
  if (byte == 'B') return say('E', state::opening, now);
  // A move tells just as well that the game has begun.
  return is_free(byte) && !habits_.strict_opening ? hear_move(byte, now) : std::string{};
}

std::string udp_client::hear_in_proposing(char byte, base::instant now) {
  if (habits_.any_digit_confirms && choice_ != '\0' && byte >= '0' && byte <= '9')
    return say('E', state::ending, now);
  // The hub has not heard the echo: what looked like the end of its turn was an old one.
  if (byte == hub_move_) return say(byte, state::echoing, now);
  if (byte == last_said_ && byte != choice_) return say(choice_, state::proposing, now);
  if (byte == choice_) return say('E', state::ending, now);
  if (byte == 'I') return say('I', state::admitting, now);
  if (!is_free(byte) || byte == idea_) return {};
  // Not the client's move: the hub has taken an old E for this turn's, and gone on.
  settle_own_move();
  return hear_move(byte, now);
}

std::string udp_client::hear_in_ending(char byte, base::instant now) {
  if (byte == 'I') return say('I', state::admitting, now);
  // The echo that was taken for the hub's consent was an old one.
  if (byte == 'W' || (byte == 'E' && habits_.any_digit_confirms))
    return say(choice_, state::proposing, now);
  if (!is_free(byte) || byte == choice_) return {};
  settle_own_move();
  return hear_move(byte, now);
}

std::string udp_client::hear_in_echoing(char byte, base::instant now) {
  if (byte == 'E') return think(now);
  if (byte == last_said_) return again(now);
  if (byte == 'I') return say('I', state::admitting, now);
  // The move that it echoes was an old one, and the hub is at this turn's already.
  return choice_ != '\0' ? hear_in_proposing(byte, now) : "";
}

std::string udp_client::hear_in_admitting(char byte, base::instant now) {
  if (byte == 'W' || byte == 'E') return think(now);
  if (byte == 'I') return again(now);
  // As in proposing: the hub has the move, or has even answered it.
  return choice_ != '\0' || byte == hub_move_ ? hear_in_proposing(byte, now) : "";
}

std::string udp_client::hear_move(char byte, base::instant now) {
  board_[static_cast<std::size_t>(byte - '0')] = own_mark() == 'X' ? 'O' : 'X';
  hub_move_ = byte;
  return say(byte, state::echoing, now);
}

void udp_client::settle_own_move() {
  if (choice_ == '\0') return;
  board_[static_cast<std::size_t>(choice_ - '0')] = own_mark();
  choice_ = idea_ = '\0';
  tried_ = false;
  ++moves_;
}

std::string udp_client::think(base::instant now) {
  if (habits_.resigns_at == moves_) return say('Q', state::resigning, now);
  state_ = state::thinking;
  due_ = now;
  if (habits_.falls_silent_at == moves_) {
    habits_.falls_silent_at.reset();
    is_away_ = true;
    due_ = now + habits_.silent_for;
  } else if (habits_.thinks_max.count() > 0) {
    due_ = now + base::duration{static_cast<base::duration::rep>(
                     dice_.below(static_cast<std::uint64_t>(habits_.thinks_max.count())))};
  }
  return due_ <= now ? propose(now) : std::string{};
}

std::string udp_client::propose(base::instant now) {
  if (choice_ == '\0') choice_ = any_free();
  if (choice_ == '\0') return again(now);
  if (!tried_ && happens(habits_.tries_bad_moves)) {
    tried_ = true;
    char bad = '9';
    for (char c = '0'; c <= '8'; ++c)
      if (!is_free(c) && happens(0.3)) bad = c;
    return say(bad, state::proposing, now);
  }
  tried_ = true;
  idea_ = happens(habits_.changes_its_mind) ? any_free() : choice_;
  return say(idea_, state::proposing, now);
}

bool udp_client::happens(double share) {
  return static_cast<double>(dice_.below(1'000)) < share * 1'000.0;
}

char udp_client::any_free() {
  std::string free;
  for (char c = '0'; c <= '8'; ++c)
    if (is_free(c)) free += c;
  return free.empty() ? '\0' : free[dice_.below(free.size())];
}

}  // namespace gamehub::tests
