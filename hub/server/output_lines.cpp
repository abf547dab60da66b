#include "hub/server/output_lines.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::server {

output_lines::batch output_lines::take(std::string_view bytes, instant now) {
  batch out;
  open_span(now, out);
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    const auto room = line_bytes_max - line_.size();
    line_ += piece.substr(0, room);
    cut_ = cut_ || piece.size() > room;
    if (end == bytes.npos) break;
    add(out);
    bytes.remove_prefix(end + 1);
  }
  return out;
}

output_lines::batch output_lines::finish(instant now) {
  batch out;
  open_span(now, out);
  if (!line_.empty()) add(out);
  if (left_out_ > 0) out.left_out += std::exchange(left_out_, 0);
  return out;
}

void output_lines::open_span(instant now, batch& out) {
  if (now - span_began_ < span && span_began_ != instant{}) return;
  span_began_ = now;
  logged_ = 0;
  out.left_out = std::exchange(left_out_, 0);
}

void output_lines::add(batch& out) {
  auto line = std::exchange(line_, {});
  if (std::exchange(cut_, false)) line += "…";
  if (line.empty()) return;
  if (logged_ == lines_max) {
    ++left_out_;
    return;
  }
  ++logged_;
  out.lines.push_back(std::move(line));
}

}  // namespace gamehub::server
