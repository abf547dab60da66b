// A hub that becomes a member of a cluster: what the others do with it until it serves.
#include "hub/journal/postgres/connection.hpp"
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using journal::postgres::connection;

std::int64_t read_number(const std::string& target, const char* statement) {
  return connection{target, {}}.run(statement).number(0, 0);
}

constexpr const char* adopted = "SELECT count(*) FROM gamehub.members WHERE adopted_by IS NOT NULL";

// From now on a hub that starts waits after it has become a member, where it claims its first ids,
// and where it writes the address of its links: each time until member 1 has read the heartbeats
// twice as often as it needs for an adoption, or has adopted.
void hold_up_starts(const std::string& target) {
  connection admin{target, {}};
  admin.run("CREATE TABLE held (at text)");
  admin.run(
      "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$"
      " DECLARE beat bigint := (SELECT beats + 8 FROM gamehub.heartbeats WHERE member = 1);"
      " BEGIN"
      "  IF EXISTS (SELECT FROM public.held WHERE at = TG_TABLE_NAME) THEN RETURN NULL; END IF;"
      "  WHILE (SELECT beats < beat FROM gamehub.heartbeats WHERE member = 1)"
      "   AND NOT EXISTS (SELECT FROM gamehub.members WHERE adopted_by IS NOT NULL) LOOP"
      "   PERFORM pg_sleep(0.05);"
      "  END LOOP;"
      "  INSERT INTO public.held VALUES (TG_TABLE_NAME);"
      "  RETURN NULL;"
      " END $$");
  admin.run(
      "CREATE TRIGGER hold BEFORE UPDATE OF link ON gamehub.members"
      " FOR EACH STATEMENT EXECUTE FUNCTION public.hold()");
  admin.run(
      "CREATE TRIGGER hold BEFORE INSERT ON gamehub.ids"
      " FOR EACH STATEMENT EXECUTE FUNCTION public.hold()");
}

TEST_CASE("cluster start: a hub whose start takes longer than a hub may be silent is not adopted") {
  const postgres_server server;
  const auto target = server.target();
  const std::vector<std::string> flags{"--cluster", target};
  hub one{flags};
  hold_up_starts(target);
  hub two{flags};
  CHECK(read_number(target, "SELECT count(*) FROM public.held") == 2);
  CHECK(read_number(target, adopted) == 0);
  one.await_count("gamehub_cluster_members", {}, 2);
  two.await_count("gamehub_cluster_members", {}, 2);
  play_whole_game(two, wire::opcodes, wire::turns, scripts().front());
  CHECK(one.count("gamehub_cluster_adoptions_total") == 0);
  CHECK(two.count("gamehub_cluster_adoptions_total") == 0);
  // Now it adopts as well.
  one.process().signal(SIGKILL);
  CHECK(one.wait() == 128 + SIGKILL);
  two.await_count("gamehub_cluster_adoptions_total", {}, 1);
}

TEST_CASE("cluster start: a hub whose start fails has left the cluster") {
  const postgres_server server;
  const auto target = server.target();
  hub one{{"--cluster", target}};
  const auto taken = std::to_string(one.turns());
  const auto failed =
      run({{hub_program(), "serve", "--cluster", target, "--turns-port", taken, "--opcodes-port",
            "0", "--udp-port", "0", "--http-port", "0", "--admin-port", "0"},
           {}});
  CAPTURE(failed.output, failed.errors);
  CHECK(failed.exit_code == 2);
  CHECK(failed.output.empty());
  one.await_count("gamehub_cluster_adoptions_total", {}, 1);
  CHECK(read_number(target, "SELECT adopted_by FROM gamehub.members WHERE id = 2") == 1);
  one.await_count("gamehub_cluster_members", {}, 1);
}

}  // namespace
}  // namespace gamehub::tests::system
