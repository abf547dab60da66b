#include "hub/webhook/service.hpp"

#include "hub/base/address.hpp"
#include "hub/webhook/messages.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <istream>
#include <mutex>
#include <optional>
#include <thread>

namespace gamehub::webhook {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

const std::string secret = "the-secret-of-the-receiver";
constexpr auto patience = 30s;

// A server whose answer a function makes. Its requests are read one after the other.
class receiver {
 public:
  using answer = std::function<std::string(const std::string& body)>;

  explicit receiver(answer how, const std::string& address = "127.0.0.1", std::uint16_t port = 0)
      : how_(std::move(how)), acceptor_(io_, {asio::ip::make_address(address), port}) {
    thread_ = std::thread{[this] { run(); }};
  }
  ~receiver() {
    stopped_ = true;
    boost::system::error_code ignored;
    tcp::socket wake{io_};
    wake.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  std::string url(const std::string& host = "127.0.0.1") const {
    return "http://" + host + ":" + std::to_string(port()) + "/hook";
  }
  // The next body; nothing if none comes.
  std::optional<std::string> next(std::chrono::milliseconds time = patience) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, time, [this] { return !bodies_.empty(); })) return std::nullopt;
    auto out = bodies_.front();
    bodies_.pop_front();
    return out;
  }
  std::string head() {
    const std::lock_guard lock{mutex_};
    return head_;
  }

 private:
  void run() {
    for (;;) {
      boost::system::error_code failed;
      tcp::socket from{io_};
      acceptor_.accept(from, failed);
      if (stopped_) return;
      if (!failed) serve(from);
    }
  }
  void serve(tcp::socket& from) {
    boost::system::error_code failed;
    asio::streambuf in;
    asio::read_until(from, in, "\r\n\r\n", failed);
    std::string text{asio::buffers_begin(in.data()), asio::buffers_end(in.data())};
    const auto head = text.find("\r\n\r\n") + 4;
    const auto at = text.find("Content-Length: ");
    if (failed || at == text.npos) return;
    const auto length = std::stoul(text.substr(at + 16));
    while (text.size() < head + length && !failed) {
      char more[1'024];
      text.append(more, from.read_some(asio::buffer(more), failed));
    }
    const auto body = text.substr(head);
    {
      const std::lock_guard lock{mutex_};
      head_ = text.substr(0, head);
      bodies_.push_back(body);
    }
    changed_.notify_all();
    const auto out = how_(body);
    if (!out.empty()) asio::write(from, asio::buffer(out), failed);
    if (out.empty()) from.read_some(asio::buffer(text), failed);  // until the hub closes it
  }

  asio::io_context io_;
  answer how_;
  tcp::acceptor acceptor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> bodies_;
  std::string head_;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

std::string http_answer(const std::string& body, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

bool is_challenge(const std::string& body) { return body.find("\"challenge\":\"") != body.npos; }

// What a good receiver answers.
std::string good(const std::string& body) {
  constexpr std::string_view before = R"({"type":"challenge","challenge":")";
  if (!body.starts_with(before)) return http_answer("");
  const auto text = body.substr(before.size(), body.size() - before.size() - 2);
  return http_answer("{\"answer\":\"" + challenge_answer(secret, text) + "\"}");
}

service_setup setup_for_test() {
  service_setup out;
  out.allowed = {*base::read_network("127.0.0.0/8")};
  out.call_time = 10s;
  out.rules.delay = 0s;
  out.rules.pause = 1ms;
  out.on_off = [](auto&&...) {};
  out.on_trouble = [](auto&&...) {};
  return out;
}

// A call that answers later.
template <class Call>
webhook_registry::outcome result_of(Call call) {
  auto promise = std::make_shared<std::promise<webhook_registry::outcome>>();
  auto answer = promise->get_future();
  call([promise](const auto& what) { promise->set_value(what); });
  REQUIRE(answer.wait_for(patience) == std::future_status::ready);
  return answer.get();
}

webhook_registry::outcome register_at(service& s, const std::string& url,
                                      const std::string& player = "ann",
                                      const std::string& sender = "") {
  return result_of([&](auto answer) { s.set({player, url, secret, sender}, answer); });
}
std::string why(const webhook_registry::outcome& what) {
  const auto* no = std::get_if<webhook_refusal>(&what);
  return no == nullptr ? "" : no->text;
}
webhook_state state(service& s, const std::string& player = "ann") {
  return std::get<webhook_state>(result_of([&](auto answer) { s.find(player, answer); }));
}
bool await(const std::function<bool()>& is_so) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!is_so())
    if (std::chrono::steady_clock::now() > until) return false;
  return true;
}

