#include "gateways/jsonrpc/server/switchboard.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "gateways/http/http_limits.hpp"
#include "gateways/jsonrpc/jsonrpc.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "gateways/jsonrpc/names.hpp"
#include "gateways/jsonrpc/server/desk.hpp"

namespace gamehub::gateways::bots::server {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// The answer to a registration is on its way before the first call is.
constexpr std::chrono::milliseconds head_start{20};

constexpr std::string_view going_down = "The hub is going down";

http::response answer_with(int status, std::string body) {
  http::response out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

// How a registration ended, as metrics count it.
enum class result : std::uint8_t { accepted, refused, malformed, limited };

bool is_json(std::string_view content_type) {
  constexpr std::string_view json = "application/json";
  const auto type = content_type.substr(0, content_type.find_first_of("; \t"));
  return std::equal(type.begin(), type.end(), json.begin(), json.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

}  // namespace

// A registration that is looked into. Only its loop touches it.
struct bot_dispatcher::asking {
  std::string id;
  registration what;
  engine_traits engine;
  bot_url url;
  net::loop_io* home = nullptr;
  std::function<void(http::response)> answer;
  bool counted = false;

  void end(result how, http::response r) {
    home->cells().bots.registrations[static_cast<std::size_t>(how)].add();
    std::exchange(answer, nullptr)(std::move(r));
  }
  void refuse(std::string_view why) {
    end(result::refused, answer_with(200, refused_answer(id, why)));
  }
};

bot_dispatcher::bot_dispatcher(switchboard_setup setup, bot_registry& to)
    : setup_(std::move(setup)),
      registrar_(to),
      addresses_(address_policy{setup_.allowed}),
      rates_({limits::bot_registration_each, limits::bot_registrations_burst}) {}

void bot_dispatcher::take(const rpc_request& r, std::function<void(http::response)> answer) {
  auto asked = std::make_shared<asking>();
  asked->home = r.home;
  asked->answer = std::move(answer);
  asked->id = "null";
  const auto malformed = [&](int status, std::string_view why) {
    asked->end(result::malformed, answer_with(status, refused_answer(asked->id, why)));
  };
  if (!is_json(r.content_type))
    return malformed(415, "The content type has to be application/json");
  auto read = read_register(r.body);
  if (const auto* bad = std::get_if<bad_rpc>(&read)) {
    asked->id = bad->id;
    return malformed(400, bad->why);
  }
  auto& request = std::get<register_request>(read);
  asked->id = std::move(request.id);
  if (const auto* wrong = std::get_if<std::string>(&request.what)) return asked->refuse(*wrong);
  asked->what = std::get<registration>(std::move(request.what));
  std::string why;
  auto engine = find_engine(asked->what.game, why);
  if (!engine) return asked->refuse(why);
  asked->engine = *std::move(engine);
  auto url = read_url(asked->what.endpoint);
  if (const auto* wrong = std::get_if<std::string>(&url)) return asked->refuse(*wrong);
  asked->url = std::get<bot_url>(std::move(url));
  std::optional<duration> wait;
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return asked->refuse(going_down);
    if (!r.exempt) wait = rates_.take(hash_of_sender(r.from, setup_.key), r.received);
    if (!wait && asking_.size() >= limits::bot_registrations_at_once)
      wait = limits::http_retry_soon;
    if (!wait) asking_.insert(asked);
  }
  if (wait) {
    auto later = answer_with(429, refused_answer(asked->id, "Too many registrations: come later"));
    later.fields.push_back({"Retry-After", std::to_string(http::retry_after(*wait).count())});
    return asked->end(result::limited, std::move(later));
  }
  find_place(asked);
}

std::optional<engine_traits> bot_dispatcher::find_engine(std::string_view game,
                                                      std::string& why) const {
  why = "Game \"" + std::string{game} + "\" is not known";
  for (auto& each : setup_.engines()) {
    if (!names_game(game, each)) continue;
    const auto unsupported_reason = describe().unsupported_reason(each);
    if (!unsupported_reason) return std::move(each);
    why = "Game \"" + std::string{game} + "\" can't be played by bots: it " + *unsupported_reason;
  }
  return std::nullopt;
}

void bot_dispatcher::find_place(const std::shared_ptr<asking>& asked) {
  auto& io = asked->home->io();
  auto url = asked->url;
  addresses_.find(std::move(url), io, [self = shared_from_this(), asked](resolver::found at) {
    if (auto* there = std::get_if<std::shared_ptr<const place>>(&at))
      return self->enter(asked, std::move(*there));
    if (self->still_asks(asked)) asked->refuse(std::get<std::string>(at));
  });
}

void bot_dispatcher::enter(const std::shared_ptr<asking>& asked, std::shared_ptr<const place> at) {
  registrar_.enter(asked->what, asked->engine.id,
                   [self = shared_from_this(), asked, at](const bot_registry::entered& who) {
                     asio::post(asked->home->io(),
                                [self, asked, at, who] { self->entered(asked, who, at); });
                   });
}

void bot_dispatcher::entered(const std::shared_ptr<asking>& asked, const bot_registry::entered& who,
                          std::shared_ptr<const place> at) {
  if (!still_asks(asked)) return;
  if (const auto* why = std::get_if<std::string>(&who)) return asked->refuse(*why);
  const auto& bot = std::get<registered_bot>(who);
  std::vector<std::uint64_t> replaced;
  if (const auto why = claim(bot, *at, replaced)) {
    registrar_.went_wrong(bot, {bot_fault_code::transport, *why});
    return asked->refuse(*why);
  }
  for (const auto each : replaced)
    home_of(each).give_up(each, "\"" + bot.name + "\" is registered there now.");
  asked->end(
      result::accepted,
      answer_with(200, accepted_answer(asked->id, greeting(asked->what, asked->engine.title))));
  asked->home->timers().arm(steady_clock::now() + head_start,
                            [self = shared_from_this(), bot, engine = asked->engine, at] {
                              self->hand_over(bot, engine, at);
                            });
}

std::optional<std::string> bot_dispatcher::claim(const registered_bot& bot, const place& at,
                                              std::vector<std::uint64_t>& replaced) {
  const auto key = at.url.key();
  const std::lock_guard lock{mutex_};
  for (const auto& [id, other] : bots_) {
    if (id == bot.id || !other.called || other.place != key) continue;
    if (other.owner != bot.owner)
      return "The rpcendpoint is another owner's bot's, which is online";
    replaced.push_back(id);
  }
  auto& mine = bots_[bot.id];
  mine.registration = bot.registration;
  mine.owner = bot.owner;
  mine.place = key;
  mine.at = &home_of(bot.id);
  mine.called = true;
  return std::nullopt;
}

void bot_dispatcher::hand_over(const registered_bot& bot, const engine_traits& engine,
                            std::shared_ptr<const place> at) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), bot.name) != names.end();
  };
  call_options how{method_prefix(engine), among(setup_.keep_alive), among(setup_.tell_opponent)};
  home_of(bot.id).registered(bot, std::move(how), std::move(at));
}

