// The plugins of a running hub: tells the log and Prometheus what came of them at the start, and at
// each SIGHUP looks at the folder again and adds what is new to what the hub offers. Owned by the
// hub and used by its first thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <optional>
#include <span>

#include "hub/app/offer.hpp"
#include "hub/app/plugins/rescan.hpp"
#include "hub/app/plugins/supply.hpp"
#include "metrics/metrics.hpp"

namespace gamehub::app::plugins {

class watch {
 public:
  // Without a folder nothing is watched, and a hangup ends the program as it does others. Requires:
  // all of them outlive it, and `control` is run by the thread that uses it.
  watch(plugin_set&, offer&, metrics::exposition&, boost::asio::io_context& control);

  void begin();
  // No signal is heeded any more.
  void stop();

 private:
  void wait();
  void take(plugin_scan::result);
  void take(plugin&);
  void update_metrics();

  offer& offer_;
  metrics::exposition& exposition_;
  folder* const folder_;
  boost::asio::signal_set signals_;
  std::optional<plugin_scan> scan_;
  bool stopped_ = false;
};

}  // namespace gamehub::app::plugins
