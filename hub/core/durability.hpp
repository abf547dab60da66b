// What a commit of a database file outlives. Chosen in the settings, used by the journal and the
// league.
#pragma once

#include <cstdint>

namespace gamehub {

enum class durability : std::uint8_t {
  process,  // a commit outlives the program, but not the machine's power
  power,    // a commit is on the device
  machine,  // a commit is on the devices of two machines; in a cluster's database only
};

}  // namespace gamehub
