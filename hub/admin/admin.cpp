#include "hub/admin/admin.hpp"

#include "hub/admin/guess_limiter.hpp"
#include "hub/admin/pages.hpp"
#include "hub/base/address.hpp"
#include "hub/base/random.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/settings.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

namespace gamehub::admin {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

// Limits of one request: the largest command has 500 bytes of text in JSON escapes.
constexpr std::uint32_t header_bytes_max = 8 * 1024;
constexpr std::uint32_t body_bytes_max = 4 * 1024;
// Time for a request to arrive, and for a loop to answer; under the 15 s that the verbs wait.
constexpr std::chrono::seconds request_time_max{10};
// Connections at the same time. A new one replaces the one that was idle longest.
constexpr std::size_t connections_max = 64;

class connection;

// Posts answers of other threads to the server's thread. Answers after the end of the server are
// dropped.
class reply_queue {
 public:
  explicit reply_queue(asio::io_context& io) : io_(&io) {}

  template <class What>
  void post(What what) {
    const std::lock_guard lock{mutex_};
    if (io_ != nullptr) asio::post(*io_, std::move(what));
  }
  void close() {
    const std::lock_guard lock{mutex_};
    io_ = nullptr;
  }

 private:
  std::mutex mutex_;
  asio::io_context* io_;
};

// All connections, the one that was idle longest first.
using connections = std::list<std::shared_ptr<connection>>;

// Returns nothing without the field; a text that is no host, origin or site if it occurs more than
// once.
std::optional<std::string_view> single_field(const http::fields& fields, std::string_view name) {
  if (fields.count(name) > 1) return "?";
  const auto at = fields.find(name);
  return at == fields.end() ? std::nullopt : std::optional{std::string_view{at->value()}};
}

order completed(order o, int status) {
  o.at = base::wall_now();
  o.status = status;
  return o;
}

// Returns an endpoint without port and scope.
base::endpoint sender_of(const tcp::socket& socket) {
  error_code closed;
  auto address = socket.remote_endpoint(closed).address();
  if (closed) return {};
  if (address.is_v6()) {
    auto six = address.to_v6();
    six.scope_id(0);
    address = six;
  }
  return base::read_address(address.to_string()).value_or(base::endpoint{});
}

class connection : public std::enable_shared_from_this<connection> {
 public:
  connection(tcp::socket socket, const admin_sources& sources, guess_limiter& guesses,
             order_log& orders, connections& all, std::shared_ptr<reply_queue> replies)
      : stream_(std::move(socket)),
        wait_(stream_.get_executor()),
        buffer_(2 * header_bytes_max + body_bytes_max),
        sources_(sources),
        guesses_(guesses),
        orders_(orders),
        from_(sender_of(stream_.socket())),
        all_(all),
        replies_(std::move(replies)) {}

  void open() {
    position_ = all_.insert(all_.end(), shared_from_this());
    read();
  }

  // Closes the socket. The pending read or write fails and releases the connection.
  void close() {
    leave();
    error_code ignored;
    wait_.cancel();
    stream_.socket().close(ignored);
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(header_bytes_max);
    parser_->body_limit(body_bytes_max);
    stream_.expires_after(request_time_max);
    http::async_read(stream_, buffer_, *parser_,
                     beast::bind_front_handler(&connection::on_read, shared_from_this()));
  }

  void on_read(error_code error, std::size_t) {
    if (!open_) return;
    if (!error) {
      all_.splice(all_.end(), all_, position_);
      on_request(parser_->get());
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      write(complaint(431, "the header is too long"), false, false);
    } else if (error == http::error::body_limit || error == http::error::unexpected_body) {
      write(complaint(413, "no request has so long a body here"), false, false);
    } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      write(complaint(400, "that is no HTTP"), false, false);
    } else {
      close();
    }
  }

  void on_request(const http::request<http::string_body>& request) {
    const std::string_view authorization{request[http::field::authorization]};
    if (!authorization.empty() && !sources_.token.empty())
      if (const auto wait = guesses_.wait(from_, std::chrono::steady_clock::now()))
        return refuse(too_many_guesses(*wait));
    const auto host = single_field(request, "Host"), origin = single_field(request, "Origin");
    const auto foreign =
        is_from_foreign_page(host, origin, single_field(request, "Sec-Fetch-Site").value_or(""));
    by_page_ = origin && !foreign;
    auto result = answer(
        sources_, {std::string_view{request.method_string()}, std::string_view{request.target()},
                   foreign, authorization, request.body(), host,
                   std::string_view{request[http::field::accept_encoding]},
                   std::string_view{request[http::field::if_none_match]}});
    if (const auto* command = std::get_if<operator_command>(&result)) return carry_out(*command);
    if (auto* wanted = std::get_if<end_request>(&result)) return end_game(*wanted);
    if (auto* wanted = std::get_if<league_request>(&result)) return ask_arena(*wanted);
    auto& what = std::get<page>(result);
    note_order(what);
    if (what.refused) return refuse(std::move(what));
    write(std::move(what));
  }

