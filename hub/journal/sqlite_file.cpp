#include "hub/journal/sqlite_file.hpp"

#include "hub/journal/sqlite_journal.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace gamehub::journal {

namespace {

namespace fs = std::filesystem;

constexpr ::mode_t owner_only = 0600;

[[noreturn]] void refuse(const std::string& user, const fs::path& what, const std::string& why) {
  throw unusable_file{"The " + user + " can't use " + what.string() + ": " + why + '.'};
}

std::string words_of(int error) { return std::generic_category().message(error); }

// The first line of the lock file has the id of the process that holds the lock, and this word
// until it releases it. Each of the others has one note, or is blank.
constexpr std::string_view open_mark = " open";
constexpr std::size_t first_line_bytes = 64, note_bytes = 21;

std::string read_lock(int descriptor) {
  char text[40] = {};
  const auto size = ::pread(descriptor, text, sizeof text - 1, 0);
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

void write_lock(int descriptor, std::string_view mark) {
  auto text = std::to_string(::getpid()) + std::string{mark};
  text.resize(first_line_bytes - 1, ' ');
  text += '\n';
  // Only people read it; a failed write has no other consequence.
  static_cast<void>(::pwrite(descriptor, text.data(), text.size(), 0) != 0);
}

std::uint64_t read_note(int descriptor, std::size_t at) {
  char text[note_bytes] = {};
  const auto size = ::pread(descriptor, text, sizeof text,
                            static_cast<::off_t>(first_line_bytes + at * note_bytes));
  const auto* begin = std::find_if(text, text + sizeof text, [](char c) { return c != ' '; });
  std::uint64_t note = 0;
  if (size == static_cast<::ssize_t>(sizeof text)) std::from_chars(begin, text + sizeof text, note);
  return note;
}

// A part of a sentence. The number of the process that holds the lock is left out if no process
// here has it: then it is that of another container, and may be this program's own number, too.
std::string in_use(int descriptor) {
  const auto text = read_lock(descriptor);
  ::pid_t holder = 0;
  std::from_chars(text.data(), text.data() + text.size(), holder);
  const bool here = holder > 0 && holder != ::getpid() && ::kill(holder, 0) == 0;
  return "is in use by another hub" + (here ? " (process " + std::to_string(holder) + ')' : "");
}

void make_folders(const fs::path& folder, const std::string& what) {
  std::error_code unknown;
  if (folder.empty() || fs::is_directory(folder, unknown)) return;
  make_folders(folder.parent_path(), what);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) refuse(what, folder, words_of(errno));
}

}  // namespace

file_lock::file_lock(const fs::path& file, const std::string& what) {
  auto path = file;
  path += ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only);
  if (descriptor_ < 0) refuse(what, path, words_of(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const auto why = errno == EWOULDBLOCK
                         ? in_use(descriptor_) + ": stop that one, or name another file"
                         : "can't be locked: " + words_of(errno);
    ::close(descriptor_);
    throw unusable_file{"The " + what + ' ' + file.string() + ' ' + why + '.'};
  }
  left_open_ = read_lock(descriptor_).find(open_mark) != std::string::npos;
  for (std::size_t i = 0; i < notes_.size(); ++i) notes_[i] = read_note(descriptor_, i);
  write_lock(descriptor_, open_mark);
}

// The lock file is not removed: a waiting process would then lock a file that no other process
// opens.
file_lock::~file_lock() {
  write_lock(descriptor_, {});
  ::close(descriptor_);
}

bool file_lock::write_note(std::size_t at, std::uint64_t note) noexcept {
  char text[note_bytes + 1] = {};
  if (note == 0)
    std::snprintf(text, sizeof text, "%20s\n", "");
  else
    std::snprintf(text, sizeof text, "%20" PRIu64 "\n", note);
  return ::pwrite(descriptor_, text, note_bytes,
                  static_cast<::off_t>(first_line_bytes + at * note_bytes)) ==
         static_cast<::ssize_t>(note_bytes);
}

