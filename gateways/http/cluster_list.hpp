// Gathers the lists of games of all hubs of the cluster for one request, and answers it with one
// list. On the loop of its responder, shared by what it waits for.
#pragma once

#include "gateways/http/request_relay.hpp"
#include "hub/base/timers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::gateways::http {

class cluster_list final : public std::enable_shared_from_this<cluster_list> {
 public:
  // A hub that has not answered by then is left out: it may be paused.
  static constexpr std::chrono::milliseconds time_max{1'500};

  cluster_list(std::shared_ptr<kept_request>, std::size_t limit);

  // Asks the other hubs.
  void start();
  // The list of this hub.
  void add_own(std::string body, std::uint32_t extra_requests);

 private:
  class hub_output;

  void on_answer(std::size_t hub, std::string body, std::uint32_t extra_requests);
  void answer();

  const std::shared_ptr<kept_request> kept_;
  loop_service& service_;
  const std::size_t limit_;
  std::vector<std::string> bodies_;  // this hub's is the first
  std::vector<std::shared_ptr<relayed_request>> asked_;
  std::size_t unanswered_ = 1;
  std::uint32_t extra_requests_ = 0;
  bool answered_ = false;
  base::timers::token timer_;
};

}  // namespace gamehub::gateways::http
