// What `cmake --install` puts into an empty folder, and programs that are run with it:
// compilers, CMake, the hub that was installed. Removed with all that was made in it; one thread.
#pragma once

#include "tests/system/program.hpp"

#include <map>
#include <string>
#include <vector>

namespace gamehub::tests::system {

class installation {
 public:
  // The components sdk and program, or one of them.
  explicit installation(const std::string& component = {});

  // What it was installed into.
  const std::string& prefix() const { return prefix_; }
  // A new and empty folder beside it.
  std::string make_folder(const std::string& name) const;

  // Files by their paths from the prefix, in order.
  std::vector<std::string> files() const;

  // Runs a line of bash as someone who has PATH and the package paths set to this installation.
  run_result shell(const std::string& folder, const std::string& line) const;
  // The variables of such a person.
  std::map<std::string, std::string> variables() const;

 private:
  temporary_folder folder_;
  std::string prefix_ = folder_.path() + "/prefix";
};

// Whether there is a program of this name in PATH.
bool has_tool(const std::string& name);

}  // namespace gamehub::tests::system
