#include "hub/server/listeners.hpp"

#include "actors/table/engine_opponent.hpp"
#include "gateways/bots/bot_dispatcher.hpp"
#include "gateways/bots/loop_bots.hpp"
#include "gateways/net/datagram_port.hpp"
#include "hub/base/log.hpp"
#include "hub/base/random.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace gamehub::server {

namespace asio = boost::asio;
namespace http = gateways::http;
namespace jsonrpc = gateways::bots;
namespace net = gateways::net;

namespace {

// Returns the newest version of each engine.
std::vector<http::engine_account> engine_accounts(
    const actors::table::engine_directory& directory) {
  using engines::level;
  std::vector<http::engine_account> out;
  for (std::uint16_t kind = 0; kind < directory.kinds(); ++kind) {
    const auto& e = directory.engines[directory.newest(kind)];
    out.push_back({e.traits, std::string{e.rules.options_schema()}, {}});
    if (actors::table::engine_opponent::unsupported_reason(e.rules)) continue;
    for (const auto l : {level::random, level::medium, level::perfect})
      out.back().levels.emplace_back(engines::to_string(l));
  }
  return out;
}

std::vector<base::network> networks(const std::vector<std::string>& texts) {
  std::vector<base::network> out;
  for (const auto& each : texts) out.push_back(*base::read_network(each));
  return out;
}

}  // namespace

listeners::listeners(const config::settings& s, const engine_catalog& o, actors::system::runtime& r,
                     loop_threads& loops, bot_registry* bots, leaderboard_source leaderboard,
                     const ban_list& bans)
    : settings_(s),
      engines_(o),
      runtime_(r),
      loops_(loops),
      bot_registry_(bots),
      leaderboard_(std::move(leaderboard)),
      bans_(bans),
      addresses_(s.connections_per_address_max, s.limit_loopback) {
  for (std::size_t i = 0; i < loops_.count(); ++i) loops_.io(i).set_ban_list(bans_);
}

std::string listeners::open() {
  std::string ready;
  for (std::size_t wire = 0; wire < engines_.wires.size(); ++wire) {
    if (!engines_.wires[wire].protocol->behind.empty()) continue;
    const std::string name{engines_.wires[wire].protocol->name};
    auto port = *engines_.wires[wire].settings.port;
    try {
      listen(wire, port);
    } catch (const net::listen_failed& e) {
      throw base::usage_error{
          "can't listen on " + settings_.listen + " port " + std::to_string(port) + " for " + name +
          ": " + e.what() + "; choose another port with --" + name + "-port (0 picks a free one)."};
    }
    ready += " " + name + "=" + std::to_string(port);
    base::log::info("listening", {{"wire", name}, {"port", port}});
  }
  return ready;
}

void listeners::listen(std::size_t wire, std::uint16_t& port) {
  const auto& p = *engines_.wires[wire].protocol;
  if (p.over_datagrams()) return listen_to_datagrams(wire, port);
  if (p.over_requests) return listen_to_requests(wire, port);
  listen_to_streams(wire, port);
}

void listeners::listen_to_streams(std::size_t wire, std::uint16_t& port) {
  const auto& w = engines_.wires[wire];
  for (std::size_t i = 0; i < loops_.count(); ++i)
    add(i,
        net::listen_for_codecs(shared(wire, i), *w.protocol, w.engine, bind(i, port), addresses_));
}

void listeners::listen_to_requests(std::size_t wire, std::uint16_t& port) {
  http::server_setup setup;
  setup.idle = settings_.idle;
  setup.grace = engines_.wires[wire].settings.grace;
  setup.connections_max = settings_.connections_max;
  setup.rate_limits.address_rate = settings_.http_address_rate;
  setup.rate_limits.client_rate = settings_.http_client_rate;
  setup.rate_limits.bound_loopback = settings_.limit_loopback;
  setup.rate_limits.trusted_proxies = networks(settings_.http_trusted_proxies);
  setup.rate_limits.cors_origins = settings_.http_cors_origins;
  setup.rate_limits.rules = &bans_;
  setup.public_url = settings_.public_url;
  setup.guests_max = settings_.http_guests_max;
  setup.engines = [this] { return engine_accounts(engines_.catalog); };
  open_bot_dispatcher(wire, setup.rpc);
  setup.leaderboard = leaderboard_;
  std::vector<http::server_address> addresses;
  for (std::size_t i = 0; i < loops_.count(); ++i) {
    addresses.push_back({shared(wire, i), bind(i, port), &runtime_.spectators_for(i), {}, nullptr});
    for (std::size_t w = 0; w < engines_.wires.size(); ++w) {
      const auto* p = engines_.wires[w].protocol;
      if (p->behind != engines_.wires[wire].protocol->name || p->over_calls) continue;
      addresses.back().socket_wire = shared(w, i);
      addresses.back().socket_protocol = p;
    }
  }
  auto made = http::make_servers(std::move(setup), std::move(addresses), addresses_);
  for (std::size_t i = 0; i < made.size(); ++i) add(i, std::move(made[i]));
}

