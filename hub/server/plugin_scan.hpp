// Looks at the folder of plugins again while the hub runs, on a thread of its own, because plugins
// are tried for a while. Owned and told by the program's first thread, where the answers come, too.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hub/app/plugins/folder.hpp"

namespace gamehub::app::plugins {

class plugin_scan {
 public:
  struct result {
    std::vector<plugin> fresh;
    std::optional<std::string> failure;  // why the folder can't be read
  };

  // `done` is called by the thread that runs `home`. Requires: both outlive this; while a scan is
  // under way nobody else uses the folder.
  plugin_scan(folder&, boost::asio::io_context& home, std::function<void(result)> done);
  // Waits for what is under way.
  ~plugin_scan();
  plugin_scan(const plugin_scan&) = delete;
  plugin_scan& operator=(const plugin_scan&) = delete;

  // While a scan is under way, another one follows it.
  void begin();

 private:
  void finish(result);

  folder& folder_;
  boost::asio::io_context& home_;
  const std::function<void(result)> done_;
  std::thread thread_;
  bool again_ = false;
};

}  // namespace gamehub::app::plugins
