// The command lines of the verbs that tell a running hub to do something: what each takes, and the
// request to the admin server that it makes. Used by arguments.cpp; read once, on the program's
// only thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/operate/arguments.hpp"

namespace CLI {
class App;
}

namespace gamehub::app {

class command_parsers {
 public:
  // Adds the verbs to the program.
  explicit command_parsers(CLI::App& to);
  ~command_parsers();
  command_parsers(const command_parsers&) = delete;
  command_parsers& operator=(const command_parsers&) = delete;

  const std::vector<CLI::App*>& verbs() const;
  // The verb that was given, or null.
  CLI::App* given() const;
  // Requires: given(). Throws operator_mistake.
  operate_request::order order() const;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

// Whether a word is one of the verbs.
bool is_order(std::string_view word);

}  // namespace gamehub::app
