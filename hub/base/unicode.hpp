// What Unicode says of the characters of a text: which of them show, and which texts look alike. On
// ICU. Plain functions, any thread.
#pragma once

#include <string>
#include <string_view>

namespace gamehub::base::unicode {

// True for UTF-8 in which each character shows, alone or on the one before it: no controls, no
// format characters (bidirectional controls, zero-width joiners), no default ignorable ones, no
// space but U+0020, and nothing private or unassigned.
bool shows(std::string_view utf8);

// True if the text is its own compatibility normal form (NFKC, UAX #15). Requires: UTF-8.
bool is_nfkc(std::string_view utf8);

// True if the letters of the text belong together: of one script, or of several that one language
// writes beside each other (restriction level "highly restrictive" of UTS #39, 5.2), with digits of
// one system and no mark twice on a character. Requires: UTF-8.
bool is_one_script(std::string_view utf8);

// Two texts that a reader takes for the same have at least one of these keys in common: `by_case`
// is the same for texts that differ in the case of letters or in letters that look alike in lower
// case, `by_look` for those that look alike as they are written (skeletons of UTS #39, 4).
// Requires: UTF-8.
struct lookalike_keys {
  std::string by_case, by_look;
};
lookalike_keys keys_of(std::string_view utf8);

// The text for a terminal: each character that does not show is written as \u{202e}, each byte that
// is not UTF-8 as \x{ff}.
std::string escape_hidden(std::string_view text);
// The same for JSON: each character that does not show, but for blanks between values, is written
// as \u202e, so that the JSON means the same. Requires: UTF-8.
std::string escape_hidden_json(std::string_view json);

}  // namespace gamehub::base::unicode
