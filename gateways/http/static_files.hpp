// The files of the web page (folder page/), embedded at build time, and their responses. Constants
// and plain functions, any thread.
#pragma once

#include "gateways/http/request.hpp"
#include "hub/base/static_file.hpp"

#include <span>
#include <string_view>

namespace gamehub::gateways::http {

using base::static_file;

// Returns all files.
std::span<const static_file> page_files();

// Finds a file by its exact path; returns null if no file has it.
const static_file* find_static_file(std::string_view path);

// Returns the file, compressed if the client accepts gzip, or 304 if the client's copy is current.
response page_answer(const static_file&, const request&);

}  // namespace gamehub::gateways::http
