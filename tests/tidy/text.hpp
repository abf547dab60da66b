// What the rules need to look at source text: lines, code without comments and literals, words and
// path patterns. Pure functions; nothing is kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::tidy {

// The lines without their ends. A last line that is not ended counts.
std::vector<std::string_view> lines_of(std::string_view text);

// The text with comments and the insides of literals blanked: same length, same lines.
std::string code_of(std::string_view text);

// Whether the pattern matches the whole path: `**` stands for anything, `*` for anything but a '/'.
bool glob(std::string_view pattern, std::string_view path);

// Whether `word` stands in `text` and is no part of a longer identifier.
bool has_word(std::string_view text, std::string_view word);

}  // namespace gamehub::tests::tidy
