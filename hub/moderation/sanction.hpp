// A ban or a mute of the operator, and the list of all. Plain values and functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
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

struct sanction_list {
  std::vector<sanction> all;     // oldest first
  std::uint64_t generation = 0;  // changes with each change of the list
};

struct sanction_change {
  sanction what;         // of a removal: kind and target
  bool removes = false;  // otherwise it adds, or replaces the one of the same kind and target
};

// Returns the list after the change. Throws std::runtime_error if a sanction is added to a list of
// limits::sanctions_max.
sanction_list after(const sanction_list&, const sanction_change&);
// Returns true if the list has a sanction of this kind and target.
bool contains(const sanction_list&, sanction::kind, std::string_view target);

// Returns {"sanctions":[…]}.
std::string to_json(const std::vector<sanction>&);

// Returns the normal form of an address or a network; empty: it is neither.
std::string network_text(std::string_view);
// Returns false for a banned address that is not in that form.
bool has_normal_target(const sanction&);

// Returns the word of the kind, as the file, the table and the admin API use it; and the kind.
std::string_view to_string(sanction::kind);
std::optional<sanction::kind> kind_of(std::string_view word);

}  // namespace gamehub::moderation
