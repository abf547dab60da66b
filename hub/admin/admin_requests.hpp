// The command lines of the operator commands: the arguments of each, and the request to the admin
// server that it makes. Used by operator_arguments.cpp; read once, on the program's only thread.
#pragma once

#include "hub/admin/operator_arguments.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gamehub::admin {

class command_parsers {
 public:
  // Adds the verbs to the program.
  explicit command_parsers(CLI::App& to);
  ~command_parsers();
  command_parsers(const command_parsers&) = delete;
  command_parsers& operator=(const command_parsers&) = delete;

  const std::vector<CLI::App*>& verbs() const;
  // The verb of the command line, or null.
  CLI::App* given() const;
  // Requires: given(). Throws usage_error.
  operate_request::order order() const;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace gamehub::admin
