#include "gateways/net/listener.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace gamehub::gateways::net {

using boost::asio::post;

void listener::add(loop_io& loop, std::unique_ptr<loop_listener> made) {
  parts_.push_back({&loop, std::move(made)});
}

void listener::start() {
  for (auto& each : parts_) post(each.loop->io(), [&each] { each.on_loop->start(); });
}

void listener::stop(const std::function<void()>& on_stopped) {
  for (auto& each : parts_)
    post(each.loop->io(), [&each, on_stopped] { each.on_loop->stop(on_stopped); });
}

void listener::close_banned() {
  for (auto& each : parts_) post(each.loop->io(), [&each] { each.on_loop->close_banned(); });
}

void listener::announce(const std::string& message) {
  for (auto& each : parts_)
    post(each.loop->io(), [&each, message] { each.on_loop->announce(message); });
}

}  // namespace gamehub::gateways::net