  void note_order(page& what) {
    if (what.done) orders_.add(completed(sent(*std::exchange(what.done, {})), what.status));
  }

  void refuse(page what) {
    const auto why = *what.refused;
    if (sources_.on_refused) sources_.on_refused(why);
    if (why != admin_refusal::wrong_token && why != admin_refusal::limited)
      return write(std::move(what));
    if (why == admin_refusal::wrong_token) {
      const auto left_out = guesses_.add(from_, std::chrono::steady_clock::now());
      if (left_out && sources_.on_wrong_token) sources_.on_wrong_token(from_, *left_out);
    }
    write_after(wrong_token_pause, std::move(what));
  }

  // Writes the page after this time, unless write_once() is called before.
  void write_after(std::chrono::milliseconds time, page what) {
    waiting_ = true;
    wait_.expires_after(time);
    wait_.async_wait([self = shared_from_this(), what = std::move(what)](error_code cancelled) {
      const auto expired = self->wait_.expiry() <= asio::steady_timer::clock_type::now();
      if (!cancelled && expired) self->write_once(what);
    });
  }

  // Waits for the answer of a loop, at most request_time_max.
  void wait_for_answer() {
    write_after(request_time_max, complaint(504, "the hub does not say in time"));
  }

  void carry_out(const operator_command& command) {
    if (command.what == operator_command::verb::list_orders) return list_orders();
    wait_for_answer();
    auto given = order_of(command);
    if (given) given = sent(*std::move(given));
    // The order is kept also if the sender does not wait for its answer.
    sources_.carry_out(command, [weak = weak_from_this(), replies = replies_, orders = &orders_,
                                 given](command_answer answer) {
      replies->post([weak, orders, given, answer = std::move(answer)] {
        if (given) orders->add(completed(*given, answer.status));
        if (const auto self = weak.lock()) self->write_once(command_page(answer));
      });
    });
  }

  void ask_arena(const league_request& wanted) {
    wait_for_answer();
    sources_.ask_arena(wanted, [weak = weak_from_this(), replies = replies_, wanted](page said) {
      replies->post([weak, said = arena_order_page(wanted, std::move(said))]() mutable {
        const auto self = weak.lock();
        if (!self) return;
        self->note_order(said);
        self->write_once(std::move(said));
      });
    });
  }

  void list_orders() {
    if (!sources_.list_orders) return write(command_page({200, orders_.json()}));
    wait_for_answer();
    sources_.list_orders({200, orders_.json()},
                         [weak = weak_from_this(), replies = replies_](command_answer answer) {
                           replies->post([weak, answer = std::move(answer)] {
                             if (const auto self = weak.lock())
                               self->write_once(command_page(answer));
                           });
                         });
  }

  // Adds the sender to an order.
  order sent(order o) const {
    o.address = base::to_text(from_);
    o.by_page = by_page_;
    return o;
  }

  void end_game(const end_request& wanted) {
    wait_for_answer();
    order o;
    o.verb = "end";
    o.target = "game " + std::to_string(wanted.game.value);
    o.reason = wanted.reason;
    const auto reply = [weak = weak_from_this(), replies = replies_, orders = &orders_, wanted,
                        given = sent(std::move(o))](std::optional<bool> found) {
      replies->post([weak, orders, given, wanted, found] {
        auto said = end_page(wanted, found);
        orders->add(completed(given, said.status));
        if (const auto self = weak.lock()) self->write_once(std::move(said));
      });
    };
    sources_.end_game(wanted.game, wanted.reason, reply);
  }

  void write_once(page what) {
    if (!open_ || !std::exchange(waiting_, false)) return;
    wait_.cancel();
    write(std::move(what));
  }

  // Writes the answer to the request.
  void write(page what) {
    const auto& request = parser_->get();
    write(std::move(what), request.keep_alive(), request.method() == http::verb::head);
  }

