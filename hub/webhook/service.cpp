#include "hub/webhook/service.hpp"

#include "hub/webhook/messages.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>
#include <variant>

namespace gamehub::webhook {

namespace asio = boost::asio;
namespace bots = gateways::bots;

namespace {

// The timer looks again after this time at the latest, because the clock of the wall may be set;
// and so soon after a write that failed.
constexpr std::chrono::minutes timer_max{10};
constexpr std::chrono::seconds store_again{1};

constexpr std::string_view subject = "url";

webhook_refusal refusal_of(webhook_refusal::reason why, std::string text,
                           base::duration wait = {}) {
  return {why, std::move(text), wait};
}

bool is_secret(std::string_view text) {
  return text.size() >= limits::webhook_secret_bytes_min &&
         text.size() <= limits::webhook_secret_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

// A registration whose receiver is asked. Only the thread uses it.
struct service::pending {
  webhook_request what;
  answer to;
  bots::bot_url url = {};
};

service::service(service_setup setup)
    : setup_(std::move(setup)),
      work_(io_.get_executor()),
      timer_(io_),
      file_(setup_.file, setup_.fsync_each_commit),
      book_(setup_.rules),
      caller_(io_, setup_.allowed, setup_.lookup, setup_.call_time),
      rates_({limits::webhook_registration_each, limits::webhook_registrations_burst},
             limits::webhook_registration_buckets),
      salt_(random_.secret()) {
  auto hooks = file_.hooks();
  std::erase_if(hooks, [](hook& each) {
    auto url = bots::read_url(each.url);
    if (auto* const good = std::get_if<bots::bot_url>(&url)) each.host = std::move(good->field);
    return each.host.empty();
  });
  book_.load(std::move(hooks), file_.events(), base::wall_now());
  count();
}

void service::start() {
  post([this] { advance(); });
  thread_ = std::thread{[this] { run(); }};
}

// An exception of one handler must not end the others.
void service::run() {
  for (;;) {
    try {
      io_.run();
      return;
    } catch (const std::exception& e) {
      setup_.on_trouble(e.what());
    }
  }
}

void service::drain() {
  post([this] {
    draining_ = true;
    for (const auto& each : std::unordered_set{pending_})
      end(each, registration::full,
          refusal_of(webhook_refusal::reason::stopping, "the hub is stopping"));
  });
}

void service::stop() {
  if (!thread_.joinable()) return;
  asio::post(io_, [this] {
    caller_.stop();
    store();
    io_.stop();
  });
  thread_.join();
}

void service::post(std::function<void()> what, bool report) {
  if (report && reports_waiting_.load() >= limits::webhook_reports_waiting_max) {
    ++reports_dropped_;
    return;
  }
  if (report) ++reports_waiting_;
  asio::post(io_, [this, what = std::move(what), report] {
    if (report) --reports_waiting_;
    what();
    // Of many reports that wait, the last one has the transaction.
    if (!report || reports_waiting_.load() == 0) advance();
  });
}

void service::on_turn(absent_turn t) {
  post([this,
        t = std::move(t)] { book_.on_turn(t, base::wall_now(), [&] { return turn_body(t); }); },
       true);
}

void service::on_turn_over(const std::string& player, game_id game) {
  post([this, player, game] { book_.on_turn_over(player, game); }, true);
}

void service::on_end(lasting_end e) {
  post([this, e = std::move(e)] { book_.on_end(e, base::wall_now(), [&] { return end_body(e); }); },
       true);
}

void service::find(const std::string& player, answer to) {
  post([this, player, to = std::move(to)] {
    if (auto state = book_.state_of(player)) return to(*std::move(state));
    to(refusal_of(webhook_refusal::reason::unknown, "there is no webhook"));
  });
}

void service::remove(const std::string& player, answer to) {
  post([this, player, to = std::move(to)] {
    auto state = book_.state_of(player);
    if (!state) return to(refusal_of(webhook_refusal::reason::unknown, "there is no webhook"));
    book_.remove(player);
    store();
    to(*std::move(state));
  });
}

void service::set(webhook_request r, answer to) {
  const auto p = std::make_shared<pending>(pending{std::move(r), std::move(to)});
  post([this, p] { begin_registration(p); });
}

std::optional<webhook_refusal> service::why_not(const webhook_request& r) {
  using reason = webhook_refusal::reason;
  if (draining_) return refusal_of(reason::stopping, "the hub is stopping");
  if (!is_secret(r.secret))
    return refusal_of(reason::invalid, "secret has to be 16 to 128 visible characters of ASCII");
  if (in_trouble_) return refusal_of(reason::full, "webhooks can't be stored now");
  if (const auto why = book_.why_full(r.player, r.sender, base::wall_now()))
    return refusal_of(reason::full, std::string{*why});
  if (pending_.size() >= limits::webhook_registrations_at_once)
    return refusal_of(reason::too_many, "too many registrations wait for their receivers",
                      setup_.call_time);
  if (r.sender.empty()) return std::nullopt;
  const auto mine = pending_by_sender_.find(r.sender);
  if (mine != pending_by_sender_.end() &&
      mine->second >= limits::webhook_registrations_per_address_at_once)
    return refusal_of(reason::too_many, "too many registrations wait for their receivers",
                      setup_.call_time);
  if (const auto wait =
          rates_.take(std::hash<std::string>{}(salt_ + r.sender), std::chrono::steady_clock::now()))
    return refusal_of(reason::too_many, "too many registrations", *wait);
  return std::nullopt;
}

void service::begin_registration(const pending_ref& p) {
  using reason = webhook_refusal::reason;
  const auto& r = p->what;
  auto url = bots::read_url(r.url, subject);
  if (auto* const wrong = std::get_if<std::string>(&url))
    return end(p, registration::invalid, refusal_of(reason::invalid, std::move(*wrong)));
  p->url = std::get<bots::bot_url>(std::move(url));
  if (auto no = why_not(r)) {
    const auto how = no->why == reason::invalid    ? registration::invalid
                     : no->why == reason::too_many ? registration::limited
                                                   : registration::full;
    return end(p, how, *std::move(no));
  }
  pending_.insert(p);
  if (!r.sender.empty()) ++pending_by_sender_[r.sender];
  caller_.start({p->url, r.secret, r.sender.empty() ? r.player : r.sender, {}, {}},
                [this, p](const visit_result& found) {
                  finish_registration(p, found);
                  advance();
                });
}

void service::finish_registration(const pending_ref& p, const visit_result& found) {
  using reason = webhook_refusal::reason;
  if (pending_.count(p) == 0) return;
  const auto& r = p->what;
  if (found.how != book::result::delivered)
    return end(
        p, registration::invalid,
        refusal_of(reason::invalid, "the receiver did not answer the challenge: " + found.why));
  if (const auto why = book_.why_full(r.player, r.sender, base::wall_now()))
    return end(p, registration::full, refusal_of(reason::full, std::string{*why}));
  hook h;
  h.player = r.player;
  h.url = r.url;
  h.host = p->url.field;
  h.secret = r.secret;
  h.account = r.sender;
  h.confirmed = found.confirmed;
  book_.set(std::move(h), base::wall_now());
  store();
  end(p, registration::accepted, *book_.state_of(r.player));
}

void service::end(const pending_ref& p, registration how, const outcome& what) {
  if (pending_.erase(p) > 0 && !p->what.sender.empty()) {
    const auto at = pending_by_sender_.find(p->what.sender);
    if (--at->second == 0) pending_by_sender_.erase(at);
  }
  {
    const std::lock_guard lock{mutex_};
    ++numbers_.registrations[static_cast<std::size_t>(how)];
  }
  if (const auto to = std::exchange(p->to, nullptr)) to(what);
}

void service::advance() {
  while (auto c = book_.next(base::wall_now())) {
    auto url = bots::read_url(c->to.url);
    visit v{std::get<bots::bot_url>(std::move(url)), c->to.secret,
            c->to.account.empty() ? c->to.player : c->to.account, c->to.confirmed, c->what.body};
    caller_.start(std::move(v), [this, call = *std::move(c)](const visit_result& got) {
      {
        const std::lock_guard lock{mutex_};
        ++numbers_.calls[static_cast<std::size_t>(got.how)];
      }
      if (book_.ended(call, got.how, got.confirmed, got.why, base::wall_now(), random_))
        setup_.on_off(call.to.host, got.why);
      // Later, because a name that is an address is resolved within start().
      asio::post(io_, [this] { advance(); });
    });
  }
  store();
  count();
  const auto at = book_.next_at();
  const auto now = base::wall_now();
  base::duration wait = unwritten_.empty() ? base::duration{timer_max} : store_again;
  if (at != base::wall_time::max())
    wait = std::clamp<base::duration>(at - now, std::chrono::milliseconds{1}, wait);
  timer_.expires_after(wait);
  timer_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) advance();
  });
}

// What can't be written is kept, and written later.
void service::store() {
  auto now = book_.take_changes();
  for (auto& [player, what] : now.hooks) unwritten_.hooks[player] = std::move(what);
  for (auto& [key, what] : now.events) unwritten_.events[key] = std::move(what);
  if (unwritten_.empty()) return;
  try {
    file_.apply(unwritten_);
    unwritten_ = {};
    if (std::exchange(in_trouble_, false)) setup_.on_trouble({});
  } catch (const journal::sqlite::error& e) {
    if (!std::exchange(in_trouble_, true)) setup_.on_trouble(e.what());
  }
}

void service::count() {
  const std::lock_guard lock{mutex_};
  numbers_.totals = book_.count();
  numbers_.ok = !in_trouble_;
}

service_numbers service::numbers() const {
  const std::lock_guard lock{mutex_};
  auto out = numbers_;
  out.reports_dropped = reports_dropped_.load();
  return out;
}

}  // namespace gamehub::webhook
