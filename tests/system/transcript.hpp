// What the READMEs show, run against the real program: transcripts of two clients, and commands.
// Plain values and one function that plays. One thread.
#pragma once

#include "tests/system/hub.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::system {

// A fenced block of a README.
struct fenced_block {
  std::string info;  // what stands after the opening fence, such as "transcript"
  std::string text;
  int line = 0;         // of the opening fence, from 1
  bool marked = false;  // the mark stands before it
};
std::vector<fenced_block> fenced_blocks(std::string_view markdown,
                                        std::string_view mark = "<!-- run -->");

// Plays a transcript with two clients against a new hub. A line begins with who speaks: C and c
// are what the first and the second client say, S and s what they hear. Bytes of opcodes are in
// hexadecimal, what stands after # there is a comment. <any> stands for anything; any other <word>
// too, but for the same in all places. Returns what went otherwise, or nothing.
std::string play_transcript(hub&, std::string_view text);

}  // namespace gamehub::tests::system
