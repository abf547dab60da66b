#include "tools/bench/wire.hpp"

namespace gamehub::tools::bench {
namespace {

constexpr std::size_t state_bytes = 2 + 9 + 1;
constexpr std::size_t ack_bytes = 2 + 1;

void read_state(std::string_view packet, std::vector<server_message>& out) {
  server_message t;
  t.what = server_message::kind::state;
  for (int cell = 0; cell < 9; ++cell)
    t.board.mark(cell, packet[2 + static_cast<std::size_t>(cell)]);
  const auto status = packet[state_bytes - 1];
  if (status == 'X') t.end = ending::x_won;
  if (status == 'O') t.end = ending::o_won;
  if (status == '-' && t.board.used() == 0777) t.end = ending::draw;
  out.push_back(t);
  // The hub sends the state of a running game only to the player to move.
  t.what = t.end == ending::none ? server_message::kind::turn : server_message::kind::over;
  out.push_back(t);
}

class opcodes_wire final : public wire {
 public:
  std::string_view name() const override { return "opcodes"; }
  std::uint16_t port_default() const override { return 8890; }
  int games_per_connection_max() const override { return 1; }
  bool seats_again_unasked() const override { return false; }

  void greet(int, std::string& out) const override { out.append("\0\1", 2); }
  void again(std::string& out) const override { out.append("\0\1", 2); }
  void move(std::int64_t, int cell, std::string& out) const override {
    out.append("\0\2", 2).push_back(static_cast<char>(cell));
  }

  std::size_t read(std::string_view bytes, std::vector<server_message>& out) const override {
    std::size_t at = 0;
    while (bytes.size() - at >= 2) {
      const auto rest = bytes.substr(at);
      std::size_t used = 0;
      if (rest[0] == 0 && rest[1] == 3)
        used = read_whole_state(rest, out);
      else if (rest[0] == 0 && rest[1] == 4)
        used = read_ack(rest, out);
      else if (rest[0] == 0 && rest[1] == 5)
        used = read_error(rest, out);
      else
        return refuse("an opcode that the hub does not send", out), bytes.size();
      if (used == 0) break;
      at += used;
    }
    return at;
  }

 private:
  static void refuse(std::string_view text, std::vector<server_message>& out) {
    server_message t;
    t.what = server_message::kind::refused;
    t.game = -1;
    t.text = text;
    out.push_back(t);
  }
  static std::size_t read_whole_state(std::string_view rest, std::vector<server_message>& out) {
    if (rest.size() < state_bytes) return 0;
    read_state(rest, out);
    return state_bytes;
  }
  static std::size_t read_ack(std::string_view rest, std::vector<server_message>& out) {
    if (rest.size() < ack_bytes) return 0;
    server_message t;
    t.what = server_message::kind::token;
    t.mark = rest[2];
    out.push_back(t);
    return ack_bytes;
  }
  static std::size_t read_error(std::string_view rest, std::vector<server_message>& out) {
    const auto end = rest.size() < 4 ? rest.npos : rest.find('\0', 4);
    if (end == rest.npos) return 0;
    refuse(rest.substr(4, end - 4), out);
    return end + 1;
  }
};

}  // namespace

const wire& opcodes() {
  static const opcodes_wire it;
  return it;
}

const wire* find_wire(std::string_view name) {
  for (const auto* each : {&opcodes(), &turns(), &web_sockets()})
    if (each->name() == name) return each;
  return nullptr;
}

}  // namespace gamehub::tools::bench
