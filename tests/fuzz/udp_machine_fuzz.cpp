// Whatever datagrams, events and times come in whatever order, sensible or not, the UDP wire keeps
// its promises: to an address that is not proven no more bytes than came from it;
// never a byte that is older than the last one, but for B; a move for the hub only where a cell is
// free, and one at a time; deadlines that pass; sessions within their bounds.
//
// An input is a list of pairs: what happens, and a byte that says more about it.
#include "gateways/udp/peer_state_machine.hpp"
#include "gateways/udp/peer_table.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::tests {
namespace {

using namespace std::chrono_literals;
namespace udp = gateways::udp;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "udp: does not keep this: %s\n", promise);
  std::abort();
}

// The hub's side of a game, in as far as it plays along: it accepts what is free.
struct board {
  std::string cells = "---------";
  seat_index seat = 0;

  position_ref show(std::optional<seat_index> by, std::optional<outcome> end = std::nullopt) const {
    auto p = std::make_shared<position>();
    p->by = by;
    p->to_move = end ? 0 : only(by ? 1 - *by : 0);
    p->cells = cells;
    p->outcome = std::move(end);
    return p;
  }
  bool take(int cell, seat_index by) {
    auto& at = cells[static_cast<std::size_t>(cell)];
    if (at != '-') return false;
    at = by == 0 ? 'X' : 'O';
    return true;
  }
};

outcome any_end(std::uint8_t how) {
  outcome o;
  o.reason = static_cast<end_reason>(how % 6);
  if (how % 3 != 0) o.winner = how % 2;
  return o;
}

// An event of any kind; `hub` follows where the event is one that a hub could tell.
event any_event(std::uint8_t how, board& hub) {
  event e;
  const auto cell = how / 16 % 9;
  switch (how % 6) {
    case 0: {
      started s;
      s.seat = hub.seat;
      e.what = s;
      break;
    }
    case 1: e.what = hub.show(std::nullopt); break;
    case 2: {
      const auto by = 1 - hub.seat;
      hub.take(cell, by);
      e.what = hub.show(by);
      break;
    }
    case 3:
      e.what = hub.show(how & 16 ? std::optional{hub.seat} : std::nullopt, any_end(how));
      break;
    case 4: {
      refused no;
      no.why = static_cast<refusal>(how / 8 % refusal_count);
      e.what = no;
      break;
    }
    default: {
      hub.take(cell, 1 - hub.seat);
      e.what = hub.show(1 - hub.seat, any_end(how));
    }
  }
  return e;
}

char any_byte(std::uint8_t how) {
  constexpr std::string_view alphabet = "ABCDEIQSW0123456789";
  if (how < 240) return alphabet[how % alphabet.size()];
  return static_cast<char>(how * 37);
}

class watched_machine {
 public:
  void happen(std::uint8_t what, std::uint8_t how) {
    switch (what % 8) {
      case 5: return check(machine_.on_event(any_event(how, hub_), now_, how), '\0');
      case 6: return how == 0 ? check(machine_.hub_closed(now_), '\0') : pass(how * 100ms);
      case 7: return how == 0 ? pass(1h) : accept();
      default: return hear(any_byte(how));
    }
  }

 private:
  void hear(char byte) {
    const bool fresh = machine_.at() == udp::state::none || machine_.at() == udp::state::ended;
    const auto was_status = machine_.last();
    if (fresh && udp::bytes::opens(byte)) {
      in_ = out_ = 0;
      hub_ = {};
      hub_.seat = byte == 'A' ? 0 : 1;
      asked_ = std::nullopt;
    }
    ++in_;
    was_last_ = was_status;
    const auto done = machine_.receive(byte, now_, {});
    if (done.ignored) expect(done.sent == 0 && machine_.last() == was_status, "ignores in silence");
    check(done, byte);
  }

  void pass(base::duration time) {
    const auto until = now_ + time;
    for (int turns = 0; machine_.next() <= until; ++turns) {
      expect(turns < 200, "a deadline that has passed is over");
      now_ = std::max(now_, machine_.next());
      const auto last = was_last_ = machine_.last();
      const bool final_word = machine_.at() == udp::state::final_;
      const bool waited = machine_.waits_for_seat();
      const auto done = machine_.advance(now_);
      expect(done.sent <= 1 && (done.request == udp::hub_request::nothing ||
                                done.request == udp::hub_request::leave),
             "time says one byte at most");
      expect(done.request == udp::hub_request::nothing || !machine_.proven(),
             "time ends no game of a proven address");
      if (done.sent == 1) {
        expect(machine_.proven(), "time says nothing to an address that is not proven");
        if (waited)
          expect(done.bytes[0] == udp::bytes::quit, "time ends a wait for a seat with Q");
        else
          expect(done.bytes[0] == last || final_word, "time says the last byte again");
      }
      check(done, '\0');
    }
    now_ = until;
  }

