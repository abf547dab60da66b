#include "gateways/net/codec_listener.hpp"

#include "gateways/net/codec_connection.hpp"
#include "gateways/net/stream_listener.hpp"

#include <deque>
#include <string>
#include <utility>

namespace gamehub::gateways::net {
namespace {

class codec_listener final : public listener {
 public:
  codec_listener(const listener_context& context, codec_factory make)
      : context_(context), make_codec_(make) {}

  std::uint16_t open() override {
    auto port = context_.port;
    std::string refusal;
    make_codec_(context_.engine)->farewell(close_reason::address_limit, refusal);
    for (std::size_t i = 0; i < context_.loops.size(); ++i)
      add(*context_.loops[i].loop,
          std::make_unique<stream_listener>(
              context_.on(i), stream_listener::bind(context_, i, port), *context_.hub->addresses,
              [this](const loop_context& at, accepted_stream from) {
                std::make_shared<codec_connection>(at, std::move(from),
                                                   make_codec_(context_.engine))
                    ->start();
              },
              nullptr, refusal));
    return port;
  }

 private:
  listener_context context_;
  codec_factory make_codec_;
};

class upgrade_listener final : public listener {
 public:
  upgrade_listener(const listener_context& context, codec_factory make)
      : context_(context), make_codec_(make) {}

  std::uint16_t open() override {
    auto& host = dynamic_cast<upgrade_host&>(*context_.port_owner);
    for (std::size_t i = 0; i < context_.loops.size(); ++i)
      host.set_upgrade(i, [this, &at = on_loops_.emplace_back(context_.on(i))](
                              accepted_stream from, std::string_view unread) {
        std::make_shared<codec_connection>(at, std::move(from), make_codec_(context_.engine))
            ->start(unread);
      });
    return 0;
  }

 private:
  listener_context context_;
  codec_factory make_codec_;
  std::deque<loop_context> on_loops_;
};

}  // namespace

std::unique_ptr<listener> make_codec_listener(const listener_context& context, codec_factory make) {
  return std::make_unique<codec_listener>(context, make);
}

std::unique_ptr<listener> make_upgrade_listener(const listener_context& context,
                                                codec_factory make) {
  return std::make_unique<upgrade_listener>(context, make);
}

}  // namespace gamehub::gateways::net
