// The child process of the kit: the engine is loaded and asked here, so that it can take nothing
// down but itself. What is found goes to the page that it shares with its parent. Started by
// check.cpp as `gamehub engine probe PAGE`; the program's first thread, and one that watches it.
#pragma once

#include <string>

namespace gamehub::app::kit {

inline constexpr const char* probe_verb = "probe";

// Returns the program's exit code, which means nothing: the page says all.
int probe(const std::string& page_path);

}  // namespace gamehub::app::kit
