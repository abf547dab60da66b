// Splits a request target into path and query, as views, and decodes percent escapes. Plain
// functions, any thread.
#pragma once

#include "hub/base/query.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

struct request_target {
  std::string_view path, query;
};

// Splits a target. Returns nothing if it neither begins with '/' nor is an absolute http URL, whose
// host is ignored. The path always begins with '/'.
std::optional<request_target> read_target(std::string_view text);

// Decodes percent escapes. Returns nothing if an escape is broken or the result is not UTF-8. In a
// form '+' is a space.
using base::plus;
std::optional<std::string> decoded(std::string_view text, plus);

}  // namespace gamehub::gateways::http
