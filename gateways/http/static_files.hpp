// The page to play on: the files of the folder page/, as they were when the program was built, and
// how a browser is given one. Constants and plain functions, any thread.
#pragma once

#include <span>
#include <string_view>

#include "gateways/http/request.hpp"

namespace gamehub::gateways::http {

struct static_file {
  std::string_view path;  // of a request, with its '/'
  std::string_view content_type;
  std::string_view etag;  // as the field has it
  std::string_view plain, gzipped;
};

std::span<const static_file> page_files();

// Null: there is none. The path has to be spelled as it is.
const static_file* find_static_file(std::string_view path);

// What came is the file, compressed where that is accepted, or 304 for who has it already.
response page_answer(const static_file&, const request&);

}  // namespace gamehub::gateways::http
