#include "hub/cluster/postgres/postgres_members.hpp"

#include "hub/journal/postgres/connection.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace gamehub::cluster::postgres {

namespace {

using journal::postgres::connection;
using journal::postgres::number;

// A beat that is later than this counts as a failure anyway.
constexpr connection::limits beat_limits{std::chrono::seconds{2}, std::chrono::seconds{2}};

// A member whose log was taken over has no heartbeat. The latest ones are shown to people.
constexpr const char* read_rows =
    "SELECT m.id, coalesce(h.beats, 0), coalesce(h.games, 0), coalesce(h.gone, false)::int::bigint,"
    " m.adopted_by, m.address, m.build, (h.member IS NULL)::int::bigint,"
    " coalesce((SELECT count FROM gamehub.changes WHERE what = 'sanctions'), 0),"
    " coalesce(h.engines, ''), m.link,"
    " coalesce((SELECT count FROM gamehub.changes WHERE what = 'record-format'), 1)"
    " FROM gamehub.members m LEFT JOIN gamehub.heartbeats h ON h.member = m.id"
    " WHERE m.id > (SELECT max(id) - 16 FROM gamehub.members)"
    " OR m.id IN (SELECT member FROM gamehub.heartbeats) ORDER BY m.id";

std::vector<member_row> rows_of(const journal::postgres::result& r) {
  std::vector<member_row> all;
  for (int i = 0; i < r.rows(); ++i) {
    auto& row = all.emplace_back();
    row.id = member_id{r.natural(i, 0)};
    row.beats = r.natural(i, 1);
    row.games = r.natural(i, 2);
    row.left = r.number(i, 3) != 0;
    if (!r.is_null(i, 4)) row.adopted_by = member_id{r.natural(i, 4)};
    row.address = r.bytes(i, 5);
    row.build = r.bytes(i, 6);
    row.taken = r.number(i, 7) != 0;
    row.sanctions = r.natural(i, 8);
    row.engines = journal::from_lines(r.bytes(i, 9));
    row.link = r.bytes(i, 10);
    row.record_format = r.natural(i, 11);
  }
  return all;
}

class postgres_members final : public member_table {
 public:
  postgres_members(std::string target, member_id self) : target_(std::move(target)), self_(self) {}

  std::vector<member_row> beat(std::uint64_t games, const std::set<std::string>& engines) override {
    std::vector<member_row> rows;
    attempt([&](connection& c) {
      const auto lines = journal::to_lines(engines);
      c.send("beat", {number(self_.value), number(games), std::string_view{lines}});
      c.send("rows");
      const auto done = c.finish();
      if (done.failed) throw done.why;
      rows = rows_of(done.results.at(1));
    });
    return rows;
  }

  void leave() override {
    attempt([&](connection& c) {
      c.run("UPDATE gamehub.heartbeats SET gone = true WHERE member = $1", {number(self_.value)});
    });
  }

 private:
  template <class Work>
  void attempt(Work work) {
    try {
      if (!connection_) connect();
      work(*connection_);
    } catch (const std::exception&) {
      connection_.reset();
      throw;
    }
  }

  void connect() {
    auto made = std::make_unique<connection>(target_, beat_limits);
    // No beat waits for the device or the standby.
    made->run("SET synchronous_commit = off");
    made->prepare("beat",
                  "UPDATE gamehub.heartbeats SET beats = beats + 1, games = $2, engines = $3"
                  " WHERE member = $1");
    made->prepare("rows", read_rows);
    connection_ = std::move(made);
  }

  const std::string target_;
  const member_id self_;
  std::unique_ptr<connection> connection_;
};

}  // namespace

std::unique_ptr<member_table> make_postgres_members(std::string target, member_id self) {
  return std::make_unique<postgres_members>(std::move(target), self);
}

std::vector<member_row> read_members(const std::string& target) {
  return rows_of(connection{target, {}}.run(read_rows));
}

}  // namespace gamehub::cluster::postgres