  void write(page what, bool keep_alive, bool head) {
    auto& response = response_.emplace();
    response.result(static_cast<unsigned>(what.status));
    response.set(http::field::content_type, what.type);
    response.set(http::field::cache_control, what.cache_control);
    if (!what.allow.empty()) response.set(http::field::allow, what.allow);
    if (!what.challenge.empty()) response.set(http::field::www_authenticate, what.challenge);
    if (!what.retry_after.empty()) response.set(http::field::retry_after, what.retry_after);
    for (const auto& [name, value] : what.fields) response.set(name, value);
    response.keep_alive(keep_alive);
    if (what.status != 304) response.content_length(what.body.size());
    if (!head) response.body() = std::move(what.body);
    stream_.expires_after(request_time_max);
    http::async_write(stream_, response,
                      beast::bind_front_handler(&connection::on_write, shared_from_this()));
  }

  void on_write(error_code error, std::size_t) {
    if (!open_) return;
    if (error || response_->need_eof()) return close();
    read();
  }

  void leave() {
    if (std::exchange(open_, false)) all_.erase(position_);
  }

  beast::tcp_stream stream_;
  asio::steady_timer wait_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  const admin_sources& sources_;
  guess_limiter& guesses_;
  order_log& orders_;
  const base::endpoint from_;
  connections& all_;
  std::shared_ptr<reply_queue> replies_;
  connections::iterator position_;
  bool open_ = true;
  bool waiting_ = false;  // for the answer of a loop
  bool by_page_ = false;  // the request came from the operators' page
};

tcp::endpoint endpoint_of(const std::string& address, std::uint16_t port) {
  error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error)
    throw base::usage_error{"the admin server can't listen on \"" + address +
                            "\": give --admin-listen an IPv4 or IPv6 address"};
  return {parsed, port};
}

tcp::acceptor acceptor_at(asio::io_context& io, const tcp::endpoint& at) {
  try {
    return tcp::acceptor{io, at};
  } catch (const boost::system::system_error& e) {
    throw base::usage_error{"the admin server can't listen on " + at.address().to_string() +
                            " port " + std::to_string(at.port()) + " (" + e.code().message() +
                            "): give another --admin-port or --admin-listen, or turn it off"};
  }
}

}  // namespace

class admin::server {
 public:
  server(const std::string& address, std::uint16_t port, admin_sources sources)
      : sources_(std::move(sources)), acceptor_(acceptor_at(io_, endpoint_of(address, port))) {
    port_ = acceptor_.local_endpoint().port();
    accept();
    thread_ = std::thread{[this] { io_.run(); }};
  }

  std::uint16_t port() const { return port_; }

  void list_orders(std::function<void(command_answer)> done) {
    replies_->post([this, done = std::move(done)] { done({200, orders_.json()}); });
  }

  // Without acceptor and connections the io_context has no work, and run() returns.
  void stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] {
      error_code ignored;
      acceptor_.close(ignored);
      pause_.cancel();
      while (!connections_.empty()) close_first();
    });
    thread_.join();
    replies_->close();
  }

 private:
  // close() removes the connection from the list, so it is shared until it returns.
  void close_first() {
    const auto first = connections_.front();
    first->close();
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (error) return accept_later();
      if (connections_.size() >= connections_max) close_first();
      std::make_shared<connection>(std::move(socket), sources_, guesses_, orders_, connections_,
                                   replies_)
          ->open();
      accept();
    });
  }

  // The process has no free descriptor now.
  void accept_later() {
    pause_.expires_after(limits::accept_pause);
    pause_.async_wait([this](error_code error) {
      if (!error && acceptor_.is_open()) accept();
    });
  }

  const admin_sources sources_;
  base::system_entropy random_;
  guess_limiter guesses_{random_};
  order_log orders_{sources_.on_order};
  connections connections_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer pause_{io_};
  std::shared_ptr<reply_queue> replies_ = std::make_shared<reply_queue>(io_);
  std::uint16_t port_ = 0;
  std::thread thread_;
};

admin::admin(const std::string& address, std::uint16_t port, admin_sources sources)
    : server_(std::make_unique<server>(address, port, std::move(sources))) {}
admin::~admin() { stop(); }

std::uint16_t admin::port() const { return server_->port(); }
void admin::list_orders(std::function<void(command_answer)> done) {
  server_->list_orders(std::move(done));
}
void admin::stop() { server_->stop(); }

}  // namespace gamehub::admin
