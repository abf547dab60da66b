#include "hub/admin/journal_stats.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

namespace gamehub::admin {
namespace {

journal::archive_totals some() {
  journal::archive_totals out;
  out.engines = {{"kuhn-poker", "1.0.0", 0, 7, 1}, {"tictactoe", "1.2.10", 12, 1'000, 0}};
  out.games = 1'020;
  out.records = 10'302;
  out.file_bytes = 3 * 1024 * 1024;
  out.free_bytes = 512 * 1024;
  out.oldest = base::wall_time{std::chrono::milliseconds{0}} + std::chrono::days{1};
  out.newest = base::wall_time{std::chrono::milliseconds{1}} + std::chrono::days{2};
  out.schema = 2;
  return out;
}

TEST_CASE("stats: are a table for people") {
  CHECK(stats_table("/a/journal.db", some()) ==
        "journal  /a/journal.db, schema 2\n"
        "games    1020: 12 open, 1007 ended, 1 in quarantine\n"
        "records  10302, 10.1 a game\n"
        "size     3.0 MiB, of it 0.5 MiB free\n"
        "ends     from 1970-01-02T00:00:00.000Z to 1970-01-03T00:00:00.001Z\n"
        "\n"
        "engine      version  open  ended  quarantined\n"
        "kuhn-poker  1.0.0       0      7            1\n"
        "tictactoe   1.2.10     12   1000            0\n");
}

TEST_CASE("stats: are one object for programs") {
  const auto said = nlohmann::json::parse(stats_json("/a/journal.db", some()));
  CHECK(said["journal"] == "/a/journal.db");
  CHECK(said["games"] == 1'020);
  CHECK(said["ended"] == 1'007);
  CHECK(said["newest_end"] == "1970-01-03T00:00:00.001Z");
  CHECK(said["engines"][1]["engine"] == "tictactoe");
  CHECK(said["engines"][1]["open"] == 12);
}

TEST_CASE("stats: of an empty journal are short") {
  CHECK(stats_table("j.db", {}) ==
        "journal  j.db, schema 0\n"
        "games    0: 0 open, 0 ended, 0 in quarantine\n"
        "records  0\n"
        "size     0.0 MiB, of it 0.0 MiB free\n");
  CHECK(nlohmann::json::parse(stats_json("j.db", {}))["oldest_end"].is_null());
}

}  // namespace
}  // namespace gamehub::admin
