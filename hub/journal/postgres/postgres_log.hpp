// The log store of a cluster: a PostgreSQL database that all members share. Three connections: for
// the writer, for readers, and one that takes games that are asleep. A transaction is one round
// trip; one is under way at a time. README.md describes the tables and what each outcome means.
// Used by log_writer; the reading functions are for any thread.
#pragma once

#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/postgres/sleeper_taker.hpp"
#include "hub/journal/shared_log.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace gamehub::journal::postgres {

// The schema of this build, and the least schema whose builds may use what it creates.
inline constexpr int schema_newest = 6;
inline constexpr int schema_least = 1;
// The least schema whose builds know that there are formats of records.
inline constexpr int schema_with_formats = 5;

struct postgres_settings {
  std::string target;   // a connection string or URI of libpq
  std::string address;  // where this hub listens, for people
  std::string build;    // the version of this program
  connection::limits limits = {};
  // Refuses to write while the database has no synchronous standby.
  bool needs_standby = false;
};

// Checks that a member could open the log, and changes nothing. Throws unusable_log.
void check_log(const postgres_settings&);

// Raises the format of records that all members write to the latest one of this build. Returns that
// format, and whether it was raised. Throws unusable_log, also if a member lives that does not read
// it.
struct raised_format {
  std::uint64_t format = 0;
  bool raised = false;
};
raised_format raise_record_format(const std::string& target);

class postgres_log final : public shared_log {
 public:
  explicit postgres_log(postgres_settings);

  // Creates the schema if the database has none, and becomes a member. The log is empty. Throws
  // unusable_log.
  log_contents open() override;
  append_result append(const log_batch&) override;
  append_result confirm() override;
  std::optional<std::int64_t> find_batch(batch_number) override;
  std::uint64_t delete_ended(base::wall_time before, std::int64_t most) override;
  // Of the tables and indexes. It does not fall when games are deleted, so it can't limit them.
  std::uint64_t bytes_used() override;
  bool reads_wait() const noexcept override { return true; }
  std::vector<record> read(game_id, record_number after) noexcept override;
  std::optional<game_log> find_ended(game_id) noexcept override;
  std::vector<game_id> ended_before(game_id, std::size_t most) noexcept override;
  bool keeps_sleepers() const noexcept override { return true; }
  std::optional<sleeping_log> read_asleep(game_id) noexcept override;
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) noexcept override;
  std::vector<game_id> asleep_before(std::string_view engine, game_id,
                                     std::size_t most) noexcept override;

  // Returns the server and the database for people. Called after open().
  const std::string& place() const { return place_; }
  // Returns the id of the cluster: 128 random bits in hexadecimal. Called after open().
  const std::string& cluster() const { return cluster_; }
  // Writes where the links of this member listen, so that others connect to it. Returns false if
  // that is not certain.
  bool publish_link(std::string_view address);

  member_id self() const override { return self_; }
  adoption adopt(member_id) override;
  std::vector<member_id> logs_of(member_id) override;
  log_contents recover(member_id) override;
  bool release(std::span<const member_id>) override;
  std::optional<id_block> claim_ids(id_kind) override;
  std::optional<taken_games> take_asleep(const sleeper_query&) override;
  std::optional<std::vector<std::string>> change_keys(const key_change&) override;

 private:
  connection& connected();
  void send_ended(connection&, const log_batch&);
  void send_parts(connection&, const log_batch&);
  append_result look(const log_batch&);
  adoption look_at_owner(member_id);
  bool write_something();
  append_result failed(const std::exception&);
  template <class Work>
  void attempt_to_read(Work) noexcept;
  std::vector<game_id> list(const char* statement, game_id before, std::size_t most,
                            std::string_view engine = {}) noexcept;

  const postgres_settings settings_;
  member_id self_;
  std::string place_, cluster_;
  std::unique_ptr<connection> connection_;
  std::uint64_t session_ = 0;      // counts connections
  std::uint64_t seen_in_ = 0;      // the session in which `present` was seen
  std::uint64_t key_changes_ = 0;  // tries
  sleeper_taker taker_;

  std::mutex reading_;
  // Guarded by the mutex:
  std::unique_ptr<connection> reader_;
  std::chrono::steady_clock::time_point no_reader_until_{};
};

// Reads the log of a member, as shared_log::recover() does. Throws an exception of the database.
log_contents read_log(connection&, member_id);

}  // namespace gamehub::journal::postgres
