#include "gateways/jsonrpc/server/bot_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <memory>
#include <vector>

#include "gateways/net/loop_io.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace gamehub::gateways::bots;
using namespace gamehub::gateways::bots::server;
namespace net = gamehub::gateways::net;

namespace {

// Lets nobody in.
class closed_reception final : public session_acceptor {
 public:
  std::unique_ptr<session_handle> admit(std::shared_ptr<attachment>, close_reason& why) override {
    why = close_reason::hub_full;
    return nullptr;
  }
};

// One bot, whose calls go nowhere as long as nobody runs the loop.
struct client_fixture {
  boost::asio::io_context io;
  timers clock{std::chrono::steady_clock::now()};
  metrics::cells cells{1, 1};
  id_source<attachment_id> ids;
  net::loop_io loop{io, clock, cells, ids, 1};
  closed_reception desk;
  bot_call_context means{{&loop, 0, &desk}, {&io, make_tls_context()}, {1, std::chrono::seconds{5}}};
  std::vector<bot_report> told;
  std::shared_ptr<bot_client> bot = std::make_shared<bot_client>(
      means, [this](bot_client&, const bot_report& what) { told.push_back(what); }, [] {});

  client_fixture() = default;
  ~client_fixture() {
    bot->stop();
    io.poll();
  }
  client_fixture(const client_fixture&) = delete;
  client_fixture& operator=(const client_fixture&) = delete;

  void registers(std::uint64_t registration) {
    auto at = std::make_shared<place>();
    at->url = std::get<bot_url>(read_url("http://192.0.2.1/"));
    at->addresses.emplace_back(boost::asio::ip::make_address("192.0.2.1"), std::uint16_t{80});
    registered_bot who;
    who.id = 1;
    who.registration = registration;
    who.name = "Ann";
    who.engine = "tictactoe";
    bot->registered(who, {"TicTacToe"}, at);
  }
};

}  // namespace

TEST_CASE("bot_client: what a bot has done since it registered stands, if that is said twice") {
  client_fixture s;
  s.registers(1);
  CHECK(s.bot->at_work());
  s.bot->give_up("It has to go.");
  REQUIRE(s.told.size() == 1);
  CHECK(std::holds_alternative<report::went_wrong>(s.told[0]));
  // Nobody calls it any more, so that nobody has to give it up.
  s.registers(1);
  s.bot->give_up("It has to go.");
  CHECK(s.told.size() == 1);
  s.registers(2);
  s.bot->give_up("It has to go.");
  CHECK(s.told.size() == 2);
}

TEST_CASE("bot_client: of several registrations the latest counts, whichever comes last") {
  client_fixture s;
  s.registers(2);
  s.registers(1);
  CHECK(s.bot->who().registration == 2);
  s.registers(3);
  CHECK(s.bot->who().registration == 3);
}
