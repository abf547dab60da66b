// Splits the output of an engine's process into lines for the log: long lines are cut, and at most
// `lines_max` lines per interval are logged; further lines are counted. A plain value; the time is
// a parameter.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::server {

class output_lines {
 public:
  using instant = std::chrono::steady_clock::time_point;

  // Bound the log of one engine: 20 lines of 500 bytes in 10 seconds.
  static constexpr std::size_t line_bytes_max = 500;
  static constexpr std::size_t lines_max = 20;
  static constexpr std::chrono::seconds span{10};

  struct batch {
    std::vector<std::string> lines;
    std::uint64_t left_out = 0;  // in the previous interval, reported once
  };

  // Takes output bytes. Returns the complete lines to log.
  batch take(std::string_view bytes, instant now);
  // Returns the last line, which has no line end.
  batch finish(instant now);

 private:
  void open_span(instant now, batch& out);
  void add(batch& out);

  std::string line_;
  bool cut_ = false;  // the line that is being read
  instant span_began_{};
  std::size_t logged_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace gamehub::server
