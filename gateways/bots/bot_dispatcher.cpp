#include "gateways/bots/bot_dispatcher.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "gateways/bots/bots.hpp"
#include "gateways/bots/loop_bots.hpp"
#include "gateways/bots/names.hpp"
#include "gateways/bots/registration.hpp"
#include "gateways/http/http_limits.hpp"
#include "hub/base/address.hpp"
#include "hub/base/text.hpp"

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
constexpr std::string_view is_elsewhere =
    "The hub that has the bots can't be asked now: come later";
constexpr std::string_view was_removed = "The operator of the hub removed this bot";
constexpr std::string_view unknown_token =
    "The token is not known: the operator of the hub makes one (gamehub token add OWNER)";

http::response answer_with(int status, std::string body) {
  http::response out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

// The result of a registration, in the order of the metric's cells.
enum class result : std::uint8_t { accepted, refused, malformed, limited, owner_limit, hub_full };

result result_of(registration_refusal::reason why) {
  switch (why) {
    case registration_refusal::reason::name_taken: return result::refused;
    case registration_refusal::reason::owner_limit: return result::owner_limit;
    case registration_refusal::reason::online_full:
    case registration_refusal::reason::hub_full: return result::hub_full;
  }
  return result::refused;
}

// Whose names are resolved one at a time.
const std::string& account_of(const std::string& owner, const std::string& account) {
  return account.empty() ? owner : account;
}

// Needs no key: an account is an owner whom the operator named, or an address, which has its rate
// in another table.
std::uint64_t hash_of_account(const std::string& account) {
  return std::hash<std::string>{}(account);
}

bool is_json(std::string_view content_type) {
  return base::same_letters(content_type.substr(0, content_type.find_first_of("; \t")),
                            "application/json");
}

}  // namespace

// A pending registration. Only its loop uses it.
struct bot_dispatcher::pending_registration {
  std::string id;
  bot_registration what;
  bot_owner owner;
  std::string sender;  // its address; empty: exempt from limits
  engine_traits engine;
  bot_url url;
  net::loop_io* loop = nullptr;
  std::function<void(http::response)> answer;

  void end(result how, http::response r) {
    loop->cells().bots.registrations[static_cast<std::size_t>(how)].add();
    std::exchange(answer, nullptr)(std::move(r));
  }
  void refuse(std::string_view why, result how = result::refused) {
    end(how, answer_with(200, refused_answer(id, why)));
  }
  void defer(base::duration wait) {
    auto later = answer_with(429, refused_answer(id, "Too many registrations: come later"));
    later.fields.push_back({"Retry-After", std::to_string(base::retry_after(wait).count())});
    end(result::limited, std::move(later));
  }
};

bot_dispatcher::bot_dispatcher(bot_dispatcher_setup setup, bot_registry& to)
    : setup_(std::move(setup)),
      registry_(to),
      addresses_(address_policy{setup_.allowed}, setup_.lookup),
      rates_({limits::bot_registration_each, limits::bot_registrations_burst},
             limits::bot_registration_buckets),
      owner_rates_({limits::bot_owner_registration_each, limits::bot_owner_registrations_burst},
                   limits::bot_registration_buckets) {}