  // The hub carries out what was asked of it.
  void accept() {
    if (!asked_) return;
    const auto cell = *std::exchange(asked_, std::nullopt);
    event e;
    if (hub_.take(cell, hub_.seat))
      e.what = hub_.show(hub_.seat);
    else
      e.what = refused{};
    check(machine_.on_event(e, now_), '\0');
  }

  void check(const udp::machine_output& done, char heard) {
    out_ += done.sent;
    if (!machine_.proven() && machine_.at() != udp::state::none)
      expect(out_ <= in_, "says no more bytes than came in");
    expect(done.sent <= 2, "two bytes at most");
    if (done.sent == 2)
      expect(done.bytes[0] == 'B' && udp::bytes::is_digit(done.bytes[1]),
             "two bytes are B and a move");
    for (int i = 0; i < done.sent; ++i) check_byte(done.bytes[i], heard);
    if (done.sent > 0) expect(machine_.last() == done.bytes[done.sent - 1], "knows what it said");
    if (done.request != udp::hub_request::play) return;
    expect(done.cell < 9 && machine_.at() == udp::state::think, "plays cells");
    asked_ = done.cell;
  }

  // A digit is the client's, repeated, or the move that the client has to echo now.
  void check_byte(char byte, char heard) const {
    if (!udp::bytes::is_digit(byte)) return;
    const bool echo = byte == heard && machine_.at() == udp::state::pending;
    const bool again = byte == was_last_ && machine_.at() == udp::state::pending;
    expect(echo || again || machine_.at() == udp::state::moved, "says no digit of another turn");
    if (machine_.at() == udp::state::moved)
      expect(hub_.cells[static_cast<std::size_t>(byte - '0')] != '-', "says moves that were made");
  }

  udp::peer_state_machine machine_;
  board hub_;
  base::instant now_{1h};
  std::uint64_t in_ = 0, out_ = 0;
  char was_last_ = '\0';
  std::optional<int> asked_;
};

// Eight addresses, and room for fewer.
class watched_peers {
 public:
  watched_peers() : peers_(setup()) {}

  void happen(std::uint8_t what, std::uint8_t how) {
    out_.clear();
    udp::endpoint from;
    from.port = static_cast<std::uint16_t>(what / 32);
    const char byte = any_byte(how);
    switch (what % 8) {
      case 5:
        if (const auto to = seated(what)) peers_.deliver(*to, any_event(how, hub_), now_, out_);
        break;
      case 6:
        now_ += how * 100ms;
        peers_.advance(now_, out_);
        expect(peers_.next() > now_, "a deadline that has passed is over");
        break;
      case 7:
        if (const auto to = seated(how)) peers_.closed(*to, now_, out_);
        break;
      default: peers_.receive(from, {&byte, how == 255 ? 0u : 1u}, now_, out_);
    }
    for (const auto& each : out_.commands) follow(each);
    expect(peers_.sessions() <= 5, "keeps as many sessions as it may");
    expect(peers_.newcomers() <= 3 + 3 && peers_.guests() <= 3,
           "keeps as many newcomers as it may");
    expect(peers_.guests() <= peers_.players() && peers_.players() <= 4,
           "has as many players as it may");
    expect(doors_.size() <= peers_.sessions(), "opens no session without a peer");
  }

 private:
  static udp::peers_setup setup() {
    udp::peers_setup s;
    s.engine = "tictactoe";
    s.sessions_max = 5;
    s.newcomers_max = 3;
    s.guests_max = 3;
    s.players = std::make_shared<udp::player_quota>(4);
    s.statuses_max = 2;
    s.per_address_max = 4;
    return s;
  }

  void follow(const gateways::peer_command& o) {
    const std::pair door{o.from.slot, o.from.generation};
    if (o.what == gateways::peer_command::kind::release) {
      expect(doors_.erase(door) == 1, "releases what it opened");
      return;
    }
    expect(o.ticket != 0, "numbers what it asks");
    const bool opened = doors_.insert(door).second;
    expect(!opened || std::holds_alternative<seek>(o.intent), "opens a door for a game alone");
  }

  // One of those that have a door, if any.
  std::optional<udp::peer_id> seated(std::uint8_t which) const {
    if (doors_.empty()) return std::nullopt;
    auto at = doors_.begin();
    std::advance(at, which % doors_.size());
    return udp::peer_id{at->first, at->second};
  }

  udp::peer_table peers_;
  udp::peers_output out_;
  board hub_;
  base::instant now_{1h};
  std::set<std::pair<std::uint32_t, std::uint32_t>> doors_;  // slot and generation
};

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gamehub::tests::watched_machine machine;
  gamehub::tests::watched_peers peers;
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    machine.happen(data[i], data[i + 1]);
    peers.happen(data[i], data[i + 1]);
  }
  return 0;
}