bool file_lock::add_note(std::uint64_t note) noexcept {
  const std::lock_guard lock{mutex_};
  const auto at = std::find(notes_.begin(), notes_.end(), 0u);
  if (at == notes_.end() || !write_note(static_cast<std::size_t>(at - notes_.begin()), note))
    return false;
  *at = note;
  return true;
}

bool file_lock::remove_note(std::uint64_t note) noexcept {
  const std::lock_guard lock{mutex_};
  const auto at = std::find(notes_.begin(), notes_.end(), note);
  if (at == notes_.end()) return false;
  *at = 0;
  write_note(static_cast<std::size_t>(at - notes_.begin()), 0);
  return true;
}

std::vector<std::uint64_t> file_lock::notes() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::uint64_t> all{notes_.begin(), notes_.end()};
  std::erase(all, 0u);
  return all;
}

std::string why_locked(const fs::path& file) {
  auto path = file;
  path += ".lock";
  const auto descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  auto why = locked ? in_use(descriptor) : std::string{};
  ::close(descriptor);
  return why;
}

void make_place(const fs::path& file, const std::string& what, bool with_folders) {
  std::error_code unknown;
  if (fs::is_directory(file, unknown)) refuse(what, file, "it is a folder");
  const auto folder = file.parent_path();
  if (with_folders)
    make_folders(folder, what);
  else if (!folder.empty() && !fs::exists(folder, unknown) && !unknown)
    refuse(what, file, "there is no folder " + folder.string() + ": make it, or name another one");
  // SQLite gives the files beside it the same rights.
  const auto descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only);
  if (descriptor < 0) refuse(what, file, words_of(errno));
  ::close(descriptor);
}

file_identity identity_of(const fs::path& file) {
  struct ::stat now {};
  if (::stat(file.c_str(), &now) != 0) return {};
  return {now.st_dev, now.st_ino};
}

std::string why_unusable(const fs::path& file, const sqlite::error& e, const std::string& what,
                         const std::string& rescue) {
  const auto name = "The " + what + ' ' + file.string();
  switch (e.kind()) {
    case sqlite::sqlite_error_kind::no_database:
      return name + " is no " + what + ", or its beginning is damaged: name another file.";
    case sqlite::sqlite_error_kind::corrupt:
      return name + " is damaged (" + e.what() + "): " + rescue + '.';
    case sqlite::sqlite_error_kind::busy:
      return name + " is locked by another program: end that one.";
    case sqlite::sqlite_error_kind::read_only:
      return name + " can't be written: give its owner the right to write to it and its folder.";
    case sqlite::sqlite_error_kind::full: return name + " has no room on its disk: make some.";
    case sqlite::sqlite_error_kind::moved:
    case sqlite::sqlite_error_kind::io:
    case sqlite::sqlite_error_kind::other: break;
  }
  return name + " can't be opened (" + e.what() + "): see to its disk.";
}

std::string why_unusable(const fs::path& journal, const sqlite::error& e) {
  return why_unusable(journal, e, "journal",
                      "`gamehub journal export` saves what can be read; then move it away or bring "
                      "back a backup");
}

std::string why_waiting(const fs::path& journal, const sqlite::error& e) {
  const auto begin = "The journal can't write to " + journal.string() + " (" + e.what() + "): ";
  constexpr auto end = " Nothing is lost: what players do waits for it.";
  switch (e.kind()) {
    case sqlite::sqlite_error_kind::full: return begin + "make room on its disk." + end;
    case sqlite::sqlite_error_kind::busy:
      return begin + "another program keeps it locked; end that." + end;
    case sqlite::sqlite_error_kind::read_only: return begin + "make it writable again." + end;
    case sqlite::sqlite_error_kind::corrupt:
    case sqlite::sqlite_error_kind::no_database:
      return begin + "it was damaged; stop the hub and bring back a backup." + end;
    case sqlite::sqlite_error_kind::moved:
      return begin + "bring back the file that was there, or stop the hub." + end;
    case sqlite::sqlite_error_kind::io:
    case sqlite::sqlite_error_kind::other: break;
  }
  return begin + "see to its disk." + end;
}

}  // namespace gamehub::journal
