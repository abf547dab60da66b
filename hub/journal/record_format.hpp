// The formats of records. The members of a cluster write one format, which each of them reads; an
// operator raises it when no member is left that does not read a later one (hub/cluster/README.md,
// "Versions"). Any thread.
#pragma once

#include <cstdint>

namespace gamehub::journal {

// Format 2: a `joined` record may give a secret to a player that had none. Format 3: games may be
// asleep in the log of a cluster.
inline constexpr std::uint64_t record_format_least = 1, record_format_with_secrets = 2,
                               record_format_with_sleepers = 3;

// The latest format that this build reads and writes. It reads and writes all from the least one
// on.
std::uint64_t record_format_newest();

}  // namespace gamehub::journal
