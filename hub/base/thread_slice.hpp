// The share of a core that a thread has among those of the same core: its time slice (how long it
// runs before the kernel lets others run) and its nice value.
#pragma once

#include <chrono>

namespace gamehub::base {

inline constexpr std::chrono::microseconds short_slice{100};

// Gives the calling thread short_slice. When it wakes, it then runs at once on a core on which a
// thread with a longer slice runs; otherwise it may wait for the end of that slice, up to 4 ms. For
// a thread that others wait for, and that runs shortly. Its policy and nice value stay. Linux 6.12
// and later; earlier kernels ignore it.
void use_short_slice();

// Lets all other threads of the process run before the calling one, for work that can wait for all
// of them: it keeps about a tenth of a core that they use in full (nice 10, setpriority(2)).
void run_behind_others();

}  // namespace gamehub::base
