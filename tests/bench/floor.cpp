// The floor: the least that a server of these wires can do on bare epoll. It pairs clients in the
// order in which they come, keeps the rules, answers each read with as few writes as it can, and
// nothing else: no clocks, no limits, no log, no names, no slow clients. What the hub costs is
// measured against it.
//
//   floor opcodes|turns|udp PORT     0 takes any free port; prints "ready PORT"
#include "tests/bench/udp_floor.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace gamehub::tests::bench {
namespace {

struct client;

struct place {
  client* who = nullptr;
  int game = 0;  // as this client numbers it
};

struct game {
  std::array<place, 2> places;
  std::array<unsigned, 2> marks{};

  unsigned used() const { return marks[0] | marks[1]; }
  std::size_t mover() const { return static_cast<std::size_t>(__builtin_popcount(used()) & 1); }
  bool is_free(int cell) const { return cell >= 0 && cell < 9 && ((used() >> cell) & 1) == 0; }
  bool won(std::size_t side) const {
    for (const unsigned line : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U})
      if ((marks[side] & line) == line) return true;
    return false;
  }
  // 'X', 'O', 'D' for a draw, or 0 while it goes on.
  char result() const {
    if (won(0)) return 'X';
    if (won(1)) return 'O';
    return used() == 0777 ? 'D' : '\0';
  }
  char glyph(int cell) const {
    const auto bit = 1U << cell;
    if ((marks[0] & bit) != 0) return 'X';
    return (marks[1] & bit) != 0 ? 'O' : '-';
  }
};

struct client {
  int fd = -1;
  std::string in;  // an unfinished message
  std::unordered_map<int, game*> games;
  int games_max = 0, next_game = 0;
  bool waiting = false, dirty = false;
  std::string out;
};

// What the two wires have in common.
class server {
 public:
  virtual ~server() = default;

  int listen(std::uint16_t port);
  [[noreturn]] void run();

 protected:
  // Takes whole messages from the client's bytes; false ends the connection.
  virtual bool read(client&, std::string& in) = 0;
  virtual void tell_start(game&) = 0;
  virtual void tell(const game&, std::size_t side, char result) = 0;
  virtual void tell_end(const game&, std::size_t side, char result) = 0;
  // The client has a place for one more game.
  virtual void freed(client&) {}

  void say(client& c, std::string_view what) {
    if (!c.dirty) dirty_.push_back(&c);
    c.dirty = true;
    c.out.append(what);
  }
  // Seats the client with the one that waits. False if it has to wait.
  bool seek(client&);
  bool play(client&, game&, int cell);
  void end(game&, char result);
  void drop(client&);

 private:
  void accept_all();
  void flush();

  int listener_ = -1, epoll_ = -1;
  std::vector<client*> line_;  // of those who wait; the first is at the front
  std::vector<client*> dirty_;
};

int server::listen(std::uint16_t port) {
  rlimit most{};
  getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&at), size) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    return -1;
  return ntohs(at.sin_port);
}

bool server::seek(client& c) {
  if (!line_.empty() && line_.front() != &c) {
    auto& other = *line_.front();
    auto* g = new game{};
    g->places = {place{&other, other.next_game++}, place{&c, c.next_game++}};
    for (const auto& p : g->places) p.who->games.emplace(p.game, g);
    if (static_cast<int>(other.games.size()) >= other.games_max) {
      other.waiting = false;
      line_.erase(line_.begin());
    }
    tell_start(*g);
    return true;
  }
  if (!c.waiting) line_.push_back(&c);
  c.waiting = true;
  return false;
}

bool server::play(client& c, game& g, int cell) {
  const auto side = g.mover();
  if (g.places[side].who != &c || !g.is_free(cell)) return false;
  g.marks[side] |= 1U << cell;
  return true;
}

void server::end(game& g, char result) {
  const std::unique_ptr<game> owned{&g};
  for (std::size_t side = 0; side < 2; ++side) {
    auto& p = g.places[side];
    if (p.who == nullptr) continue;
    tell_end(g, side, result);
    p.who->games.erase(p.game);
  }
  for (const auto& p : g.places)
    if (p.who != nullptr) freed(*p.who);
}

