// The files of a web page that the program contains (gamehub_embed_page in cmake/targets.cmake),
// and what the fields of a request say about them. Plain values and functions; any thread.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::base {

struct static_file {
  std::string_view path;  // path of the request, with the leading '/'
  std::string_view content_type;
  std::string_view etag;  // value of the ETag field
  std::string_view plain, gzipped;
};

// Content-Security-Policy: scripts, styles and data come from the hub only, text of players never
// becomes one of them, and no other page can frame this one.
inline constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

// Returns the file with this path, or null.
const static_file* find_file(std::span<const static_file>, std::string_view path);

// Returns true if the client takes gzip; of the field Accept-Encoding.
bool accepts_gzip(std::string_view accept_encoding);

// The answer to a request for a file.
struct file_answer {
  int status = 200;  // 304: the client's copy is current
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::string_view body;
};

// Returns the file, compressed if the client takes that; of the two fields of the request.
file_answer answer_with(const static_file&, std::string_view accept_encoding,
                        std::string_view if_none_match);

}  // namespace gamehub::base
