// Validates the options of a game and converts them to the canonical form, so that players who want
// the same game are paired. The schema is that of the engine (see option_schema.hpp). Plain
// functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gamehub::engines::host {

// Returns a sentence that names the invalid option and its valid values, or nothing. Empty text is
// the defaults. The engine may still refuse a combination of valid options.
std::optional<std::string> validate_options(std::string_view text, std::string_view schema);

// Returns the options in schema order, without blanks and without default values; empty if none
// remains. validate_options() has accepted the text.
std::string canonical_options(std::string_view text, std::string_view schema);

}  // namespace gamehub::engines::host
