// Texts of an engine that people read: a title, the texts of a face, a summary. A plain function,
// any thread.
#pragma once

#include <string_view>

namespace gamehub::engines::host {

// True for UTF-8 without control characters, without separators of lines and without characters
// that change the direction of the text around them.
bool is_display_text(std::string_view);

}  // namespace gamehub::engines::host
