// Scans the folder of plugins while the hub runs, on its own thread, because probing a plugin takes
// seconds. Used by the program's first thread, which also gets the results.
#pragma once

#include "hub/plugins/plugin_folder.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::server {

class plugin_scan {
 public:
  struct result {
    std::vector<plugins::plugin> fresh;
    std::optional<std::string> failure;  // the reason, if the folder can't be read
  };

  // The thread that runs `home` calls `done`. Requires: the arguments outlive it; no other code
  // uses the folder during a scan.
  plugin_scan(plugins::folder&, boost::asio::io_context& home, std::function<void(result)> done);
  // Waits for a running scan.
  ~plugin_scan();
  plugin_scan(const plugin_scan&) = delete;
  plugin_scan& operator=(const plugin_scan&) = delete;

  // Starts a scan. During a scan, the next one follows it.
  void begin();

 private:
  void finish(result);

  plugins::folder& folder_;
  boost::asio::io_context& home_;
  const std::function<void(result)> done_;
  std::thread thread_;
  bool again_ = false;
};

}  // namespace gamehub::server
