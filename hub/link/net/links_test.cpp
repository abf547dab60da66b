#include "hub/link/net/links.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/link/codec.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace gamehub;
using namespace gamehub::link;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using boost::system::error_code;
using link::net::links;
using link::net::links_options;

namespace {

constexpr auto patience = 60s;

// Silence breaks no link where it is not the subject, so that a slow machine fails no test.
links_options options_of(std::uint64_t self) {
  links_options o;
  o.cluster = "0123456789abcdef";
  o.self = member_id{self};
  o.build = "1.0";
  o.silence_max = 10min;
  o.hello_max = 10min;
  o.connect_pause_min = 1ms;
  o.connect_pause_max = 20ms;
  return o;
}

// A member with what its links have told it.
class hub_at {
 public:
  explicit hub_at(links_options o)
      : links_(std::move(o), {[this](member_id) { note([this] { ++ups_; }); },
                              [this](member_id, std::string_view why) {
                                note([&] { broken_.emplace_back(why); });
                              },
                              [this](member_id, std::string_view message) {
                                note([&] { heard_.emplace_back(message); });
                              }}) {
    links_.start();
  }
  ~hub_at() { links_.stop(); }

  links* operator->() { return &links_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(links_.port()); }

  // Waits until this holds. It may use what was told, and numbers() and status().
  void await(const std::function<bool()>& holds) {
    std::unique_lock lock{mutex_};
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!holds()) {
      REQUIRE(std::chrono::steady_clock::now() < until);
      changed_.wait_for(lock, 5ms);
    }
  }
  void await_up(int times = 1) {
    await([&] { return ups_ >= times; });
  }
  void await_refusal(refusal why, std::uint64_t times = 1) {
    await([&] { return links_.numbers().refused.at(why) >= times; });
  }
  void await_broken(std::size_t times = 1) {
    await([&] { return broken_.size() >= times; });
  }
  std::vector<std::string> await_messages(std::size_t count) {
    await([&] { return heard_.size() >= count; });
    const std::lock_guard lock{mutex_};
    return heard_;
  }
  std::string why() {
    const auto all = links_.status();
    return all.empty() ? "" : all.front().why;
  }

 private:
  void note(const std::function<void()>& what) {
    const std::lock_guard lock{mutex_};
    what();
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int ups_ = 0;
  std::vector<std::string> broken_, heard_;
  links links_;
};

void introduce(hub_at& a, hub_at& b) {
  a->set_members({{member_id{2}, b.address()}});
  b->set_members({{member_id{1}, a.address()}});
}

// A client without manners: it blocks.
class raw_client {
 public:
  explicit raw_client(const hub_at& to, int buffer_bytes = 0) : socket_(io_) {
    const auto port = to.address().substr(to.address().rfind(':') + 1);
    if (buffer_bytes != 0) {
      socket_.open(tcp::v4());
      socket_.set_option(boost::asio::socket_base::receive_buffer_size(buffer_bytes));
    }
    socket_.connect(
        {boost::asio::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(std::stoi(port))});
  }
  void say(const frame& what) {
    std::string bytes;
    append(what, bytes);
    say(bytes);
  }
  void say(const std::string& bytes) {
    error_code ignored;
    boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
  }
  // The frame with which it is refused, or nothing if the connection ends without.
  std::optional<refusal> await_refusal() {
    reader frames;
    std::array<char, 512> bytes{};
    for (error_code ended;;) {
      const auto n = socket_.read_some(boost::asio::buffer(bytes), ended);
      if (ended) return std::nullopt;
      frames.receive({bytes.data(), n});
      while (auto f = frames.next())
        if (const auto* no = std::get_if<refused>(&std::get<frame>(*f))) return no->why;
    }
  }

