#include "gateways/bots/resolver.hpp"

#include "gateways/net/address.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;
using addresses = std::vector<asio::ip::address>;

namespace {

constexpr std::string_view too_many_names = "Too many names are being resolved: come later";

std::string no_such_host(const bot_url& url) {
  return "The host \"" + url.host +
         "\" of the rpcendpoint was not found, or leads to no address that this hub calls (its "
         "operator allows networks with --bot-allow)";
}

// Returns the endpoint with the allowed addresses, or why it has none.
resolver::result check_addresses(const address_policy& policy, bot_url url, const addresses& all) {
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
  if (out->addresses.empty() && !url.address) return no_such_host(url);
  if (out->addresses.empty())
    return "The rpcendpoint leads to " + std::string{why} +
           ": this hub calls none unless its operator allows it with --bot-allow";
  out->tls = url.tls;
  out->host = url.host;
  out->is_name = !url.address;
  out->url = std::move(url);
  return std::shared_ptr<const bot_endpoint>{std::move(out)};
}

// A request that waits for a result or for its timeout. Only its loop uses it; the timer's handler
// owns it, so it is gone once it is answered.
struct pending_request {
  std::function<void(const addresses&)> answer;
  std::optional<asio::steady_timer> clock;

  void complete(const addresses& all) {
    if (!answer) return;
    clock.reset();
    std::exchange(answer, nullptr)(all);
  }
};

// A name that waits to be resolved. Only its requesters' timers keep them alive.
struct waiting_name {
  struct requester {
    std::weak_ptr<pending_request> request;
    asio::io_context* loop = nullptr;
  };

  std::string host, owner;
  std::vector<requester> requesters;

  bool is_abandoned() const {
    return std::all_of(requesters.begin(), requesters.end(),
                       [](const requester& each) { return each.request.expired(); });
  }
};

}  // namespace

// The names that wait, and the threads that resolve them; shared by the threads, which a stop does
// not await.
class resolver::queue : public std::enable_shared_from_this<queue> {
 public:
  explicit queue(lookup how) : lookup_(std::move(how)) {}

  // Returns false if too many names wait.
  bool add(const std::string& host, const std::string& owner, waiting_name::requester to) {
    const std::lock_guard lock{mutex_};
    const auto same = std::find_if(waiting_.begin(), waiting_.end(), [&](const waiting_name& each) {
      return each.host == host && each.owner == owner;
    });
    if (same != waiting_.end()) {
      same->requesters.push_back(std::move(to));
      return true;
    }
    drop_abandoned();
    if (waiting_.size() >= limits::bot_names_waiting_max) return false;
    waiting_.push_back({host, owner, {std::move(to)}});
    if (idle_ < waiting_.size() && started_ < limits::bot_resolver_threads) {
      ++started_;
      std::thread{[self = shared_from_this()] { self->run(); }}.detach();
    }
    changed_.notify_one();
    return true;
  }

  void stop() {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    waiting_.clear();
    changed_.notify_all();
  }

 private:
  void drop_abandoned() {
    std::erase_if(waiting_, [](const waiting_name& each) { return each.is_abandoned(); });
  }

  // Takes the first name whose owner has no name that is being resolved.
  std::optional<waiting_name> take_next() {
    drop_abandoned();
    const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                 [this](const auto& each) { return busy_.count(each.owner) == 0; });
    if (at == waiting_.end()) return std::nullopt;
    auto out = std::move(*at);
    waiting_.erase(at);
    return out;
  }

  // Runs until stop(). Later results are discarded.
  void run() {
    std::unique_lock lock{mutex_};
    for (;;) {
      std::optional<waiting_name> now;
      ++idle_;
      changed_.wait(lock, [&] { return stopped_ || (now = take_next()); });
      --idle_;
      if (stopped_) return;
      busy_.insert(now->owner);
      lock.unlock();
      const auto found = std::make_shared<const addresses>(lookup_(now->host));
      lock.lock();
      // After stop() the loops may be gone.
      if (stopped_) return;
      busy_.erase(now->owner);
      for (const auto& each : now->requesters)
        asio::post(*each.loop, [request = each.request, found] {
          if (const auto asked = request.lock()) asked->complete(*found);
        });
    }
  }

  const lookup lookup_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<waiting_name> waiting_;
  std::set<std::string> busy_;  // owners of names that are being resolved
  std::size_t started_ = 0, idle_ = 0;
  bool stopped_ = false;
};

addresses resolver::ask_system(const std::string& host) {
  using asio::ip::tcp;
  asio::io_context own;
  boost::system::error_code failed;
  addresses all;
  for (const auto& each :
       tcp::resolver{own}.resolve(host, "", tcp::resolver::numeric_service, failed))
    all.push_back(each.endpoint().address());
  return all;
}

resolver::resolver(address_policy policy, lookup how, base::duration patience)
    : policy_(std::move(policy)),
      patience_(patience),
      queue_(std::make_shared<queue>(std::move(how))) {}

void resolver::stop() { queue_->stop(); }

void resolver::find(bot_url url, const std::string& owner, asio::io_context& loop,
                    std::function<void(result)> answer) {
  if (url.address) {
    const addresses only{net::address_of(*url.address)};
    return answer(check_addresses(policy_, std::move(url), only));
  }
  const auto host = url.host;
  const auto request = std::make_shared<pending_request>();
  request->answer = [policy = policy_, url = std::move(url), answer](const addresses& all) {
    answer(check_addresses(policy, url, all));
  };
  request->clock.emplace(loop, patience_);
  // A name that is not found in time is as one that is not found.
  request->clock->async_wait([request](boost::system::error_code failed) {
    if (!failed) request->complete({});
  });
  if (queue_->add(host, owner, {request, &loop})) return;
  request->answer = nullptr;
  request->clock.reset();
  answer(std::string{too_many_names});
}

}  // namespace gamehub::gateways::bots
