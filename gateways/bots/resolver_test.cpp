#include "gateways/bots/resolver.hpp"

#include "gateways/net/address.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways::bots;
using namespace std::chrono_literals;

namespace {

// Name servers: names that begin with "slow" are answered once they are released.
class name_servers {
 public:
  std::vector<boost::asio::ip::address> find(const std::string& host) {
    std::unique_lock lock{mutex_};
    asked_.push_back(host);
    changed_.notify_all();
    if (host.starts_with("slow")) changed_.wait(lock, [this] { return released_; });
    std::vector<boost::asio::ip::address> out;
    const auto add = [&](const char* address) {
      out.push_back(boost::asio::ip::make_address(address));
    };
    if (host.ends_with("good.test")) add("8.8.8.8");
    if (host.starts_with("inside") || host.starts_with("mixed")) add("10.0.0.1");
    if (host.starts_with("self")) add("::1");
    if (host.starts_with("mixed")) add("2606:4700::1111");
    return out;
  }
  // Waits until that number of names were asked for.
  std::vector<std::string> asked(std::size_t count) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return asked_.size() >= count; });
    return asked_;
  }
  void release() {
    const std::lock_guard lock{mutex_};
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> asked_;
  bool released_ = false;
};

struct scene {
  explicit scene(base::duration patience = 1min, address_policy policy = address_policy{})
      : names(
            std::move(policy),
            [servers = servers](const auto& host) { return servers->find(host); }, patience) {}
  ~scene() {
    names.stop();
    servers->release();
  }
  scene(const scene&) = delete;
  scene& operator=(const scene&) = delete;

  // The result, once it is there.
  using pending = std::shared_ptr<std::optional<resolver::result>>;
  pending find(const std::string& host, const std::string& owner = "ann") {
    auto out = std::make_shared<std::optional<resolver::result>>();
    names.find(std::get<bot_url>(read_url("http://" + host + ":81/")), owner, io,
               [out](resolver::result what) { *out = std::move(what); });
    return out;
  }
  resolver::result await(const pending& what) {
    io.restart();
    while (!*what) io.run_one();
    return **what;
  }
  std::string refusal_of(const std::string& host) {
    const auto got = await(find(host));
    return std::holds_alternative<std::string>(got) ? std::get<std::string>(got) : "";
  }

  // Shared with the threads, which a stop does not await.
  std::shared_ptr<name_servers> servers = std::make_shared<name_servers>();
  boost::asio::io_context io;
  resolver names;
};

}  // namespace

TEST_CASE("resolver: finds the addresses of a name that may be called") {
  scene s;
  const auto got = s.await(s.find("mixed.test"));
  const auto& at = *std::get<std::shared_ptr<const bot_endpoint>>(got);
  REQUIRE(at.addresses.size() == 1);
  CHECK(at.addresses[0].address().to_string() == "2606:4700::1111");
  CHECK(at.addresses[0].port() == 81);
  CHECK(at.host == "mixed.test");
  CHECK(at.is_name);
}

TEST_CASE("resolver: an address is judged without a look-up") {
  scene s;
  CHECK(s.refusal_of("10.0.0.1").starts_with("The rpcendpoint leads to a private address: "));
  const auto got = s.await(s.find("8.8.8.8"));
  CHECK_FALSE(std::get<std::shared_ptr<const bot_endpoint>>(got)->is_name);
  CHECK(s.servers->asked(0).empty());
}

TEST_CASE("resolver: every name that is refused gets the same sentence") {
  const auto sentence = [](const std::string& host) {
    return "The host \"" + host +
           "\" of the rpcendpoint was not found, or leads to no address that this hub calls (its "
           "operator allows networks with --bot-allow)";
  };
  scene s;
  for (const auto* host : {"unknown.test", "inside.test", "self.test"})
    CHECK(s.refusal_of(host) == sentence(host));
  scene impatient{1ms};
  CHECK(impatient.refusal_of("slow.good.test") == sentence("slow.good.test"));
}

TEST_CASE("resolver: ten slow names of one owner delay no name of another") {
  scene s;
  std::vector<scene::pending> slow;
  for (int i = 0; i < 10; ++i) slow.push_back(s.find("slow" + std::to_string(i) + ".test", "bob"));
  const auto honest = s.await(s.find("good.test", "ann"));
  CHECK(std::holds_alternative<std::shared_ptr<const bot_endpoint>>(honest));
  CHECK(std::none_of(slow.begin(), slow.end(), [](const auto& each) { return each->has_value(); }));
  // One name of an owner at a time, although a thread is free.
  CHECK(s.servers->asked(2).size() == 2);
  s.servers->release();
  for (const auto& each : slow) CHECK(std::holds_alternative<std::string>(s.await(each)));
  CHECK(s.servers->asked(11).size() == 11);
}

TEST_CASE("resolver: names without a waiting requester are dropped") {
  scene s{1ms};
  const auto first = s.find("slow.test"), second = s.find("other.test");
  s.servers->asked(1);
  s.await(first);
  s.await(second);
  // The handlers of the timers that were cancelled.
  s.io.poll();
  s.servers->release();
  scene::pending last;
  // The time may be over before its turn comes.
  do s.await(last = s.find("good.test"));
  while (std::holds_alternative<std::string>(**last));
  const auto asked = s.servers->asked(2);
  CHECK(std::count(asked.begin(), asked.end(), "other.test") == 0);
}

TEST_CASE("resolver: requests for one name are answered together") {
  scene s;
  const auto busy = s.find("slow.test");
  s.servers->asked(1);
  const auto first = s.find("good.test"), second = s.find("good.test");
  s.servers->release();
  s.await(first);
  s.await(second);
  CHECK(s.servers->asked(2) == std::vector<std::string>{"slow.test", "good.test"});
}

TEST_CASE("resolver: the names that wait are bounded") {
  scene s;
  s.find("slow.test");
  s.servers->asked(1);
  for (std::size_t i = 0; i < limits::bot_names_waiting_max; ++i)
    REQUIRE_FALSE(s.find("good" + std::to_string(i) + ".test")->has_value());
  const auto refused = s.find("good.test");
  REQUIRE(refused->has_value());
  CHECK(std::get<std::string>(**refused) == "Too many names are being resolved: come later");
}