void bot_dispatcher::take(const rpc_request& r, std::function<void(http::response)> answer) {
  auto pending = std::make_shared<pending_registration>();
  pending->loop = r.loop;
  pending->answer = std::move(answer);
  pending->id = "null";
  if (!r.exempt) pending->sender = base::sender_text(r.from);
  const auto malformed = [&](int status, std::string_view why) {
    pending->end(result::malformed, answer_with(status, refused_answer(pending->id, why)));
  };
  if (!registry_.is_here()) return pending->refuse(is_elsewhere);
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
  pending->what.engine = pending->engine.id;
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
  if (wait) return pending->defer(*wait);
  registry_.find_owner(
      pending->what.token, [self = shared_from_this(), pending](const auto& owner) {
        asio::post(pending->loop->io(), [self, pending, owner] { self->on_owner(pending, owner); });
      });
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

void bot_dispatcher::on_owner(const pending_ref& pending, const std::optional<bot_owner>& owner) {
  if (!owner) return refuse(pending, unknown_token);
  if (!is_pending(pending)) return;
  pending->owner = *owner;
  if (pending->owner.account.empty()) pending->owner.account = pending->sender;
  if (const auto wait = admit(pending)) {
    if (take_pending(pending)) pending->defer(*wait);
    return;
  }
  addresses_.find(
      pending->url, account_of(owner->name, pending->owner.account), pending->loop->io(),
      [self = shared_from_this(), pending](const auto& at) { self->on_resolved(pending, at); });
}

std::optional<base::duration> bot_dispatcher::admit(const pending_ref& pending) {
  const auto& account = pending->owner.account;
  if (account.empty()) return std::nullopt;
  const std::lock_guard lock{mutex_};
  auto wait = owner_rates_.take(hash_of_account(account), steady_clock::now());
  auto& count = pending_by_account_[account];
  if (!wait && count >= limits::bot_owner_registrations_at_once) wait = limits::http_retry_soon;
  ++count;  // take_pending() takes it back
  return wait;
}

void bot_dispatcher::on_resolved(const pending_ref& pending, const resolver::result& at) {
  if (const auto* why = std::get_if<std::string>(&at)) return refuse(pending, *why);
  if (!is_pending(pending)) return;
  const auto& there = std::get<endpoint_ref>(at);
  registry_.enter(pending->what, pending->owner,
                  [self = shared_from_this(), pending, there](const bot_registry::entered& who) {
                    asio::post(pending->loop->io(), [self, pending, there, who] {
                      self->on_registered(pending, who, there);
                    });
                  });
}

void bot_dispatcher::refuse(const pending_ref& pending, std::string_view why) {
  if (take_pending(pending)) pending->refuse(why);
}

void bot_dispatcher::on_registered(const pending_ref& pending, const bot_registry::entered& who,
                                   const endpoint_ref& at) {
  if (!take_pending(pending)) return;
  if (const auto* no = std::get_if<registration_refusal>(&who))
    return pending->refuse(no->text, result_of(no->why));
  const auto& bot = std::get<bot_record>(who);
  std::vector<bot_id> replaced;
  if (const auto why = check_endpoint(bot, *at, replaced)) {
    registry_.on_failure(bot, {bot_error_code::transport, *why});
    return pending->refuse(*why);
  }
  for (const auto each : replaced)
    post_to(each, [name = bot.name](bot_client& other) {
      other.stop_calling("\"" + name + "\" is registered there now.");
    });
  pending->end(result::accepted,
               answer_with(200, accepted_answer(pending->id,
                                                greeting(pending->what, pending->engine.title))));
  pending->loop->timers().arm(steady_clock::now() + first_call_delay,
                              [self = shared_from_this(), bot, engine = pending->engine, at] {
                                self->assign_bot(bot, engine, at);
                              });
}

std::optional<std::string> bot_dispatcher::check_endpoint(const bot_record& bot,
                                                          const bot_endpoint& at,
                                                          std::vector<bot_id>& replaced) {
  const auto key = at.url.key();
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [id, other] : bots_) {
      if (id == bot.id || !other.called || other.endpoint_key != key) continue;
      if (other.who.owner != bot.owner)
        return "The rpcendpoint is another owner's bot's, which is online";
      replaced.push_back(id);
    }
    auto& mine = bots_[bot.id];
    mine.who = bot;
    mine.endpoint_key = key;
    mine.called = true;
  }
  // A removal that was reported before found no entry.
  if (registry_.is_registered(bot.id)) return std::nullopt;
  const std::lock_guard lock{mutex_};
  bots_.erase(bot.id);
  return std::string{was_removed};
}

void bot_dispatcher::assign_bot(const bot_record& bot, const engine_traits& engine,
                                endpoint_ref at) {
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), bot.name) != names.end();
  };
  call_options how{method_prefix(engine), among(setup_.keep_alive), among(setup_.tell_opponent)};
  how.board_calls = has_board_calls(engine);
  how.hidden = !engine.perfect_information;
  how.simultaneous = engine.simultaneous;
  how.for_two = engine.players <= 2;
  if (engine.players < 2) how.options = R"({"players":2})";
  // Posted under the lock, so that a removal is posted later.
  const std::lock_guard lock{mutex_};
  if (bots_.count(bot.id) == 0) return;  // removed meanwhile
  loop_of(bot.id).registered(bot, std::move(how), std::move(at), quota_of(bot.account));
}

// Requires: the mutex is locked.
std::shared_ptr<call_quota> bot_dispatcher::quota_of(const std::string& account) {
  if (account.empty()) return nullptr;
  std::erase_if(quotas_, [](const auto& each) { return each.second.expired(); });
  auto& entry = quotas_[account];
  auto out = entry.lock();
  if (!out) entry = out = std::make_shared<call_quota>(limits::bot_owner_calls_max);
  return out;
}

void bot_dispatcher::remove(const std::vector<bot_id>& bots) {
  {
    const std::lock_guard lock{mutex_};
    for (const auto each : bots) bots_.erase(each);
  }
  for (const auto each : bots) loop_of(each).remove(each);
}

void bot_dispatcher::start() {
  registry_.when_due([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->loops_.front()->loop().io(), [self] { self->begin_games(); });
  });
  registry_.when_removed([weak = weak_from_this()](const std::vector<bot_id>& bots) {
    if (const auto self = weak.lock()) self->remove(bots);
  });
  registry_.when_arrived([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->loops_.front()->loop().io(), [self] { self->reconnect_all(); });
  });
  reconnect_all();
}

void bot_dispatcher::reconnect_all() {
  for (const auto& each : registry_.bots_to_reconnect()) reconnect(each);
}

