// What an engine's process writes to its output, as lines for the log: cut where they are too long,
// and no more than so many in a time, then only counted. A plain value, told the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::app::process {

class said_lines {
 public:
  using instant = std::chrono::steady_clock::time_point;

  static constexpr std::size_t line_bytes_max = 500;
  static constexpr std::size_t lines_max = 20;
  static constexpr std::chrono::seconds span{10};

  struct batch {
    std::vector<std::string> lines;
    std::uint64_t left_out = 0;  // in the span before, told once
  };

  batch take(std::string_view bytes, instant now);
  // What stands there without an end: nothing more comes.
  batch finish(instant now);

 private:
  void open_span(instant now, batch& out);
  void add(batch& out);

  std::string line_;
  bool cut_ = false;  // the line that is being read
  instant span_began_{};
  std::size_t told_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace gamehub::app::isolation
