#include "hub/server/plugin_scan.hpp"

#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace gamehub::server {

plugin_scan::plugin_scan(plugins::folder& f, boost::asio::io_context& home,
                         std::function<void(result)> done)
    : folder_(f), home_(home), done_(std::move(done)) {}

plugin_scan::~plugin_scan() {
  if (thread_.joinable()) thread_.join();
}

void plugin_scan::begin() {
  if (thread_.joinable()) {
    again_ = true;
    return;
  }
  thread_ = std::thread{[this] {
    result out;
    try {
      out.fresh = folder_.scan();
    } catch (const std::filesystem::filesystem_error& e) {
      out.failure = e.code().message();
    }
    boost::asio::post(home_, [this, out = std::move(out)]() mutable { finish(std::move(out)); });
  }};
}

void plugin_scan::finish(result r) {
  thread_.join();
  done_(std::move(r));
  if (std::exchange(again_, false)) begin();
}

}  // namespace gamehub::server
