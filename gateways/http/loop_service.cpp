#include "gateways/http/server/service.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

#include "gateways/http/log_updates.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/server/connection.hpp"
#include "gateways/http/server/engine_list.hpp"
#include "gateways/http/server/response_writer.hpp"
#include "gateways/http/server/update_reader.hpp"

namespace gamehub::gateways::http::server {

namespace asio = boost::asio;
using std::chrono::steady_clock;
using std::chrono::system_clock;

namespace {

endpoint endpoint_of(const net::tcp::endpoint& from) {
  endpoint out;
  const auto address = from.address();
  const auto v6 = address.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4())
                                  : address.to_v6();
  out.address = v6.to_bytes();
  out.scope = static_cast<std::uint32_t>(v6.scope_id());
  out.port = from.port();
  return out;
}

}  // namespace

loop_service::loop_service(std::shared_ptr<shared_context> all, server_address at, net::connections_per_address& addresses)
    : all_(std::move(all)),
      wire_(at.wire),
      websocket_context_(at.socket_wire),
      socket_protocol_(at.socket_protocol),
      games_(at.games),
      listener_(wire_, std::move(at.acceptor), addresses,
                [this](net::stream_socket socket, const net::tcp::endpoint& from,
                       std::function<void()> gone) {
                  welcome(std::move(socket), from, std::move(gone));
                }) {
  wire_.loop->at_turn_end(*this);
}

loop_service::~loop_service() = default;

void loop_service::welcome(net::stream_socket socket, const net::tcp::endpoint& from,
                      std::function<void()> gone) {
  all_->connections.fetch_add(1);
  const auto made = std::make_shared<connection>(*this, std::move(socket), endpoint_of(from));
  connections_.insert(made.get());
  made->start([this, gone = std::move(gone)] {
    all_->connections.fetch_sub(1);
    gone();
  });
}

void loop_service::open_socket(net::stream_socket socket, std::function<void()> gone, std::string first,
                          std::string_view read) {
  std::make_shared<net::connection>(websocket_context_, std::move(socket),
                                    socket_protocol_->make_codec({}), std::move(gone))
      ->start(std::move(first), read);
}

void loop_service::stop(std::function<void()> on_all_closed) {
  stopping_ = true;
  listener_.stop(std::move(on_all_closed));
  for (const auto& each : connection_list()) each->stop();
}

std::vector<std::shared_ptr<connection>> loop_service::connection_list() const {
  std::vector<std::shared_ptr<connection>> out;
  for (auto* each : connections_) out.push_back(each->shared_from_this());
  return out;
}

void loop_service::close_banned() {
  for (const auto& each : connection_list())
    if (each->is_banned()) each->expel();
}

// It belongs to no game, and is kept by none.
void loop_service::announce(const std::string& message) {
  update u;
  u.at = std::chrono::floor<std::chrono::milliseconds>(system_clock::now());
  u.what = said{std::string{operator_name}, message};
  std::vector<std::shared_ptr<update_stream>> all;
  for (const auto& [game, each] : readers_) all.push_back(each->shared_from_this());
  for (const auto& each : all) each->hear(u);
}

void loop_service::end_turn() {
  if (!held_.empty() && !wire_.loop->reading_paused())
    for (const auto& c : std::exchange(held_, {})) c->go_on();
  // Flushing lets connections go on with what was read, which gives them more to send.
  while (!dirty_.empty()) {
    flushing_.swap(dirty_);
    for (const auto& c : flushing_) c->flush();
    flushing_.clear();
  }
}

void loop_service::reads(update_stream& who) { readers_.emplace(who.game(), &who); }

void loop_service::remove_stream(update_stream& who) {
  const auto [first, last] = readers_.equal_range(who.game());
  const auto at = std::find_if(first, last, [&](const auto& each) { return each.second == &who; });
  if (at != last) readers_.erase(at);
}

std::optional<std::string> loop_service::add_listed_guest(game_id game,
                                                std::span<const std::string> players) {
  return setup().guests_max == 0 ? std::nullopt : all_->guests.enter(game, luck_, players);
}

void loop_service::remove_listed_guest(game_id game, const std::string& name) {
  all_->guests.leave(game, name);
  publish_guest_change(game, went{name});
}

void loop_service::publish_guest_change(game_id game, const std::variant<came, went>& what) {
  update u;
  u.at = std::chrono::floor<std::chrono::milliseconds>(system_clock::now());
  std::visit([&](const auto& each) { u.what = each; }, what);
  for (auto* each : all_->services) {
    if (each == this) continue;
    asio::post(each->loop().io(), [each, game, u] { each->on_guest_change(game, u); });
  }
  on_guest_change(game, u);
}

void loop_service::on_guest_change(game_id game, const update& u) {
  std::vector<std::shared_ptr<update_stream>> all;
  const auto [first, last] = readers_.equal_range(game);
  for (auto at = first; at != last; ++at) all.push_back(at->second->shared_from_this());
  for (const auto& each : all) each->hear(u);
}

std::string_view loop_service::json_of(const update_ref& u) {
  if (u != latest_) {
    latest_json_ = to_json(update_of(*u));
    latest_ = u;
  }
  return latest_json_;
}

std::string_view loop_service::date() {
  const auto now = steady_clock::now();
  if (now >= date_until_) {
    const auto wall = std::chrono::floor<std::chrono::milliseconds>(system_clock::now());
    const auto part = wall - std::chrono::floor<std::chrono::seconds>(wall);
    date_ = http_date(wall);
    date_until_ = now + (std::chrono::seconds{1} - part);
  }
  return date_;
}

// Engines come while the hub runs, but seldom.
const std::string& loop_service::engine_list() {
  const auto now = steady_clock::now();
  if (now >= engine_list_until_) {
    engine_list_ = server::engine_list(setup().engines());
    engine_list_until_ = now + std::chrono::seconds{1};
  }
  return engine_list_;
}

std::vector<std::string> route_words() {
  std::vector<std::string> out;
  for (int i = 0; i < operation_count; ++i) out.emplace_back(to_string(static_cast<operation>(i)));
  out.emplace_back("none");
  out.emplace_back("rpc");
  return out;
}

std::vector<std::unique_ptr<net::listener>> make_servers(server_setup setup,
                                                         std::vector<server_address> places,
                                                         net::connections_per_address& addresses) {
  system_entropy luck;
  const auto all = std::make_shared<shared_context>(std::move(setup), luck);
  std::vector<std::unique_ptr<net::listener>> out;
  for (auto& each : places) {
    auto made = std::make_unique<loop_service>(all, std::move(each), addresses);
    all->services.push_back(made.get());
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace gamehub::gateways::http::server
