#include "gateways/bots/bot_dispatcher.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "gateways/bots/bots.hpp"
#include "gateways/bots/loop_bots.hpp"
#include "gateways/bots/names.hpp"
#include "gateways/bots/registration.hpp"
#include "gateways/http/http_limits.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// Delay of the first call, so that the reply to the registration is sent before it.
constexpr std::chrono::milliseconds first_call_delay{20};

constexpr std::string_view going_down = "The hub is going down";

http::response answer_with(int status, std::string body) {
  http::response out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

// The result of a registration, in the order of the metric's cells.
enum class result : std::uint8_t { accepted, refused, malformed, limited };

bool is_json(std::string_view content_type) {
  constexpr std::string_view json = "application/json";
  const auto type = content_type.substr(0, content_type.find_first_of("; \t"));
  return std::equal(type.begin(), type.end(), json.begin(), json.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

}  // namespace

// A pending registration. Only its loop uses it.
struct bot_dispatcher::pending_registration {
  std::string id;
  bot_registration what;
  engine_traits engine;
  bot_url url;
  net::loop_io* loop = nullptr;
  std::function<void(http::response)> answer;
  bool counted = false;

  void end(result how, http::response r) {
    loop->cells().bots.registrations[static_cast<std::size_t>(how)].add();
    std::exchange(answer, nullptr)(std::move(r));
  }
  void refuse(std::string_view why) {
    end(result::refused, answer_with(200, refused_answer(id, why)));
  }
};

bot_dispatcher::bot_dispatcher(bot_dispatcher_setup setup, bot_registry& to)
    : setup_(std::move(setup)),
      registry_(to),
      addresses_(address_policy{setup_.allowed}),
      rates_({limits::bot_registration_each, limits::bot_registrations_burst},
             limits::bot_registration_buckets) {}

void bot_dispatcher::take(const rpc_request& r, std::function<void(http::response)> answer) {
  auto pending = std::make_shared<pending_registration>();
  pending->loop = r.loop;
  pending->answer = std::move(answer);
  pending->id = "null";
  const auto malformed = [&](int status, std::string_view why) {
    pending->end(result::malformed, answer_with(status, refused_answer(pending->id, why)));
  };
  if (!is_json(r.content_type))
    return malformed(415, "The content type has to be application/json");
  auto read = read_register(r.body);
  if (const auto* bad = std::get_if<bad_rpc>(&read)) {
    pending->id = bad->id;
    return malformed(400, bad->why);
  }
  auto& request = std::get<register_request>(read);
  pending->id = std::move(request.id);
  if (const auto* wrong = std::get_if<std::string>(&request.what)) return pending->refuse(*wrong);
  pending->what = std::get<bot_registration>(std::move(request.what));
  std::string why;
  auto engine = find_engine(pending->what.game, why);
  if (!engine) return pending->refuse(why);
  pending->engine = *std::move(engine);
  auto url = read_url(pending->what.endpoint);
  if (const auto* wrong = std::get_if<std::string>(&url)) return pending->refuse(*wrong);
  pending->url = std::get<bot_url>(std::move(url));
  std::optional<base::duration> wait;
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return pending->refuse(going_down);
    if (!r.exempt) wait = rates_.take(base::hash_of_sender(r.from, setup_.key), r.received);
    if (!wait && pending_.size() >= limits::bot_registrations_at_once)
      wait = limits::http_retry_soon;
    if (!wait) pending_.insert(pending);
  }
  if (wait) {
    auto later =
        answer_with(429, refused_answer(pending->id, "Too many registrations: come later"));
    later.fields.push_back({"Retry-After", std::to_string(base::retry_after(*wait).count())});
    return pending->end(result::limited, std::move(later));
  }
  resolve_endpoint(pending);
}

std::optional<engine_traits> bot_dispatcher::find_engine(std::string_view game,
                                                         std::string& why) const {
  why = "Game \"" + std::string{game} + "\" is not known";
  for (auto& each : setup_.engines()) {
    if (!names_game(game, each)) continue;
    const auto reason = describe().unsupported_reason(each);
    if (!reason) return std::move(each);
    why = "Game \"" + std::string{game} + "\" can't be played by bots: it " + *reason;
  }
  return std::nullopt;
}

void bot_dispatcher::resolve_endpoint(const std::shared_ptr<pending_registration>& pending) {
  auto& io = pending->loop->io();
  auto url = pending->url;
  addresses_.find(std::move(url), io, [self = shared_from_this(), pending](resolver::result at) {
    if (auto* there = std::get_if<std::shared_ptr<const bot_endpoint>>(&at))
      return self->register_bot(pending, std::move(*there));
    if (self->take_pending(pending)) pending->refuse(std::get<std::string>(at));
  });
}

void bot_dispatcher::register_bot(const std::shared_ptr<pending_registration>& pending,
                                  std::shared_ptr<const bot_endpoint> at) {
  registry_.enter(pending->what, pending->engine.id,
                  [self = shared_from_this(), pending, at](const bot_registry::entered& who) {
                    asio::post(pending->loop->io(),
                               [self, pending, at, who] { self->on_registered(pending, who, at); });
                  });
}

void bot_dispatcher::on_registered(const std::shared_ptr<pending_registration>& pending,
                                   const bot_registry::entered& who,
                                   std::shared_ptr<const bot_endpoint> at) {
  if (!take_pending(pending)) return;
  if (const auto* why = std::get_if<std::string>(&who)) return pending->refuse(*why);
  const auto& bot = std::get<registered_bot>(who);
  std::vector<std::uint64_t> replaced;
  if (const auto why = check_endpoint(bot, *at, replaced)) {
    registry_.on_failure(bot, {bot_fault_code::transport, *why});
    return pending->refuse(*why);
  }
  for (const auto each : replaced)
    loop_of(each).stop_calling(each, "\"" + bot.name + "\" is registered there now.");
  pending->end(result::accepted,
               answer_with(200, accepted_answer(pending->id,
                                                greeting(pending->what, pending->engine.title))));
  pending->loop->timers().arm(steady_clock::now() + first_call_delay,
                              [self = shared_from_this(), bot, engine = pending->engine, at] {
                                self->assign_bot(bot, engine, at);
                              });
}

std::optional<std::string> bot_dispatcher::check_endpoint(const registered_bot& bot,
                                                          const bot_endpoint& at,
                                                          std::vector<std::uint64_t>& replaced) {
  const auto key = at.url.key();
  const std::lock_guard lock{mutex_};
  for (const auto& [id, other] : bots_) {
    if (id == bot.id || !other.called || other.endpoint_key != key) continue;
    if (other.owner != bot.owner)
      return "The rpcendpoint is another owner's bot's, which is online";
    replaced.push_back(id);
  }
  auto& mine = bots_[bot.id];
  mine.registration = bot.registration;
  mine.owner = bot.owner;
  mine.endpoint_key = key;
  mine.at = &loop_of(bot.id);
  mine.called = true;
  return std::nullopt;
}

void bot_dispatcher::assign_bot(const registered_bot& bot, const engine_traits& engine,
                                std::shared_ptr<const bot_endpoint> at) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), bot.name) != names.end();
  };
  call_options how{method_prefix(engine), among(setup_.keep_alive), among(setup_.tell_opponent)};
  loop_of(bot.id).registered(bot, std::move(how), std::move(at));
}

