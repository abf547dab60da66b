#include "gateways/http/request_relay.hpp"

#include "gateways/http/dispatch.hpp"
#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/relayed_answer.hpp"
#include "gateways/http/relayed_request.hpp"

#include <boost/asio/post.hpp>

#include <type_traits>
#include <utility>
#include <variant>

namespace gamehub::gateways::http {

namespace asio = boost::asio;
namespace messages = gamehub::relay;

request_relay::request_relay(messages::web_port& port, const std::vector<loop_service*>& services)
    : port_(port), services_(services) {
  port_.serve(this);
}

request_relay::~request_relay() { port_.serve(nullptr); }

std::optional<member_id> request_relay::home_of(const client_key& of) const {
  const std::lock_guard lock{mutex_};
  const auto at = homes_.find(of);
  return at == homes_.end() ? std::nullopt : std::optional{at->second};
}

void request_relay::set_home(const client_key& of, member_id home) {
  const std::lock_guard lock{mutex_};
  if (homes_.size() < homes_max || homes_.contains(of)) homes_[of] = home;
}

void request_relay::forget(const client_key& of) {
  const std::lock_guard lock{mutex_};
  homes_.erase(of);
}

void request_relay::pass(const std::shared_ptr<kept_request>& what, member_id to) {
  const auto request =
      std::make_shared<relayed_request>(*this, what, what->from->service(), what->from);
  what->from->attach(request);
  request->start(to);
}

void request_relay::locate(const std::shared_ptr<kept_request>& what, game_id game,
                           std::string invitation) {
  find(what->from->service(), game, std::move(invitation),
       [this, what](std::optional<member_id> at) {
         what->located = what->asked = true;
         if (at && what->is_guest && port_.can_watch(*at)) what->watched_at = at;
         at && !what->watched_at ? pass(what, *at) : dispatch_again(what);
       });
}

void request_relay::find(loop_service& here, game_id game, std::string invitation,
                         std::function<void(std::optional<member_id>)> then) {
  port_.find_game(game, std::move(invitation),
                  [&here, then = std::move(then)](std::optional<member_id> at) {
                    asio::post(here.loop().io(), [then, at] { then(at); });
                  });
}

void request_relay::announce(const messages::guest_change& what) {
  for (const auto each : port_.others())
    if (port_.has_room(each)) port_.send(each, what, {});
}

std::uint64_t request_relay::open(const std::shared_ptr<relayed_request>& what, member_id to) {
  const std::lock_guard lock{mutex_};
  passed_[++last_number_] = {what, to};
  return last_number_;
}

void request_relay::close(std::uint64_t request) {
  const std::lock_guard lock{mutex_};
  passed_.erase(request);
}

void request_relay::close(member_id to, std::uint64_t request) {
  const std::lock_guard lock{mutex_};
  const auto at = asked_.find(to);
  if (at == asked_.end()) return;
  at->second.open.erase(request);
  if (at->second.open.empty() && at->second.waiting == 0) asked_.erase(at);
}

bool request_relay::begin(member_id from, messages::web_request& what) {
  const std::lock_guard lock{mutex_};
  if (services_.empty()) return true;
  auto& of_hub = asked_[from];
  if (of_hub.open.contains(what.number)) return true;
  const auto most = answers_max * services_.size();
  if (of_hub.open.size() >= most || of_hub.waiting >= most) return false;
  auto& service = *services_[what.number % services_.size()];
  const auto made = std::make_shared<relayed_answer>(*this, service, from, what.number);
  of_hub.open[what.number] = made;
  ++of_hub.waiting;
  auto& others = waiting_[&service];
  others.push_back({made, from, std::move(what)});
  if (others.size() == 1)
    asio::post(service.loop().io(), [this, &service] { run_waiting(service); });
  return true;
}

void request_relay::run_waiting(loop_service& here) {
  std::unique_lock lock{mutex_};
  auto& all = waiting_[&here];
  const auto next = std::move(all.front());
  all.pop_front();
  const auto of_hub = asked_.find(next.from);
  if (--of_hub->second.waiting == 0 && of_hub->second.open.empty()) asked_.erase(of_hub);
  if (!all.empty()) here.loop().defer_part([this, &here] { run_waiting(here); });
  lock.unlock();
  next.by->run(next.what);
}

// Its client is to ask again soon.
void request_relay::refuse(member_id to, std::uint64_t request) {
  auto e = plain(error_code::hub_full,
                 "the hub of your player or game has too many requests of this one: try again");
  e.retry_after = limits::http_retry_soon;
  auto r = to_response(e);
  auto m = relayed_answer::message_of(request, r);
  m.body = std::move(r.body);
  port_.count_refused(messages::demand::request);
  port_.send(to, m, {});
}

void request_relay::on_web(member_id from, messages::message m) {
  if (auto* const what = std::get_if<messages::web_request>(&m)) {
    const auto number = what->number;
    if (!begin(from, *what)) refuse(from, number);
    return;
  }
  const std::lock_guard lock{mutex_};
  std::visit(
      [&](auto& each) {
        using kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<kind, messages::web_taken> ||
                      std::is_same_v<kind, messages::web_gone>) {
          const auto of_hub = asked_.find(from);
          if (of_hub == asked_.end()) return;
          const auto at = of_hub->second.open.find(each.number);
          if (at == of_hub->second.open.end()) return;
          asio::post(at->second->service().loop().io(), [to = at->second, what = each] {
            if constexpr (std::is_same_v<kind, messages::web_taken>)
              to->on_taken(what.bytes);
            else
              to->stop();
          });
        } else if constexpr (std::is_same_v<kind, messages::guest_change>) {
          for (auto* service : services_)
            asio::post(service->loop().io(), [service, what = each] {
              service->on_guest_change_elsewhere(what.game, what.name, what.left);
            });
        } else if constexpr (std::is_same_v<kind, messages::web_part> ||
                             std::is_same_v<kind, messages::web_answer> ||
                             std::is_same_v<kind, messages::web_stream> ||
                             std::is_same_v<kind, messages::web_end>) {
          const auto at = passed_.find(each.number);
          if (at == passed_.end() || at->second.to != from) return;
          asio::post(
              at->second.what->service().loop().io(),
              [to = at->second.what, what = std::move(each)]() mutable { to->receive(what); });
        }
      },
      m);
}

void request_relay::on_lost(const std::vector<member_id>& gone) {
  const std::lock_guard lock{mutex_};
  for (const auto lost : gone) {
    std::erase_if(homes_, [lost](const auto& each) { return each.second == lost; });
    for (const auto& [number, each] : passed_)
      if (each.to == lost)
        asio::post(each.what->service().loop().io(), [what = each.what] { what->lose(); });
    if (const auto was = asked_.find(lost); was != asked_.end())
      for (const auto& [number, each] : was->second.open)
        asio::post(each->service().loop().io(), [each = each] { each->stop(); });
  }
}

}  // namespace gamehub::gateways::http
