// The number of a member: one life of one hub process in a cluster (shared_log.hpp). Plain value,
// any thread.
#pragma once

#include "hub/core/ids.hpp"

namespace gamehub::journal {

using member_id = id<struct member_tag>;

}  // namespace gamehub::journal