void bot_dispatcher::start() {
  registrar_.when_due([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->desks_.front()->loop().io(), [self] { self->begin_games(); });
  });
  for (const auto& each : registrar_.expected()) welcome_back(each);
}

// What was allowed before the hub was away may be refused now.
void bot_dispatcher::welcome_back(const registered_bot& bot) {
  std::string why;
  auto engine = find_engine(bot.engine, why);
  auto url = read_url(bot.endpoint);
  if (const auto* wrong = std::get_if<std::string>(&url)) why = *wrong;
  if (!engine || std::holds_alternative<std::string>(url))
    return registrar_.went_wrong(bot, {bot_fault_code::transport, why});
  auto& io = desks_.front()->loop().io();
  addresses_.find(
      std::get<bot_url>(std::move(url)), io,
      [self = shared_from_this(), bot, engine = *std::move(engine)](resolver::found at) {
        std::vector<std::uint64_t> ignored;
        const auto* there = std::get_if<std::shared_ptr<const place>>(&at);
        if (there != nullptr && !self->claim(bot, **there, ignored))
          return self->hand_over(bot, engine, *there);
        const auto* wrong = std::get_if<std::string>(&at);
        self->registrar_.went_wrong(
            bot, {bot_fault_code::transport,
                  wrong != nullptr ? *wrong : "The rpcendpoint is another bot's, which is online"});
      });
}

void bot_dispatcher::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    for (const auto& each : asking_)
      asio::post(each->home->io(), [self = shared_from_this(), each] {
        if (self->still_asks(each)) each->refuse(going_down);
      });
  }
  addresses_.stop();
}

bool bot_dispatcher::still_asks(const std::shared_ptr<asking>& asked) {
  const std::lock_guard lock{mutex_};
  return asking_.erase(asked) != 0;
}

void bot_dispatcher::begin_games() {
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return;
  }
  for (const auto& each : registrar_.next_games()) begin_game(each);
}

void bot_dispatcher::begin_game(const fixture& f) {
  std::unique_lock lock{mutex_};
  const auto first = bots_.find(f.bots[0]);
  const auto second = bots_.find(f.bots[1]);
  const bool there = first != bots_.end() && second != bots_.end() && first->second.called &&
                     second->second.called && !second->second.name.empty();
  if (!there) {
    lock.unlock();
    return registrar_.game_not_opened(f.id);
  }
  challenges_[f.id] = f.bots[1];
  auto* at = first->second.at;
  auto opponent = second->second.name;
  lock.unlock();
  at->challenge(f.bots[0], f.id, std::move(opponent));
}

void bot_dispatcher::hear(bot_client& from, const bot_report& what) {
  if (std::holds_alternative<report::came_online>(what)) return registrar_.came_online(from.who());
  if (const auto* n = std::get_if<report::went_wrong>(&what)) return heard(from, *n);
  if (const auto* n = std::get_if<report::replied>(&what))
    return registrar_.replied(from.who(), to_string(n->to), n->game, n->trace, n->text);
  if (const auto* n = std::get_if<report::game_over>(&what))
    return registrar_.game_ended(n->game, n->how);
  if (const auto* n = std::get_if<report::reserved>(&what)) return heard(from, *n);
  if (const auto* n = std::get_if<report::named>(&what)) {
    const std::lock_guard lock{mutex_};
    bots_[from.who().id].name = n->name;
    return;
  }
  const auto fixture = std::get<report::not_met>(what).request;
  {
    const std::lock_guard lock{mutex_};
    challenges_.erase(fixture);
  }
  registrar_.game_not_opened(fixture);
}

void bot_dispatcher::heard(const bot_client& from, const report::went_wrong& what) {
  {
    const std::lock_guard lock{mutex_};
    const auto at = bots_.find(from.who().id);
    if (at != bots_.end() && at->second.registration == from.who().registration)
      at->second.called = false;
  }
  registrar_.went_wrong(from.who(), {what.code, what.text, what.game, what.trace});
}

void bot_dispatcher::heard(bot_client& from, const report::reserved& what) {
  std::string opponent;
  {
    const std::lock_guard lock{mutex_};
    const auto second = challenges_.find(what.request);
    if (second == challenges_.end()) return;
    opponent = bots_[second->second].name;
    challenges_.erase(second);
  }
  registrar_.game_opened(what.request, what.game);
  home_of(from.who().id).begin(from.who().id, what.request, std::move(opponent), what.game);
}

}  // namespace gamehub::gateways::jsonrpc::server
