// The store that outlives the hub: the arena's file, written by a thread of the store's own, one
// transaction for all that came meanwhile. While the file can't be written, what was to be written
// waits, and so does whoever waits for it to be safe.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "hub/arena/store.hpp"

namespace gamehub::arena {

struct file_store_settings {
  std::filesystem::path file;  // made with its folders if it is not there
  bool fsync_each_commit = false;
  // The time of day, by which results grow old; and `log_trouble`, called on the store's thread
  // when trouble() begins, with its text, and with an empty one when it ends.
  wall_time now{};
  std::function<void(std::string_view)> log_trouble;
};

// Results that came of no run are kept for so long.
inline constexpr std::chrono::days results_kept{30};

// Takes the file for this program alone, as the one that plays its games; tools may still read it
// and change tokens. Throws journal::unusable_file. Destroying the store writes what waits, if that
// can be done.
std::unique_ptr<store> open_file_store(const file_store_settings&);

}  // namespace gamehub::arena
