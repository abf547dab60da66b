#include "gateways/bots/bot_dispatcher.hpp"

#include "hub/base/address.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;

namespace {

// Knows one token, and refuses every registration.
class one_token final : public bot_registry {
 public:
  void find_owner(const std::string& token, found_owner answer) override {
    if (token == "good") return answer(bot_owner{"ann", "ann"});
    answer(token == "open" ? std::optional{bot_owner{"open:1"}} : std::nullopt);
  }
  void enter(const bot_profile& what, const bot_owner& owner,
             std::function<void(const entered&)> answer) override {
    entered_.push_back(owner.name + ": " + what.name + ", " + what.engine);
    account_ = owner.account;
    if (accepts_) {
      bot_record who;
      who.id = bot_id{1};
      return answer(who);
    }
    if (holds_) return held_.push_back(std::move(answer));
    answer(registration_refusal{registration_refusal::reason::owner_limit, "It is full"});
  }
  bool is_registered(bot_id) const override { return !forgets_; }
  void when_removed(std::function<void(const std::vector<bot_id>&)>) override {}
  void on_online(const bot_record&, bool) override {}
  void on_failure(const bot_record&, const bot_error&) override {}
  void on_reply(const bot_record&, std::string_view, game_id, trace_id,
                const std::string&) override {}
  std::vector<bot_record> bots_to_reconnect() override { return {}; }
  std::vector<scheduled_match> next_games() override { return {}; }
  void when_due(std::function<void()>) override {}
  void game_opened(match_id, game_id) override {}
  void game_not_opened(match_id) override {}
  void game_ended(game_id, const outcome&) override {}
  bool is_here() const override { return here_; }

  std::vector<std::string> entered_;
  std::string account_;
  bool holds_ = false, accepts_ = false, forgets_ = false, here_ = true;
  std::vector<std::function<void(const entered&)>> held_;
};

struct dispatcher_scene {
  dispatcher_scene() {
    bot_dispatcher_setup setup;
    setup.engines = [] {
      engine_traits out;
      out.id = "tictactoe";
      out.title = "Tic-Tac-Toe";
      out.marks = "XO";
      out.rows = out.columns = 3;
      return std::vector{out};
    };
    setup.lookup = [count = lookups](const std::string&) {
      ++*count;
      return std::vector{boost::asio::ip::make_address("8.8.8.8")};
    };
    all = std::make_shared<bot_dispatcher>(std::move(setup), bots);
  }
  ~dispatcher_scene() { all->stop(); }
  dispatcher_scene(const dispatcher_scene&) = delete;
  dispatcher_scene& operator=(const dispatcher_scene&) = delete;

  std::string registers(const std::string& token, const std::string& url) {
    const auto body = R"({"method":"RegistrationService.Register","id":1,"params":{"token":")" +
                      token + R"(","botname":"B","botversion":"1","game":"TICTACTOE",)" +
                      R"("rpcendpoint":")" + url + R"("}})";
    // A registration that is held is answered later.
    const auto answer = std::make_shared<std::string>();
    http::rpc_request r;
    r.content_type = "application/json";
    r.body = body;
    r.exempt = from.empty();
    if (!from.empty()) r.from = base::read_address(from).value();
    r.received = std::chrono::steady_clock::now();
    r.loop = &loop;
    all->take(r, [this, answer](const http::response& got) {
      *answer = got.body;
      status = got.status;
    });
    io.restart();
    while (answer->empty() && io.run_one() > 0)
      if (bots.held_.size() > held) break;
    held = bots.held_.size();
    return *answer;
  }

  boost::asio::io_context io;
  base::timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  net::loop_io loop{io, clock, cells, ids, 1};
  std::shared_ptr<std::atomic<int>> lookups = std::make_shared<std::atomic<int>>(0);
  std::string from;  // empty: a request without limits
  int status = 0;
  std::size_t held = 0;
  one_token bots;
  std::shared_ptr<bot_dispatcher> all;
};

}  // namespace

