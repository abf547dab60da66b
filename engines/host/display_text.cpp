#include "engines/host/display_text.hpp"

#include "engines/json.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace gamehub::engines::host {

namespace {

// True if the character at the start of valid UTF-8 is U+007F to U+009F, U+2028 to U+202E or U+2066
// to U+2069.
bool begins_with_control(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (at(0) == 0x7f) return true;
  if (at(0) == 0xc2) return at(1) < 0xa0;
  if (at(0) != 0xe2) return false;
  return (at(1) == 0x80 && at(2) >= 0xa8 && at(2) <= 0xae) ||
         (at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9);
}

}  // namespace

bool is_display_text(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_with_control(text.substr(i, 3))) return false;
    if (text[i] == '"' || text[i] == '\\') quoted += '\\';
    quoted += text[i];
  }
  quoted += '"';
  json::reader reader{quoted};
  json::value read;
  return reader.any(read) && reader.at_end();
}

}  // namespace gamehub::engines::host
