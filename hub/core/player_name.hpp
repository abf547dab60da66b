// Which names players and bots may have, and which names are too much like another: the same on
// every wire. Plain functions, any thread.
#pragma once

#include "hub/base/unicode.hpp"

#include <string>
#include <string_view>

namespace gamehub {

// The sender of the operator's messages. No player can have this name.
inline constexpr std::string_view operator_name = "operator";

// True for 1 to limits::name_bytes_max bytes of UTF-8 that read as what they are: each character
// shows, no space at either end and none twice, no compatibility forms, no mixture of scripts.
bool is_acceptable_name(std::string_view);

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
