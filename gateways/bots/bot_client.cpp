#include "gateways/bots/bot_client.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "gateways/bots/call_bytes.hpp"
#include "gateways/bots/call_errors.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <utility>

namespace gamehub::gateways::bots {

using std::chrono::steady_clock;

// The attachment of one session of a bot. Events for an earlier session are ignored.
class bot_attachment final : public attachment {
 public:
  bot_attachment(attachment_id id, std::weak_ptr<bot_client> to) : id_(id), to_(std::move(to)) {}

  attachment_id id() const override { return id_; }
  void deliver(const event& e) override {
    if (const auto to = to_.lock()) to->on_event(*this, e);
  }
  void close(close_reason why) override {
    if (const auto to = to_.lock()) to->closed(*this, why);
  }
  void set_session(std::unique_ptr<session_handle> next) override {
    if (session_handle_) session_handle_ = std::move(next);
  }

  void set_handle(std::unique_ptr<session_handle> d) { session_handle_ = std::move(d); }
  void detach() { session_handle_.reset(); }
  void submit(envelope e) {
    if (session_handle_) session_handle_->submit(std::move(e));
  }

 private:
  attachment_id id_;
  std::weak_ptr<bot_client> to_;
  std::unique_ptr<session_handle> session_handle_;
};

bot_client::bot_client(bot_call_context& context, listener to,
                       std::function<void(const bot_client&)> on_left_hub)
    : context_(context),
      listener_(std::move(to)),
      on_left_hub_(std::move(on_left_hub)),
      session_(context.rules, [&context] { return context.wire.loop->next_trace(); }) {}

bot_client::~bot_client() = default;

void bot_client::registered(bot_record who, call_options how,
                            std::shared_ptr<const bot_endpoint> at,
                            std::shared_ptr<call_quota> quota) {
  // After a start of the hub a bot may be registered twice: by a request, and as a bot to
  // reconnect. The state that it has reached since then is kept.
  if (who.registration <= session_.who().registration || stopped_) return;
  endpoint_ = std::move(at);
  quota_ = std::move(quota);
  drop_idle_connection();
  apply(session_.registered(std::move(who), std::move(how), steady_clock::now()));
}

void bot_client::stop_calling(std::string why) {
  apply(session_.stop_calling(std::move(why), steady_clock::now()));
}

void bot_client::remove() { apply(session_.remove(steady_clock::now())); }

void bot_client::challenge(match_id match, const std::string& opponent) {
  apply(session_.challenge(match, opponent, steady_clock::now()));
}

void bot_client::begin(match_id match, const std::string& opponent, game_id game) {
  apply(session_.begin(match, opponent, game));
}

void bot_client::stop() {
  stopped_ = true;
  drop_idle_connection();
  if (in_hub()) return;
  if (const auto active = std::exchange(call_, nullptr)) active->cancel();
  context_.wire.loop->timers().cancel(std::exchange(timer_, {}));
}

void bot_client::on_event(const bot_attachment& at, const event& e) {
  if (&at != attachment_.get()) return;
  // The move duration starts when the bot's reply arrived; the time of the call is in
  // bot_call_seconds.
  if (e.answers.ticket != 0 && e.game) context_.wire.loop->record_answer(context_.wire.number, e);
  apply(session_.on_event(e, steady_clock::now()));
}

void bot_client::closed(const bot_attachment& at, close_reason why) {
  if (&at != attachment_.get()) return;
  apply(session_.closed(stopped_ || why == close_reason::draining, steady_clock::now()));
}

void bot_client::apply(session_output out) {
  const auto self = shared_from_this();
  if (out.release) drop_attachment();
  // Reports come first, because commands that follow can be consequences of a reported failure.
  for (const auto& each : out.reports) {
    if (const auto* wrong = std::get_if<report::failed>(&each))
      cells().faults[static_cast<std::size_t>(wrong->code) - 1548].add();
    listener_(*this, each);
  }
  if (out.enter) open_attachment();
  for (auto& each : out.commands)
    if (attachment_)
      attachment_->submit({{attachment_->id(), each.trace, steady_clock::now(), each.number},
                           std::move(each.what)});
  if (out.to_call) start_call(*std::move(out.to_call));
  if (std::exchange(online_, session_.online()) != session_.online())
    cells().online.add(session_.online() ? 1 : -1);
  arm_timer();
  if (stopped_ && !in_hub()) stop();
  if (!in_hub()) on_left_hub_(*this);
}

void bot_client::open_attachment() {
  auto why = close_reason::hub_full;
  attachment_ =
      std::make_shared<bot_attachment>(context_.wire.loop->next_attachment(), weak_from_this());
  auto handle = context_.wire.accept(attachment_, why);
  if (handle) {
    attachment_->set_handle(std::move(handle));
    return;
  }
  attachment_.reset();
  // The session is outside the hub and has no output; only its deadline changes.
  static_cast<void>(session_.closed(why == close_reason::draining, steady_clock::now()));
}

void bot_client::drop_attachment() {
  if (const auto ended = std::exchange(attachment_, nullptr)) ended->detach();
}

void bot_client::start_call(call what) {
  if (stopped_ && !in_hub()) return;
  if (!quota_) return make_call(std::move(what), nullptr);
  const auto queued = steady_clock::now();
  // The quota owns the function: it may not own the quota.
  const bool now = quota_->take([weak = weak_from_this(), of = std::weak_ptr{quota_}, queued,
                                 io = &context_.wire.loop->io()] {
    boost::asio::post(*io, [weak, quota = of.lock(), queued] {
      if (const auto self = weak.lock()) return self->on_turn(queued, quota);
      quota->give_back();
    });
  });
  if (now) return make_call(std::move(what), quota_);
  cells().calls_delayed.add();
  waiting_call_ = std::move(what);
}

// The time of a call begins with the call.
void bot_client::on_turn(base::instant queued, const std::shared_ptr<call_quota>& quota) {
  auto what = std::exchange(waiting_call_, std::nullopt);
  if (!what || (stopped_ && !in_hub())) return quota->give_back();
  what->deadline += steady_clock::now() - queued;
  make_call(*std::move(what), quota);
}

void bot_client::make_call(call what, std::shared_ptr<call_quota> quota) {
  const auto began = steady_clock::now();
  const auto& secret = session_.who().signing_secret;
  call_content content{what.body, what.trace, what.span, session_.options().keep_alive};
  if (!secret.empty()) content.signature = signature_of(secret, base::wall_now(), what.body);
  // A call that is cancelled gives its place back, too.
  std::shared_ptr<void> place;
  if (quota) place = {nullptr, [quota = std::move(quota)](void*) { quota->give_back(); }};
  call_ = std::make_shared<http_client::call>(
      context_.calls, endpoint_, answer_limits, call_bytes(endpoint_->url, content),
      [self = shared_from_this(), method = what.what, began, to = endpoint_,
       place = std::move(place)](const call_outcome& result) mutable {
        place.reset();
        self->call_ended(method, began, to, result);
      });
  call_->start(what.deadline, take_idle_connection());
}

void bot_client::call_ended(call::method what, base::instant began,
                            const std::shared_ptr<const bot_endpoint>& to,
                            const call_outcome& result) {
  // The bot may have registered again with another endpoint during the call.
  const auto ended = std::exchange(call_, nullptr);
  if (session_.options().keep_alive && to == endpoint_) keep_connection(ended->take_connection());
  const auto now = steady_clock::now();
  const auto* none = std::get_if<http_client::failure>(&result);
  const auto is_late = none != nullptr && none->what == http_client::call_error::timeout;
  const auto how = none == nullptr ? 0U : is_late ? 1U : 2U;
  cells().calls[static_cast<std::size_t>(what)][how].add();
  cells().call_duration.observe(now - began);
  apply(session_.on_call_result(result, now));
}

void bot_client::keep_connection(std::unique_ptr<http_client::connection> connection) {
  if (!connection || stopped_) return;
  idle_connection_ = std::move(connection);
  idle_timer_ = context_.wire.loop->timers().arm(
      steady_clock::now() + limits::bot_connection_idle_max, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->drop_idle_connection();
      });
}

std::unique_ptr<http_client::connection> bot_client::take_idle_connection() {
  context_.wire.loop->timers().cancel(std::exchange(idle_timer_, {}));
  return std::move(idle_connection_);
}

void bot_client::arm_timer() {
  auto& timers = context_.wire.loop->timers();
  timers.cancel(std::exchange(timer_, {}));
  const auto when = session_.next();
  if (when == base::instant::max() || stopped_) return;
  timer_ = timers.arm(when, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_ = {};
    self->apply(self->session_.advance(steady_clock::now()));
  });
}

}  // namespace gamehub::gateways::bots
