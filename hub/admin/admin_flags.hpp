// The flags of verbs that ask a running hub: the address of its admin server, from the settings of
// `gamehub serve`. Used once, at program start, on the only thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace gamehub::config {
class setting_flags;
}

namespace gamehub::admin {

// The admin server of a running hub.
struct admin_place {
  std::string host;
  std::uint16_t port = 0;
  std::filesystem::path token_file;  // the operator's token, if the hub requires one
};

void add_admin_flags(config::setting_flags&, CLI::App& to);
// Throws usage_error. Requires: the command line was parsed, and the flags were added to this app.
admin_place find_admin(const config::setting_flags&, const CLI::App& app);

}  // namespace gamehub::admin
