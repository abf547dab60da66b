// Takes games that are asleep in the database of a cluster: they become open games of a member, in
// one transaction. It has a connection, so that nothing waits for the appends of the member, nor
// they for it. Owned by postgres_log; one thread at a time.
#pragma once

#include "hub/journal/postgres/connection.hpp"
#include "hub/journal/shared_log.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::journal::postgres {

class sleeper_taker {
 public:
  explicit sleeper_taker(std::string target) : target_(std::move(target)) {}

  // As shared_log::take_asleep().
  std::optional<shared_log::taken_games> take(member_id self, const sleeper_query&);

 private:
  // Returns false if the query fits no game. What it may know without a transaction is in `out`.
  bool fits_some(member_id self, const sleeper_query&, shared_log::taken_games& out);
  std::optional<shared_log::taken_games> try_to_take(member_id self, const sleeper_query&);

  const std::string target_;
  std::unique_ptr<connection> connection_;
  std::chrono::steady_clock::time_point no_connection_until_{};
  std::uint64_t tries_ = 0;
  // The first try since whose games are not known.
  std::optional<std::uint64_t> uncertain_from_;
};

// Reads rows of games: id, due, since, to_move, records, sum, log. Each gets the pauses since it
// fell asleep.
std::vector<std::pair<game_id, log_store::sleeping_log>> sleepers_of(const result&,
                                                                     const std::vector<pause>&);
// Reads rows of pauses.
std::vector<pause> pauses_of(const result&);

}  // namespace gamehub::journal::postgres
