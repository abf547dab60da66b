// Memory that the kit shares with the child process in which an engine runs: what it is to do,
// where it is, what it found. It outlives the child, however that ends. The parent makes it, the
// child opens it; one thread of each, but for the note of the running call.
#pragma once

#include <string>
#include <string_view>

#include "engines/contract/watch.hpp"

namespace gamehub::app::kit {

class page {
 public:
  // Throws std::system_error.
  explicit page(std::string_view request);
  // Of the parent that made it.
  static page open(const std::string& path);

  page(page&&) noexcept;
  page& operator=(page&&) = delete;
  ~page();

  // What the child opens, while this process has it.
  std::string path() const;

  std::string request() const;
  engines::contract::current_call& note() const;
  // A call does not come back; said from any thread.
  void give_up() const;
  bool aborted() const;
  // What is longer than its room is cut off.
  void set_place(std::string_view);
  std::string place() const;
  // Adds to what was found. What there is no room for is left out.
  void append(std::string_view);
  std::string report() const;

 private:
  struct layout;

  page(int file, bool make);

  int file_ = -1;
  layout* shared_ = nullptr;
};

}  // namespace gamehub::app::kit
