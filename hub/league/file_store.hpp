// The durable store: writes the league's file on its own thread, one transaction for all changes
// that arrived meanwhile. While the file can't be written, changes and when_safe() callbacks stay
// pending. Owned by the composition; any thread.
#pragma once

#include "hub/league/store.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace gamehub::league {

struct file_store_settings {
  std::filesystem::path file;  // created with its folders if it does not exist
  bool fsync_each_commit = false;
  // The time of day, from which the age of results is computed.
  base::wall_time now{};
  // Called on the store's thread when trouble() begins (with its text) and ends (with an empty
  // one).
  std::function<void(std::string_view)> log_trouble;
};

// Results outside of tournaments are deleted after this time.
inline constexpr std::chrono::days results_kept{30};

// Opens the file and locks it against other hubs; tools may still read it and change tokens. Throws
// journal::unusable_file. Destroying the store writes the pending changes, if the file can be
// written.
std::unique_ptr<store> open_file_store(const file_store_settings&);

}  // namespace gamehub::league
