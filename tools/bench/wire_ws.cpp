#include "tools/bench/turns_text.hpp"
#include "tools/bench/wire.hpp"

#include <array>
#include <optional>

namespace gamehub::tools::bench {
namespace {

// Key and answer of the example in RFC 6455. Only browsers need random keys and masks, against
// scripts of pages; constant ones take the hub the same work.
constexpr std::string_view handshake =
    "GET /api/ws HTTP/1.1\r\n"
    "Host: localhost\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
constexpr std::string_view proof = "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";
constexpr std::array<char, 4> mask{'\x37', '\x7a', '\x21', '\x3d'};

constexpr unsigned char text_opcode = 1, close_opcode = 8, last_of_message = 0x80, masked = 0x80;
constexpr std::size_t small_max = 125;

unsigned char byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

struct frame {
  unsigned char first = 0;  // with the opcode
  std::string_view payload;
  std::size_t size = 0;  // with its header
};

// Returns nothing if it is incomplete.
std::optional<frame> read_frame(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  frame f;
  f.first = byte_at(bytes, 0);
  std::size_t size = byte_at(bytes, 1);
  std::size_t header = 2;
  if (size > small_max) {
    header += size == small_max + 1 ? 2 : 8;
    if (bytes.size() < header) return std::nullopt;
    size = 0;
    for (std::size_t i = 2; i < header; ++i) size = size << 8 | byte_at(bytes, i);
  }
  if (bytes.size() - header < size) return std::nullopt;
  f.payload = bytes.substr(header, size);
  f.size = header + size;
  return f;
}

// Requires: the output since `begin` is one message of less than 64 KiB.
void make_frame(std::size_t begin, std::string& out) {
  const auto size = out.size() - begin;
  for (std::size_t i = 0; i < size; ++i)
    out[begin + i] = static_cast<char>(out[begin + i] ^ mask[i % mask.size()]);
  std::string header;
  header += static_cast<char>(last_of_message | text_opcode);
  if (size <= small_max) {
    header += static_cast<char>(masked | size);
  } else {
    header += static_cast<char>(masked | (small_max + 1));
    header += static_cast<char>(size >> 8);
    header += static_cast<char>(size & 0xff);
  }
  header.append(mask.data(), mask.size());
  out.insert(begin, header);
}

server_message refused(std::string_view why) {
  server_message t;
  t.what = server_message::kind::refused;
  t.game = -1;
  t.text = why;
  return t;
}

class ws_wire final : public wire {
 public:
  std::string_view name() const override { return "ws"; }
  std::uint16_t port_default() const override { return 8080; }
  int games_per_connection_max() const override { return 1000; }
  bool seats_again_unasked() const override { return true; }

  void greet(int, std::string& out) const override { out += handshake; }
  void join(int games, std::string& out) const override {
    const auto begin = out.size();
    append_connect(games, out);
    make_frame(begin, out);
  }
  // The hub seats the client again without a request.
  void again(std::string&) const override {}
  void move(std::int64_t game, int cell, std::string& out) const override {
    const auto begin = out.size();
    append_turns_move(game, cell, out);
    make_frame(begin, out);
  }

  std::size_t read(std::string_view bytes, std::vector<server_message>& out) const override {
    std::size_t at = 0;
    // Reserved bits need an extension, and none was negotiated.
    if (bytes.starts_with('H')) {
      at = read_answer(bytes, out);
      if (at == 0) return 0;
    }
    while (const auto f = read_frame(bytes.substr(at))) {
      if (f->first == (last_of_message | text_opcode))
        out.push_back(read_turns_line(f->payload));
      else if (f->first == (last_of_message | close_opcode))
        return out.push_back(refused("the hub closed a WebSocket")), bytes.size();
      else
        return out.push_back(refused("a frame that the hub does not send")), bytes.size();
      at += f->size;
    }
    return at;
  }

 private:
  static std::size_t read_answer(std::string_view bytes, std::vector<server_message>& out) {
    const auto end = bytes.find("\r\n\r\n");
    if (end == bytes.npos) return 0;
    const auto head = bytes.substr(0, end + 2);
    if (!head.starts_with("HTTP/1.1 101 ") || head.find(proof) == head.npos)
      return out.push_back(refused(head.substr(0, head.find("\r\n")))), bytes.size();
    server_message t;
    t.what = server_message::kind::open;
    t.game = -1;
    out.push_back(t);
    return end + 4;
  }
};

}  // namespace

const wire& web_sockets() {
  static const ws_wire it;
  return it;
}

}  // namespace gamehub::tools::bench
