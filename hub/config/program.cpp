#include "hub/config/program.hpp"

#include "hub/base/child_entry.hpp"
#include "hub/base/usage_error.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace gamehub::config {

int print(const std::string& text) {
  std::cout << text << std::flush;
  if (std::cout) return EXIT_SUCCESS;
  std::cerr << "gamehub: standard output can't be written.\n";
  return EXIT_FAILURE;
}

int run_program(int argc, char** argv, int (*run)(int argc, const char* const* argv)) {
  base::enter_child(argc, argv);
  // The reader of the output may end first: writing then fails instead of ending the program.
  std::signal(SIGPIPE, SIG_IGN);
  // A file at its size limit: writing fails, and the journal retries.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const base::usage_error& mistake) {
    std::cerr << base::format_error(mistake) << '\n';
    return base::usage_error_exit_code;
  } catch (const std::exception& fault) {
    std::cerr << "gamehub: internal error: " << fault.what() << '\n';
    return EXIT_FAILURE;
  }
}

}  // namespace gamehub::config
