#include "hub/server/cluster_orders.hpp"

#include <boost/asio/post.hpp>

#include <utility>
#include <variant>

namespace gamehub::server {

namespace {

using clock = std::chrono::steady_clock;

}  // namespace

cluster_orders::cluster_orders(boost::asio::io_context& io, actors::relay::exchange& to)
    : io_(io), exchange_(to) {}

void cluster_orders::start(answerer by) {
  answerer_ = std::move(by);
  exchange_.serve_orders([this](member_id from, relay::message m) {
    if (auto* const a = std::get_if<relay::order_answer>(&m))
      return boost::asio::post(io_, [this, from, what = std::move(*a)] { on_answer(from, what); });
    auto& all = others_[from];
    if (all.count() >= orders_max) return exchange_.count_refused(relay::demand::order);
    boost::asio::post(io_, [this, from, what = std::get<relay::order>(std::move(m)),
                            counted = all.add()] { on_order(from, what, counted); });
  });
}

void cluster_orders::ask(relay::order what,
                         std::function<void(std::vector<admin::hub_answer>)> done) {
  boost::asio::post(io_, [this, what = std::move(what), done = std::move(done)]() mutable {
    begin(exchange_.living(), std::move(what), std::move(done));
  });
}

void cluster_orders::ask(relay::member_id to, relay::order what,
                         std::function<void(std::optional<admin::command_answer>)> done) {
  boost::asio::post(io_, [this, to, what = std::move(what), done = std::move(done)]() mutable {
    begin({to}, std::move(what),
          [done = std::move(done)](const auto& all) { done(all.front().said); });
  });
}

void cluster_orders::begin(const std::vector<member_id>& hubs, relay::order what,
                           std::function<void(std::vector<admin::hub_answer>)> done) {
  what.number = ++last_number_;
  question q;
  q.done = std::move(done);
  for (const auto each : hubs) {
    q.said[each] = std::nullopt;
    if (questions_.size() < orders_max && exchange_.send(each, what, clock::now()))
      q.open.insert(each);
  }
  const auto number = what.number;
  auto& kept = questions_[number] = std::move(q);
  if (kept.open.empty()) return end(number);
  kept.timer.emplace(io_, answer_max);
  kept.timer->async_wait([this, number](auto cancelled) {
    if (!cancelled) end(number);
  });
}

void cluster_orders::on_order(member_id from, const relay::order& what,
                              std::shared_ptr<const void> counted) {
  answerer_(what, [this, from, number = what.number,
                   counted = std::move(counted)](const admin::command_answer& said) {
    // An answer longer than a message of a link can't cross: then the other hub says that this one
    // did not answer.
    exchange_.send(from,
                   relay::order_answer{number, static_cast<std::uint32_t>(said.status), said.json},
                   clock::now());
  });
}

void cluster_orders::on_answer(member_id from, const relay::order_answer& a) {
  const auto at = questions_.find(a.number);
  if (at == questions_.end() || at->second.open.erase(from) == 0) return;
  at->second.said[from] = admin::command_answer{static_cast<int>(a.status), a.json};
  if (at->second.open.empty()) end(a.number);
}

void cluster_orders::end(std::uint64_t number) {
  auto ended = questions_.extract(number);
  if (!ended) return;
  std::vector<admin::hub_answer> all;
  for (auto& [hub, said] : ended.mapped().said) all.push_back({hub.value, std::move(said)});
  ended.mapped().done(std::move(all));
}

}  // namespace gamehub::server
