#include "gateways/jsonrpc/server/bot_client.hpp"

#include <chrono>
#include <utility>

#include "gateways/jsonrpc/call_bytes.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"

namespace gamehub::gateways::bots::server {

using std::chrono::steady_clock;

// One stay of a bot in the hub, from its door to its going. What is told to an earlier one is told
// to nobody.
class bot_line final : public attachment {
 public:
  bot_line(attachment_id id, std::weak_ptr<bot_client> to) : id_(id), to_(std::move(to)) {}

  attachment_id id() const override { return id_; }
  void deliver(const event& e) override {
    if (const auto to = to_.lock()) to->hear(*this, e);
  }
  void close(close_reason why) override {
    if (const auto to = to_.lock()) to->closed(*this, why);
  }
  void set_session(std::unique_ptr<session_handle> next) override {
    if (door_) door_ = std::move(next);
  }

  void enter_by(std::unique_ptr<session_handle> d) { door_ = std::move(d); }
  void leave() { door_.reset(); }
  void submit(envelope e) {
    if (door_) door_->submit(std::move(e));
  }

 private:
  attachment_id id_;
  std::weak_ptr<bot_client> to_;
  std::unique_ptr<session_handle> door_;
};

bot_client::bot_client(bot_call_context& means, listener to, std::function<void()> on_left_hub)
    : context_(means),
      listener_(std::move(to)),
      on_left_hub_(std::move(on_left_hub)),
      session_({}, means.rules, [&means] { return means.wire.loop->next_trace(); }) {}

bot_client::~bot_client() = default;

void bot_client::registered(registered_bot who, call_options how, std::shared_ptr<const place> at) {
  // Of a hub that just comes up it may be told twice: as one who registers, and as one who is
  // expected. What it has done since then stands.
  if (who.registration <= who_.registration || stopped_) return;
  who_ = std::move(who);
  place_ = std::move(at);
  keep_alive_ = how.keep_alive;
  drop_idle_connection();
  session_output out;
  session_.registered(
      {who_.name, who_.secret, who_.engine, std::move(how.prefix), how.tell_opponent},
      steady_clock::now(), out);
  carry_out(out);
}

void bot_client::give_up(std::string why) {
  session_output out;
  session_.give_up(std::move(why), steady_clock::now(), out);
  carry_out(out);
}

void bot_client::challenge(std::uint64_t fixture, const std::string& opponent) {
  session_output out;
  session_.challenge(fixture, opponent, steady_clock::now(), out);
  carry_out(out);
}

void bot_client::begin(std::uint64_t fixture, const std::string& opponent, game_id game) {
  session_output out;
  session_.begin(fixture, opponent, game, out);
  carry_out(out);
}

void bot_client::stop() {
  stopped_ = true;
  drop_idle_connection();
  if (inside()) return;
  if (const auto under_way = std::exchange(call_, nullptr)) under_way->cancel();
  context_.wire.loop->timers().cancel(std::exchange(clock_, {}));
}

void bot_client::hear(const bot_line& at, const event& e) {
  if (&at != line_.get()) return;
  // Its moves are timed from its answer to here: how long it took itself is in bot_call_seconds.
  if (e.answers.ticket != 0 && e.game) context_.wire.loop->answered(context_.wire.number, e);
  session_output out;
  session_.hear(e, steady_clock::now(), out);
  carry_out(out);
}

void bot_client::closed(const bot_line& at, close_reason why) {
  if (&at != line_.get()) return;
  session_output out;
  session_.closed(stopped_ || why == close_reason::draining, steady_clock::now(), out);
  carry_out(out);
}

void bot_client::carry_out(session_output& out) {
  const auto self = shared_from_this();
  if (out.release) drop_attachment();
  // First of all, so that what the hub does next is known to be by its fault.
  for (const auto& each : out.told) {
    if (const auto* wrong = std::get_if<report::went_wrong>(&each))
      cells().faults[static_cast<std::size_t>(wrong->code) - 1548].add();
    listener_(*this, each);
  }
  if (out.enter) open_attachment();
  for (auto& each : out.orders)
    if (line_)
      line_->submit(
          {{line_->id(), each.trace, steady_clock::now(), each.number}, std::move(each.what)});
  if (out.to_call) start_call(*std::move(out.to_call));
  if (std::exchange(online_, session_.online()) != session_.online())
    cells().online.add(session_.online() ? 1 : -1);
  arm_timer();
  if (stopped_ && !inside()) stop();
  if (!inside()) on_left_hub_();
}

void bot_client::open_attachment() {
  auto why = close_reason::hub_full;
  line_ = std::make_shared<bot_line>(context_.wire.loop->next_attachment(), weak_from_this());
  auto session_handle = context_.wire.desk->admit(line_, why);
  if (session_handle) {
    line_->enter_by(std::move(session_handle));
    return;
  }
  line_.reset();
  session_output out;
  session_.closed(why == close_reason::draining, steady_clock::now(), out);
  // It is outside and has nothing to say: only its clock is another one.
}

void bot_client::drop_attachment() {
  if (const auto was = std::exchange(line_, nullptr)) was->leave();
}

void bot_client::start_call(call what) {
  if (stopped_ && !inside()) return;
  const auto began = steady_clock::now();
  call_ = std::make_shared<http_call>(
      context_.calls, place_,
      call_bytes(place_->url, {what.body, what.trace, what.span, keep_alive_}),
      [self = shared_from_this(), method = what.what, began,
       to = place_](const call_outcome& came) { self->call_ended(method, began, to, came); });
  call_->start(what.deadline, take_idle_connection());
}

void bot_client::call_ended(call::method what, instant began,
                            const std::shared_ptr<const place>& to, const call_outcome& came) {
  // What registered meanwhile may be another process, or elsewhere.
  const auto was = std::exchange(call_, nullptr);
  if (keep_alive_ && to == place_) keep(was->take_connection());
  const auto now = steady_clock::now();
  const auto* none = std::get_if<unanswered>(&came);
  const auto how = none == nullptr ? 0U : none->too_late ? 1U : 2U;
  cells().calls[static_cast<std::size_t>(what)][how].add();
  cells().call_duration.observe(now - began);
  session_output out;
  session_.called(came, now, out);
  carry_out(out);
}

void bot_client::keep(std::unique_ptr<bot_connection> connection) {
  if (!connection || stopped_) return;
  kept_ = std::move(connection);
  idle_timer_ = context_.wire.loop->timers().arm(
      steady_clock::now() + limits::bot_connection_idle_max, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->drop_idle_connection();
      });
}

std::unique_ptr<bot_connection> bot_client::take_idle_connection() {
  context_.wire.loop->timers().cancel(std::exchange(idle_timer_, {}));
  return std::move(kept_);
}

void bot_client::arm_timer() {
  auto& timers = context_.wire.loop->timers();
  timers.cancel(std::exchange(clock_, {}));
  const auto when = session_.next();
  if (when == instant::max() || stopped_) return;
  clock_ = timers.arm(when, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->clock_ = {};
    session_output out;
    self->session_.advance(steady_clock::now(), out);
    self->carry_out(out);
  });
}

}  // namespace gamehub::gateways::jsonrpc::server
