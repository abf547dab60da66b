// Validates the options of a game and converts them to the canonical form, so that players who want
// the same game are paired. The schema is that of the engine (see option_schema.hpp). Plain
// functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::engines::host {

// Returns a sentence that names the invalid option and its valid values, or nothing. Empty text is
// the defaults. The engine may still refuse a combination of valid options.
std::optional<std::string> validate_options(std::string_view text, std::string_view schema);

// Returns the options in schema order, without blanks and without default values; empty if none
// remains. validate_options() has accepted the text.
std::string canonical_options(std::string_view text, std::string_view schema);

// The option that selects the number of seats, for an engine with a range of them. The hub reads
// it; the engine does not see it. An engine's own option of that name takes precedence.
inline constexpr std::string_view players_option = "players";

// Returns the schema with the option "players", whose default is the smallest number. Returns the
// schema unchanged if there is no choice.
std::string schema_with_players(std::string_view schema, int players_min, int players_max);

// Returns the options without "players", and its value; 0: the default. `schema` is the engine's.
std::pair<std::string, int> split_players(std::string_view options, std::string_view schema);

}  // namespace gamehub::engines::host
