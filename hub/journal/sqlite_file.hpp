// The journal's file as a thing of the file system: its folder, its lock, and what to say when it
// can't be used. Called by whoever opens it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "hub/journal/sqlite.hpp"

namespace gamehub::journal {

// Held for as long as the hub writes to the file: an exclusive lock on a file beside it, which the
// system takes away from a dead program. Throws unusable_file: another hub has it. `what` is what
// people call the file.
class file_lock {
 public:
  explicit file_lock(const std::filesystem::path& file, const std::string& what = "journal");
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;
  ~file_lock();

 private:
  int descriptor_ = -1;
};

// Makes the folders (for their owner only) and an empty file, if they are not there.
void make_place(const std::filesystem::path& file, const std::string& what = "journal");

// Which file a path names just now. None: 0 and 0.
struct file_identity {
  std::uint64_t device = 0, number = 0;
  friend bool operator==(const file_identity&, const file_identity&) = default;
};
file_identity identity_of(const std::filesystem::path&);

// Why a file can't be opened, and why it can't be written just now: what, where, and how to mend
// it. `rescue` is what to do with one that is damaged.
std::string why_unusable(const std::filesystem::path& file, const sqlite::error&,
                         const std::string& what, const std::string& rescue);
std::string why_unusable(const std::filesystem::path& journal, const sqlite::error&);
std::string why_waiting(const std::filesystem::path& journal, const sqlite::error&);

}  // namespace gamehub::journal
