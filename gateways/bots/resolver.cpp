#include "gateways/jsonrpc/server/address_finder.hpp"

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

#include "gateways/jsonrpc/jsonrpc_limits.hpp"

namespace gamehub::gateways::bots::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

endpoint endpoint_of(const asio::ip::address& a) {
  endpoint out;
  const auto six =
      a.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, a.to_v4()) : a.to_v6();
  out.address = six.to_bytes();
  out.scope = static_cast<std::uint32_t>(six.scope_id());
  return out;
}

asio::ip::address address_of(const endpoint& e) {
  const asio::ip::address_v6 six{e.address, e.scope};
  if (is_ipv4(e)) return asio::ip::make_address_v4(asio::ip::v4_mapped, six);
  return six;
}

// Those of the addresses that may be called, or why none of them may.
resolver::found judge(const address_policy& policy, bot_url url,
                            const std::vector<asio::ip::address>& all) {
  auto out = std::make_shared<place>();
  std::string_view why;
  for (const auto& each : all) {
    const auto e = endpoint_of(each);
    if (const auto no = policy.why_not(e)) {
      why = *no;
      continue;
    }
    // As it is judged, so it is called: not as an IPv6 address that stands for an IPv4 one.
    if (out->addresses.size() < limits::bot_addresses_max)
      out->addresses.emplace_back(address_of(e), url.port);
  }
  if (out->addresses.empty() && why.empty())
    return "The host \"" + url.host + "\" of the rpcendpoint has no address";
  // To which one, is nobody's business: names within the hub's network are no stranger's to look
  // up.
  if (out->addresses.empty())
    return "The rpcendpoint leads to " + std::string{why} +
           ": this hub calls none unless its operator allows it with --bot-allow";
  out->url = std::move(url);
  return std::shared_ptr<const place>{std::move(out)};
}

// Who asked, and waits for whatever comes first: an answer or the end of its time. Only its loop
// touches it, and it goes with that loop at the latest: the clock's handler keeps it.
struct question {
  std::function<void(resolver::found)> answer;
  std::optional<asio::steady_timer> clock;
  bool answered = false;

  void settle(resolver::found what) {
    if (std::exchange(answered, true)) return;
    clock.reset();
    std::exchange(answer, nullptr)(std::move(what));
  }
};

// What a thread looks up meanwhile; whether anybody still waits for it, it can't know.
struct errand {
  bot_url url;
  asio::io_context* home = nullptr;
  std::weak_ptr<question> lookup;
};

}  // namespace

struct resolver::threads {
  explicit threads(address_policy p) : policy(std::move(p)) {}

  const address_policy policy;
  std::mutex mutex;
  std::condition_variable come;
  std::deque<errand> waiting;
  std::size_t started = 0, idle = 0;
  bool stopped = false;

  // Until the finder is gone. What is found then is nobody's.
  static void run(const std::shared_ptr<threads>& self) {
    std::unique_lock lock{self->mutex};
    for (;;) {
      ++self->idle;
      self->come.wait(lock, [&] { return self->stopped || !self->waiting.empty(); });
      --self->idle;
      if (self->stopped) return;
      const auto now = std::move(self->waiting.front());
      self->waiting.pop_front();
      lock.unlock();
      auto got = resolve(self->policy, now.url);
      lock.lock();
      // Only until then is the loop sure to be there.
      if (self->stopped) return;
      asio::post(*now.home, [lookup = now.lookup, got = std::move(got)]() mutable {
        if (const auto asked = lookup.lock()) asked->settle(std::move(got));
      });
    }
  }

  static found resolve(const address_policy& policy, const bot_url& url) {
    asio::io_context own;
    tcp::resolver resolver{own};
    error_code failed;
    const auto results = resolver.resolve(url.host, "", tcp::resolver::numeric_service, failed);
    if (failed)
      return "The host \"" + url.host + "\" of the rpcendpoint has no address: " + failed.message();
    std::vector<asio::ip::address> all;
    for (const auto& each : results) all.push_back(each.endpoint().address());
    return judge(policy, url, all);
  }
};

resolver::resolver(address_policy policy)
    : threads_(std::make_shared<threads>(std::move(policy))) {}

void resolver::stop() {
  const std::lock_guard lock{threads_->mutex};
  threads_->stopped = true;
  threads_->waiting.clear();
  threads_->come.notify_all();
}

void resolver::find(bot_url url, asio::io_context& home, std::function<void(found)> answer) {
  if (url.address) {
    const std::vector<asio::ip::address> only{address_of(*url.address)};
    return answer(judge(threads_->policy, std::move(url), only));
  }
  const auto asked = std::make_shared<question>();
  asked->answer = std::move(answer);
  asked->clock.emplace(home, limits::bot_resolve_max);
  asked->clock->async_wait([asked, host = url.host](error_code failed) {
    if (!failed)
      asked->settle("The host \"" + host + "\" of the rpcendpoint was not found in time");
  });
  const std::lock_guard lock{threads_->mutex};
  threads_->waiting.push_back({std::move(url), &home, asked});
  if (threads_->idle == 0 && threads_->started < limits::bot_resolver_threads) {
    ++threads_->started;
    std::thread{[self = threads_] { threads::run(self); }}.detach();
  }
  threads_->come.notify_one();
}

}  // namespace gamehub::gateways::jsonrpc::server
