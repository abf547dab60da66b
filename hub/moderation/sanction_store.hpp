// The operator's bans and mutes: stored in a file, so that they survive a restart, and applied to
// the ban list. Owned by the composition; one thread at a time.
#pragma once

#include "hub/core/ban_list.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::moderation {

struct sanction {
  enum class kind : std::uint8_t { banned_name, banned_address, muted_name };

  kind what = kind::banned_name;
  std::string target;  // a name, or an address or network in the form of network_text()
  std::string reason;  // for people; may be empty
  std::string since;   // UTC, in the form of ISO 8601
};

// A change is in force and could not be written: a restart would undo it. The next change that can
// be written stores it too.
struct not_stored : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class sanction_store {
 public:
  // Loads the file and applies its contents. An empty path: nothing is stored. Throws
  // config::usage_error if the file is not a file of sanctions. The ban list outlives the store.
  sanction_store(std::filesystem::path file, ban_list& bans);

  // Adds a sanction, or replaces the one of the same kind and target. Throws std::runtime_error at
  // limits::sanctions_max, and not_stored.
  void add(sanction);
  // Removes a sanction. Returns false if it does not exist. Throws not_stored.
  bool remove(sanction::kind, std::string_view target);

  // Returns all sanctions, oldest first.
  const std::vector<sanction>& all() const { return all_; }

 private:
  void store(std::vector<sanction>);
  void apply();

  std::filesystem::path file_;
  ban_list& bans_;
  std::vector<sanction> all_;
};

// Returns {"sanctions":[…]}.
std::string to_json(const std::vector<sanction>&);

// Returns the normal form of an address or a network; empty: it is neither.
std::string network_text(std::string_view);

// Returns the word of the kind, as the file and the admin API use it.
std::string_view to_string(sanction::kind);

}  // namespace gamehub::moderation
