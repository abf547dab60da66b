#include "gateways/bots/bot_client.hpp"

#include "gateways/net/loop_io.hpp"
#include "tests/support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <memory>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::bots;

namespace {

// Accepts no player.
class refusing_acceptor final : public session_acceptor {
 public:
  std::unique_ptr<session_handle> accept(std::shared_ptr<attachment>, close_reason& why) override {
    why = close_reason::hub_full;
    return nullptr;
  }
};

// One bot, whose calls never complete because the loop does not run.
struct client_fixture {
  boost::asio::io_context io;
  base::timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  net::loop_io loop{io, clock, cells, ids, 1};
  refusing_acceptor acceptor;
  bot_call_context means{
      {&loop, 0, &acceptor}, {&io, http_client::tls_context()}, {1, std::chrono::seconds{5}}};
  std::vector<bot_report> reports;
  std::shared_ptr<call_quota> quota;
  std::shared_ptr<bot_client> bot = make_bot();

  client_fixture() = default;
  ~client_fixture() {
    bot->stop();
    io.poll();
  }
  client_fixture(const client_fixture&) = delete;
  client_fixture& operator=(const client_fixture&) = delete;

  std::shared_ptr<bot_client> make_bot() {
    return std::make_shared<bot_client>(
        means, [this](bot_client&, const bot_report& what) { reports.push_back(what); },
        [](const bot_client&) {});
  }
  void registers(std::uint64_t registration) { registers(*bot, registration); }
  void registers(bot_client& one, std::uint64_t registration) {
    auto at = std::make_shared<bot_endpoint>();
    at->url = std::get<bot_url>(read_url("http://192.0.2.1/"));
    at->addresses.emplace_back(boost::asio::ip::make_address("192.0.2.1"), std::uint16_t{80});
    bot_record who;
    who.id = {1};
    who.registration = registration;
    who.name = "Ann";
    who.engine = "tictactoe";
    one.registered(who, {"TicTacToe"}, at, quota);
  }
};

}  // namespace

TEST_CASE("bot_client: a repeated registration changes nothing") {
  client_fixture s;
  s.registers(1);
  s.bot->stop_calling("It has to go.");
  REQUIRE(s.reports.size() == 1);
  CHECK(std::holds_alternative<report::failed>(s.reports[0]));
  // It is not called any more, so there is nothing to stop.
  s.registers(1);
  s.bot->stop_calling("It has to go.");
  CHECK(s.reports.size() == 1);
  s.registers(2);
  s.bot->stop_calling("It has to go.");
  CHECK(s.reports.size() == 2);
}

TEST_CASE("bot_client: the latest registration counts, in any order of arrival") {
  client_fixture s;
  s.registers(2);
  s.registers(1);
  CHECK(s.bot->who().registration == 2);
  s.registers(3);
  CHECK(s.bot->who().registration == 3);
}

TEST_CASE(
    "bot_client: a call waits for the other calls of its owner, also for one that is given up") {
  client_fixture s;
  s.quota = std::make_shared<call_quota>(1);
  const auto second = s.make_bot();
  s.registers(1);
  CHECK(s.cells.bots.calls_delayed.value() == 0);
  s.registers(*second, 1);
  CHECK(s.cells.bots.calls_delayed.value() == 1);
  s.bot->stop();
  // The place is now that of the second bot, which stops before its turn.
  bool begins = false;
  CHECK_FALSE(s.quota->take([&] { begins = true; }));
  second->stop();
  CHECK_FALSE(begins);
  s.io.poll();
  CHECK(begins);
}

TEST_CASE("bot_client: a bot that goes while its call waits leaves the place to others") {
  client_fixture s;
  s.quota = std::make_shared<call_quota>(1);
  auto second = s.make_bot();
  s.registers(1);
  s.registers(*second, 1);
  second.reset();
  s.bot->stop();
  s.io.poll();
  CHECK(s.quota->take([] {}));
}
