#include "gateways/http/request_relay.hpp"

#include "gateways/http/dispatch.hpp"
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
  answers_.erase({to, request});
}

void request_relay::on_web(member_id from, messages::message m) {
  const std::lock_guard lock{mutex_};
  std::visit(
      [&](auto& each) {
        using kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<kind, messages::web_request>) {
          const answer_name name{from, each.number};
          if (services_.empty() || answers_.contains(name)) return;
          auto& service = *services_[each.number % services_.size()];
          const auto made = std::make_shared<relayed_answer>(*this, service, from, each.number);
          answers_[name] = made;
          asio::post(service.loop().io(), [made, what = std::move(each)] { made->run(what); });
        } else if constexpr (std::is_same_v<kind, messages::web_taken> ||
                             std::is_same_v<kind, messages::web_gone>) {
          const auto at = answers_.find({from, each.number});
          if (at == answers_.end()) return;
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
    for (const auto& [name, each] : answers_)
      if (name.first == lost)
        asio::post(each->service().loop().io(), [each = each] { each->stop(); });
  }
}

}  // namespace gamehub::gateways::http