// The address policy may have changed since the registration.
void bot_dispatcher::reconnect(const bot_record& bot) {
  std::string why;
  auto engine = find_engine(bot.engine, why);
  auto url = read_url(bot.endpoint);
  if (const auto* wrong = std::get_if<std::string>(&url)) why = *wrong;
  if (!engine || std::holds_alternative<std::string>(url))
    return registry_.on_failure(bot, {bot_error_code::transport, why});
  auto& io = loops_.front()->loop().io();
  addresses_.find(
      std::get<bot_url>(std::move(url)), account_of(bot.owner, bot.account), io,
      [self = shared_from_this(), bot, engine = *std::move(engine)](const resolver::result& at) {
        std::vector<bot_id> ignored;
        const auto* there = std::get_if<endpoint_ref>(&at);
        if (there != nullptr && !self->check_endpoint(bot, **there, ignored))
          return self->assign_bot(bot, engine, *there);
        const auto* wrong = std::get_if<std::string>(&at);
        self->registry_.on_failure(
            bot, {bot_error_code::transport,
                  wrong != nullptr ? *wrong : "The rpcendpoint is another bot's, which is online"});
      });
}

void bot_dispatcher::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    for (const auto& each : pending_)
      asio::post(each->loop->io(),
                 [self = shared_from_this(), each] { self->refuse(each, going_down); });
  }
  addresses_.stop();
}

bool bot_dispatcher::is_pending(const pending_ref& pending) {
  const std::lock_guard lock{mutex_};
  return pending_.count(pending) != 0;
}

bool bot_dispatcher::take_pending(const pending_ref& pending) {
  const std::lock_guard lock{mutex_};
  if (pending_.erase(pending) == 0) return false;
  const auto of = pending_by_account_.find(pending->owner.account);
  if (of != pending_by_account_.end() && --of->second == 0) pending_by_account_.erase(of);
  return true;
}

void bot_dispatcher::begin_games() {
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return;
  }
  for (const auto& each : registry_.next_games()) begin_game(each);
}

void bot_dispatcher::begin_game(const scheduled_match& match) {
  std::unique_lock lock{mutex_};
  const auto first = bots_.find(match.bots[0]);
  const auto second = bots_.find(match.bots[1]);
  const bool there = first != bots_.end() && second != bots_.end() && first->second.called &&
                     second->second.called && !second->second.session_name.empty();
  if (!there) {
    lock.unlock();
    return registry_.game_not_opened(match.id);
  }
  challenges_[match.id] = match.bots[1];
  auto opponent = second->second.session_name;
  lock.unlock();
  post_to(match.bots[0], [id = match.id, opponent = std::move(opponent)](bot_client& bot) {
    bot.challenge(id, opponent);
  });
}

void bot_dispatcher::post_to(bot_id bot, std::function<void(bot_client&)> what) const {
  loop_of(bot).post_to(bot, std::move(what));
}

void bot_dispatcher::on_report(bot_client& from, const bot_report& what) {
  if (std::holds_alternative<report::online>(what))
    return registry_.on_online(from.who(), from.plays_in_pairs());
  if (const auto* n = std::get_if<report::failed>(&what)) return on_failure(from, *n);
  if (const auto* n = std::get_if<report::replied>(&what))
    return registry_.on_reply(from.who(), to_string(n->to), n->game, n->trace, n->text);
  if (const auto* n = std::get_if<report::game_over>(&what))
    return registry_.game_ended(n->game, n->how);
  if (const auto* n = std::get_if<report::reserved>(&what)) return on_reserved(from, *n);
  if (const auto* n = std::get_if<report::name_assigned>(&what)) {
    const std::lock_guard lock{mutex_};
    const auto at = bots_.find(from.who().id);
    if (at != bots_.end()) at->second.session_name = n->name;
    return;
  }
  const auto match = std::get<report::challenge_failed>(what).match;
  {
    const std::lock_guard lock{mutex_};
    challenges_.erase(match);
  }
  registry_.game_not_opened(match);
}

void bot_dispatcher::on_failure(const bot_client& from, const bot_error& what) {
  {
    const std::lock_guard lock{mutex_};
    const auto at = bots_.find(from.who().id);
    if (at != bots_.end() && at->second.who.registration == from.who().registration)
      at->second.called = false;
  }
  registry_.on_failure(from.who(), what);
}

void bot_dispatcher::on_reserved(bot_client& from, const report::reserved& what) {
  std::string opponent;
  {
    const std::lock_guard lock{mutex_};
    const auto second = challenges_.find(what.match);
    if (second == challenges_.end()) return;
    // Without a name the bot can't be challenged: it was removed.
    const auto at = bots_.find(second->second);
    if (at != bots_.end()) opponent = at->second.session_name;
    challenges_.erase(second);
  }
  registry_.game_opened(what.match, what.game);
  // Not within the report: the session still handles the event that caused it.
  post_to(from.who().id, [what, opponent = std::move(opponent)](bot_client& bot) {
    bot.begin(what.match, opponent, what.game);
  });
}

}  // namespace gamehub::gateways::bots
