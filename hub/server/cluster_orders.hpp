// Orders of operators that concern all hubs of a cluster: asks the other hubs for their part of the
// answer, and answers what they ask. Owned by the composition; any thread may call it. Its state is
// used on the thread of the io_context alone.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/admin/hub_answers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gamehub::server {

class cluster_orders {
 public:
  using answered = std::function<void(admin::command_answer)>;
  // Answers for this hub alone. Calls `done` once, on any thread.
  using answerer = std::function<void(const relay::order&, answered done)>;

  // A hub that has not answered by then is paused, or away.
  static constexpr std::chrono::milliseconds answer_max{1'500};
  // More orders at once ask no other hub. Of each other one as many are carried out at once; more
  // are dropped, so that it names this hub as one that did not answer.
  static constexpr std::size_t orders_max = 64;

  // Both outlive it.
  cluster_orders(boost::asio::io_context&, actors::relay::exchange&);
  ~cluster_orders() { stop(); }
  cluster_orders(const cluster_orders&) = delete;
  cluster_orders& operator=(const cluster_orders&) = delete;

  // From now on it answers other hubs. Called once, before stop().
  void start(answerer);
  // Nothing comes from other hubs any more.
  void stop() { exchange_.serve_orders({}); }

  std::uint64_t self() const { return exchange_.self().value; }
  // The other hub that has the arena; none: this one has it, or it is not known.
  std::optional<relay::member_id> league() const { return exchange_.league(); }

  // Asks all other hubs that live. Calls `done` once, on the thread of the io_context, with what
  // each of them has said. The number of the order is not used.
  void ask(relay::order, std::function<void(std::vector<admin::hub_answer>)> done);
  // The same for one hub. Nothing: it did not answer.
  void ask(relay::member_id, relay::order,
           std::function<void(std::optional<admin::command_answer>)> done);

 private:
  using member_id = relay::member_id;

  struct question {
    std::map<member_id, std::optional<admin::command_answer>> said;
    std::set<member_id> open;  // were asked and have not answered
    std::function<void(std::vector<admin::hub_answer>)> done;
    std::optional<boost::asio::steady_timer> timer;
  };

  void begin(const std::vector<member_id>&, relay::order,
             std::function<void(std::vector<admin::hub_answer>)>);
  void on_order(member_id from, const relay::order&, std::shared_ptr<const void> counted);
  void on_answer(member_id from, const relay::order_answer&);
  void end(std::uint64_t number);

  boost::asio::io_context& io_;
  actors::relay::exchange& exchange_;
  answerer answerer_;
  std::map<std::uint64_t, question> questions_;
  std::uint64_t last_number_ = 0;
  // Orders of other hubs that are not answered; used while the exchange calls.
  std::map<member_id, relay::in_hand> others_;
};

}  // namespace gamehub::server
