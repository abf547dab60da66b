// What stands in a URL after the question mark: read by the admin server, written by the verbs that
// ask it. Plain functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::app {

// What a text with % escapes says; '+' is a space. Nothing: an escape is broken.
std::optional<std::string> percent_decoded(std::string_view);

using query = std::vector<std::pair<std::string, std::string>>;

// Nothing: it can't be read.
std::optional<query> read_query(std::string_view);

// Without the question mark.
std::string to_text(const query&);

}  // namespace gamehub::app
