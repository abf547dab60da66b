#include "gateways/bots/loop_bots.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gamehub::gateways::bots {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// How often the schedule is checked for matches that have become due by time.
constexpr std::chrono::seconds schedule_check_interval{1};

}  // namespace

loop_bots::loop_bots(std::shared_ptr<bot_dispatcher> dispatcher, const net::loop_context& wire,
                     bool first)
    : dispatcher_(std::move(dispatcher)),
      context_{wire, {&wire.loop->io(), http_client::tls_context()}, dispatcher_->rules()},
      first_(first) {}

loop_bots::~loop_bots() = default;

void loop_bots::start() {
  if (!first_) return;
  dispatcher_->start();
  arm_timer();
}

void loop_bots::stop(std::function<void()> on_all_closed) {
  stopped_ = true;
  on_all_closed_ = std::move(on_all_closed);
  dispatcher_->stop();
  loop().timers().cancel(std::exchange(timer_, {}));
  std::vector<std::shared_ptr<bot_client>> all;
  for (const auto& [id, bot] : bots_) all.push_back(bot);
  for (const auto& bot : all) bot->stop();
  report_if_closed();
}

void loop_bots::post_to(bot_id bot, std::function<void(bot_client&)> what) {
  asio::post(loop().io(), [this, bot, what = std::move(what)] {
    const auto at = bots_.find(bot);
    if (at == bots_.end() || stopped_) return;
    // Keeps the bot alive: the action may remove it.
    const auto kept = at->second;
    what(*kept);
  });
}

void loop_bots::registered(bot_record who, call_options how, std::shared_ptr<const bot_endpoint> at,
                           std::shared_ptr<call_quota> quota) {
  asio::post(loop().io(), [this, who = std::move(who), how = std::move(how), at = std::move(at),
                           quota = std::move(quota)]() mutable {
    if (stopped_) return;
    auto& bot = bots_[who.id];
    if (!bot)
      bot = std::make_shared<bot_client>(
          context_,
          [this](bot_client& from, const bot_report& what) { dispatcher_->on_report(from, what); },
          [this](const bot_client& from) { on_left_hub(from); });
    const auto kept = bot;
    kept->registered(std::move(who), std::move(how), std::move(at), std::move(quota));
  });
}

void loop_bots::remove(bot_id bot) {
  asio::post(loop().io(), [this, bot] {
    const auto at = bots_.find(bot);
    if (at == bots_.end()) return;
    const auto kept = at->second;
    removed_.insert(bot);
    kept->remove();
  });
}

void loop_bots::on_left_hub(const bot_client& bot) {
  if (removed_.erase(bot.who().id) > 0) bots_.erase(bot.who().id);
  report_if_closed();
}

void loop_bots::arm_timer() {
  timer_ = loop().timers().arm(steady_clock::now() + schedule_check_interval, [this] {
    dispatcher_->begin_games();
    arm_timer();
  });
}

void loop_bots::report_if_closed() {
  if (!stopped_ || !on_all_closed_) return;
  if (std::any_of(bots_.begin(), bots_.end(), [](const auto& b) { return b.second->in_hub(); }))
    return;
  std::exchange(on_all_closed_, nullptr)();
}

}  // namespace gamehub::gateways::bots
