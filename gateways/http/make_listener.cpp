#include "gateways/http/loop_service.hpp"
#include "gateways/http/static_files.hpp"
#include "gateways/net/codec_listener.hpp"
#include "gateways/net/stream_listener.hpp"
#include "hub/base/address.hpp"
#include "hub/base/random.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gamehub::gateways::http {
namespace {

server_setup setup_of(const net::listener_context& context) {
  const auto& hub = *context.hub;
  const auto& settings = hub.settings;
  server_setup setup;
  setup.idle = settings.idle;
  setup.grace = context.grace;
  setup.connections_max = settings.connections_max;
  setup.guests_max = settings.http_guests_max;
  setup.public_url = settings.public_url;
  setup.clocks = settings.clocks;
  setup.engines = hub.engines;
  setup.leaderboard = hub.leaderboard;
  setup.webhooks = hub.webhooks;
  for (const auto& site : settings.http_frame_sites)
    setup.frames = (setup.frames == no_frames ? "" : setup.frames + ' ') + site;
  setup.rate_limits.addresses = hub.addresses;
  setup.rate_limits.client_rate = settings.http_client_rate;
  setup.rate_limits.bound_loopback = settings.limit_loopback;
  setup.rate_limits.trusted_proxies = settings.http_trusted_proxies;
  setup.rate_limits.cors_origins = settings.http_cors_origins;
  setup.rate_limits.public_url = settings.public_url;
  const auto listens_on = base::read_address(settings.address);
  setup.rate_limits.check_host =
      !settings.http_hosts.empty() || (listens_on && base::is_loopback(*listens_on));
  setup.rate_limits.hosts = settings.http_hosts;
  setup.rate_limits.on_unknown_proxy = hub.on_unknown_proxy;
  setup.rate_limits.rules = hub.bans;
  return setup;
}

class http_listener final : public net::listener, public net::upgrade_host, public rpc_host {
 public:
  explicit http_listener(const net::listener_context& context) : context_(context) {}

  std::uint16_t open() override {
    base::system_entropy random;
    shared_ = std::make_shared<shared_context>(setup_of(context_), random);
    if (auto* const web = context_.hub->web)
      shared_->relay = std::make_unique<request_relay>(*web, shared_->services);
    auto port = context_.port;
    for (std::size_t i = 0; i < context_.loops.size(); ++i) {
      const auto& at = context_.loops[i];
      add(*at.loop, std::make_unique<loop_service>(shared_, context_.on(i), *at.spectators,
                                                   net::stream_listener::bind(context_, i, port),
                                                   *context_.hub->addresses));
    }
    return port;
  }

  void set_upgrade(std::size_t loop, upgrade to) override {
    shared_->services[loop]->set_upgrade(std::move(to));
  }
  void set_rpc(rpc_handler to) override { shared_->setup.rpc = std::move(to); }

 private:
  net::listener_context context_;
  std::shared_ptr<shared_context> shared_;
};

}  // namespace

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return std::make_unique<http_listener>(context);
}

}  // namespace gamehub::gateways::http
