// The answers of the machine to each of the 256 bytes in each state, compared with
// peer_state_machine.golden. GAMEHUB_GOLDEN=write writes that file.
#include "gateways/udp/peer_state_machine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/udp_machine.hpp"

#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace gamehub;
using namespace std::chrono_literals;
using tests::driven_machine;

namespace {

struct situation {
  std::string name;
  std::function<void(driven_machine&)> reach;
};

void play_first_turn(driven_machine& m) {
  m.send("A4");
  m.start(0);
  m.send("E");
  m.moves(0, 4);
  m.moves(1, 0);
}

void come_to_second_turn(driven_machine& m) {
  play_first_turn(m);
  m.send("0");
}

void open(driven_machine& m) {
  m.send("BE");
  m.start(1);
  m.moves(0, 4);
}

void win(driven_machine& m) {
  come_to_second_turn(m);
  m.send("1E");
  m.moves_and_ends(0, 1, 0);
}

// The digits of a game: X has 4, O has 0; 1 is proposed.
const std::vector<situation> situations{
    {"none", [](driven_machine&) {}},
    {"OPEN, L is B", [](driven_machine& m) { m.send("B"); }},
    {"OPEN, the move 4 exists",
     [](driven_machine& m) {
       m.send("BB");
       m.start(1);
       m.moves(0, 4);
     }},
    {"OPEN, against players, L is B",
     [](driven_machine& m) {
       m.on.against_players = true;
       m.send("B");
     }},
    {"PENDING 1, against players",
     [](driven_machine& m) {
       m.on.against_players = true;
       m.send("A1");
     }},
    {"MOVED 0, three confirmations came",
     [](driven_machine& m) {
       play_first_turn(m);
       m.send("EEE");
     }},
    {"MOVED 0, answered by E",
     [](driven_machine& m) {
       play_first_turn(m);
       m.send("EEEE");
     }},
    {"OPEN, E came", [](driven_machine& m) { m.send("BE"); }},
    {"TURN, L is A", [](driven_machine& m) { m.send("A"); }},
    {"TURN, L is E after 0, 4 taken", come_to_second_turn},
    {"TURN, L is E after 0 and two late echoes",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("00");
     }},
    {"TURN, L is W, 0 and 4 taken",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("9I");
     }},
    {"INVALID, 0 and 4 taken",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("9");
     }},
    {"PENDING 1, 0 and 4 taken",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("1");
     }},
    {"PENDING 1, the hub has not begun", [](driven_machine& m) { m.send("A1"); }},
    {"THINK",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("1E");
     }},
    {"MOVED 0", play_first_turn},
    {"MOVED 4, the opening", open},
    {"MOVED 8, which won the game",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("1E");
       m.moves(0, 1);
       m.moves_and_ends(1, 8, 1);
     }},
    {"MOVED 8, which ended it in a draw",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("1E");
       m.moves(0, 1);
       m.moves_and_ends(1, 8, std::nullopt);
     }},
    {"FINAL C after E", win},
    {"FINAL S after 8",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("1E");
       m.moves(0, 1);
       m.moves_and_ends(1, 8, 1);
       m.send("8");
     }},
    {"FINAL S, by the clock",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.ends(end_reason::clock, 1);
     }},
    {"FINAL S, resigned",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.send("Q");
     }},
    {"ENDED, C acknowledged",
     [](driven_machine& m) {
       win(m);
       m.send("C");
     }},
    {"ENDED, C not acknowledged",
     [](driven_machine& m) {
       win(m);
       m.pass(8s);
     }},
    {"ENDED, S by the clock, acknowledged",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.ends(end_reason::clock, 1);
       m.send("S");
     }},
    {"ENDED, without a result",
     [](driven_machine& m) {
       come_to_second_turn(m);
       m.ends(end_reason::drained, std::nullopt);
     }},
};

std::string printed(int byte) {
  if (byte > ' ' && byte < 0x7F) return std::string(1, static_cast<char>(byte));
  constexpr char digits[] = "0123456789abcdef";
  return std::string{"\\x"} + digits[byte / 16] + digits[byte % 16];
}

std::string answer_to(driven_machine m, int byte) {
  const auto done = m.it.receive(static_cast<char>(byte), m.now, m.on);
  auto out = tests::output_text(done);
  if (done.ignored) return {};
  return (out.empty() ? "nothing" : out) + " (" + std::string{m.at()} + ")";
}

// Bytes with the same answer share a line, in the order of the first of them.
std::string table() {
  std::ostringstream out;
  out << "# The answers of the machine, written by machine_golden_test. A line: the bytes, what "
         "is\n"
         "# said, [what is asked of the hub], (the next state). All other bytes are ignored.\n";
  for (const auto& each : situations) {
    driven_machine m;
    each.reach(m);
    out << '\n' << each.name << '\n';
    std::map<std::string, std::string> bytes;
    std::vector<std::string> order;
    for (int byte = 0; byte < 256; ++byte) {
      const auto answer = answer_to(m, byte);
      if (answer.empty()) continue;
      if (!bytes.contains(answer)) order.push_back(answer);
      bytes[answer] += (bytes[answer].empty() ? "" : " ") + printed(byte);
    }
    for (const auto& answer : order) out << "  " << bytes[answer] << " -> " << answer << '\n';
  }
  return out.str();
}

}  // namespace

TEST_CASE("udp machine: answers all 256 bytes in every state as peer_state_machine.golden has it") {
  const auto current = table();
  CHECK(gamehub::tests::kept_text(GAMEHUB_UDP_DIR "/peer_state_machine.golden", current) ==
        current);
}

TEST_CASE("udp machine: the golden situations are where they say they are") {
  std::map<std::string, int> seen;
  for (const auto& each : situations) {
    driven_machine m;
    each.reach(m);
    INFO(each.name);
    CHECK(each.name.starts_with(m.at()));
    ++seen[std::string{m.at()}];
  }
  CHECK(seen.size() == gateways::udp::state_count);
}
