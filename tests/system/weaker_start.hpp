// A program that starts the hub as on a system that has less (tests/support/start_without.cpp). One
// thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/program.hpp"

#include <filesystem>
#include <string>

namespace gamehub::tests::system {

class weaker_start {
 public:
  explicit weaker_start(const std::string& what) : what_(what) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms{0755});
    program_ = folder_.write("gamehub", "#!/bin/sh\nexec " GAMEHUB_START_WITHOUT " " + what + ' ' +
                                            hub_program() + " \"$@\"\n");
    std::filesystem::permissions(program_, std::filesystem::perms{0755});
  }
  const std::string& program() const { return program_; }
  // False if this system can't be so.
  bool works() const {
    if (run({{program_, "--version"}, {}}).exit_code == 0) return true;
    WARN("the hub can't be started with " << what_ << ": not run");
    return false;
  }

 private:
  const std::string what_;
  const temporary_folder folder_;
  std::string program_;
};

}  // namespace gamehub::tests::system
