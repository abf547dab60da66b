// What is wrong with the value of a parameter, by its type. Plain functions, any thread.
#pragma once

#include <optional>
#include <string_view>

#include "gateways/http/errors.hpp"
#include "gateways/http/parameters.hpp"

namespace gamehub::gateways::http {

// Nothing if it is as its spec wants it. Requires: the value is UTF-8 and not blank.
std::optional<error> check_value(const parameter_spec&, std::string_view value);

}  // namespace gamehub::gateways::http
