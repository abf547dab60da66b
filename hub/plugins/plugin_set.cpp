#include "hub/app/plugins/supply.hpp"

#include <string>
#include <utility>

#include "hub/app/plugins/trial.hpp"
#include "hub/app/settings.hpp"
#include "hub/app/traits.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app::plugins {

namespace {

// Takes the engine, or says why not.
std::optional<std::string> add(const engines::engine& e, engines::registry& to) {
  if (to.all().size() == limits::engines_max)
    return "there are " + std::to_string(limits::engines_max) +
           " engines already, and no more room";
  try {
    traits_of(e);
  } catch (const engines::engine_failure& failure) {
    return failure.what();
  }
  return to.add(e);
}

}  // namespace

plugin_set::plugin_set(const std::filesystem::path& where, engines::registry built_in, folder::opener open)
    : engines_(std::move(built_in)) {
  if (where.empty()) return;
  folder_.emplace(where, fault_of, std::move(open));
  try {
    for (const auto& p : folder_->scan())
      if (p.engine)
        if (auto why = add(*p.engine, engines_)) folder_->refuse(p.file, std::move(*why));
  } catch (const std::filesystem::filesystem_error& e) {
    throw usage_error{"--plugins: " + where.string() + " can't be read (" +
                           e.code().message() + "): give a folder"};
  }
}

std::vector<plugin> plugin_set::plugins() const {
  return folder_ ? folder_->all() : std::vector<plugin>{};
}

}  // namespace gamehub::app::plugins
