// Percent escapes and queries of URLs. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::base {

// What '+' means: in a query it is a blank, in a path it is itself.
enum class plus : std::uint8_t { is_plus, is_space };

// Everything but the unreserved characters of RFC 3986 is escaped, a blank as %20.
std::string percent_encoded(std::string_view);
// Nothing if an escape is broken. The result can be any bytes.
std::optional<std::string> percent_decoded(std::string_view, plus);

using query = std::vector<std::pair<std::string, std::string>>;

// Reads what stands after the question mark. Nothing if it is not a list of NAME=VALUE.
std::optional<query> read_query(std::string_view);

// Without the question mark.
std::string to_text(const query&);

}  // namespace gamehub::base
