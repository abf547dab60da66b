// Reloads plugins: reports the plugins of the start to log and metrics, and at each SIGHUP scans
// the folder again and adds new engines to the catalog. Owned by the composition; used by the
// program's first thread.
#pragma once

#include "hub/admin/status.hpp"
#include "hub/journal/record.hpp"
#include "hub/plugins/plugin_set.hpp"
#include "hub/server/engine_catalog.hpp"
#include "hub/server/hangup_signal.hpp"
#include "hub/server/plugin_scan.hpp"
#include "metrics/metrics.hpp"

#include <boost/asio/io_context.hpp>

#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace gamehub::server {

class plugin_reloader {
 public:
  // Without a folder SIGHUP stays ignored. Requires: all arguments outlive it; the thread that uses
  // it runs `control`.
  plugin_reloader(plugins::plugin_set&, engine_catalog&, metrics::exposition&,
                  boost::asio::io_context& control);

  // Logs the plugins of the start. Called once.
  void report();
  // Starts to handle SIGHUP.
  void begin();
  // Ignores further signals.
  void stop();
  // Returns the state of each plugin. Any thread.
  std::vector<admin::plugin_state> states() const;
  // Returns what a child process is to load for the engine of a game: the path of a plugin, or the
  // id of a built-in engine. Any thread.
  std::string what_of(const journal::game_header&) const;

 private:
  void wait();
  void on_scanned(plugin_scan::result);
  void add(plugins::plugin&);
  void update_metrics();

  engine_catalog& engines_;
  metrics::exposition& exposition_;
  plugins::folder* const folder_;
  std::optional<hangup_signal> signal_;
  std::optional<plugin_scan> scan_;
  bool stopped_ = false;
  mutable std::mutex mutex_;
  std::vector<admin::plugin_state> states_;  // guarded by it
};

}  // namespace gamehub::server
