// Which names players and bots may have, and which names are too much like another: the same on
// every wire. Plain functions, any thread.
#pragma once

#include "hub/base/unicode.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub {

// The sender of the operator's messages. No player can have this name.
inline constexpr std::string_view operator_name = "operator";

// Why no player may have a name.
enum class name_fault : std::uint8_t {
  too_long,  // or empty
  spaces,    // a space at either end, or two in a row
  hidden,    // a character that does not show
  form,      // compatibility forms, such as full-width letters
  scripts,   // letters of scripts that no language mixes
  reserved,  // a name of the hub's own
  banned,    // the operator does not allow it
};
inline constexpr int name_fault_count = 7;
// Returns the word of the fault, as protocols use it.
std::string_view to_string(name_fault);
// Returns the fault that has this word, or nothing.
std::optional<name_fault> name_fault_of(std::string_view word);

// Returns why a text cannot be a name, except for reserved and banned ones, or nothing: a name has
// 1 to limits::name_bytes_max bytes of UTF-8 and reads as what it is.
std::optional<name_fault> fault_of_name(std::string_view);
inline bool is_acceptable_name(std::string_view name) { return !fault_of_name(name); }

// True if the name is or looks like one of the hub's own: operator, engine (and either with
// something behind it), or bot:NAME, which addresses a bot. Requires: is_acceptable_name(name).
bool is_reserved_name(std::string_view name);

// Calls use(key) with each of the keys that a name must share with no other name in use.
template <class Use>
void for_each_name_key(std::string_view name, Use use) {
  const auto keys = base::unicode::keys_of(name);
  use(keys.by_case);
  if (keys.by_look != keys.by_case) use(keys.by_look);
}

// Returns what a map by such keys has for one of the keys of the name, that is for a name that
// looks like it; or null.
template <class Map>
auto find_like(Map& by_key, std::string_view name) -> decltype(&by_key.begin()->second) {
  decltype(&by_key.begin()->second) found = nullptr;
  for_each_name_key(name, [&](const std::string& key) {
    if (const auto at = by_key.find(key); !found && at != by_key.end()) found = &at->second;
  });
  return found;
}

}  // namespace gamehub
