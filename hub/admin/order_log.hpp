// What operators did: the latest orders of the admin server, with their sender and result. Owned by
// the admin server, used on its thread. Only memory: the hub's log has the orders of former runs.
#pragma once

#include "hub/admin/commands.hpp"
#include "hub/base/time.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::admin {

// Orders that are kept.
inline constexpr std::size_t orders_max = 200;

struct order {
  std::string verb;      // as in `gamehub VERB`
  std::string target;    // what or whom it is about: a game, a name, an address, a text
  std::string reason;    // of end, ban and mute
  std::string address;   // of the sender
  bool by_page = false;  // it came from the operators' page
  base::wall_time at{};
  int status = 0;  // of the answer; from 400 on it was not carried out
};

// Returns the order that the command is, without its sender; nothing: it changes nothing.
std::optional<order> order_of(const operator_command&);

class order_log {
 public:
  // `on_order` is called for each order.
  explicit order_log(std::function<void(const order&)> on_order = {})
      : on_order_(std::move(on_order)) {}

  void add(order);

  // Returns {"orders":[…]}, the newest first.
  std::string json() const;

 private:
  std::function<void(const order&)> on_order_;
  std::deque<order> orders_;  // the newest last
};

}  // namespace gamehub::admin
