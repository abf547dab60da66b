// File system side of a SQLite file (the journal's and the league's): folder, lock, identity, and
// the error texts. Called by the thread that opens the file.
#pragma once

#include "hub/journal/sqlite.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace gamehub::journal {

// An exclusive lock on a file beside the data file, held while the hub writes. The kernel releases
// it when the process ends. The constructor throws unusable_file if another hub has the lock.
// `what` names the file in error texts.
class file_lock {
 public:
  explicit file_lock(const std::filesystem::path& file, const std::string& what = "journal");
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;
  ~file_lock();

  // True if the process that had the lock before ended without releasing it.
  bool left_open() const { return left_open_; }

  // Notes a number (not zero) in the locked file until it is removed, which costs one system call
  // and survives the end of the process, but no power failure. Returns false if there are too many,
  // or if it can't be written. Any thread.
  bool add_note(std::uint64_t) noexcept;
  // Returns false if there is no such note. Any thread.
  bool remove_note(std::uint64_t) noexcept;
  // Returns all notes, at first those that the process before left.
  std::vector<std::uint64_t> notes() const;

 private:
  bool write_note(std::size_t at, std::uint64_t) noexcept;

  int descriptor_ = -1;
  bool left_open_ = false;
  mutable std::mutex mutex_;
  std::array<std::uint64_t, 64> notes_{};  // guarded by the mutex; zero: none
};

// Returns that another hub has the lock of this file, as a part of a sentence; empty: none has it.
// It shares the lock for a moment: a hub that opens the file at that moment is refused.
std::string why_locked(const std::filesystem::path& file);

// Creates an empty file for its owner only, unless it exists; with its folders if `with_folders`.
void make_place(const std::filesystem::path& file, const std::string& what = "journal",
                bool with_folders = true);

// Identifies the file that a path names now. No file: 0 and 0.
struct file_identity {
  std::uint64_t device = 0, number = 0;
  friend bool operator==(const file_identity&, const file_identity&) = default;
};
file_identity identity_of(const std::filesystem::path&);

// Return error texts: why a file can't be opened, and why it can't be written now. Each names the
// fault, the file and the remedy. `rescue` is the remedy for a damaged file.
std::string why_unusable(const std::filesystem::path& file, const sqlite::error&,
                         const std::string& what, const std::string& rescue);
std::string why_unusable(const std::filesystem::path& journal, const sqlite::error&);
std::string why_waiting(const std::filesystem::path& journal, const sqlite::error&);

}  // namespace gamehub::journal
