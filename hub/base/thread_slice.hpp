// The time slice of a thread: how long it runs before the kernel lets others of the same core run.
#pragma once

#include <chrono>

namespace gamehub::base {

inline constexpr std::chrono::microseconds short_slice{100};

// Gives the calling thread short_slice. When it wakes, it then runs at once on a core on which a
// thread with a longer slice runs; otherwise it may wait for the end of that slice, up to 4 ms. For
// a thread that others wait for, and that runs shortly. Its policy and nice value stay. Linux 6.12
// and later; earlier kernels ignore it.
void use_short_slice();

}  // namespace gamehub::base
