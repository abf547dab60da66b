#include "gateways/http/loop_service.hpp"

#include "gateways/http/combined_stream.hpp"
#include "gateways/http/connection.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/http_player.hpp"
#include "gateways/http/response_bodies.hpp"
#include "gateways/http/response_writer.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/update_stream.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/time.hpp"
#include "hub/core/player_name.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// Changes of guests of other hubs that wait for the streams of a loop; more are dropped.
constexpr std::size_t guest_changes_max = 1'024;

game_update guest_update(game_update::kind what, const std::string& name) {
  game_update u;
  u.at = base::wall_now();
  u.what = what;
  u.name = name;
  return u;
}

}  // namespace

loop_service::loop_service(std::shared_ptr<shared_context> all, const net::loop_context& context,
                           spectator_service& games, net::stream_listener::acceptor acceptor,
                           address_ledger& addresses)
    : shared_(std::move(all)),
      context_(context),
      games_(games),
      addresses_(addresses),
      listener_(
          context, std::move(acceptor), addresses,
          [this](const net::loop_context& at, net::accepted_stream from) {
            std::make_shared<connection>(*this, at, std::move(from))->start();
          },
          &shared_->connections) {
  shared_->services.push_back(this);
  loop().set_room_maker([this] { return drop_unused(); });
}

loop_service::~loop_service() = default;

void loop_service::stop(std::function<void()> on_all_closed) {
  stopping_ = true;
  listener_.stop(std::move(on_all_closed));
}

void loop_service::set_unused(http_player& who, bool unused) {
  if (const auto at = std::exchange(who.unused_, std::nullopt)) unused_.erase(*at);
  if (unused) who.unused_ = unused_.insert(unused_.end(), &who);
}

bool loop_service::drop_unused(const address_account* of) {
  auto looked_at = limits::http_unused_looked_at_max;
  for (auto* each : unused_) {
    if (looked_at-- == 0) return false;
    if (of != nullptr && each->account().get() != of) continue;
    if (of == nullptr) cells().sessions_evicted.add();
    // Its table holds the last reference.
    each->shared_from_this()->make_room();
    return true;
  }
  if (of != nullptr || shared_->services.size() == 1) return false;
  for (auto* other : shared_->services)
    if (other != this)
      asio::post(other->loop().io(), [other] {
        if (!other->unused_.empty()) other->drop_unused();
      });
  return false;
}

bool loop_service::drop_idle() {
  auto* first = idle_.first(steady_clock::now() - limits::http_silent_kept_for);
  if (first == nullptr) return false;
  first->make_room();
  return true;
}

void loop_service::make_room(std::function<void(bool)> then) {
  if (drop_idle()) return then(true);
  make_room_elsewhere(0, std::move(then));
}

void loop_service::make_room_elsewhere(std::size_t from, std::function<void(bool)> then) {
  const auto& all = shared_->services;
  if (from < all.size() && all[from] == this) ++from;
  if (from == all.size()) return then(false);
  auto& other = *all[from];
  asio::post(other.loop().io(), [this, &other, from, then = std::move(then)]() mutable {
    const bool made = other.drop_idle();
    asio::post(loop().io(), [this, made, from, then = std::move(then)]() mutable {
      made ? then(true) : make_room_elsewhere(from + 1, std::move(then));
    });
  });
}

// The message belongs to no game and is not stored. Who reads no stream finds it in lists.
void loop_service::announce(const std::string& message) {
  game_update u;
  u.at = base::wall_now();
  u.what = game_update::kind::said;
  u.name = operator_name;
  u.text = message;
  notice_ = {message, u.at};
  notice_until_ = steady_clock::now() + limits::http_notice_for;
  std::vector<std::shared_ptr<update_stream>> all;
  for (const auto& [game, of_game] : streams_)
    for (auto* each : of_game)
      if (each->wants_notices()) all.push_back(each->shared_from_this());
  send_to(std::move(all), u);
  std::vector<std::shared_ptr<combined_stream>> listeners;
  for (auto* each : listeners_) listeners.push_back(each->shared_from_this());
  const auto line = notice_line();
  for (const auto& each : listeners) each->on_notice(line);
}

const notice* loop_service::latest_notice() const {
  return steady_clock::now() < notice_until_ ? &notice_ : nullptr;
}

std::string loop_service::notice_line() const {
  const auto now = steady_clock::now();
  if (now >= notice_until_) return {};
  return to_notice_line(notice_,
                        std::chrono::duration_cast<std::chrono::milliseconds>(notice_until_ - now));
}

void loop_service::add_stream(update_stream& who) { streams_[who.game()].insert(&who); }

void loop_service::remove_stream(update_stream& who) {
  const auto at = streams_.find(who.game());
  if (at == streams_.end()) return;
  at->second.erase(&who);
  if (at->second.empty()) streams_.erase(at);
}

