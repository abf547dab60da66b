// The files of engines/sdk/template, as the build put them into the program: they live as long as
// it does. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace gamehub::app {

struct template_file {
  std::string_view name;  // "board.cpp"
  std::string_view text;  // with @words@ to be filled in
};

std::span<const template_file> templates();

}  // namespace gamehub::app
