#include "hub/admin/admin_flags.hpp"

#include "hub/admin/admin_call.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

namespace gamehub::admin {
namespace {

const std::initializer_list<std::string_view> names = {"admin-port", "admin-listen",
                                                       "admin-token-file"};

}  // namespace

void add_admin_flags(config::setting_flags& flags, CLI::App& to) { flags.add(to, names); }

admin_place find_admin(const config::setting_flags& flags, const CLI::App& app) {
  config::settings found;
  flags.take(flags.sources(app), app, names, found);
  if (!found.admin_port || *found.admin_port == 0)
    throw base::usage_error{
        "the settings have no port of the admin server: give the one in the hub's ready line with "
        "--admin-port"};
  return {host_of(found.admin_listen), *found.admin_port, found.admin_token_file};
}

}  // namespace gamehub::admin
