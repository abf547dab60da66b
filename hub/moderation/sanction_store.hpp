// The operator's list of whom to keep out and who may say nothing: kept in a file, so that a
// restart changes nothing, and put in force. Owned by the hub; one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hub/core/moderation.hpp"

namespace gamehub::app {

struct sanction {
  enum class kind : std::uint8_t { banned_name, banned_address, muted_name };

  kind what = kind::banned_name;
  std::string whom;    // a name, or an address or network as network_text() spells it
  std::string reason;  // for people; may be empty
  std::string since;   // UTC, as ISO 8601 has it
};

class sanction_store {
 public:
  // An empty path: kept nowhere. Throws operator_mistake if the file is not one of these. The rules
  // outlive the book.
  sanction_store(std::filesystem::path file, moderation& rules);

  // What was there of that kind and for those is replaced. Throws std::runtime_error if it can't be
  // kept; then nothing has changed.
  void add(sanction);
  // False: there was none.
  bool remove(sanction::kind, std::string_view whom);

  const std::vector<sanction>& all() const { return all_; }

 private:
  void keep(std::vector<sanction>);
  void put_in_force();

  std::filesystem::path file_;
  moderation& rules_;
  std::vector<sanction> all_;
};

// {"sanctions":[…]}
std::string to_json(const std::vector<sanction>&);

// The one spelling of an address or a network; empty: it is neither.
std::string network_text(std::string_view);

std::string_view to_string(sanction::kind);

}  // namespace gamehub::app
