#include "tools/bench/udp_player.hpp"

namespace gamehub::tools::bench {

char udp_player::begin() {
  hub_first_ = !hub_first_;
  board_ = {};
  choice_ = hub_move_ = 0;
  began_ = false;
  return reply(hub_first_ ? 'B' : 'A', state::opening).reply;
}

char udp_player::resign() {
  // The hub may have begun a game whose first byte has not arrived.
  if (began_ || state_ == state::asked || state_ == state::proposing)
    return reply('Q', state::resigning).reply;
  state_ = state::away;
  return 0;
}

udp_player::step udp_player::on_data(char byte, std::uint64_t chance) {
  if (byte == 'C' || byte == 'S' || byte == 'D') return on_end(byte);
  switch (state_) {
    case state::away: return {};
    case state::opening:
      if (byte == 'A' && !hub_first_) return propose(chance);
      if (byte == 'B' && hub_first_) return reply('E', state::asked);
      // The answer to B was lost.
      return hub_first_ && is_other(byte) ? on_move(byte) : step{};
    case state::asked: return is_other(byte) ? on_move(byte) : step{};
    case state::leaving: {
      step out;
      if (byte != 'Q') return out;
      state_ = state::away;
      out.answered = true;
      return out;
    }
    case state::resigning: return {};
    default: break;
  }
  if (byte == 'Q') {
    began_ = false;
    state_ = state::away;
    step out;
    out.answered = true;
    out.fault = "the hub ended a game without a result";
    return out;
  }
  if (byte == 'I' && state_ != state::admitting) return reply('I', state::admitting);
  switch (state_) {
    case state::proposing: return on_proposing(byte);
    case state::ending:
      // The echo that was taken as confirmation was an old one.
      if (byte == 'W') return propose(chance);
      return is_other(byte) ? on_move(byte, settle()) : step{};
    case state::echoing: return byte == 'E' ? propose(chance) : step{};
    case state::admitting:
      if (byte == 'W' || byte == 'E' || byte == 'A') return propose(chance);
      return on_proposing(byte);
    default: return {};
  }
}

udp_player::step udp_player::reply(char byte, state next) {
  state_ = next;
  last_ = byte;
  step out;
  out.reply = byte;
  out.answered = true;
  return out;
}

udp_player::step udp_player::propose(std::uint64_t chance) {
  // An old E, after the other side's move filled the board.
  if (board_.moves() == 9) return {};
  const bool chooses = choice_ == 0;
  if (chooses) {
    auto skip = static_cast<int>(chance % static_cast<std::uint64_t>(9 - board_.moves()));
    int cell = 0;
    while (!board_.is_free(cell) || skip-- > 0) ++cell;
    choice_ = static_cast<char>('0' + cell);
  }
  auto out = reply(choice_, state::proposing);
  out.chose = chooses;
  return out;
}

udp_player::step udp_player::on_proposing(char byte) {
  if (byte == choice_) {
    auto out = reply('E', state::ending);
    out.began = !began_;
    began_ = true;
    return out;
  }
  // The end of the hub's turn was an old one: the hub has not received the echo.
  if (byte == hub_move_) return reply(byte, state::echoing);
  // The hub took an old E as that of this turn, and continued.
  return is_other(byte) ? on_move(byte, settle()) : step{};
}

udp_player::step udp_player::on_move(char byte, int settled) {
  board_ = board_.with(byte - '0');
  hub_move_ = byte;
  auto out = reply(byte, state::echoing);
  out.moves = settled + 1;
  out.began = !began_;
  began_ = true;
  return out;
}

// The move of this turn was made.
int udp_player::settle() {
  if (choice_ == 0) return 0;
  board_ = board_.with(choice_ - '0');
  choice_ = 0;
  return 1;
}

udp_player::step udp_player::on_end(char byte) {
  // A late copy, or a byte of an earlier game.
  if (state_ == state::leaving || state_ == state::away || state_ == state::opening) return {};
  const bool resigned = state_ == state::resigning;
  int moves = 0;
  // An unconfirmed move of this player was the last one, unless the hub has won.
  if (byte != 'S' && !resigned) moves = settle();
  const auto found = ending_of(board_);
  const bool won = found == (plays_x() ? ending::x_won : ending::o_won);
  const bool lost = found == (plays_x() ? ending::o_won : ending::x_won);
  const bool right = byte == 'C' ? won : byte == 'S' ? lost : found == ending::draw;
  auto out = reply(byte, state::leaving);
  out.moves = moves;
  out.ended = right && !resigned;
  if (!right && !resigned) out.fault = "a game ended differently than by its rules";
  began_ = false;
  return out;
}

}  // namespace gamehub::tools::bench
