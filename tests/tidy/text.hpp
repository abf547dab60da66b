// What the rules need to look at source text: lines, code and prose, words, path patterns. Pure
// functions; callable from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::tidy {

// The lines without their ends. A last line without an end counts.
std::vector<std::string_view> lines_of(std::string_view text);

// The text with comments and the insides of literals blanked: same length, same lines.
std::string code_of(std::string_view text);

// The reverse: comments and the insides of string literals, everything else replaced by '|' or, for
// quotes and the marks of comments, by a blank. Same length, same lines. Lines that begin with '#'
// have no prose.
std::string prose_of(std::string_view text);

// Whether the pattern matches the whole path: `**` matches anything, `*` anything but a '/'.
bool glob(std::string_view pattern, std::string_view path);

// Whether `word` is in `text` and is no part of a longer identifier.
bool has_word(std::string_view text, std::string_view word);

// How often `word` is in `text` as a whole word.
std::size_t count_word(std::string_view text, std::string_view word);

// Whether the path is a C or C++ source or header.
bool is_source(std::string_view path);

}  // namespace gamehub::tests::tidy
