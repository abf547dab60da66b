// The files of engines/sdk/template, which the build compiles into the program. Static data; any
// thread.
#pragma once

#include <span>
#include <string_view>

namespace gamehub::tools::engine {

struct template_file {
  std::string_view name;  // "board.cpp"
  std::string_view text;  // with @words@ to replace
};

std::span<const template_file> templates();

}  // namespace gamehub::tools::engine
