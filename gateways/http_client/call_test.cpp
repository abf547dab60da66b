#include "gateways/http_client/call.hpp"

#include "gateways/http_client/blocking_call.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <utility>

using namespace gamehub;
using namespace gamehub::gateways::http_client;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr response_limits limits{8 * 1'024, 64 * 1'024, 192 * 1'024};

// A server on the caller's loop that answers each request with the same bytes.
class canned_server {
 public:
  enum class then : std::uint8_t { keep, close, repeat };

  canned_server(asio::io_context& io, std::string answer, then after = then::keep)
      : answer_(std::move(answer)),
        after_(after),
        acceptor_(io, {asio::ip::address_v4::loopback(), 0}) {
    accept();
  }

  std::shared_ptr<const server> address() const {
    auto out = std::make_shared<server>();
    out->addresses.push_back(acceptor_.local_endpoint());
    return out;
  }
  // The requests and connections so far.
  std::string received;
  int connections = 0;

 private:
  struct client {
    explicit client(tcp::socket s) : socket(std::move(s)) {}
    tcp::socket socket;
    std::array<char, 1'024> buffer{};
  };

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
      if (failed) return;
      ++connections;
      read(std::make_shared<client>(std::move(socket)));
      accept();
    });
  }
  void read(const std::shared_ptr<client>& from) {
    from->socket.async_read_some(asio::buffer(from->buffer),
                                 [this, from](boost::system::error_code failed, std::size_t n) {
                                   if (failed) return;
                                   received.append(from->buffer.data(), n);
                                   write(from);
                                 });
  }
  void write(const std::shared_ptr<client>& to) {
    asio::async_write(to->socket, asio::buffer(answer_),
                      [this, to](boost::system::error_code failed, std::size_t) {
                        if (failed || after_ == then::close) return;
                        after_ == then::repeat ? write(to) : read(to);
                      });
  }

  std::string answer_;
  then after_;
  tcp::acceptor acceptor_;
};

struct call_scene {
  outcome make(const std::shared_ptr<const server>& to, base::duration time = 1min,
               bool reuse = false) {
    outcome result = failure{};
    bool done = false;
    const auto made = std::make_shared<call>(call::context{&io, nullptr}, to, limits,
                                             "GET / HTTP/1.1\r\n\r\n", [&](outcome what) {
                                               result = std::move(what);
                                               done = true;
                                             });
    made->start(std::chrono::steady_clock::now() + time, std::move(kept));
    while (!done) io.run_one();
    if (reuse) kept = made->take_connection();
    return result;
  }
  call_error error_of(const std::string& answer,
                      canned_server::then after = canned_server::then::keep,
                      base::duration time = 1min) {
    // Its handlers may run in a later call.
    const auto& at = servers.emplace_back(io, answer, after);
    const auto got = make(at.address(), time);
    REQUIRE(std::holds_alternative<failure>(got));
    CHECK(std::get<failure>(got).connected);
    return std::get<failure>(got).what;
  }

  asio::io_context io;
  std::list<canned_server> servers;
  std::unique_ptr<connection> kept;
};

}  // namespace

TEST_CASE("call: sends the request and reads one response") {
  call_scene s;
  canned_server at{s.io,
                   "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  const auto got = std::get<response>(s.make(at.address()));
  CHECK(got.status == 200);
  CHECK(got.body == "{}");
  CHECK(at.received == "GET / HTTP/1.1\r\n\r\n");
}

TEST_CASE("call: a redirect is not followed") {
  call_scene s;
  canned_server elsewhere{s.io, ""};
  const auto port = std::to_string(elsewhere.address()->addresses[0].port());
  canned_server at{s.io, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:" + port +
                             "/\r\nContent-Length: 0\r\n\r\n"};
  CHECK(std::get<response>(s.make(at.address())).status == 302);
  s.io.poll();
  CHECK(elsewhere.connections == 0);
}

TEST_CASE("call: a compressed response is reported, not decoded") {
  call_scene s;
  canned_server at{
      s.io, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b"};
  const auto got = std::get<response>(s.make(at.address()));
  CHECK(got.encoded);
  CHECK(got.body == "\x1f\x8b");
}

TEST_CASE("call: what has no end is cut off at its limit") {
  using then = canned_server::then;
  call_scene s;
  const std::string much(4'096, 'x');
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nX: " + much + much) == call_error::header_size);
  CHECK(s.error_of("HTTP/1.1 200 OK\r\n\r\n" + much, then::repeat) == call_error::body_size);
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n") == call_error::body_size);
  CHECK(s.error_of("HTTP/1.1 100 Continue\r\n\r\n", then::repeat) == call_error::total_size);
}

TEST_CASE("call: a response of unclear length or form is an error") {
  using then = canned_server::then;
  call_scene s;
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12") ==
        call_error::length);
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n") ==
        call_error::chunk);
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1", then::close) ==
        call_error::partial);
  CHECK(s.error_of("", then::close) == call_error::none);
  CHECK(s.error_of("SSH-2.0-x\r\n\r\n") == call_error::not_http);
}

TEST_CASE("call: a server that does not finish its response ends at the deadline") {
  call_scene s;
  CHECK(s.error_of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1", canned_server::then::keep,
                   20ms) == call_error::timeout);
}

TEST_CASE("tls_context: the certificate authorities are read once, whatever the number of loops") {
  const auto first = tls_context();
  std::shared_ptr<boost::asio::ssl::context> other;
  std::thread{[&] { other = tls_context(); }}.join();
  CHECK(other == first);
}

TEST_CASE("call: a port without a listener is unreachable") {
  call_scene s;
  std::shared_ptr<const server> nowhere;
  {
    const canned_server gone{s.io, ""};
    nowhere = gone.address();
  }
  const auto got = std::get<failure>(s.make(nowhere));
  CHECK(got.what == call_error::unreachable);
  CHECK_FALSE(got.connected);
  CHECK(got.detail.starts_with("127.0.0.1:" + std::to_string(nowhere->addresses[0].port()) + ": "));
}

TEST_CASE("call: a kept connection is used again, and replaced if the server has closed it") {
  call_scene s;
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1";
  canned_server keeps{s.io, answer};
  for (int i = 0; i < 3; ++i)
    CHECK(std::holds_alternative<response>(s.make(keeps.address(), 1min, true)));
  CHECK(keeps.connections == 1);
  s.kept.reset();
  canned_server closes{s.io, answer, canned_server::then::close};
  for (int i = 0; i < 2; ++i) {
    CHECK(std::holds_alternative<response>(s.make(closes.address(), 1min, true)));
    s.io.poll();
  }
  CHECK(closes.connections == 2);
}

TEST_CASE("blocking_call: resolves the host, and says why there is no response") {
  asio::io_context io;
  canned_server at{io, "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno"};
  const auto port = at.address()->addresses[0].port();
  std::thread loop{[&] { io.run_for(1min); }};
  const auto got = call_and_wait("127.0.0.1", port, "GET / HTTP/1.1\r\n\r\n", limits, 1min);
  io.stop();
  loop.join();
  CHECK(std::get<response>(got).status == 503);
  CHECK(std::get<response>(got).body == "no");
  const auto none = call_and_wait("no-such-host.invalid", 1, "", limits, 1min);
  CHECK(std::get<failure>(none).what == call_error::unreachable);
}
