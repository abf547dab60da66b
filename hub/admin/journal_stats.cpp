#include "hub/admin/journal_stats.hpp"

#include "hub/base/json.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace gamehub::admin {
namespace {

using journal::archive_totals;

archive_totals::by_engine sum_of(const archive_totals& totals) {
  archive_totals::by_engine sum;
  for (const auto& each : totals.engines) {
    sum.open += each.open;
    sum.ended += each.ended;
    sum.quarantined += each.quarantined;
  }
  return sum;
}

std::string with_one_digit(double n) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f", n);
  return text;
}

std::string mebibytes(std::uint64_t bytes) {
  return with_one_digit(static_cast<double>(bytes) / (1024.0 * 1024.0)) + " MiB";
}

std::string moment(base::wall_time at) {
  std::string out;
  base::append_rfc3339(at, out);
  return out;
}

using row = base::text_row;

}  // namespace

std::string stats_table(const std::filesystem::path& file, const archive_totals& totals) {
  const auto sum = sum_of(totals);
  std::string out = "journal  " + file.string() + ", schema " + std::to_string(totals.schema) +
                    "\ngames    " + std::to_string(totals.games) + ": " + std::to_string(sum.open) +
                    " open, " + std::to_string(sum.ended) + " ended, " +
                    std::to_string(sum.quarantined) + " in quarantine\nrecords  " +
                    std::to_string(totals.records);
  if (totals.games > 0)
    out += ", " +
           with_one_digit(static_cast<double>(totals.records) / static_cast<double>(totals.games)) +
           " a game";
  out += "\nsize     " + mebibytes(totals.file_bytes) + ", of it " + mebibytes(totals.free_bytes) +
         " free\n";
  if (totals.newest != base::wall_time{})
    out += "ends     from " + moment(totals.oldest) + " to " + moment(totals.newest) + '\n';
  if (totals.engines.empty()) return out;
  std::vector<row> rows{{"engine", "version", "open", "ended", "quarantined"}};
  for (const auto& each : totals.engines)
    rows.push_back({each.engine, each.version, std::to_string(each.open),
                    std::to_string(each.ended), std::to_string(each.quarantined)});
  return out + '\n' + base::text_table(rows, 2);
}

std::string stats_json(const std::filesystem::path& file, const archive_totals& totals) {
  std::string out;
  base::json_writer to{out};
  const auto sum = sum_of(totals);
  const auto states = [&](const archive_totals::by_engine& of) {
    to.key("open").number(of.open);
    to.key("ended").number(of.ended);
    to.key("quarantined").number(of.quarantined);
  };
  const auto end_time = [&](const char* name, base::wall_time at) {
    to.key(name);
    at == base::wall_time{} ? to.nothing() : to.time(at);
  };
  to.begin('{');
  to.key("journal").text(file.string());
  to.key("schema").number(totals.schema);
  to.key("games").number(totals.games);
  states(sum);
  to.key("records").number(totals.records);
  to.key("file_bytes").number(totals.file_bytes);
  to.key("free_bytes").number(totals.free_bytes);
  end_time("oldest_end", totals.oldest);
  end_time("newest_end", totals.newest);
  to.key("engines").begin('[');
  for (const auto& each : totals.engines) {
    to.begin('{');
    to.key("engine").text(each.engine);
    to.key("version").text(each.version);
    states(each);
    to.end('}');
  }
  to.end(']');
  to.end('}');
  return out + '\n';
}

}  // namespace gamehub::admin
