#include "hub/app/entrances.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "actors/house.hpp"
#include "gateways/jsonrpc/server/desk.hpp"
#include "gateways/jsonrpc/server/switchboard.hpp"
#include "gateways/net/datagram_port.hpp"
#include "hub/app/log.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {

namespace asio = boost::asio;
namespace http = gateways::http::server;
namespace jsonrpc = gateways::jsonrpc;
namespace net = gateways::net;

namespace {

// The newest version of each engine.
std::vector<http::engine_account> engine_accounts(const actors::catalog& directory) {
  using engines::level;
  std::vector<http::engine_account> out;
  for (std::uint16_t kind = 0; kind < directory.kinds(); ++kind) {
    const auto& e = directory.engines[directory.newest(kind)];
    out.push_back({e.traits, std::string{e.rules.options_schema()}, {}});
    if (actors::house::unsupported_reason(e.rules)) continue;
    for (const auto l : {level::random, level::medium, level::perfect})
      out.back().levels.emplace_back(to_string(l));
  }
  return out;
}

std::vector<gateways::http::network> networks(const std::vector<std::string>& texts) {
  std::vector<gateways::http::network> out;
  for (const auto& each : texts) out.push_back(*gateways::http::read_network(each));
  return out;
}

}  // namespace

listeners::listeners(const settings& s, const offer& o, actors::runtime& r, loop_threads& loops,
                     jsonrpc::bot_registry* bots, leaderboard_source best, const ban_list& rules)
    : settings_(s),
      offer_(o),
      runtime_(r),
      loops_(loops),
      registrar_(bots),
      leaderboard_(std::move(best)),
      rules_(rules),
      addresses_(s.connections_per_address_max, s.limit_loopback) {
  for (std::size_t i = 0; i < loops_.count(); ++i) loops_.io(i).obey(rules_);
}

std::string listeners::open() {
  std::string ready;
  for (std::size_t wire = 0; wire < offer_.wires.size(); ++wire) {
    if (!offer_.wires[wire].protocol->behind.empty()) continue;
    const std::string name{offer_.wires[wire].protocol->name};
    auto port = *offer_.wires[wire].settings.port;
    try {
      listen(wire, port);
    } catch (const net::listen_failed& e) {
      throw usage_error{
          "can't listen on " + settings_.listen + " port " + std::to_string(port) + " for " + name +
          ": " + e.what() + "; choose another port with --" + name + "-port (0 picks a free one)."};
    }
    ready += " " + name + "=" + std::to_string(port);
    log::info("listening", {{"wire", name}, {"port", port}});
  }
  return ready;
}

void listeners::listen(std::size_t wire, std::uint16_t& port) {
  const auto& p = *offer_.wires[wire].protocol;
  if (p.over_datagrams()) return listen_to_datagrams(wire, port);
  if (p.over_requests) return listen_to_requests(wire, port);
  listen_to_streams(wire, port);
}

void listeners::listen_to_streams(std::size_t wire, std::uint16_t& port) {
  const auto& w = offer_.wires[wire];
  for (std::size_t i = 0; i < loops_.count(); ++i)
    add(i,
        net::listen_for_codecs(shared(wire, i), *w.protocol, w.engine, bind(i, port), addresses_));
}

