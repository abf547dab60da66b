#include "hub/admin/hub_answers.hpp"

#include "hub/admin/order_log.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace gamehub::admin {
namespace {

using nlohmann::json;

bool succeeded(const hub_answer& a) {
  return a.said && a.said->status >= 200 && a.said->status <= 299;
}

std::string text_of(const json& body) {
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

// The document of an answer that succeeded; null: it has none, or it is another build's.
json document_of(const hub_answer& a) {
  if (!succeeded(a)) return nullptr;
  auto out = json::parse(a.said->json, nullptr, false);
  return out.is_object() ? out : json(nullptr);
}

// Empty: there is no such text.
std::string text_in(const json& of, const char* name) {
  const auto at = of.find(name);
  return at != of.end() && at->is_string() ? at->get<std::string>() : std::string{};
}

bool has_ended(const json& game) { return text_in(game, "status") == "ended"; }

json unreached(const std::vector<hub_answer>& all) {
  auto out = json::array();
  for (const auto& each : all)
    if (!each.said) out.push_back(each.hub);
  return out;
}

// The entries of a list with an id, in the order of a page.
template <class Before>
struct merged_page {
  std::map<std::uint64_t, json, Before> entries;
  std::optional<std::uint64_t> bound;  // where the page of a hub with more entries ends

  void add(json page, std::uint64_t hub, const char* list, const char* id) {
    const auto all = page.find(list);
    if (all == page.end() || !all->is_array()) return;
    for (auto& each : *all) {
      if (!each.is_object() || !each.contains(id) || !each[id].is_number_unsigned()) continue;
      each["hub"] = has_ended(each) ? json(nullptr) : json(hub);
      const auto number = each[id].template get<std::uint64_t>();
      entries.emplace(number, std::move(each));
    }
    const auto next = page.find("next");
    if (next == page.end() || !next->is_number_unsigned()) return;
    const auto here = next->get<std::uint64_t>();
    if (!bound || Before{}(here, *bound)) bound = here;
  }

  json body(const char* list, std::size_t limit) {
    auto shown = json::array();
    auto next = bound ? json(*bound) : json(nullptr);
    std::uint64_t last = 0;
    for (auto& [number, each] : entries) {
      if (bound && Before{}(*bound, number)) break;
      if (shown.size() == limit) {
        next = last;
        break;
      }
      shown.push_back(std::move(each));
      last = number;
    }
    return json{{list, std::move(shown)}, {"next", std::move(next)}};
  }
};

template <class Before>
command_answer merge_pages(const std::vector<hub_answer>& all, const char* list, const char* id,
                           std::size_t limit) {
  if (!succeeded(all.front())) return *all.front().said;
  merged_page<Before> page;
  for (const auto& each : all) page.add(document_of(each), each.hub, list, id);
  auto body = page.body(list, limit);
  body["unreached"] = unreached(all);
  return {200, text_of(body)};
}

}  // namespace

command_answer merge_games(const std::vector<hub_answer>& all, std::size_t limit) {
  return merge_pages<std::greater<>>(all, "games", "game", limit);
}

command_answer merge_players(const std::vector<hub_answer>& all, std::size_t limit) {
  return merge_pages<std::less<>>(all, "players", "player", limit);
}

command_answer merge_orders(const std::vector<hub_answer>& all) {
  std::vector<json> orders;
  for (const auto& hub : all) {
    auto body = document_of(hub);
    const auto list = body.find("orders");
    if (list == body.end() || !list->is_array()) continue;
    for (auto& each : *list) {
      if (!each.is_object()) continue;
      each["hub"] = hub.hub;
      orders.push_back(std::move(each));
    }
  }
  // UTC times of one form.
  std::stable_sort(orders.begin(), orders.end(), [](const json& a, const json& b) {
    return text_in(a, "at") > text_in(b, "at");
  });
  if (orders.size() > orders_max) orders.resize(orders_max);
  return {200, text_of(json{{"orders", std::move(orders)}, {"unreached", unreached(all)}})};
}

command_answer merge_done(const std::vector<hub_answer>& all) {
  auto body = document_of(all.front());
  if (body.is_null()) return *all.front().said;
  body["unreached"] = unreached(all);
  return {all.front().said->status, text_of(body)};
}

command_answer first_success(const std::vector<hub_answer>& all) {
  for (const auto& each : all) {
    auto body = document_of(each);
    if (body.is_null()) continue;
    body["hub"] = has_ended(body) ? json(nullptr) : json(each.hub);
    return {each.said->status, text_of(body)};
  }
  for (const auto& each : all)
    if (!each.said)
      return {504, text_of(json{{"error", "it is at no hub that answered, and hub " +
                                              std::to_string(each.hub) +
                                              " did not answer: gamehub cluster status shows the "
                                              "hubs"}})};
  return *all.front().said;
}

}  // namespace gamehub::admin
