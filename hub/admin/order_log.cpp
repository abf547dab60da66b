#include "hub/admin/order_log.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace gamehub::admin {
namespace {

using nlohmann::ordered_json;

// Empty: the command changes nothing.
std::string_view verb_text(operator_command::verb what) {
  using verb = operator_command::verb;
  switch (what) {
    case verb::list_games:
    case verb::show_game:
    case verb::list_players:
    case verb::list_sanctions:
    case verb::list_orders: return {};
    case verb::ban: return "ban";
    case verb::unban: return "unban";
    case verb::mute: return "mute";
    case verb::unmute: return "unmute";
    case verb::say: return "say";
    case verb::forget_bots: return "arena forget";
  }
  return {};
}

}  // namespace

std::optional<order> order_of(const operator_command& c) {
  const auto word = verb_text(c.what);
  if (word.empty()) return std::nullopt;
  order out;
  out.verb = word;
  // At most one of them is set.
  out.target = c.name + c.address + c.text + c.owner;
  out.reason = c.reason;
  return out;
}

void order_log::add(order o) {
  if (on_order_) on_order_(o);
  if (orders_.size() == orders_max) orders_.pop_front();
  orders_.push_back(std::move(o));
}

std::string order_log::json() const {
  auto list = ordered_json::array();
  for (auto each = orders_.rbegin(); each != orders_.rend(); ++each)
    list.push_back({{"at", base::utc_seconds(each->at)},
                    {"order", each->verb},
                    {"target", each->target},
                    {"reason", each->reason},
                    {"address", each->address},
                    {"page", each->by_page},
                    {"status", each->status}});
  // The target of a request can be any bytes.
  return ordered_json{{"orders", list}}.dump(-1, ' ', false,
                                             ordered_json::error_handler_t::replace);
}

}  // namespace gamehub::admin
