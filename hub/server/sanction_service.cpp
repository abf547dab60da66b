#include "hub/server/sanction_service.hpp"

#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/moderation/postgres/postgres_sanctions.hpp"
#include "hub/moderation/sanction_file.hpp"

#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace gamehub::server {
namespace {

namespace fs = std::filesystem;

// Beside the journal's file, unless the settings name another file.
fs::path file_of(const config::settings& s) {
  if (!s.moderation_file.empty() || s.journal_file.empty()) return s.moderation_file;
  auto out = s.journal_file;
  return out += ".moderation";
}

// The file that the hub would use without the cluster.
fs::path file_without_cluster(const config::settings& s) {
  if (!s.moderation_file.empty() || s.state_folder.empty()) return s.moderation_file;
  return s.state_folder / "gamehub" / "journal.db.moderation";
}

std::unique_ptr<moderation::sanction_table> table_of(const config::settings& s) {
  if (s.cluster.empty()) return moderation::make_sanction_file(file_of(s));
  const auto unused = file_without_cluster(s);
  std::error_code ignored;
  if (!unused.empty() && fs::exists(unused, ignored))
    base::log::warning(
        "bans and mutes of a file are not in force: gamehub cluster import adds them to the "
        "cluster",
        {{"file", unused.string()}});
  return moderation::postgres::make_postgres_sanctions(s.cluster);
}

moderation::sanction_store opened(const config::settings& s, ban_list& bans) {
  try {
    return moderation::sanction_store{table_of(s), bans};
  } catch (const base::usage_error&) {
    throw;
  } catch (const std::exception& e) {
    throw base::usage_error{std::string{"the cluster's bans and mutes can't be read ("} + e.what() +
                            "): start the hub when they can"};
  }
}

void log_trouble(const std::string& why) {
  if (why.empty())
    base::log::info("the bans and mutes of the cluster can be read again");
  else
    base::log::warning(
        "the bans and mutes of the cluster can't be read; what was in force stays in force",
        {{"why", why}});
}

}  // namespace

sanction_service::sanction_service(const config::settings& s, ban_list& bans)
    : store_(opened(s, bans)),
      is_shared_(!s.cluster.empty()),
      worker_(store_, {[this] { on_refreshed_(); }, log_trouble}) {}

void sanction_service::start(std::function<void()> on_refreshed) {
  on_refreshed_ = std::move(on_refreshed);
  if (is_shared_) worker_.start();
}

void sanction_service::stop() { worker_.stop(); }

bool sanction_service::change(std::function<void(moderation::sanction_store&)> what) {
  if (is_shared_) return worker_.run([this, what = std::move(what)] { what(store_); });
  what(store_);
  return true;
}

void sanction_service::notice(std::optional<std::uint64_t> generation) {
  worker_.notice(generation);
}

void check_sanctions(const config::settings& s) {
  if (s.cluster.empty()) moderation::make_sanction_file(file_of(s));
}

}  // namespace gamehub::server
