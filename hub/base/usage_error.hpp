// The error of settings, arguments and files that the operator gave. Plain values, any thread.
#pragma once

#include <stdexcept>
#include <string>

namespace gamehub::base {

// A mistake that the operator can correct. Its text is one sentence that says what is wrong, where,
// and how to correct it.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The program's exit code after one.
inline constexpr int usage_error_exit_code = 2;

// What is printed of it, without the line's end.
inline std::string format_error(const usage_error& mistake) {
  const std::string what = mistake.what();
  return "gamehub: " + what + (what.ends_with('.') || what.ends_with('?') ? "" : ".");
}

}  // namespace gamehub::base
