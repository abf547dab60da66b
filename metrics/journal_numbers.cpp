#include "metrics/journal_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

double number(std::uint64_t n) { return static_cast<double>(n); }
double seconds(std::chrono::nanoseconds t) { return std::chrono::duration<double>{t}.count(); }

void collect_file(const std::optional<journal_file_numbers>& file, std::vector<MetricFamily>& out) {
  const auto one = [&](const char* name, const char* help, MetricType type, auto value) {
    family to{out, name, help, type};
    if (file) to.add({}, value(*file));
  };
  using numbers = journal_file_numbers;
  one("gamehub_journal_transactions_total", "Transactions written to the journal file.",
      MetricType::Counter, [](const numbers& n) { return number(n.transactions); });
  one("gamehub_journal_records_total", "Records written to the journal file.", MetricType::Counter,
      [](const numbers& n) { return number(n.records); });
  one("gamehub_journal_written_bytes_total", "Bytes of game logs written to the journal file.",
      MetricType::Counter, [](const numbers& n) { return number(n.bytes_written); });
  one("gamehub_journal_failures_total", "Transactions that failed and were retried.",
      MetricType::Counter, [](const numbers& n) { return number(n.failures); });
  one("gamehub_journal_deleted_games_total", "Ended games that were deleted by age or size.",
      MetricType::Counter, [](const numbers& n) { return number(n.games_deleted); });
  one("gamehub_journal_pending_records", "Records that wait to be written.", MetricType::Gauge,
      [](const numbers& n) { return number(n.pending_records); });
  one("gamehub_journal_reads_refused_total",
      "Reads of logs from a cluster's database that were put off, because too many waited.",
      MetricType::Counter, [](const numbers& n) { return number(n.reads_refused); });
  one("gamehub_journal_file_bytes", "Bytes in use in the journal file.", MetricType::Gauge,
      [](const numbers& n) { return number(n.file_bytes); });
  one("gamehub_journal_write_seconds_total", "Total duration of transactions.", MetricType::Counter,
      [](const numbers& n) { return seconds(n.writing); });
  one("gamehub_journal_write_seconds_max", "Longest transaction since the start.",
      MetricType::Gauge, [](const numbers& n) { return seconds(n.writing_max); });
  family games{out, "gamehub_journal_games", "Games in the journal file.", MetricType::Gauge};
  family appends{out, "gamehub_journal_appends_total",
                 "Tries to write a transaction to the journal file, by outcome.",
                 MetricType::Counter};
  one("gamehub_journal_fenced", "1 if another member of the cluster owns this hub's games.",
      MetricType::Gauge, [](const numbers& n) { return n.fenced ? 1.0 : 0.0; });
  if (!file) return;
  appends.add({{"outcome", "written"}}, number(file->transactions));
  appends.add({{"outcome", "unknown"}}, number(file->appends_unknown));
  appends.add({{"outcome", "conflict"}}, number(file->appends_conflicting));
  games.add({{"state", "open"}}, number(file->games_open));
  games.add({{"state", "ended"}}, number(file->games_ended));
  games.add({{"state", "quarantined"}}, number(file->games_quarantined));
}

}  // namespace

void collect_journal(const journal_numbers& now, std::vector<MetricFamily>& out) {
  family{out, "gamehub_journal_ok", "1 while the journal can be written.", MetricType::Gauge}.add(
      {}, now.ok ? 1.0 : 0.0);
  collect_file(now.file, out);
  family{out, "gamehub_journal_mismatches_total",
         "Logged games that their engine could not replay identically.", MetricType::Counter}
      .add({}, number(now.mismatches));
  family recovery{out, "gamehub_recovery_games",
                  "Games that were open at the start, by result of their recovery.",
                  MetricType::Gauge};
  recovery.add({{"result", "restored"}}, number(now.restored));
  recovery.add({{"result", "quarantined"}}, number(now.quarantined));
  recovery.add({{"result", "engine_missing"}}, number(now.engine_missing));
}

}  // namespace gamehub::metrics