void bot_dispatcher::start() {
  registry_.when_due([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->loops_.front()->loop().io(), [self] { self->begin_games(); });
  });
  for (const auto& each : registry_.bots_to_reconnect()) reconnect(each);
}

// The address policy may have changed since the registration.
void bot_dispatcher::reconnect(const registered_bot& bot) {
  std::string why;
  auto engine = find_engine(bot.engine, why);
  auto url = read_url(bot.endpoint);
  if (const auto* wrong = std::get_if<std::string>(&url)) why = *wrong;
  if (!engine || std::holds_alternative<std::string>(url))
    return registry_.on_failure(bot, {bot_fault_code::transport, why});
  auto& io = loops_.front()->loop().io();
  addresses_.find(
      std::get<bot_url>(std::move(url)), io,
      [self = shared_from_this(), bot, engine = *std::move(engine)](resolver::result at) {
        std::vector<std::uint64_t> ignored;
        const auto* there = std::get_if<std::shared_ptr<const bot_endpoint>>(&at);
        if (there != nullptr && !self->check_endpoint(bot, **there, ignored))
          return self->assign_bot(bot, engine, *there);
        const auto* wrong = std::get_if<std::string>(&at);
        self->registry_.on_failure(
            bot, {bot_fault_code::transport,
                  wrong != nullptr ? *wrong : "The rpcendpoint is another bot's, which is online"});
      });
}

