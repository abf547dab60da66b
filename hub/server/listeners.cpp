#include "hub/server/listeners.hpp"

#include "actors/table/engine_opponent.hpp"
#include "engines/host/options.hpp"
#include "hub/base/address.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace gamehub::server {

namespace net = gateways::net;

namespace {

// Returns the newest version of each engine.
std::vector<net::engine_account> engine_accounts(const actors::table::engine_directory& directory) {
  std::vector<net::engine_account> out;
  for (std::uint16_t kind = 0; kind < directory.kinds(); ++kind) {
    const auto& e = directory.engines[directory.newest(kind)];
    out.push_back({e.traits,
                   engines::host::schema_with_players(e.rules.options_schema(),
                                                      e.rules.players_min(), e.rules.players_max()),
                   {},
                   std::string{e.rules.face()},
                   e.examples});
    for (const auto l : actors::table::engine_opponent::levels_of(e.rules))
      out.back().levels.emplace_back(engines::to_string(l));
  }
  return out;
}

net::listener_settings listener_settings_of(const config::settings& s) {
  net::listener_settings out;
  out.address = s.listen;
  out.idle = s.idle;
  out.connections_max = s.connections_max;
  out.udp_connections_max =
      s.udp_connections_max != 0
          ? std::min(s.udp_connections_max, s.connections_max)
          : std::max<std::uint32_t>(1, s.connections_max / limits::udp_connections_share);
  out.udp_guest_rate = s.udp_guest_rate;
  out.games_max = s.games_max;
  out.clocks = s.clocks;
  out.limit_loopback = s.limit_loopback;
  out.public_url = s.public_url;
  out.connections_per_address_max = s.connections_per_address_max;
  out.http_guests_max = s.http_guests_max;
  out.http_client_rate = s.http_client_rate;
  out.http_trusted_proxies = networks_of(s.http_trusted_proxies);
  out.http_cors_origins = s.http_cors_origins;
  out.http_frame_sites = s.http_frame_sites;
  out.http_hosts = s.http_hosts;
  out.bot_games = s.bot_games;
  out.bot_move = std::chrono::seconds{s.bot_move_seconds};
  out.bot_allow = networks_of(s.bot_allow);
  out.bot_keep_alive = s.bot_keep_alive;
  out.bot_tell_opponent = s.bot_tell_opponent;
  return out;
}

void warn_of_unknown_proxy() {
  base::log::warning(
      "a proxy on this machine forwards requests, and --http-trusted-proxy does not name it",
      {{"consequence", "limits and bans take all its clients for one"}});
}

}  // namespace

std::vector<base::network> networks_of(const std::vector<std::string>& texts) {
  std::vector<base::network> out;
  for (const auto& each : texts) out.push_back(*base::read_network(each));
  return out;
}

listeners::listeners(const config::settings& s, const engine_catalog& o, actors::system::runtime& r,
                     loop_threads& loops, bot_registry* bots, leaderboard_source leaderboard,
                     const ban_list& bans, address_ledger& addresses, relay::web_port* web,
                     webhook_registry* webhooks)
    : settings_(s),
      engines_(o),
      runtime_(r),
      loops_(loops),
      services_{listener_settings_of(s),
                &addresses,
                &bans,
                bots,
                std::move(leaderboard),
                [&o] { return engine_accounts(o.catalog); },
                warn_of_unknown_proxy,
                web,
                webhooks} {
  for (std::size_t i = 0; i < loops_.count(); ++i) loops_.io(i).set_ban_list(bans);
}

std::string listeners::open() {
  std::string ready;
  for (std::size_t wire = 0; wire < engines_.wires.size(); ++wire) {
    const auto& p = *engines_.wires[wire].protocol;
    const std::string name{p.name};
    const auto context = context_of(wire);
    std::uint16_t port = 0;
    try {
      port = all_.emplace_back(net::make_listener(name, context))->open();
    } catch (const net::listen_failed& e) {
      const bool is_foreign = e.what() == std::generic_category().message(EADDRNOTAVAIL);
      throw base::usage_error{
          "can't listen on " + settings_.listen + " port " + std::to_string(context.port) +
          " for " + name + ": " + e.what() +
          (is_foreign ? "; give --listen an address of this machine."
                      : "; choose another port with --" + name + "-port (0 picks a free one).")};
    }
    if (!p.port_owner.empty()) continue;
    ready += " " + name + "=" + std::to_string(port);
    base::log::info("listening", {{"wire", name}, {"port", port}});
  }
  return ready;
}

net::listener_context listeners::context_of(std::size_t wire) {
  const auto& w = engines_.wires[wire];
  net::listener_context out;
  out.hub = &services_;
  out.number = static_cast<std::uint16_t>(wire);
  out.port = w.settings.port.value_or(0);
  out.engine = w.engine;
  out.against_engine = w.settings.opponent.is_engine;
  out.grace = w.settings.grace;
  for (std::size_t i = 0; i < loops_.count(); ++i)
    out.loops.push_back(
        {&loops_.io(i), &runtime_.acceptor_for(wire, i), &runtime_.spectators_for(i)});
  for (std::size_t i = 0; i < wire; ++i)
    if (engines_.wires[i].protocol->name == w.protocol->port_owner) out.port_owner = all_[i].get();
  return out;
}

// A protocol that shares a port starts and stops before the port's owner, which has the requests
// for it.
void listeners::start() {
  for (auto each = all_.rbegin(); each != all_.rend(); ++each) (*each)->start();
}

void listeners::stop(const std::function<void()>& on_stopped) {
  for (auto each = all_.rbegin(); each != all_.rend(); ++each) (*each)->stop(on_stopped);
}

std::size_t listeners::count() const {
  std::size_t out = 0;
  for (const auto& each : all_) out += each->parts();
  return out;
}

void listeners::close_banned() {
  for (std::size_t i = 0; i < loops_.count(); ++i)
    boost::asio::post(loops_.io(i).io(), [&io = loops_.io(i)] { io.close_banned(); });
  for (auto& each : all_) each->close_banned();
}

void listeners::announce(const std::string& message) {
  for (auto& each : all_) each->announce(message);
}

void listeners::close() {
  while (!all_.empty()) all_.pop_back();
}

}  // namespace gamehub::server