void server::drop(client& c) {
  if (c.waiting) std::erase(line_, &c);
  if (c.dirty) std::erase(dirty_, &c);
  const auto games = std::move(c.games);
  c.games.clear();
  c.games_max = 0;
  for (const auto& [number, g] : games) {
    const std::size_t side = g->places[0].who == &c ? 0 : 1;
    g->places[side].who = nullptr;
    end(*g, "OX"[side]);
  }
  close(c.fd);
  delete &c;
}

void server::flush() {
  for (auto* c : dirty_) {
    c->dirty = false;
    // A client that does not read loses what does not fit.
    static_cast<void>(send(c->fd, c->out.data(), c->out.size(), MSG_NOSIGNAL));
    c->out.clear();
  }
  dirty_.clear();
}

void server::accept_all() {
  for (int fd = -1;
       (fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto* c = new client;
    c->fd = fd;
    epoll_event e{};
    e.events = EPOLLIN;
    e.data.ptr = c;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &e);
  }
}

void server::run() {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  epoll_event e{};
  e.events = EPOLLIN;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, listener_, &e);
  std::array<epoll_event, 256> events;
  std::array<char, 16 * 1024> buffer;
  for (;;) {
    const auto n = epoll_wait(epoll_, events.data(), events.size(), -1);
    for (int i = 0; i < n; ++i) {
      auto* c = static_cast<client*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (c == nullptr) {
        accept_all();
        continue;
      }
      const auto got = recv(c->fd, buffer.data(), buffer.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got > 0) c->in.append(buffer.data(), static_cast<std::size_t>(got));
      if (got <= 0 || !read(*c, c->in)) drop(*c);
      // Each read is answered before the next, as the fastest server would.
      flush();
    }
  }
}

class opcodes_server final : public server {
  bool read(client& c, std::string& in) override {
    std::size_t at = 0;
    while (in.size() - at >= 2) {
      if (in[at] == 0 && in[at + 1] == 1) {
        ask(c);
        at += 2;
      } else if (in[at] == 0 && in[at + 1] == 2) {
        if (in.size() - at < 3) break;
        move(c, in[at + 2]);
        at += 3;
      } else {
        return false;
      }
    }
    in.erase(0, at);
    return true;
  }

  void ask(client& c) {
    c.games_max = 1;
    if (c.waiting || !c.games.empty()) return refuse(c, 6, "in a game already");
    if (!seek(c)) acknowledge(c, 0);
  }
  void move(client& c, int cell) {
    if (c.games.empty()) return refuse(c, 2, "in no game");
    auto& g = *c.games.begin()->second;
    if (g.places[g.mover()].who != &c) return refuse(c, 3, "not your turn");
    if (!play(c, g, cell)) return refuse(c, 5, "not free");
    acknowledge(c, g.mover() ^ 1);
    if (const auto result = g.result(); result != '\0')
      end(g, result);
    else
      tell(g, g.mover(), '-');
  }

  void acknowledge(client& c, std::size_t side) {
    say(c, std::string_view{"\0\4X\0\4O" + 3 * side, 3});
  }
  void refuse(client& c, char code, std::string_view text) {
    say(c, std::string{"\0\5\0", 3} + code + std::string{text} + '\0');
  }
  void tell_start(game& g) override {
    acknowledge(*g.places[1].who, 1);
    tell(g, 0, '-');
  }
  void tell(const game& g, std::size_t side, char status) override {
    std::array<char, 12> packet{0, 3};
    for (int cell = 0; cell < 9; ++cell) packet[2 + static_cast<std::size_t>(cell)] = g.glyph(cell);
    packet[11] = status;
    say(*g.places[side].who, {packet.data(), packet.size()});
  }
  void tell_end(const game& g, std::size_t side, char result) override {
    tell(g, side, result == 'D' ? '-' : result);
  }
};

// Reads its clients' JSON by looking for the few names it needs: the least that could work.
class turns_server final : public server {
  static std::optional<int> number(std::string_view line, std::string_view key) {
    const auto at = line.find(key);
    if (at == line.npos) return {};
    int n = 0;
    const auto* from = line.data() + at + key.size();
    const auto [end, error] = std::from_chars(from, line.data() + line.size(), n);
    return error == std::errc{} ? std::optional{n} : std::nullopt;
  }