void bot_dispatcher::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    for (const auto& each : pending_)
      asio::post(each->loop->io(), [self = shared_from_this(), each] {
        if (self->take_pending(each)) each->refuse(going_down);
      });
  }
  addresses_.stop();
}

bool bot_dispatcher::take_pending(const std::shared_ptr<pending_registration>& pending) {
  const std::lock_guard lock{mutex_};
  return pending_.erase(pending) != 0;
}

void bot_dispatcher::begin_games() {
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return;
  }
  for (const auto& each : registry_.next_games()) begin_game(each);
}

void bot_dispatcher::begin_game(const scheduled_match& f) {
  std::unique_lock lock{mutex_};
  const auto first = bots_.find(f.bots[0]);
  const auto second = bots_.find(f.bots[1]);
  const bool there = first != bots_.end() && second != bots_.end() && first->second.called &&
                     second->second.called && !second->second.name.empty();
  if (!there) {
    lock.unlock();
    return registry_.game_not_opened(f.id);
  }
  challenges_[f.id] = f.bots[1];
  auto* at = first->second.at;
  auto opponent = second->second.name;
  lock.unlock();
  at->challenge(f.bots[0], f.id, std::move(opponent));
}

void bot_dispatcher::on_report(bot_client& from, const bot_report& what) {
  if (std::holds_alternative<report::online>(what)) return registry_.on_online(from.who());
  if (const auto* n = std::get_if<report::failed>(&what)) return on_failure(from, *n);
  if (const auto* n = std::get_if<report::replied>(&what))
    return registry_.on_reply(from.who(), to_string(n->to), n->game, n->trace, n->text);
  if (const auto* n = std::get_if<report::game_over>(&what))
    return registry_.game_ended(n->game, n->how);
  if (const auto* n = std::get_if<report::reserved>(&what)) return on_reserved(from, *n);
  if (const auto* n = std::get_if<report::name_assigned>(&what)) {
    const std::lock_guard lock{mutex_};
    bots_[from.who().id].name = n->name;
    return;
  }
  const auto fixture = std::get<report::challenge_failed>(what).request;
  {
    const std::lock_guard lock{mutex_};
    challenges_.erase(fixture);
  }
  registry_.game_not_opened(fixture);
}

void bot_dispatcher::on_failure(const bot_client& from, const report::failed& what) {
  {
    const std::lock_guard lock{mutex_};
    const auto at = bots_.find(from.who().id);
    if (at != bots_.end() && at->second.registration == from.who().registration)
      at->second.called = false;
  }
  registry_.on_failure(from.who(), {what.code, what.text, what.game, what.trace});
}

void bot_dispatcher::on_reserved(bot_client& from, const report::reserved& what) {
  std::string opponent;
  {
    const std::lock_guard lock{mutex_};
    const auto second = challenges_.find(what.request);
    if (second == challenges_.end()) return;
    opponent = bots_[second->second].name;
    challenges_.erase(second);
  }
  registry_.game_opened(what.request, what.game);
  loop_of(from.who().id).begin(from.who().id, what.request, std::move(opponent), what.game);
}

}  // namespace gamehub::gateways::bots
