// The options of a game as a client asks for them: what is wrong with them, in words for people,
// and the one spelling of options that mean the same, so that who wants the same game is matched.
// The schema is an engine's (option_schema.hpp says what it may hold). Plain functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::engines {

// A sentence that names the option and what it may be, or nothing if the options are good. No text
// means the defaults. The engine may still refuse options that only together make no game.
std::optional<std::string> wrong_with(std::string_view text, std::string_view schema);

// The options in the schema's order, without blanks and without those that have their default; no
// text if none is left.
// Requires: nothing is wrong with the options.
std::string canonical_options(std::string_view text, std::string_view schema);

}  // namespace gamehub::engines
