#include "hub/moderation/sanction.hpp"

#include "hub/base/address.hpp"
#include "hub/core/limits.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace gamehub::moderation {
namespace {

using nlohmann::json;
using kind = sanction::kind;

constexpr unsigned ipv4_prefix = 96;

bool same(const sanction& s, kind what, std::string_view target) {
  return s.what == what && s.target == target;
}

}  // namespace

sanction_list after(const sanction_list& before, const sanction_change& change) {
  auto out = before;
  ++out.generation;
  std::erase_if(out.all,
                [&](const sanction& s) { return same(s, change.what.what, change.what.target); });
  if (change.removes) return out;
  if (out.all.size() >= limits::sanctions_max)
    throw std::runtime_error{"there are " + std::to_string(out.all.size()) +
                             " sanctions already: lift some"};
  out.all.push_back(change.what);
  return out;
}

bool contains(const sanction_list& in, kind what, std::string_view target) {
  return std::any_of(in.all.begin(), in.all.end(),
                     [&](const sanction& s) { return same(s, what, target); });
}

std::string to_json(const std::vector<sanction>& all) {
  auto list = json::array();
  for (const auto& each : all)
    list.push_back({{"kind", to_string(each.what)},
                    {"whom", each.target},
                    {"reason", each.reason},
                    {"since", each.since}});
  return json{{"sanctions", list}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string network_text(std::string_view text) {
  const auto found = base::read_network(text);
  if (!found) return {};
  auto out = base::to_text(found->address);
  if (found->bits < 128)
    out += '/' + std::to_string(found->bits - (base::is_ipv4(found->address) ? ipv4_prefix : 0));
  return out;
}

bool has_normal_target(const sanction& s) {
  return s.what != kind::banned_address || network_text(s.target) == s.target;
}

std::string_view to_string(kind k) {
  switch (k) {
    case kind::banned_name: return "banned-name";
    case kind::banned_address: return "banned-address";
    case kind::muted_name: return "muted-name";
  }
  return {};
}

std::optional<kind> kind_of(std::string_view word) {
  for (const auto each : {kind::banned_name, kind::banned_address, kind::muted_name})
    if (to_string(each) == word) return each;
  return std::nullopt;
}

}  // namespace gamehub::moderation
