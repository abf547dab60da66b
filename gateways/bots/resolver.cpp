#include "gateways/bots/resolver.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "gateways/net/address.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Returns the endpoint with the allowed addresses, or why it has no address.
resolver::result check_addresses(const address_policy& policy, bot_url url,
                                 const std::vector<asio::ip::address>& all) {
  auto out = std::make_shared<bot_endpoint>();
  std::string_view why;
  for (const auto& each : all) {
    const auto e = net::endpoint_of(each);
    if (const auto no = policy.why_not(e)) {
      why = *no;
      continue;
    }
    // The address is called in the form that was checked, not as an IPv6 form of an IPv4 address.
    if (out->addresses.size() < limits::bot_addresses_max)
      out->addresses.emplace_back(net::address_of(e), url.port);
  }
  if (out->addresses.empty() && why.empty())
    return "The host \"" + url.host + "\" of the rpcendpoint has no address";
  // The text does not name the address, so that a stranger cannot look up names of the hub's
  // network.
  if (out->addresses.empty())
    return "The rpcendpoint leads to " + std::string{why} +
           ": this hub calls none unless its operator allows it with --bot-allow";
  out->url = std::move(url);
  return std::shared_ptr<const bot_endpoint>{std::move(out)};
}

// A lookup that waits for a result or for its timeout. Only its loop uses it; the timer's handler
// owns it.
struct pending_lookup {
  std::function<void(resolver::result)> answer;
  std::optional<asio::steady_timer> clock;
  bool answered = false;

  void complete(resolver::result what) {
    if (std::exchange(answered, true)) return;
    clock.reset();
    std::exchange(answer, nullptr)(std::move(what));
  }
};

// A job of a resolver thread. The lookup may have timed out meanwhile.
struct lookup_job {
  bot_url url;
  asio::io_context* loop = nullptr;
  std::weak_ptr<pending_lookup> lookup;
};

}  // namespace

struct resolver::threads {
  explicit threads(address_policy p) : policy(std::move(p)) {}

  const address_policy policy;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<lookup_job> waiting;
  std::size_t started = 0, idle = 0;
  bool stopped = false;

  // Runs until stop(). Later results are discarded.
  static void run(const std::shared_ptr<threads>& self) {
    std::unique_lock lock{self->mutex};
    for (;;) {
      ++self->idle;
      self->changed.wait(lock, [&] { return self->stopped || !self->waiting.empty(); });
      --self->idle;
      if (self->stopped) return;
      const auto now = std::move(self->waiting.front());
      self->waiting.pop_front();
      lock.unlock();
      auto got = resolve(self->policy, now.url);
      lock.lock();
      // After stop() the loop may be gone.
      if (self->stopped) return;
      asio::post(*now.loop, [lookup = now.lookup, got = std::move(got)]() mutable {
        if (const auto asked = lookup.lock()) asked->complete(std::move(got));
      });
    }
  }

  static result resolve(const address_policy& policy, const bot_url& url) {
    asio::io_context own;
    tcp::resolver resolver{own};
    error_code failed;
    const auto results = resolver.resolve(url.host, "", tcp::resolver::numeric_service, failed);
    if (failed)
      return "The host \"" + url.host + "\" of the rpcendpoint has no address: " + failed.message();
    std::vector<asio::ip::address> all;
    for (const auto& each : results) all.push_back(each.endpoint().address());
    return check_addresses(policy, url, all);
  }
};

resolver::resolver(address_policy policy)
    : threads_(std::make_shared<threads>(std::move(policy))) {}

void resolver::stop() {
  const std::lock_guard lock{threads_->mutex};
  threads_->stopped = true;
  threads_->waiting.clear();
  threads_->changed.notify_all();
}

void resolver::find(bot_url url, asio::io_context& loop, std::function<void(result)> answer) {
  if (url.address) {
    const std::vector<asio::ip::address> only{net::address_of(*url.address)};
    return answer(check_addresses(threads_->policy, std::move(url), only));
  }
  const auto asked = std::make_shared<pending_lookup>();
  asked->answer = std::move(answer);
  asked->clock.emplace(loop, limits::bot_resolve_max);
  asked->clock->async_wait([asked, host = url.host](error_code failed) {
    if (!failed)
      asked->complete("The host \"" + host + "\" of the rpcendpoint was not found in time");
  });
  const std::lock_guard lock{threads_->mutex};
  threads_->waiting.push_back({std::move(url), &loop, asked});
  if (threads_->idle == 0 && threads_->started < limits::bot_resolver_threads) {
    ++threads_->started;
    std::thread{[self = threads_] { threads::run(self); }}.detach();
  }
  threads_->changed.notify_one();
}

}  // namespace gamehub::gateways::bots
