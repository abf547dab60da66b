// A fenced hub as another member of its cluster, without games: clients whose games go on elsewhere
// stay connected to this hub, which is their entry. It has a row, heartbeats and links, and adopts
// no member; the former member stays as it was fenced. Owned by the composition; any thread may
// call the functions that are const.
#pragma once

#include "actors/relay/exchange.hpp"
#include "hub/cluster/membership.hpp"
#include "hub/config/settings.hpp"
#include "hub/server/cluster_journal.hpp"
#include "hub/server/cluster_links.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace gamehub::server {

class fenced_entry {
 public:
  // Called on threads of this object.
  struct actions {
    std::function<void()> leave_former;  // ends heartbeats and links of the former member
    std::function<std::size_t()> clients;
    std::function<void()> on_ended;  // it can't join, or is fenced, too
  };

  // Does nothing yet. All outlive it.
  fenced_entry(const config::settings&, const cluster_journal&, actors::relay::exchange&);
  // Joins the cluster, on a thread that waits for the database. Called once.
  void join(actions);
  // Says that this member has left. Called when no client is left; waits for join().
  void leave();

  // The links of this member; null: it has not joined. The next two require that it has.
  cluster_links* links() const { return links_now_; }
  cluster::member_id self() const { return self_; }
  std::vector<cluster::member_state> members() const {
    return members_->members(std::chrono::steady_clock::now());
  }

 private:
  void join_now();

  const config::settings& settings_;
  const cluster_journal& former_;
  actors::relay::exchange& exchange_;
  actions actions_;
  cluster::member_id self_;
  std::unique_ptr<cluster_links> links_;
  std::unique_ptr<cluster::membership> members_;
  std::atomic<cluster_links*> links_now_{nullptr};
  std::thread thread_;
};

}  // namespace gamehub::server
