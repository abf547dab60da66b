#include "hub/app/operate/admin_flags.hpp"

#include "hub/app/operate/admin_call.hpp"
#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

const std::initializer_list<std::string_view> names = {"admin-port", "admin-listen",
                                                       "admin-token-file"};

}  // namespace

void add_admin_flags(setting_flags& flags, CLI::App& to) { flags.add(to, names); }

admin_place find_admin(const setting_flags& flags, const CLI::App& asked) {
  settings found;
  flags.take(flags.sources(asked), asked, names, found);
  if (!found.admin_port || *found.admin_port == 0)
    throw usage_error{
        "the settings have no port for the admin server: say which one the hub's ready line named "
        "with --admin-port"};
  return {host_of(found.admin_listen), *found.admin_port, found.admin_token_file};
}

}  // namespace gamehub::app
