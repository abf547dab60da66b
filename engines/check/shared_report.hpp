// Memory that the checking process shares with the child process that runs the engine: the request,
// the current position and the results. It survives a crash of the child. The parent creates it and
// the child inherits its file; one thread of each uses it, except for the current call.
#pragma once

#include "engines/contract/call_monitor.hpp"

#include <string>
#include <string_view>

namespace gamehub::engines::check {

class shared_report {
 public:
  // Creates the memory. Throws std::system_error.
  explicit shared_report(std::string_view request);
  // Opens the memory of the parent and closes the file, so that the engine can't. Throws
  // std::system_error.
  static shared_report open(int file);

  shared_report(shared_report&&) noexcept;
  shared_report& operator=(shared_report&&) = delete;
  ~shared_report();

  // The descriptor that the child inherits. The size of the file is fixed.
  int file() const { return file_; }

  std::string request() const;
  engines::contract::current_call& note() const;
  // Records that a call does not return. Any thread.
  void abort() const;
  bool aborted() const;
  // Sets the current position, cut to place_bytes_max.
  void set_place(std::string_view);
  std::string place() const;
  // Appends to the results. Text beyond report_bytes_max is dropped.
  void append(std::string_view);
  std::string report() const;

 private:
  struct layout;

  explicit shared_report(int file);

  int file_ = -1;
  layout* shared_ = nullptr;
};

}  // namespace gamehub::engines::check
