// A child process: the hub's program, or a tool that judges it. Its standard output is read here,
// its standard error is kept. Killed with its owner; one thread.
#pragma once

#include "tests/system/patience.hpp"

#include <chrono>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gamehub::tests::system {

struct invocation {
  std::vector<std::string> words;  // the program's path, or its name in PATH, and its arguments
  // Added to the environment of the test, from which all settings of a hub are taken out.
  std::map<std::string, std::string> variables;
  std::string folder = {};                    // to start in; empty: here
  std::chrono::milliseconds time = patience;  // that wait() gives it to end
  bool hears = false;                         // has a standard input, for say()
};

class program {
 public:
  explicit program(const invocation&);
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  // The next line of its standard output without the line feed, or what there is of one when the
  // output ends or the time is over.
  std::string read_line(std::chrono::milliseconds time = patience);
  void signal(int number) const;
  // A line on its standard input. Requires: it hears.
  void say(const std::string& line) const;
  // The processes that it has started and that still run.
  std::vector<pid_t> children() const;
  // Waits for its end and returns its exit code: 128 and the number if a signal ended it, -1 if it
  // did not end in time.
  int wait();
  // Everything that it has written so far, and that read_line() has taken, too.
  const std::string& output() const { return output_; }
  std::string errors() const;

 private:
  // False at the end of its output, or when the time is over.
  bool read_more(const class deadline&);

  pid_t id_ = -1;
  int output_end_ = -1;
  int input_end_ = -1;
  int errors_ = -1;
  std::chrono::milliseconds time_;
  int exit_code_ = -1;
  std::string output_;
  std::size_t taken_ = 0;
  bool output_ended_ = false;
  bool ended_ = false;
};

// Runs it to its end.
struct run_result {
  int exit_code = -1;
  std::string output;
  std::string errors;
};
run_result run(const invocation&);

// True if the part occurs in the text.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The programs under test.
std::string hub_program();
std::string tools_program();

// A new folder, removed with its contents.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::string& path() const { return path_; }
  // Returns the path of the new file.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace gamehub::tests::system