  bool read(client& c, std::string& in) override {
    std::size_t at = 0;
    for (auto end = in.find('\n'); end != in.npos; end = in.find('\n', at)) {
      const auto line = std::string_view{in}.substr(at, end - at);
      at = end + 1;
      if (line.find(R"("type":"message")") != line.npos)
        move(c, line);
      else if (line.find(R"("type":"connect")") != line.npos)
        connect(c, line);
      else
        return false;
    }
    in.erase(0, at);
    return true;
  }

  void connect(client& c, std::string_view line) {
    c.games_max = number(line, R"("max_games":)").value_or(1);
    say(c, "{\"type\":\"name\",\"name\":\"client\"}\n");
    freed(c);
  }
  void freed(client& c) override {
    while (static_cast<int>(c.games.size()) < c.games_max && seek(c)) {
    }
  }
  void move(client& c, std::string_view line) {
    const auto at = c.games.find(number(line, R"("game_id":)").value_or(-1));
    const auto row = number(line, R"(\"row\":)"), column = number(line, R"(\"column\":)");
    if (at == c.games.end() || !row || !column || *column < 0 || *column > 2) return;
    auto& g = *at->second;
    if (!play(c, g, 3 * *row + *column)) return;
    if (const auto result = g.result(); result != '\0') return end(g, result);
    for (std::size_t side = 0; side < 2; ++side) tell(g, side, '\0');
    turn(g);
  }

  void envelope(const game& g, std::size_t side, std::string_view type, std::string_view payload) {
    std::string line = "{\"type\":\"";
    line.append(type).append("\",\"game_id\":").append(std::to_string(g.places[side].game));
    if (!payload.empty()) line.append(",\"payload\":\"").append(payload).append("\"");
    say(*g.places[side].who, line.append("}\n"));
  }
  void turn(const game& g) { envelope(g, g.mover(), "message", R"({\"type\":\"turn\"})"); }
  void tell_start(game& g) override {
    for (std::size_t side = 0; side < 2; ++side) {
      envelope(g, side, "start", {});
      tell(g, side, '\0');
    }
    turn(g);
  }
  void tell(const game& g, std::size_t side, char result) override {
    std::string state = R"({\"type\":\"state\",\"board\":[)";
    for (int cell = 0; cell < 9; ++cell) {
      state += cell % 3 == 0 ? '[' : ',';
      const auto glyph = g.glyph(cell);
      state += glyph == 'X' ? R"(\"X\")" : glyph == 'O' ? R"(\"O\")" : "null";
      if (cell % 3 == 2) state += cell == 8 ? "]" : "],";
    }
    const auto* winner = result == 'X' ? R"(\"X\")" : result == 'O' ? R"(\"O\")" : "null";
    envelope(g, side, "message", state.append(R"(],\"winner\":)").append(winner).append("}"));
  }
  void tell_end(const game& g, std::size_t side, char result) override {
    tell(g, side, result);
    envelope(g, side, "close", {});
  }
};

int main_of(int argc, char** argv) {
  const std::string_view wire = argc > 1 ? argv[1] : "";
  std::unique_ptr<server> s;
  if (wire == "opcodes") s = std::make_unique<opcodes_server>();
  if (wire == "turns") s = std::make_unique<turns_server>();
  if ((!s && wire != "udp") || argc != 3) {
    std::cerr << "floor: say floor opcodes PORT, floor turns PORT or floor udp PORT.\n";
    return 2;
  }
  const auto wanted = static_cast<std::uint16_t>(std::atoi(argv[2]));
  if (!s) return run_udp_floor(wanted);
  const auto port = s->listen(wanted);
  if (port < 0) {
    std::cerr << "floor: can't listen on port " << argv[2] << ": " << std::strerror(errno) << '\n';
    return 2;
  }
  std::cout << "ready " << port << std::endl;
  s->run();
}

}  // namespace
}  // namespace gamehub::tests::bench

int main(int argc, char** argv) { return gamehub::tests::bench::main_of(argc, argv); }
