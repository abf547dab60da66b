#include "tests/system/load.hpp"

#include "tests/system/opcodes_client.hpp"
#include "tests/system/patience.hpp"
#include "tests/system/turns_client.hpp"

#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/tcp.h>
#include <random>
#include <stdexcept>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace gamehub::tests::system {

namespace {

int connected(std::uint16_t port) {
  const int out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in hub{};
  hub.sin_family = AF_INET;
  hub.sin_port = htons(port);
  hub.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connect(out, reinterpret_cast<const sockaddr*>(&hub), sizeof hub) != 0)
    throw std::system_error{errno, std::generic_category(), "connect"};
  return out;
}

}  // namespace

class load::client {
 public:
  client(std::uint16_t port, std::uint32_t seed) : socket_(connected(port)), random_(seed) {}
  virtual ~client() { close(socket_); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  int socket() const { return socket_; }

  // Reads and answers what has come. False if the connection is over.
  bool go_on(load_report& report) {
    std::array<char, 16384> bytes;
    const auto size = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (size <= 0) {
      complain(report, "the connection ended");
      return false;
    }
    inbox_.append(bytes.data(), static_cast<std::size_t>(size));
    std::size_t used = 0;
    while (const auto length = take(std::string_view{inbox_}.substr(used), report)) used += length;
    inbox_.erase(0, used);
    return true;
  }

 protected:
  // Takes one whole message from the front and returns its length; 0 if there is none.
  virtual std::size_t take(std::string_view bytes, load_report&) = 0;

  void send(const std::string& bytes) {
    // A client has a few short messages on their way at most: they always fit.
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(bytes.size())) throw std::runtime_error{"send fell short"};
  }
  static void complain(load_report& report, const std::string& what) {
    if (report.errors++ == 0) report.first_error = what;
  }
  // Any free cell. Requires: there is one.
  int choose(std::string_view board) {
    auto cell = random_() % board.size();
    while (board[cell] != '-') cell = (cell + 1) % board.size();
    return static_cast<int>(cell);
  }

 private:
  int socket_;
  std::minstd_rand random_;
  std::string inbox_;
};

class load::opcodes_bot final : public client {
 public:
  opcodes_bot(std::uint16_t port, std::uint32_t seed) : client(port, seed) {
    send(opcodes_client::sgr());
  }

 private:
  std::size_t take(std::string_view bytes, load_report& report) override {
    constexpr std::size_t ack = 3, state = 12;
    if (bytes.size() < ack) return 0;
    if (bytes.substr(0, 2) == std::string_view{"\0\4", 2}) return ack;
    if (bytes.substr(0, 2) != std::string_view{"\0\3", 2}) {
      complain(report, "opcodes: packet " + std::to_string(bytes[0]) + " " +
                           std::to_string(bytes[1]) + ", code " + std::to_string(bytes.back()));
      return bytes.size();
    }
    if (bytes.size() < state) return 0;
    const auto board = bytes.substr(2, 9);
    if (bytes[11] == '-' && board.find('-') != board.npos) {
      ++report.moves;
      send(opcodes_client::move_packet(choose(board)));
    } else {
      ++report.games_ended;
      send(opcodes_client::sgr());
    }
    return state;
  }
};

class load::turns_bot final : public client {
 public:
  turns_bot(std::uint16_t port, std::uint32_t seed) : client(port, seed) {
    send(R"({"type":"connect","name":null,"supported_games":["tictactoe"],"max_games":1})"
         "\n");
  }

 private:
  std::size_t take(std::string_view bytes, load_report& report) override {
    const auto end = bytes.find('\n');
    if (end == bytes.npos) return 0;
    const auto line = nlohmann::json::parse(bytes.substr(0, end), nullptr, false);
    const auto type = line.is_object() ? line.value("type", "") : "";
    if (type == "message")
      hear(line.at("game_id").get<int>(),
           nlohmann::json::parse(line.at("payload").get<std::string>()), report);
    else if (type == "close")
      ++report.games_ended;
    else if (type != "name" && type != "start")
      complain(report, "turns: " + std::string{bytes.substr(0, end)});
    return end + 1;
  }

  void hear(int game, const nlohmann::json& said, load_report& report) {
    const auto type = said.value("type", "");
    if (type == "state") {
      board_.clear();
      for (const auto& row : said.at("board"))
        for (const auto& cell : row) board_ += cell.is_null() ? '-' : 'x';
    } else if (type == "turn") {
      ++report.moves;
      const int cell = choose(board_);
      send(turns_client::message(game, turns_client::move_payload(cell / 3, cell % 3)) + "\n");
    } else {
      complain(report, "turns: " + said.dump());
    }
  }

  std::string board_;
};

load::load(std::uint16_t turns, std::uint16_t opcodes, int clients_each, std::uint32_t seed)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), seed_(seed) {
  for (int i = 0; i < clients_each; ++i) {
    clients_.push_back(std::make_unique<turns_bot>(turns, seed_++));
    clients_.push_back(std::make_unique<opcodes_bot>(opcodes, seed_++));
  }
  for (auto& each : clients_) {
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.ptr = each.get();
    epoll_ctl(epoll_, EPOLL_CTL_ADD, each->socket(), &wanted);
  }
}

load::~load() { close(epoll_); }

load_report load::play(std::chrono::milliseconds time) {
  load_report out;
  std::array<epoll_event, 256> ready;
  for (const deadline until{time}; !until.over();) {
    const int count =
        epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), until.poll_milliseconds());
    for (int i = 0; i < count; ++i) {
      auto& each = *static_cast<client*>(ready[static_cast<std::size_t>(i)].data.ptr);
      if (!each.go_on(out)) epoll_ctl(epoll_, EPOLL_CTL_DEL, each.socket(), nullptr);
    }
  }
  return out;
}

}  // namespace gamehub::tests::system
