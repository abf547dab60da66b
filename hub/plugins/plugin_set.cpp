#include "hub/plugins/plugin_set.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/settings.hpp"
#include "hub/core/limits.hpp"
#include "hub/plugins/engine_traits.hpp"
#include "hub/plugins/plugin_probe.hpp"

#include <string>
#include <utility>

namespace gamehub::plugins {

namespace {

// Adds an engine. Returns a sentence if that is not possible.
std::optional<std::string> add(const engines::host::engine& e, engines::host::registry& to) {
  if (to.all().size() == limits::engines_max)
    return "there are " + std::to_string(limits::engines_max) +
           " engines already, and no more room";
  try {
    traits_of(e);
  } catch (const engines::host::engine_failure& failure) {
    return failure.what();
  }
  return to.add(e);
}

}  // namespace

plugin_set::plugin_set(const std::filesystem::path& where, std::vector<std::string> programs,
                       engines::host::registry built_in, folder::opener open)
    : engines_(std::move(built_in)) {
  if (where.empty() && programs.empty()) return;
  folder_.emplace(where, probe_plugin, std::move(open), std::move(programs));
  try {
    for (const auto& p : folder_->scan())
      if (p.engine)
        if (auto why = add(*p.engine, engines_)) folder_->refuse(p.file, std::move(*why));
  } catch (const std::filesystem::filesystem_error& e) {
    throw base::usage_error{"--plugins: " + where.string() + " can't be read (" +
                            e.code().message() + "): give a folder"};
  }
}

std::vector<plugin> plugin_set::plugins() const {
  return folder_ ? folder_->all() : std::vector<plugin>{};
}

}  // namespace gamehub::plugins