absent_turn a_turn(std::uint64_t number) {
  return {{"ann", game_id{12}, "nim", 0}, number, base::wall_time{1'700'000'000s}};
}

struct file_name {
  file_name() {
    auto name = (std::filesystem::temp_directory_path() / "webhooks-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~file_name() { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

}  // namespace

TEST_CASE("webhook service: a receiver that answers the challenge gets each turn once") {
  const file_name at;
  receiver to{good};
  auto setup = setup_for_test();
  setup.file = at.folder / "webhooks";
  {
    service s{setup};
    s.start();
    const auto done = register_at(s, to.url());
    REQUIRE(why(done).empty());
    CHECK(std::get<webhook_state>(done).url == to.url());
    CHECK(is_challenge(to.next().value()));
    CHECK(to.head().find("Gamehub-Signature: t=") != std::string::npos);
    s.on_turn(a_turn(5));
    CHECK(to.next() == turn_body(a_turn(5)));
    REQUIRE(await([&] { return s.numbers().calls[0] == 1; }));
    s.on_turn(a_turn(5));
    lasting_end other{{"bob", game_id{12}, "nim", 1}, 9, true};
    s.on_end(other);
    CHECK(state(s).waiting == 0);
  }
  service again{setup};
  again.start();
  CHECK(state(again).on);
  again.on_turn(a_turn(5));
  CHECK(state(again).waiting == 0);
  again.on_turn(a_turn(7));
  CHECK(to.next() == turn_body(a_turn(7)));
  const lasting_end end{{"ann", game_id{12}, "nim", 0}, 9, true};
  again.on_end(end);
  CHECK(to.next() == end_body(end));
  result_of([&](auto answer) { again.remove("ann", answer); });
  CHECK(why(result_of([&](auto answer) { again.find("ann", answer); })) == "there is no webhook");
}

TEST_CASE("webhook service: an event that was not sent before a stop is sent after it") {
  const file_name at;
  receiver to{good};
  auto setup = setup_for_test();
  setup.file = at.folder / "webhooks";
  setup.rules.delay = 24h;
  {
    service s{setup};
    s.start();
    REQUIRE(why(register_at(s, to.url())).empty());
    s.on_turn(a_turn(5));
    CHECK(state(s).waiting == 1);
  }
  CHECK(is_challenge(to.next().value()));
  // A start a day later, to the file.
  {
    file f{setup.file, false};
    changes later;
    auto e = f.events().at(0);
    e.second.due = {};
    later.events[{e.first, e.second.game}] = e.second;
    f.apply(later);
  }
  service again{setup};
  again.start();
  CHECK(to.next() == turn_body(a_turn(5)));
}

TEST_CASE("webhook service: what does not answer the challenge is not registered") {
  auto setup = setup_for_test();
  setup.call_time = 300ms;
  service s{setup};
  s.start();
  const std::string before = "the receiver did not answer the challenge: ";
  const std::pair<receiver::answer, std::string> all[] = {
      {[](const auto&) { return ""; }, "it did not answer in time"},
      {[](const auto& body) { return http_answer(body); },
       "its answer to the challenge is not the one of the secret"},
      {[](const auto&) { return http_answer("{\"answer\":\"1\"}"); },
       "its answer to the challenge is not the one of the secret"},
      {[](const auto&) {
         return "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
       },
       "it answered with the status 302"},
      {[](const auto&) { return http_answer("", "404 Not Found"); },
       "it answered with the status 404"},
      {[](const auto&) { return "SSH-2.0-OpenSSH_9.2\r\n\r\n"; }, "its answer is no HTTP/1.1"},
      {[](const auto&) { return http_answer(std::string(100'000, ' ')); },
       "its answer is too long"},
      {[](const auto&) { return "HTTP/1.1 200 OK\r\nA: " + std::string(100'000, 'a'); },
       "its answer is too long"},
  };
  for (const auto& [how, words] : all) {
    receiver to{how};
    CHECK(why(register_at(s, to.url())) == before + words);
  }
  CHECK(s.numbers().registrations[1] == std::size(all));
  CHECK(s.numbers().totals.on == 0);
  std::uint16_t closed = 0;
  {
    const receiver gone{good};
    closed = gone.port();
  }
  CHECK(why(register_at(s, "http://127.0.0.1:" + std::to_string(closed) + "/")) ==
        before + "it could not be reached");
}

TEST_CASE("webhook service: URLs, secrets and addresses that are not allowed are refused") {
  auto setup = setup_for_test();
  setup.allowed.clear();
  setup.lookup = [](const std::string& host) {
    return std::vector{asio::ip::make_address(host == "inside.example" ? "10.0.0.1" : "::1")};
  };
  service s{setup};
  s.start();
  for (const auto* url :
       {"http://127.0.0.1/", "http://10.1.2.3/", "http://[::1]/", "http://169.254.169.254/latest",
        "http://inside.example/", "http://other.example/", "http://[::ffff:10.0.0.1]/"})
    CHECK(why(register_at(s, url)) ==
          "the receiver did not answer the challenge: its host was not found, or leads to no "
          "address that this hub calls");
  for (const std::string& url :
       {std::string{"ftp://a.example/"}, std::string{"http://a.example/#x"},
        std::string{"http://user:pass@a.example/"}, std::string{"http://2130706433/"},
        std::string{"http://a.example/\r\nX: y"}, "http://a.example/" + std::string(100'000, 'a'),
        std::string{"nothing"}, std::string{}})
    CHECK(why(register_at(s, url)).starts_with("url "));
  for (const std::string& bad :
       {std::string{"short"}, std::string(129, 'a'), std::string{"with a blank in it......"}})
    CHECK(why(result_of([&](auto answer) {
            s.set({"ann", "http://127.0.0.1/", bad, ""}, answer);
          })) == "secret has to be 16 to 128 visible characters of ASCII");
  CHECK(s.numbers().registrations[0] == 0);
}

TEST_CASE("webhook service: a name that leads elsewhere later gets no event there") {
  std::atomic<int> now{1};
  auto setup = setup_for_test();
  setup.allowed = {*base::read_network("127.0.0.1"), *base::read_network("127.0.0.2")};
  setup.lookup = [&now](const std::string&) {
    const char* const leads_to[] = {"", "127.0.0.1", "127.0.0.2", "10.0.0.1"};
    return std::vector{asio::ip::make_address(leads_to[now.load()])};
  };
  setup.rules.failures_max = 100;
  service s{setup};
  s.start();
  receiver own{good};
  receiver stranger{[](const auto& body) { return http_answer(body); }, "127.0.0.2", own.port()};
  REQUIRE(why(register_at(s, own.url("hook.example"))).empty());
  CHECK(is_challenge(own.next().value()));
  now = 2;
  s.on_turn(a_turn(5));
  // The stranger is asked whether it wants the calls, and told nothing.
  for (int i = 0; i < 2; ++i) CHECK(is_challenge(stranger.next().value()));
  now = 3;
  const auto failed = s.numbers().calls[1];
  REQUIRE(await([&] { return s.numbers().calls[1] > failed + 2; }));
  // It leads back, where the address is known.
  now = 1;
  CHECK(own.next() == turn_body(a_turn(5)));
  while (const auto heard = stranger.next(0ms)) CHECK(is_challenge(*heard));
}

TEST_CASE("webhook service: a receiver that moves answers a challenge before the event") {
  std::atomic<int> now{1};
  auto setup = setup_for_test();
  setup.lookup = [&now](const std::string&) {
    return std::vector{asio::ip::make_address(now == 1 ? "127.0.0.1" : "127.0.0.2")};
  };
  service s{setup};
  s.start();
  receiver here{good};
  receiver there{good, "127.0.0.2", here.port()};
  REQUIRE(why(register_at(s, here.url("hook.example"))).empty());
  now = 2;
  s.on_turn(a_turn(5));
  CHECK(is_challenge(there.next().value()));
  CHECK(there.next() == turn_body(a_turn(5)));
  s.on_turn(a_turn(7));
  CHECK(there.next() == turn_body(a_turn(7)));
}

TEST_CASE("webhook service: failed calls are repeated, and too many turn the webhook off") {
  std::atomic<int> bad{2};
  receiver to{[&](const std::string& body) {
    return is_challenge(body) || bad-- <= 0 ? good(body) : http_answer("", "500 Error");
  }};
  auto setup = setup_for_test();
  setup.rules.failures_max = 3;
  std::promise<std::string> off;
  setup.on_off = [&](const std::string& host, const std::string& words) {
    off.set_value(host + " " + words);
  };
  service s{setup};
  s.start();
  REQUIRE(why(register_at(s, to.url())).empty());
  s.on_turn(a_turn(5));
  REQUIRE(await([&] { return s.numbers().calls[0] == 1; }));
  CHECK(s.numbers().calls[1] == 2);
  CHECK(state(s).failures == 0);
  bad = 100;
  s.on_turn(a_turn(7));
  CHECK(off.get_future().get() ==
        "127.0.0.1:" + std::to_string(to.port()) + " it answered with the status 500");
  CHECK_FALSE(state(s).on);
  CHECK(state(s).why == "it answered with the status 500");
}

TEST_CASE("webhook service: registrations of one address are limited, those of others are not") {
  auto setup = setup_for_test();
  service s{setup};
  s.start();
  const std::string url = "http://192.168.0.1/";
  int limited = 0;
  for (int i = 0; i < 20; ++i) {
    const auto what = register_at(s, url, "ann", "192.0.2.7");
    if (std::get<webhook_refusal>(what).why != webhook_refusal::reason::too_many) continue;
    ++limited;
    CHECK(std::get<webhook_refusal>(what).wait > 0s);
  }
  CHECK(limited == 20 - static_cast<int>(limits::webhook_registrations_burst));
  CHECK(std::get<webhook_refusal>(register_at(s, url, "bob", "192.0.2.8")).why ==
        webhook_refusal::reason::invalid);
}

TEST_CASE("webhook service: a hub that stops answers the registrations that wait") {
  receiver deaf{[](const auto&) { return ""; }};
  service s{setup_for_test()};
  s.start();
  std::promise<webhook_registry::outcome> answer;
  s.set({"ann", deaf.url(), secret, ""}, [&](const auto& what) { answer.set_value(what); });
  CHECK(is_challenge(deaf.next().value()));
  s.drain();
  CHECK(why(answer.get_future().get()) == "the hub is stopping");
  CHECK(why(register_at(s, deaf.url())) == "the hub is stopping");
  s.stop();
}

}  // namespace gamehub::webhook
