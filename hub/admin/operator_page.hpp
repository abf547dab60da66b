// The operators' page: the files of the folder page/, embedded at build time, and their responses.
// They hold no data, so they need no token. Constants and plain functions, any thread.
#pragma once

#include "hub/admin/admin.hpp"
#include "hub/base/static_file.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace gamehub::admin {

// Returns all files.
std::span<const base::static_file> operator_page_files();

// Returns the file with this path, compressed if the client accepts gzip, or 304 if the client's
// copy is current; nothing: no file has the path.
std::optional<page> operator_page(std::string_view path, std::string_view accept_encoding,
                                  std::string_view if_none_match);

}  // namespace gamehub::admin
