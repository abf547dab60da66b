#include "metrics/link_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

namespace {

using prometheus::MetricType;
using numbers = link_numbers;

template <class Value>
void one(const std::optional<numbers>& now, std::vector<prometheus::MetricFamily>& out,
         const char* name, const char* help, MetricType type, Value value) {
  family to{out, name, help, type};
  if (now) to.add({}, static_cast<double>(value(*now)));
}

template <class Entry, class Home>
void both_sides(const std::optional<numbers>& now, std::vector<prometheus::MetricFamily>& out,
                const char* name, const char* help, MetricType type, Entry entry, Home home) {
  family to{out, name, help, type};
  if (!now) return;
  to.add({{"side", "entry"}}, static_cast<double>(entry(*now)));
  to.add({{"side", "home"}}, static_cast<double>(home(*now)));
}

void collect_relay(const std::optional<numbers>& now, std::vector<prometheus::MetricFamily>& out) {
  one(now, out, "gamehub_relay_hubs", "Other hubs of the cluster that are asked for players.",
      MetricType::Gauge, [](const numbers& n) { return n.hubs; });
  both_sides(
      now, out, "gamehub_relay_clients",
      "Clients whose player is at another hub, by which of the two this hub is.", MetricType::Gauge,
      [](const numbers& n) { return n.entries; }, [](const numbers& n) { return n.homes; });
  one(now, out, "gamehub_relay_questions",
      "Players of this hub for whom other hubs were asked and have not all answered.",
      MetricType::Gauge, [](const numbers& n) { return n.questions; });
  one(now, out, "gamehub_relay_moves_total",
      "Players of this hub that moved to the hub of an opponent.", MetricType::Counter,
      [](const numbers& n) { return n.moves; });
  one(now, out, "gamehub_relay_returned_total",
      "Clients that went on at another hub, without a new connection, after that of their player "
      "had ended.",
      MetricType::Counter, [](const numbers& n) { return n.returned; });
  both_sides(
      now, out, "gamehub_relay_requests_total",
      "Requests over HTTP that one hub passed to another: the side entry read them, the side "
      "home answered them.",
      MetricType::Counter, [](const numbers& n) { return n.web_passed; },
      [](const numbers& n) { return n.web_answered; });
  both_sides(
      now, out, "gamehub_relay_watched_games",
      "Games that a hub watches at another one for all its clients together: the side "
      "entry has the clients, the side home the games.",
      MetricType::Gauge, [](const numbers& n) { return n.watched_there; },
      [](const numbers& n) { return n.watched_here; });
  one(now, out, "gamehub_relay_watches_refused_total",
      "Games that another hub could not watch, because it watched too many.", MetricType::Counter,
      [](const numbers& n) { return n.watches_refused; });
  both_sides(
      now, out, "gamehub_relay_orders_total",
      "Orders of operators that one hub passed to another: the side entry received "
      "them, the side home answered them.",
      MetricType::Counter, [](const numbers& n) { return n.orders_passed; },
      [](const numbers& n) { return n.orders_answered; });
  {
    family refused{out, "gamehub_relay_refused_total",
                   "What another hub asked for and was refused, because it had too much of that at "
                   "once, by kind.",
                   MetricType::Counter};
    if (now)
      for (const auto& [what, count] : now->demands_refused)
        refused.add({{"kind", what}}, static_cast<double>(count));
  }
  one(now, out, "gamehub_relay_unsent_total",
      "Messages about players that were not sent: the link had no room, or they were too long.",
      MetricType::Counter, [](const numbers& n) { return n.unsent; });
  one(now, out, "gamehub_relay_wrong_total", "Messages of other hubs that could not be read.",
      MetricType::Counter, [](const numbers& n) { return n.wrong; });
}

}  // namespace

void collect_links(const std::optional<link_numbers>& now,
                   std::vector<prometheus::MetricFamily>& out) {
  const auto both = [&](const char* name, const char* help, auto sent, auto received) {
    family to{out, name, help, MetricType::Counter};
    if (!now) return;
    to.add({{"direction", "sent"}}, static_cast<double>(sent(*now)));
    to.add({{"direction", "received"}}, static_cast<double>(received(*now)));
  };
  one(now, out, "gamehub_links_up",
      "Other hubs of the cluster with a link that works in both directions.", MetricType::Gauge,
      [](const numbers& n) { return n.up; });
  one(now, out, "gamehub_links_wanted",
      "Other hubs of the cluster that live, also those without an address of links.",
      MetricType::Gauge, [](const numbers& n) { return n.wanted; });
  one(now, out, "gamehub_link_breaks_total",
      "Links that broke while the other hub was in the cluster.", MetricType::Counter,
      [](const numbers& n) { return n.breaks; });
  both(
      "gamehub_link_messages_total", "Messages over links, each counted once.",
      [](const numbers& n) { return n.sent_messages; },
      [](const numbers& n) { return n.received_messages; });
  both(
      "gamehub_link_bytes_total", "Bytes of all frames over links.",
      [](const numbers& n) { return n.sent_bytes; },
      [](const numbers& n) { return n.received_bytes; });
  one(now, out, "gamehub_link_repeated_total",
      "Messages that were written again after a link broke.", MetricType::Counter,
      [](const numbers& n) { return n.repeated; });
  one(now, out, "gamehub_link_dropped_total",
      "Messages that were not sent, because too many to that hub were unanswered.",
      MetricType::Counter, [](const numbers& n) { return n.dropped; });
  collect_relay(now, out);
  family refused{out, "gamehub_link_refused_total",
                 "Connections to the port of links that were refused, by reason.",
                 MetricType::Counter};
  if (!now) return;
  for (const auto& [why, count] : now->refused)
    refused.add({{"reason", why}}, static_cast<double>(count));
}

}  // namespace gamehub::metrics
