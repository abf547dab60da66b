// GAMEHUB_REQUIRE checks a precondition of a function, in release builds too. A failure is a defect
// of the caller: the process ends before it can write a wrong record. Any thread may use it.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace gamehub::base {

// Writes the condition, the function and the line to standard error and aborts.
[[noreturn]] inline void requirement_failed(const char* condition, const char* function, int line) {
  std::fprintf(stderr, "gamehub: requirement failed: %s (%s, line %d)\n", condition, function,
               line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace gamehub::base

// The condition must be cheap and have no side effects.
#define GAMEHUB_REQUIRE(condition) \
  ((condition) ? void() : ::gamehub::base::requirement_failed(#condition, __func__, __LINE__))