std::optional<std::string> loop_service::add_listed_guest(game_id game,
                                                          std::span<const std::string> players) {
  if (setup().guests_max == 0) return std::nullopt;
  return shared_->guests.add(game, random_, players, steady_clock::now());
}

void loop_service::remove_listed_guest(game_id game, const std::string& name) {
  shared_->guests.remove(game, name);
  publish_guest_change(game, game_update::kind::left, name);
}

void loop_service::publish_guest_change(game_id game, game_update::kind what,
                                        const std::string& name) {
  const auto u = guest_update(what, name);
  for (auto* each : shared_->services) {
    if (each == this) continue;
    asio::post(each->loop().io(), [each, game, u] { each->on_guest_change(game, u); });
  }
  on_guest_change(game, u);
  if (relay() != nullptr) relay()->announce({game, name, what == game_update::kind::left});
}

void loop_service::on_guest_change_elsewhere(game_id game, const std::string& name, bool left) {
  if (unsent_.size() < guest_changes_max)
    on_guest_change(game,
                    guest_update(left ? game_update::kind::left : game_update::kind::joined, name));
}

void loop_service::on_guest_change(game_id game, const game_update& u) {
  send_to(streams_of(game), u);
}

// In the order of the updates: a stream reads that a guest came before it reads that it left.
void loop_service::send_to(std::vector<std::shared_ptr<update_stream>> to, game_update what) {
  unsent_.push_back({std::move(to), std::move(what)});
  if (unsent_.size() == 1) send_next();
}

void loop_service::send_next() {
  for (auto left = limits::http_streams_at_once; left > 0 && !unsent_.empty(); --left) {
    auto& [to, what] = unsent_.front();
    if (!to.empty()) {
      const auto next = std::move(to.back());
      to.pop_back();
      next->on_guest_change(what);
    }
    if (to.empty()) unsent_.pop_front();
  }
  if (!unsent_.empty()) loop().defer_part([this] { send_next(); });
}

std::vector<std::shared_ptr<update_stream>> loop_service::streams_of(game_id game) const {
  std::vector<std::shared_ptr<update_stream>> all;
  if (const auto at = streams_.find(game); at != streams_.end())
    for (auto* each : at->second) all.push_back(each->shared_from_this());
  return all;
}

void loop_service::publish_offer(const std::shared_ptr<http_player>& to, game_id game,
                                 const std::optional<offer_update>& what) {
  for (auto* each : shared_->services) {
    if (each == this) continue;
    asio::post(each->loop().io(), [each, to, game, what] { each->on_offer(*to, game, what); });
  }
  on_offer(*to, game, what);
}

void loop_service::on_offer(const http_player& to, game_id game,
                            const std::optional<offer_update>& what) {
  for (const auto& each : streams_of(game)) each->on_offer(to, what);
}

const std::string& loop_service::text_of(const update_ref& u, const present_ref& present,
                                         bool as_event) {
  const auto now = steady_clock::now();
  if (u != latest_ || present != latest_present_ || now >= latest_until_) {
    latest_line_ = to_line(*u, {present.get(), now});
    latest_event_.clear();
    latest_ = u;
    latest_present_ = present;
    latest_until_ = present ? now + limits::http_shared_clock : base::instant::max();
  }
  if (!as_event) return latest_line_;
  if (latest_event_.empty()) latest_event_ = to_event(u->number, latest_line_);
  return latest_event_;
}

std::string_view loop_service::date() {
  const auto now = steady_clock::now();
  if (now >= date_until_) {
    const auto wall = base::wall_now();
    const auto part = wall - std::chrono::floor<std::chrono::seconds>(wall);
    date_ = base::http_date(wall);
    date_until_ = now + (std::chrono::seconds{1} - part);
  }
  return date_;
}

// Engines may be added while the hub runs, but rarely: the list is cached for a second.
void loop_service::refresh_engines() {
  const auto now = steady_clock::now();
  if (now < engines_until_) return;
  engines_ = setup().engines();
  engine_list_ = http::engine_list(engines_, setup().clocks);
  engines_until_ = now + std::chrono::seconds{1};
}

const std::string& loop_service::engine_list() {
  refresh_engines();
  return engine_list_;
}

std::optional<std::string> loop_service::engine_text(std::string_view id) {
  refresh_engines();
  return http::engine_text(engines_, id);
}

std::string loop_service::title_of(std::string_view engine) const {
  for (const auto& each : setup().engines())
    if (each.traits.id == engine) return each.traits.title;
  return std::string{engine};
}

std::vector<std::string> routes_description() {
  std::vector<std::string> out;
  for (int i = 0; i < operation_count; ++i) out.emplace_back(to_string(static_cast<operation>(i)));
  out.emplace_back("none");
  out.emplace_back("rpc");
  return out;
}

}  // namespace gamehub::gateways::http
