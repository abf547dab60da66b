// The journal of a hub in a cluster: this life of the hub is a member of the PostgreSQL database
// that --cluster names, and its log is there. Members, adoption and heartbeats build on it:
// log() has the writer thread (on_store() runs a function with the store, fence() and at_fencing()
// are about another member that owns the log), settings() opens sessions of other threads, and
// self() is this member's number. Owned by journal_service; any thread after construction.
#pragma once

#include "hub/config/settings.hpp"
#include "hub/core/id_pool.hpp"
#include "hub/journal/log_writer.hpp"
#include "hub/journal/postgres/postgres_log.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gamehub::server {

// The exit code of a hub whose log another member owns: EX_TEMPFAIL of sysexits.h. Started again,
// it is a new member.
inline constexpr int exit_code_of_fenced_hub = 75;

class cluster_journal {
 public:
  // Becomes a member and begins to claim the first ids. Throws base::usage_error if the database
  // can't be used. `log_trouble` as that of log_writer.
  cluster_journal(const config::settings&, journal::retention_settings,
                  std::function<void(std::string_view)> log_trouble);
  // With any shared log, for simulations.
  cluster_journal(std::unique_ptr<journal::shared_log>, const journal::writer_tuning&);

  // Waits for the first ids. Throws base::usage_error if the database gives none. Called before a
  // game or a player begins.
  void await_ids();

  journal::log_writer& log() { return *log_; }
  const journal::log_writer& log() const { return *log_; }
  journal::member_id self() const { return self_; }
  const journal::postgres::postgres_settings& settings() const { return settings_; }
  // The server and the database, for people.
  const std::string& place() const { return place_; }
  // What tells this cluster from others; empty in simulations.
  const std::string& cluster_id() const { return cluster_id_; }
  // Writes into the row of this member where its links listen. Waits for the writer thread. Returns
  // false if that is not certain.
  bool publish_link(const std::string& address);

  // The ids of games and players, in blocks of this member.
  id_pool& game_ids() { return game_ids_; }
  id_pool& player_ids() { return player_ids_; }

  // Changes keys on the writer thread, between two batches.
  journal::key_changer key_changer();
  struct key_numbers {
    std::uint64_t changes = 0, failed = 0;
    std::chrono::nanoseconds changing{0};
  };
  key_numbers count_key_changes() const { return {changes_, changes_failed_, changing_}; }

 private:
  explicit cluster_journal(journal::postgres::postgres_settings);
  void claim(journal::id_kind, id_pool&);
  bool claim_first();

  const journal::postgres::postgres_settings settings_;
  journal::member_id self_;
  std::string place_, cluster_id_;
  // The writer thread adds to them, so they outlive the log.
  id_pool game_ids_, player_ids_;
  std::atomic<std::uint64_t> changes_{0}, changes_failed_{0};
  std::atomic<std::chrono::nanoseconds> changing_{std::chrono::nanoseconds{0}};
  std::unique_ptr<journal::log_writer> log_;
};

// Checks that a hub could be a member, and changes nothing. Throws base::usage_error.
void check_cluster(const config::settings&);

}  // namespace gamehub::server