 private:
  boost::asio::io_context io_;
  tcp::socket socket_;
};

hello good_hello() {
  hello h;
  h.cluster = "0123456789abcdef";
  h.from = member_id{2};
  h.to = member_id{1};
  h.attempt = 1;
  h.build = "1.0";
  return h;
}

// Carries the connections to a port, and cuts them.
class cutting_proxy {
 public:
  explicit cutting_proxy(std::uint16_t to)
      : to_(boost::asio::ip::make_address("127.0.0.1"), to),
        acceptor_(io_, {boost::asio::ip::make_address("127.0.0.1"), 0}) {
    accept();
    thread_ = std::thread{[this] { io_.run(); }};
  }
  ~cutting_proxy() {
    io_.stop();
    thread_.join();
  }
  std::string address() const {
    return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  void cut() {
    boost::asio::post(io_, [this] {
      for (auto& p : pairs_) {
        error_code ignored;
        p.a.close(ignored);
        p.b.close(ignored);
      }
      pairs_.clear();
    });
  }

 private:
  struct pair {
    tcp::socket a, b;
    std::array<char, 4'096> there{}, back{};
  };
  void accept() {
    acceptor_.async_accept([this](error_code failed, tcp::socket s) {
      if (failed) return;
      auto& p = pairs_.emplace_back(pair{std::move(s), tcp::socket{io_}});
      error_code refused;
      p.b.connect(to_, refused);
      if (!refused) {
        pump(p.a, p.b, p.there);
        pump(p.b, p.a, p.back);
      }
      accept();
    });
  }
  void pump(tcp::socket& from, tcp::socket& to, std::array<char, 4'096>& by) {
    from.async_read_some(boost::asio::buffer(by), [&](error_code failed, std::size_t n) {
      if (failed) return;
      error_code ended;
      boost::asio::write(to, boost::asio::buffer(by.data(), n), ended);
      if (!ended) pump(from, to, by);
    });
  }

  boost::asio::io_context io_;
  const tcp::endpoint to_;
  tcp::acceptor acceptor_;
  std::list<pair> pairs_, unused_;
  std::thread thread_;
};

std::string mistake_of(links_options o) {
  try {
    const links unused{std::move(o), {}};
  } catch (const base::usage_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("links: messages of two members arrive once and in order") {
  hub_at a{options_of(1)}, b{options_of(2)};
  introduce(a, b);
  a.await_up(), b.await_up();
  for (int i = 0; i < 1'000; ++i) {
    REQUIRE(a->send(member_id{2}, "a" + std::to_string(i)));
    REQUIRE(b->send(member_id{1}, "b" + std::to_string(i)));
    if (i % 10 == 9) a->flush(), b->flush();
  }
  const auto at_b = b.await_messages(1'000), at_a = a.await_messages(1'000);
  for (std::size_t i = 0; i < 1'000; ++i) {
    REQUIRE(at_b[i] == "a" + std::to_string(i));
    REQUIRE(at_a[i] == "b" + std::to_string(i));
  }
  const auto n = a->numbers();
  CHECK(n.links_up == 1);
  CHECK(n.links_wanted == 1);
  CHECK(n.sent_messages == 1'000);
  CHECK(n.received_messages == 1'000);
  CHECK(n.sent_bytes > 1'000);
  CHECK(n.breaks == 0);
  const auto s = a->status();
  REQUIRE(s.size() == 1);
  CHECK(s.front().up_in);
  CHECK(s.front().up_out);
  CHECK(s.front().build == "1.0");
}

TEST_CASE("links: cut connections lose no message, and repeat none") {
  hub_at a{options_of(1)}, b{options_of(2)};
  cutting_proxy between{b->port()};
  a->set_members({{member_id{2}, between.address()}});
  b->set_members({{member_id{1}, a.address()}});
  a.await_up();
  constexpr std::size_t count = 10'000;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 1'000 == 500) between.cut();
    // Until the window has room.
    while (!a->send(member_id{2}, std::to_string(i))) std::this_thread::yield();
    a->flush();
  }
  const auto heard = b.await_messages(count);
  REQUIRE(heard.size() == count);
  for (std::size_t i = 0; i < count; ++i) REQUIRE(heard[i] == std::to_string(i));
  CHECK(a->numbers().breaks >= 1);
}

TEST_CASE("links: a member that is gone is known at once on the other side") {
  hub_at a{options_of(1)};
  {
    hub_at b{options_of(2)};
    introduce(a, b);
    a.await_up();
  }
  a.await_broken();
  CHECK(a->numbers().links_up == 0);
  CHECK(a->numbers().links_wanted == 1);
  a->set_members({});
  CHECK(a->numbers().links_wanted == 0);
  CHECK_FALSE(a->send(member_id{2}, "x"));
}

TEST_CASE("links: who does not belong here is refused, with the reason") {
  hub_at a{options_of(1)};
  a->set_members({{member_id{2}, "127.0.0.1:1"}});
  const auto refusal_of = [&](const std::function<void(hello&)>& change) {
    raw_client client{a};
    auto h = good_hello();
    change(h);
    client.say(h);
    return client.await_refusal();
  };
  CHECK(refusal_of([](hello& h) { h.cluster = "another"; }) == refusal::cluster);
  CHECK(refusal_of([](hello& h) { h.from = member_id{1}; }) == refusal::self);
  CHECK(refusal_of([](hello& h) { h.from = member_id{7}; }) == refusal::member);
  CHECK(refusal_of([](hello& h) { h.to = member_id{7}; }) == refusal::member);
  CHECK(refusal_of([](hello& h) { h.least = h.greatest = 99; }) == refusal::version);
  CHECK(refusal_of([](hello& h) { h.acknowledged = h.sent = 5; }) == refusal::numbers);
  raw_client rude{a};
  rude.say("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  CHECK(rude.await_refusal() == refusal::garbage);
  raw_client early{a};
  early.say(ping{});
  CHECK(early.await_refusal() == refusal::garbage);
  const auto counted = a->numbers().refused;
  CHECK(counted.at(refusal::member) == 2);
  CHECK(counted.at(refusal::garbage) == 2);
  CHECK(counted.at(refusal::silent) == 0);
  CHECK(counted.size() == refusals.size());
}

TEST_CASE("links: a wrong connection does not end the good one") {
  hub_at a{options_of(1)}, b{options_of(2)};
  introduce(a, b);
  a.await_up(), b.await_up();
  raw_client forged{a};
  auto h = good_hello();
  h.attempt = 99;
  h.acknowledged = h.sent = 7;
  forged.say(h);
  CHECK(forged.await_refusal() == refusal::numbers);
  CHECK(a->numbers().links_up == 1);
  CHECK(a->numbers().breaks == 0);
}

TEST_CASE("links: a client that says nothing, and a crowd of them, are refused") {
  SECTION("silent") {
    auto o = options_of(1);
    o.hello_max = 100ms;
    hub_at a{o};
    raw_client quiet{a};
    a.await_refusal(refusal::silent);
    CHECK_FALSE(quiet.await_refusal());
  }
  SECTION("crowded") {
    auto o = options_of(1);
    o.unidentified_per_address_max = 2;
    hub_at a{o};
    a->set_members({{member_id{2}, "127.0.0.1:1"}});
    std::list<raw_client> crowd;
    for (int i = 0; i < 5; ++i) crowd.emplace_back(a);
    a.await_refusal(refusal::crowded, 3);
    // Who goes makes room.
    crowd.clear();
    a.await([&] {
      raw_client next{a};
      auto h = good_hello();
      h.cluster = "another";
      next.say(h);
      return next.await_refusal() == refusal::cluster;
    });
  }
}

TEST_CASE("links: a peer that sends and never reads is found") {
  auto o = options_of(1);
  o.silence_max = 1s;
  o.socket_buffer_bytes = 4'096;
  hub_at a{o};
  // It accepts the connection of the member, answers, pings, and reads no more.
  boost::asio::io_context io;
  tcp::acceptor listener{io, {boost::asio::ip::make_address("127.0.0.1"), 0}};
  listener.set_option(boost::asio::socket_base::receive_buffer_size(4'096));
  std::atomic<bool> over{false};
  std::thread peer{[&] {
    tcp::socket s{io};
    listener.accept(s);
    std::string bytes;
    hello_answer answer;
    answer.from = member_id{2};
    answer.window = 4u << 20;
    append(answer, bytes);
    for (error_code ended; !over && !ended;) {
      boost::asio::write(s, boost::asio::buffer(bytes), ended);
      bytes.clear();
      append(ping{}, bytes);
      std::this_thread::yield();
    }
  }};
  a->set_members({{member_id{2}, "127.0.0.1:" + std::to_string(listener.local_endpoint().port())}});
  a.await([&] { return !a->status().empty() && a->status().front().up_out; });
  while (a->send(member_id{2}, std::string(60'000, 'x'))) a->flush();
  CHECK(a->numbers().dropped >= 1);
  a.await([&] { return a->numbers().broken.at(break_cause::silent) >= 1; });
  CHECK(a.why() == "silent");
  over = true;
  peer.join();
}

TEST_CASE("links: a peer that falls silent is found") {
  auto o = options_of(1);
  o.silence_max = 500ms;
  hub_at a{o};
  a->set_members({{member_id{2}, "127.0.0.1:1"}});
  raw_client other{a};
  other.say(good_hello());
  a.await([&] { return a->numbers().broken.at(break_cause::silent) >= 1; });
}

TEST_CASE("links: an address that can't be used is said") {
  hub_at a{options_of(1)};
  for (const auto* address : {"", "here:7", "10.0.0.7:7070"}) {
    CAPTURE(address);
    a->set_members({});
    a->set_members({{member_id{2}, address}});
    a.await([&] { return a.why() == "address: " + std::string{address}; });
  }
}

TEST_CASE("links: mistakes of the settings are one sentence") {
  using Catch::Matchers::Contains;
  auto o = options_of(1);
  o.listen = "0.0.0.0";
  CHECK_THAT(mistake_of(o), Contains("listen on loopback only, not on 0.0.0.0: give link-key"));
  const links taken{options_of(2), {}};
  o = options_of(1);
  o.port = taken.port();
  CHECK_THAT(mistake_of(o), Contains("link-port: port " + std::to_string(taken.port())) &&
                                Contains("Address already in use"));
  o = options_of(1);
  o.tls = {"/no/key.pem", "/no/certificate.pem", "/no/authority.pem"};
  CHECK_THAT(mistake_of(o), Contains("link-certificate: /no/certificate.pem can't be used"));
}