void listeners::listen_to_requests(std::size_t wire, std::uint16_t& port) {
  http::server_setup setup;
  setup.idle = settings_.idle;
  setup.grace = offer_.wires[wire].settings.grace;
  setup.connections_max = settings_.connections_max;
  setup.gates.address_rate = settings_.http_address_rate;
  setup.gates.client_rate = settings_.http_client_rate;
  setup.gates.bound_loopback = settings_.limit_loopback;
  setup.gates.trusted_proxies = networks(settings_.http_trusted_proxies);
  setup.gates.cors_origins = settings_.http_cors_origins;
  setup.gates.rules = &rules_;
  setup.public_url = settings_.public_url;
  setup.guests_max = settings_.http_guests_max;
  setup.engines = [this] { return engine_accounts(offer_.catalog); };
  open_bot_dispatcher(wire, setup.rpc);
  setup.leaderboard = leaderboard_;
  std::vector<http::server_address> places;
  for (std::size_t i = 0; i < loops_.count(); ++i) {
    places.push_back({shared(wire, i), bind(i, port), &runtime_.spectators_for(i), {}, nullptr});
    for (std::size_t w = 0; w < offer_.wires.size(); ++w) {
      const auto* p = offer_.wires[w].protocol;
      if (p->behind != offer_.wires[wire].protocol->name || p->over_calls) continue;
      places.back().socket_wire = shared(w, i);
      places.back().socket_protocol = p;
    }
  }
  auto made = http::make_servers(std::move(setup), std::move(places), addresses_);
  for (std::size_t i = 0; i < made.size(); ++i) add(i, std::move(made[i]));
}

void listeners::open_bot_dispatcher(std::size_t wire, http::rpc_handler& taken) {
  if (registrar_ == nullptr) return;
  for (std::size_t w = 0; w < offer_.wires.size(); ++w) {
    const auto* p = offer_.wires[w].protocol;
    if (!p->over_calls || p->behind != offer_.wires[wire].protocol->name) continue;
    system_entropy luck;
    jsonrpc::server::switchboard_setup setup;
    setup.rules = {settings_.bot_games, std::chrono::seconds{settings_.bot_move_seconds}};
    setup.allowed = networks(settings_.bot_allow);
    setup.keep_alive = settings_.bot_keep_alive;
    setup.tell_opponent = settings_.bot_tell_opponent;
    setup.key = {luck.next(), luck.next()};
    setup.engines = [this] {
      std::vector<engine_traits> out;
      for (auto& each : engine_accounts(offer_.catalog)) out.push_back(std::move(each.traits));
      return out;
    };
    const auto board =
        std::make_shared<jsonrpc::server::bot_dispatcher>(std::move(setup), *registrar_);
    for (std::size_t i = 0; i < loops_.count(); ++i) {
      auto desk = std::make_unique<jsonrpc::server::desk>(board, shared(w, i), i == 0);
      board->add(*desk);
      add(i, std::move(desk));
    }
    taken = [board](const http::rpc_request& r, std::function<void(gateways::http::response)> to) {
      board->take(r, std::move(to));
    };
  }
}

void listeners::listen_to_datagrams(std::size_t wire, std::uint16_t& port) {
  const auto& w = offer_.wires[wire];
  const auto address = asio::ip::make_address(settings_.listen);
  gateways::datagram_setup setup;
  setup.engine = w.engine;
  setup.against_engine = w.settings.opponent.is_engine;
  setup.sockets = loops_.count();
  setup.sessions_max = limits::connections_max;
  setup.per_address_max = settings_.connections_per_address_max;
  setup.bound_loopback = settings_.limit_loopback;
  system_entropy luck;
  auto protocols = w.protocol->make_datagrams(setup, luck);
  std::vector<net::datagram_port*> all;
  for (std::size_t i = 0; i < loops_.count(); ++i) {
    net::datagram_socket socket{loops_.io(i).io(), {address, port}, i == 0};
    port = socket.port();
    auto made = std::make_unique<net::datagram_port>(shared(wire, i), std::move(socket),
                                                     std::move(protocols[i]));
    all.push_back(made.get());
    add(i, std::move(made));
  }
  for (auto* each : all) each->meet(all);
}

net::listener::acceptor listeners::bind(std::size_t loop, std::uint16_t& port) {
  const auto address = asio::ip::make_address(settings_.listen);
  auto out = net::listener::bind(loops_.io(loop).io(), {address, port}, loop == 0);
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

void listeners::stop(const std::function<void()>& one_gone) {
  for (auto& each : all_)
    asio::post(each.io->io(), [&each, one_gone] { each.socket->stop(one_gone); });
}

}  // namespace gamehub::app
