// Which running hub a verb asks: where its admin server listens, found as `gamehub serve` finds it.
// Used once, when the program starts, by its only thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace gamehub::app {

class setting_flags;

// Where a running hub takes an operator's orders.
struct admin_place {
  std::string host;
  std::uint16_t port = 0;
  std::filesystem::path token_file;  // of the operator, if the hub asks for one
};

void add_admin_flags(setting_flags&, CLI::App& to);
// Throws operator_mistake. Requires: the line was read, and the flags were added to this app.
admin_place find_admin(const setting_flags&, const CLI::App& asked);

}  // namespace gamehub::app