void listeners::open_bot_dispatcher(std::size_t wire, http::rpc_handler& handler) {
  if (bot_registry_ == nullptr) return;
  for (std::size_t w = 0; w < engines_.wires.size(); ++w) {
    const auto* p = engines_.wires[w].protocol;
    if (!p->over_calls || p->behind != engines_.wires[wire].protocol->name) continue;
    base::system_entropy random;
    gateways::bots::bot_dispatcher_setup setup;
    setup.rules = {settings_.bot_games, std::chrono::seconds{settings_.bot_move_seconds}};
    setup.allowed = networks(settings_.bot_allow);
    setup.keep_alive = settings_.bot_keep_alive;
    setup.tell_opponent = settings_.bot_tell_opponent;
    setup.key = {random.next(), random.next()};
    setup.engines = [this] {
      std::vector<engine_traits> out;
      for (auto& each : engine_accounts(engines_.catalog)) out.push_back(std::move(each.traits));
      return out;
    };
    const auto dispatcher =
        std::make_shared<gateways::bots::bot_dispatcher>(std::move(setup), *bot_registry_);
    for (std::size_t i = 0; i < loops_.count(); ++i) {
      auto bots = std::make_unique<gateways::bots::loop_bots>(dispatcher, shared(w, i), i == 0);
      dispatcher->add(*bots);
      add(i, std::move(bots));
    }
    handler = [dispatcher](const http::rpc_request& r,
                           std::function<void(gateways::http::response)> to) {
      dispatcher->take(r, std::move(to));
    };
  }
}

void listeners::listen_to_datagrams(std::size_t wire, std::uint16_t& port) {
  const auto& w = engines_.wires[wire];
  const auto address = asio::ip::make_address(settings_.listen);
  gateways::datagram_setup setup;
  setup.engine = w.engine;
  setup.against_engine = w.settings.opponent.is_engine;
  setup.sockets = loops_.count();
  setup.sessions_max = limits::connections_max;
  setup.per_address_max = settings_.connections_per_address_max;
  setup.bound_loopback = settings_.limit_loopback;
  base::system_entropy random;
  auto protocols = w.protocol->make_datagrams(setup, random);
  std::vector<net::datagram_port*> all;
  for (std::size_t i = 0; i < loops_.count(); ++i) {
    net::datagram_socket socket{loops_.io(i).io(), {address, port}, i == 0};
    port = socket.port();
    auto made = std::make_unique<net::datagram_port>(shared(wire, i), std::move(socket),
                                                     std::move(protocols[i]));
    all.push_back(made.get());
    add(i, std::move(made));
  }
  for (auto* each : all) each->link_sockets(all);
}

net::stream_listener::acceptor listeners::bind(std::size_t loop, std::uint16_t& port) {
  const auto address = asio::ip::make_address(settings_.listen);
  auto out = net::stream_listener::bind(loops_.io(loop).io(), {address, port}, loop == 0);
  port = out.local_endpoint().port();
  return out;
}

net::listener_context listeners::shared(std::size_t wire, std::size_t loop) {
  return {&loops_.io(loop), static_cast<std::uint16_t>(wire), &runtime_.acceptor_for(wire, loop)};
}

void listeners::add(std::size_t loop, std::unique_ptr<net::listener> made) {
  all_.push_back({&loops_.io(loop), std::move(made)});
}

void listeners::start() {
  for (auto& each : all_) asio::post(each.io->io(), [&each] { each.socket->start(); });
}

void listeners::close_banned() {
  for (std::size_t i = 0; i < loops_.count(); ++i)
    asio::post(loops_.io(i).io(), [&io = loops_.io(i)] { io.close_banned(); });
  for (auto& each : all_) asio::post(each.io->io(), [&each] { each.socket->close_banned(); });
}

void listeners::announce(const std::string& message) {
  for (auto& each : all_)
    asio::post(each.io->io(), [&each, message] { each.socket->announce(message); });
}

void listeners::stop(const std::function<void()>& on_stopped) {
  for (auto& each : all_)
    asio::post(each.io->io(), [&each, on_stopped] { each.socket->stop(on_stopped); });
}

}  // namespace gamehub::server
