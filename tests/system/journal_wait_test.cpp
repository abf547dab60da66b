// A hub whose journal another hub still has: it waits, says so, and begins when the journal is
// free.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/opcodes_client.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/turns_client.hpp"

#include <csignal>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gamehub::tests::system {
namespace {

const std::string waits = "the hub waits for its journal, which another hub has";

// A hub that is started beside another one on the same journal.
class late_hub {
 public:
  explicit late_hub(const std::string& journal, const std::vector<std::string>& more = {})
      : process_(serving(journal, more)) {}

  program& process() { return process_; }
  int log_count(std::string_view text) const {
    const auto log = process_.errors();
    int out = 0;
    for (auto at = log.find(text); at != log.npos; at = log.find(text, at + 1)) ++out;
    return out;
  }
  // The port of the admin server while the hub waits, from the log.
  std::uint16_t admin() const {
    for (const deadline end; !end.over(); std::this_thread::yield()) {
      const auto log = process_.errors();
      const auto line = log.find(waits), key = log.find("admin=", line);
      if (line != log.npos && log.find('\n', line) != log.npos && key != log.npos)
        return static_cast<std::uint16_t>(std::stoul(log.substr(key + 6)));
    }
    throw std::runtime_error{"it never said that it waits: " + process_.errors()};
  }

 private:
  static invocation serving(const std::string& journal, const std::vector<std::string>& more) {
    invocation out{
        {hub_program(), "serve", "--turns-port", "0", "--opcodes-port", "0", "--udp-port", "off",
         "--http-port", "off", "--admin-port", "0", "--drain-seconds", "0", "--journal", journal},
        {}};
    out.words.insert(out.words.end(), more.begin(), more.end());
    return out;
  }

  program process_;
};

TEST_CASE("journal_wait: a hub waits until the one before has released the journal") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/journal.db";
  hub before{{"--journal", journal}};
  late_hub late{journal};
  http_client probe{late.admin()};
  const auto why = "waiting for the journal: " + folder.path() +
                   "/journal.db is in use by another hub (process ";
  for (const auto* path : {"/startupz", "/readyz"}) {
    const auto said = probe.get(path);
    CHECK(said.status == 503);
    CHECK(said.body.starts_with(why));
  }
  CHECK(probe.get("/healthz").status == 200);
  CHECK(scrape{probe.get("/metrics").body}.sum("gamehub_ready") == 0);
  CHECK(probe.get("/status.json").status == 404);
  // The first hub still serves.
  {
    turns_client player{before.turns()};
    player.connect("ann", "tictactoe");
    CHECK(player.next() == "name ann");
  }
  before.process().signal(SIGTERM);
  CHECK(before.wait() == 0);
  CHECK(late.process().read_line().starts_with("ready turns="));
  CHECK(late.log_count(promised(waits)) == 1);
  late.process().signal(SIGTERM);
  CHECK(late.process().wait() == 0);
}

TEST_CASE("journal_wait: a killed hub releases the journal, and its successor has its games") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/journal.db";
  hub before{{"--journal", journal}};
  opcodes_client x{before.opcodes()}, o{before.opcodes()};
  x.ask();
  REQUIRE(x.next() == "ACK X");
  o.ask();
  REQUIRE(o.next() == "ACK O");
  late_hub late{journal, {"--rejoin-seconds", "100"}};
  late.admin();
  before.process().signal(SIGKILL);
  CHECK(before.wait() == 128 + SIGKILL);
  CHECK(late.process().read_line().starts_with("ready turns="));
  CHECK(late.log_count("games_open=1") == 1);
  CHECK(late.log_count("the previous run did not shut down") == 1);
}

TEST_CASE("journal_wait: a signal ends the wait") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/journal.db";
  hub before{{"--journal", journal}};
  for (const auto number : {SIGTERM, SIGINT}) {
    late_hub late{journal};
    late.admin();
    late.process().signal(number);
    CHECK(late.process().wait() == 0);
    CHECK(late.process().output().empty());
  }
}

TEST_CASE("journal_wait: a second hub with the ports of the first one is a mistake") {
  const temporary_folder folder;
  const auto file = folder.path() + "/journal.db";
  hub before{{"--journal", "sqlite:" + file}};
  late_hub late{"sqlite:" + file, {"--admin-port", std::to_string(before.admin())}};
  CHECK(late.process().wait() == 2);
  CHECK(late.log_count("gamehub: the journal " + file + " is in use by another hub (process ") ==
        1);
  CHECK(late.log_count(waits) == 0);
}

TEST_CASE("journal_wait: it is over after --journal-wait-seconds") {
  const temporary_folder folder;
  const auto file = folder.path() + "/journal.db";
  hub before{{"--journal", "sqlite:" + file}};
  late_hub late{"sqlite:" + file, {"--journal-wait-seconds", "1", "--admin-port", "off"}};
  CHECK(late.process().wait() == 2);
  CHECK(late.log_count("gamehub: The journal " + file + " is in use by another hub (process ") ==
        1);
  CHECK(late.log_count(waits) == 1);
  late_hub hasty{"sqlite:" + file, {"--journal-wait-seconds", "0"}};
  CHECK(hasty.process().wait() == 2);
  CHECK(hasty.log_count(waits) == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
