#include "gateways/bots/bot_dispatcher.hpp"
#include "gateways/bots/loop_bots.hpp"
#include "gateways/http/server.hpp"
#include "gateways/net/listener.hpp"
#include "hub/base/random.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace gamehub::gateways::bots {
namespace {

bot_dispatcher_setup setup_of(const net::hub_services& hub) {
  const auto& settings = hub.settings;
  base::system_entropy random;
  bot_dispatcher_setup setup;
  setup.rules = {settings.bot_games, settings.bot_move};
  setup.allowed = settings.bot_allow;
  setup.keep_alive = settings.bot_keep_alive;
  setup.tell_opponent = settings.bot_tell_opponent;
  setup.key = {random.next(), random.next()};
  setup.engines = [&hub] {
    std::vector<engine_traits> out;
    for (auto& each : hub.engines()) out.push_back(std::move(each.traits));
    return out;
  };
  return setup;
}

// Registrations come through the port of HTTP.
class bots_listener final : public net::listener {
 public:
  explicit bots_listener(const net::listener_context& context) : context_(context) {}

  std::uint16_t open() override {
    const auto& hub = *context_.hub;
    if (hub.bots == nullptr) return 0;
    const auto dispatcher = std::make_shared<bot_dispatcher>(setup_of(hub), *hub.bots);
    for (std::size_t i = 0; i < context_.loops.size(); ++i) {
      auto bots = std::make_unique<loop_bots>(dispatcher, context_.on(i), i == 0);
      dispatcher->add(*bots);
      add(*context_.loops[i].loop, std::move(bots));
    }
    dynamic_cast<http::rpc_host&>(*context_.port_owner)
        .set_rpc([dispatcher](const rpc_request& r, std::function<void(http::response)> to) {
          dispatcher->take(r, std::move(to));
        });
    return 0;
  }

 private:
  net::listener_context context_;
};

}  // namespace

std::unique_ptr<net::listener> make_listener(const net::listener_context& context) {
  return std::make_unique<bots_listener>(context);
}

}  // namespace gamehub::gateways::bots
