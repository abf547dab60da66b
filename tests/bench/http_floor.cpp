// The floor of the HTTP wire: the least that Beast can do for a request. It reads each whole,
// whatever it asks for, answers it with the same small JSON document, and nothing else: no clients,
// no games, no clocks, no limits. What the hub costs is measured against it.
//
//   http_floor PORT     0 takes any free port; prints "ready PORT"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <utility>

namespace gamehub::tests::bench {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

class connection : public std::enable_shared_from_this<connection> {
 public:
  explicit connection(tcp::socket socket) : socket_(std::move(socket)) {}

  void read() {
    asked_ = {};
    http::async_read(socket_, buffer_, asked_,
                     [self = shared_from_this()](error_code failed, std::size_t) {
                       if (!failed) self->answer();
                     });
  }

 private:
  void answer() {
    answer_ = {http::status::ok, asked_.version()};
    answer_.set(http::field::content_type, "application/json");
    answer_.keep_alive(asked_.keep_alive());
    answer_.body() = "{}";
    answer_.prepare_payload();
    http::async_write(socket_, answer_,
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (!failed && self->answer_.keep_alive()) self->read();
                      });
  }

  tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  http::request<http::string_body> asked_;
  http::response<http::string_body> answer_;
};

void welcome_all(tcp::acceptor& at) {
  at.async_accept([&at](error_code failed, tcp::socket socket) {
    if (!failed) {
      socket.set_option(tcp::no_delay{true});
      std::make_shared<connection>(std::move(socket))->read();
    }
    welcome_all(at);
  });
}

int main_of(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "http_floor: say http_floor PORT.\n";
    return 2;
  }
  rlimit most{};
  getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
  // One thread, and the library knows it.
  asio::io_context io{1};
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  try {
    tcp::acceptor at{io, {asio::ip::address_v4::loopback(), port}};
    std::cout << "ready " << at.local_endpoint().port() << std::endl;
    welcome_all(at);
    io.run();
  } catch (const boost::system::system_error& e) {
    std::cerr << "http_floor: can't listen on port " << port << ": " << e.what() << '\n';
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace gamehub::tests::bench

int main(int argc, char** argv) { return gamehub::tests::bench::main_of(argc, argv); }
