#include "hub/server/cluster_links.hpp"

#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

namespace gamehub::server {

namespace {

constexpr std::chrono::milliseconds look_each{5};

using link::net::links_events;
using link::net::links_options;

links_options options_of(const config::settings& s) {
  links_options out;
  out.build = GAMEHUB_VERSION;
  out.listen = config::link_listen_of(s);
  out.port = *s.links.port;
  if (s.links.has_certificate())
    out.tls = {s.links.key.string(), s.links.certificate.string(), s.links.authority.string()};
  return out;
}

links_options options_of(const config::settings& s, const linked_member& who) {
  auto out = options_of(s);
  out.cluster = who.cluster;
  out.self = who.self;
  return out;
}

links_events events_of(actors::relay::exchange& exchange,
                       std::function<void(cluster::member_id, bool)> on_link) {
  return {.on_up =
              [on_link, &exchange](cluster::member_id other) {
                base::log::info("the link to another hub is up", {{"member", other.value}});
                on_link(other, true);
                exchange.on_link(other, true);
              },
          .on_broken =
              [on_link, &exchange](cluster::member_id other, std::string_view why) {
                base::log::info("the link to another hub broke",
                                {{"member", other.value}, {"why", std::string{why}}});
                on_link(other, false);
                exchange.on_link(other, false);
              },
          .on_message =
              [&exchange](cluster::member_id other, std::string_view message) {
                if (const auto wrong =
                        exchange.on_message(other, message, std::chrono::steady_clock::now()))
                  base::log::warning(
                      "a message of another hub can't be read",
                      {{"member", other.value}, {"why", std::string{link::to_string(*wrong)}}});
              }};
}

bool lives(const cluster::member_row& r) { return !r.taken && !r.adopted_by && !r.left; }

}  // namespace

cluster_links::cluster_links(const config::settings& s, const linked_member& who,
                             actors::relay::exchange& exchange,
                             std::function<void(cluster::member_id, bool)> on_link)
    : self_(who.self),
      exchange_(exchange),
      links_(options_of(s, who), events_of(exchange, std::move(on_link))) {
  const auto address = config::link_address_of(s, links_.port());
  if (!who.publish(address))
    throw base::usage_error{
        "the cluster's database does not take the address of this hub's links: start the hub when "
        "it can be written"};
  base::log::info("links to other hubs listen",
                  {{"address", address}, {"certificate", s.links.has_certificate()}});
}

void cluster_links::on_members(const std::vector<cluster::member_row>& rows) {
  std::vector<link::net::peer> peers;
  std::vector<cluster::member_id> living;
  std::uint64_t without = 0;
  // The others refuse a hub that is not a member any more.
  const auto is_member = std::any_of(rows.begin(), rows.end(),
                                     [this](const auto& r) { return r.id == self_ && lives(r); });
  for (const auto& r : rows) {
    if (!is_member) break;
    if (r.id == self_ || !lives(r)) continue;
    living.push_back(r.id);
    if (r.link.empty())
      ++without;
    else
      peers.push_back({r.id, r.link});
  }
  without_ = without;
  // Before the first message of a new member, and after the last one of another.
  exchange_.on_members(living);
  peers_ = static_cast<std::int64_t>(peers.size());
  links_.set_members(std::move(peers));
}

bool cluster_links::wait_for_all(std::chrono::milliseconds most,
                                 const std::function<bool()>& ends) const {
  const auto until = std::chrono::steady_clock::now() + most;
  const auto asks_all = [this] {
    const auto peers = peers_.load();
    return peers >= 0 && exchange_.others().size() >= static_cast<std::size_t>(peers);
  };
  while (!asks_all() && !ends()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(look_each);
  }
  return true;
}

metrics::link_numbers cluster_links::numbers() const {
  const auto n = links_.numbers();
  metrics::link_numbers out;
  out.up = n.links_up;
  out.wanted = n.links_wanted + without_;
  out.breaks = n.breaks;
  out.sent_messages = n.sent_messages;
  out.received_messages = n.received_messages;
  out.sent_bytes = n.sent_bytes;
  out.received_bytes = n.received_bytes;
  out.repeated = n.repeated;
  out.dropped = n.dropped;
  const auto crossing = exchange_.count();
  out.hubs = crossing.hubs;
  out.entries = crossing.entries;
  out.homes = crossing.homes;
  out.questions = crossing.questions;
  out.moves = crossing.moves;
  out.returned = crossing.returned;
  out.unsent = crossing.unsent;
  out.wrong = crossing.wrong;
  out.web_passed = crossing.web_passed;
  out.web_answered = crossing.web_answered;
  out.watched_there = crossing.watched_there;
  out.watched_here = crossing.watched_here;
  out.watches_refused = crossing.watches_refused;
  out.orders_passed = crossing.orders_passed;
  out.orders_answered = crossing.orders_answered;
  for (const auto each : relay::demands)
    out.demands_refused.emplace_back(relay::to_string(each),
                                     crossing.refused[static_cast<std::size_t>(each)]);
  for (const auto& [why, count] : n.refused) out.refused.emplace_back(link::to_string(why), count);
  return out;
}

void check_link_files(const config::settings& s) {
  if (s.cluster.empty() || !s.links.port || !s.links.has_certificate()) return;
  auto options = options_of(s);
  // Another hub may have the port.
  options.listen = "127.0.0.1";
  options.port = 0;
  const link::net::links unused{std::move(options), {}};
}

}  // namespace gamehub::server