TEST_CASE("bot_dispatcher: no name is resolved for a token that is not known") {
  dispatcher_scene s;
  const auto unknown = s.registers("bad", "http://unknown.test/");
  CHECK(unknown.find("The token is not known") != std::string::npos);
  for (const auto* url : {"http://inside.test/", "http://localhost/", "http://10.0.0.1/"})
    CHECK(s.registers("bad", url) == unknown);
  CHECK(*s.lookups == 0);
  CHECK(s.bots.entered_.empty());
}

TEST_CASE("bot_dispatcher: while another hub has the bots no bot is registered") {
  dispatcher_scene s;
  s.bots.here_ = false;
  CHECK(s.registers("good", "http://bot.test/").find("come later") != std::string::npos);
  CHECK(*s.lookups == 0);
  CHECK(s.bots.entered_.empty());
}

TEST_CASE("bot_dispatcher: with a known token the name is resolved, then the bot registered") {
  dispatcher_scene s;
  CHECK(s.registers("good", "http://bots.test/").find("It is full") != std::string::npos);
  CHECK(*s.lookups == 1);
  CHECK(s.bots.entered_ == std::vector<std::string>{"ann: B, tictactoe"});
  CHECK(s.registers("good", "http://10.0.0.1/").find("a private address") != std::string::npos);
  CHECK(s.bots.entered_.size() == 1);
}

TEST_CASE("bot_dispatcher: without a token the account is the sender's address") {
  dispatcher_scene s;
  s.registers("open", "http://8.8.8.8/");
  CHECK(s.bots.account_.empty());
  s.from = "192.0.2.7";
  s.registers("open", "http://8.8.8.8/");
  CHECK(s.bots.account_ == "192.0.2.7");
  s.from = "2001:db8:1:2:3::4";
  s.registers("open", "http://8.8.8.8/");
  CHECK(s.bots.account_ == "2001:db8:1:2::/64");
  s.registers("good", "http://8.8.8.8/");
  CHECK(s.bots.account_ == "ann");
  CHECK(s.cells.bots.registrations[4].value() == 4);
}

TEST_CASE("bot_dispatcher: one owner registers so often, from wherever, and others still may") {
  dispatcher_scene s;
  std::size_t later = 0;
  for (std::uint32_t n = 0; n < limits::bot_owner_registrations_burst + 10; ++n) {
    s.registers("good", "http://8.8.8.8/");
    later += s.status == 429;
  }
  // The clock of this test runs.
  CHECK(later > 0);
  CHECK(s.bots.entered_.size() <= limits::bot_owner_registrations_burst + 10 - later);
  CHECK(s.cells.bots.registrations[3].value() == static_cast<std::int64_t>(later));
  s.registers("open", "http://8.8.8.8/");
  CHECK(s.status == 200);
}

TEST_CASE("bot_dispatcher: one owner has a quarter of the registrations that are pending") {
  dispatcher_scene s;
  s.bots.holds_ = true;
  for (std::size_t n = 0; n < limits::bot_owner_registrations_at_once; ++n)
    CHECK(s.registers("good", "http://8.8.8.8/").empty());
  CHECK(s.registers("good", "http://8.8.8.8/").find("come later") != std::string::npos);
  CHECK(s.status == 429);
  CHECK(s.registers("open", "http://8.8.8.8/").empty());
  s.bots.holds_ = false;
  s.bots.held_.front()(registration_refusal{{}, "no"});
  s.io.restart();
  s.io.poll();
  CHECK(s.registers("good", "http://8.8.8.8/").find("It is full") != std::string::npos);
}

TEST_CASE("bot_dispatcher: a bot that is removed during its registration is refused") {
  dispatcher_scene s;
  s.bots.accepts_ = s.bots.forgets_ = true;
  CHECK(s.registers("good", "http://8.8.8.8/").find("removed this bot") != std::string::npos);
}
