#include "hub/server/fenced_entry.hpp"

#include "hub/base/log.hpp"
#include "hub/cluster/postgres/postgres_members.hpp"
#include "hub/journal/postgres/postgres_log.hpp"

#include <chrono>
#include <exception>
#include <set>
#include <string>
#include <utility>

namespace gamehub::server {

namespace {

constexpr journal::postgres::connection::limits join_limits{std::chrono::seconds{2},
                                                            std::chrono::seconds{2}};

}  // namespace

fenced_entry::fenced_entry(const config::settings& s, const cluster_journal& former,
                           actors::relay::exchange& exchange)
    : settings_(s), former_(former), exchange_(exchange) {}

void fenced_entry::join(actions a) {
  actions_ = std::move(a);
  thread_ = std::thread{[this] {
    try {
      actions_.leave_former();
      join_now();
      base::log::info("this hub stays the entry of its clients, as another member",
                      {{"member", self_.value}, {"clients", actions_.clients()}});
    } catch (const std::exception& e) {
      base::log::warning("this hub can't be the entry of its clients, which leave it",
                         {{"why", std::string{e.what()}}});
      actions_.on_ended();
    }
  }};
}

void fenced_entry::join_now() {
  auto at = former_.settings();
  at.limits = join_limits;
  at.needs_standby = false;  // nothing is appended
  journal::postgres::postgres_log log{at};
  log.open();
  self_ = log.self();
  links_ = std::make_unique<cluster_links>(
      settings_,
      linked_member{log.cluster(), self_,
                    [&log](const std::string& address) { return log.publish_link(address); }},
      exchange_, [](cluster::member_id, bool) {});
  exchange_.join_as(self_);
  members_ = std::make_unique<cluster::membership>(
      cluster::postgres::make_postgres_members(at.target, self_), self_,
      cluster::member_actions{
          .games = [] { return 0; },
          // No games are for this member; an empty set would count as all engines.
          .engines = [] { return std::set<std::string>{"none"}; },
          .adopt = [](cluster::member_id) {},
          .on_fenced = actions_.on_ended,
          .on_trouble =
              [](const std::string& why) {
                if (!why.empty())
                  base::log::warning("the heartbeats of the cluster fail", {{"why", why}});
              },
          .on_rows = [this](const auto& rows) { links_->on_members(rows); }});
  // Each hub says when it is linked that it can be asked.
  links_now_ = links_.get();
  links_->start();
  members_->start();
}

void fenced_entry::leave() {
  if (thread_.joinable()) thread_.join();
  if (links() == nullptr) return;
  members_->stop();
  if (!members_->leave())
    base::log::warning("the other hubs were not told that this one leaves: they will notice");
  links_->stop();
}

}  // namespace gamehub::server
