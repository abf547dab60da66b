#include "hub/moderation/postgres/postgres_sanctions.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/moderation/sanction_store.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gamehub::moderation::postgres {

namespace {

using journal::postgres::bytes;
using journal::postgres::connection;
using journal::postgres::number;
using outcome = write_result::outcome;

// An operator waits for the answer, and the admin server gives up after 10 s.
constexpr connection::limits sanction_limits{std::chrono::seconds{2}, std::chrono::seconds{2}};

// One statement sees one state of both tables.
constexpr const char* read_list =
    "SELECT c.count, s.kind, s.target, s.reason, s.since FROM gamehub.changes c"
    " LEFT JOIN gamehub.sanctions s ON true WHERE c.what = 'sanctions'"
    " ORDER BY s.change LIMIT $1::bigint";

// A change counts from the list that it was decided on. If another one was faster, the first part
// changes no row, and so neither does the second.
constexpr const char* add_row =
    "WITH c AS (UPDATE gamehub.changes SET count = $5::bigint"
    " WHERE what = 'sanctions' AND count = $5::bigint - 1 RETURNING count),"
    " done AS (INSERT INTO gamehub.sanctions (kind, target, reason, since, change)"
    " SELECT $1::text, $2::bytea, $3::bytea, $4::text, c.count FROM c"
    " ON CONFLICT (kind, target) DO UPDATE SET reason = excluded.reason,"
    " since = excluded.since, change = excluded.change)"
    " SELECT count FROM c";
constexpr const char* remove_row =
    "WITH c AS (UPDATE gamehub.changes SET count = $3::bigint"
    " WHERE what = 'sanctions' AND count = $3::bigint - 1 RETURNING count),"
    " done AS (DELETE FROM gamehub.sanctions s USING c"
    " WHERE s.kind = $1::text AND s.target = $2::bytea)"
    " SELECT count FROM c";

// Nothing: a row that this build does not know, or that no gamehub has written.
std::optional<sanction> sanction_of(const journal::postgres::result& r, int row) {
  const auto what = kind_of(r.bytes(row, 1));
  if (!what) return std::nullopt;
  sanction out{*what, std::string{r.bytes(row, 2)}, std::string{r.bytes(row, 3)},
               std::string{r.bytes(row, 4)}};
  if (!has_normal_target(out)) return std::nullopt;
  return out;
}

class postgres_sanctions final : public sanction_table {
 public:
  explicit postgres_sanctions(std::string target) : target_(std::move(target)) {}

  sanction_list read() override {
    // The server may have closed an idle connection.
    if (connection_) {
      try {
        return read_once();
      } catch (const std::exception&) {
        connection_.reset();
      }
    }
    try {
      connect();
      return read_once();
    } catch (const std::exception&) {
      connection_.reset();
      throw;
    }
  }

  write_result write(const sanction_change& change, const sanction_list& after) override {
    const auto& s = change.what;
    const auto generation = number(after.generation);
    try {
      if (!connection_) connect();
      if (change.removes)
        connection_->send("remove", {to_string(s.what), bytes{s.target}, generation});
      else
        connection_->send("add", {to_string(s.what), bytes{s.target}, bytes{s.reason},
                                  std::string_view{s.since}, generation});
      const auto done = connection_->finish();
      if (done.failed) throw done.why;
      // The wait for the standby was cancelled.
      if (done.warned) return {outcome::unknown, "the commit is not on the standby"};
      return {done.results.at(0).rows() == 1 ? outcome::written : outcome::outdated, {}};
    } catch (const std::exception& e) {
      connection_.reset();
      return {outcome::unknown, e.what()};
    }
  }

 private:
  void connect() {
    auto made = std::make_unique<connection>(target_, sanction_limits);
    made->prepare("read", read_list);
    made->prepare("add", add_row);
    made->prepare("remove", remove_row);
    connection_ = std::move(made);
  }

  sanction_list read_once() {
    connection_->send("read", {number(limits::sanctions_max)});
    const auto done = connection_->finish();
    if (done.failed) throw done.why;
    const auto& rows = done.results.at(0);
    sanction_list out;
    for (int i = 0; i < rows.rows(); ++i) {
      out.generation = rows.natural(i, 0);
      if (rows.is_null(i, 1)) continue;
      if (auto found = sanction_of(rows, i)) out.all.push_back(*std::move(found));
    }
    return out;
  }

  const std::string target_;
  std::unique_ptr<connection> connection_;
};

}  // namespace

std::unique_ptr<sanction_table> make_postgres_sanctions(std::string target) {
  return std::make_unique<postgres_sanctions>(std::move(target));
}

std::size_t import_sanctions(const std::string& target, const std::vector<sanction>& all) {
  try {
    {
      connection c{target, {}};
      journal::postgres::bring_up_schema(c);
    }
    ban_list unused;
    sanction_store into{make_postgres_sanctions(target), unused};
    std::size_t added = 0;
    for (const auto& each : all) {
      if (contains({into.all(), 0}, each.what, each.target)) continue;
      into.add(each);
      ++added;
    }
    return added;
  } catch (const journal::unusable_log& unusable) {
    throw base::usage_error{unusable.what()};
  } catch (const std::runtime_error& e) {
    throw base::usage_error{std::string{"the bans and mutes can't be imported ("} + e.what() +
                            "): repeat the command, which adds those that are missing"};
  }
}

}  // namespace gamehub::moderation::postgres
