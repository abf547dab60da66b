// How a hub is, in few lines for a person or as JSON for a program, from what its admin server
// says. A plain value.
#pragma once

#include <string>
#include <vector>

#include "hub/app/operate/samples.hpp"

namespace gamehub::app {

struct status {
  bool ready = false;
  std::string why;                   // not ready, or not well; empty: it is both
  std::vector<std::string> failing;  // loops that stand still
  samples told{""};
  double now_seconds = 0;  // since 1970
};

std::string text_of(const status&);
std::string json_of(const status&);

}  // namespace gamehub::app
