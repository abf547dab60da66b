#include "gateways/jsonrpc/server/desk.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gamehub::gateways::bots::server {

namespace asio = boost::asio;
using std::chrono::steady_clock;

namespace {

// How often the registrar is asked for games that only time makes due.
constexpr std::chrono::seconds games_looked_for{1};

}  // namespace

desk::desk(std::shared_ptr<bot_dispatcher> board, const net::listener_context& wire, bool first)
    : board_(std::move(board)),
      context_{wire, {&wire.loop->io(), make_tls_context()}, board_->rules()},
      first_(first) {}

desk::~desk() = default;

void desk::start() {
  if (!first_) return;
  board_->start();
  arm_timer();
}

void desk::stop(std::function<void()> on_all_closed) {
  stopped_ = true;
  on_all_closed_ = std::move(on_all_closed);
  board_->stop();
  loop().timers().cancel(std::exchange(clock_, {}));
  std::vector<std::shared_ptr<bot_client>> all;
  for (const auto& [id, bot] : bots_) all.push_back(bot);
  for (const auto& bot : all) bot->stop();
  report_if_closed();
}

template <class What>
void desk::with(std::uint64_t bot, What what) {
  asio::post(loop().io(), [this, bot, what = std::move(what)]() mutable {
    const auto at = bots_.find(bot);
    if (at == bots_.end() || stopped_) return;
    // What it does may end its stay here.
    const auto kept = at->second;
    what(*kept);
  });
}

void desk::registered(registered_bot who, call_options how, std::shared_ptr<const place> at) {
  asio::post(loop().io(), [this, who = std::move(who), how = std::move(how),
                           at = std::move(at)]() mutable {
    if (stopped_) return;
    auto& bot = bots_[who.id];
    if (!bot)
      bot = std::make_shared<bot_client>(
          context_, [this](bot_client& from, const bot_report& what) { board_->hear(from, what); },
          [this] { report_if_closed(); });
    const auto kept = bot;
    kept->registered(std::move(who), std::move(how), std::move(at));
  });
}

void desk::give_up(std::uint64_t bot, std::string why) {
  with(bot, [why = std::move(why)](bot_client& to) mutable { to.give_up(std::move(why)); });
}

void desk::challenge(std::uint64_t bot, std::uint64_t fixture, std::string opponent) {
  with(bot,
       [fixture, opponent = std::move(opponent)](bot_client& to) { to.challenge(fixture, opponent); });
}

void desk::begin(std::uint64_t bot, std::uint64_t fixture, std::string opponent, game_id game) {
  with(bot, [fixture, opponent = std::move(opponent), game](bot_client& to) {
    to.begin(fixture, opponent, game);
  });
}

void desk::arm_timer() {
  clock_ = loop().timers().arm(steady_clock::now() + games_looked_for, [this] {
    board_->begin_games();
    arm_timer();
  });
}

void desk::report_if_closed() {
  if (!stopped_ || !on_all_closed_) return;
  if (std::any_of(bots_.begin(), bots_.end(), [](const auto& b) { return b.second->inside(); }))
    return;
  std::exchange(on_all_closed_, nullptr)();
}

}  // namespace gamehub::gateways::jsonrpc::server
