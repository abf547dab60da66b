// The logs of all games in the database of a simulated cluster, as no promotion can change them:
// what hubs may tell. It is read from the rows of all members after each statement, independently
// of the code that recovers logs, and checks that each record has one value and one owner. Owned by
// a simulation run and used on its thread.
#pragma once

#include "hub/core/ids.hpp"
#include "hub/journal/record.hpp"
#include "tests/journal/fake_log.hpp"
#include "tests/simulation/invariant_checker.hpp"
#include "tests/support/late_journal.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {

class durable_log {
 public:
  explicit durable_log(const fake_database& db) : db_(db) {}

  // Reads what is new. Throws violation.
  void read_new();

  // All records. Games in quarantine are open.
  const late_journal& log() const { return log_; }
  bool is_quarantined(game_id id) const { return quarantined_.contains(id); }
  std::vector<game_id> open_games() const;
  // The members that have an owner.
  const std::set<journal::member_id>& adopted() const { return adopted_; }

 private:
  struct known {
    std::string log;  // the header, then the records
    journal::record_number records = 0;
    bool ended = false;
  };
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  };

  void read_batch(std::string_view entries);
  void read_whole(game_id, std::string_view log, journal::record_number records);
  void begin(game_id, std::string_view header);
  void add(game_id, std::string_view bytes, journal::record_number first,
           journal::record_number count);
  void note_announcements(journal::member_id, const std::set<game_id>&);
  void note_adoptions(const fake_database::state&);
  bool was_moving(journal::member_id, game_id) const;
  void check_quarantine(game_id) const;

  const fake_database& db_;
  std::map<journal::member_id, fake_database::batch_number> read_;  // the last batch
  std::map<std::pair<journal::member_id, game_id>, journal::record_number> kept_;
  std::size_t ended_ = 0;  // rows
  std::set<journal::member_id> adopted_;
  std::map<game_id, known> games_;
  std::map<player_id, std::string> secrets_;
  std::set<game_id> quarantined_;
  // Games that a member has announced, with their records before that.
  std::map<std::pair<journal::member_id, game_id>, journal::record_number> announced_;
  // By game: members that died while they took over others, or while they made its first move.
  std::map<game_id, int> deaths_;
  late_journal log_{false};
  deaf nobody_;
};

}  // namespace gamehub::tests
