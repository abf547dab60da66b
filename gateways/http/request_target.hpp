// Takes a request's target apart into path and query, as views, and decodes what is escaped in
// them. Plain functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

struct target {
  std::string_view path, query;
};

// Nothing for what is no target that a server of this kind is asked for: it has to begin with '/',
// or to be a whole http URL, whose host does not matter. The path always begins with '/'.
std::optional<target> read_target(std::string_view text);

// What an escaped text says, if its escapes are whole and it is UTF-8. In a form '+' is a space.
enum class plus : bool { is_plus, is_space };
std::optional<std::string> decoded(std::string_view text, plus);

}  // namespace gamehub::gateways::http
