// The operator's bans and mutes: changes them in their table, and applies them to the ban list.
// Owned by the composition. One thread at a time changes and refreshes; all() and generation() are
// for any thread.
#pragma once

#include "hub/core/ban_list.hpp"
#include "hub/moderation/sanction_table.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace gamehub::moderation {

// A change is in force and could not be written: a restart would undo it. The next change that can
// be written stores it too.
struct not_stored : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A change was not carried out, or it is not known whether it was, as the text says. What was in
// force stays in force.
struct not_changed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class sanction_store {
 public:
  // Reads the table and applies its contents. Throws an exception of the table. The ban list
  // outlives the store.
  sanction_store(std::unique_ptr<sanction_table>, ban_list& bans);

  // Adds a sanction, or replaces the one of the same kind and target. Throws std::runtime_error at
  // limits::sanctions_max, not_stored, and not_changed.
  void add(sanction);
  // Removes a sanction. Returns false if it does not exist. Throws not_stored and not_changed.
  bool remove(sanction::kind, std::string_view target);
  // Reads the table again and applies its contents. Throws an exception of the database; nothing
  // has changed then.
  void refresh();

  // Returns all sanctions that are in force here, oldest first.
  std::vector<sanction> all() const;
  // Returns the generation of that list.
  std::uint64_t generation() const;

 private:
  bool carry_out(const sanction_change&);
  void apply(sanction_list);

  const std::unique_ptr<sanction_table> table_;
  ban_list& bans_;

  mutable std::mutex mutex_;
  sanction_list list_;  // guarded by the mutex
};

}  // namespace gamehub::moderation
