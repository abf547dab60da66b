#include "hub/journal/archive_backup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"

namespace gamehub::journal {

namespace {

namespace fs = std::filesystem;

constexpr int pages_at_once = 256;

[[noreturn]] void refuse(const fs::path& what, const std::string& why) {
  throw unusable_file{"The backup can't be written to " + what.string() + ": " + why + '.'};
}

fs::path with(fs::path path, const char* end) { return path += end; }

void sync(const fs::path& what, int flags) {
  const auto descriptor = ::open(what.c_str(), flags | O_CLOEXEC);
  const auto failed = descriptor < 0 || ::fsync(descriptor) != 0;
  const auto why = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (failed) refuse(what, std::generic_category().message(why));
}

}  // namespace

void back_up(sqlite::database& from, const fs::path& source, const fs::path& to,
             const std::function<void(double)>& progress) {
  std::error_code none;
  if (fs::equivalent(source, to, none)) refuse(to, "it is what is to be copied");
  // SQLite would take the log of an older database for one of the new.
  if (fs::exists(with(to, "-wal")))
    refuse(to, "the log " + with(to, "-wal").string() + " lies beside it: is it in use?");
  const auto partial = with(to, ".partial");
  fs::remove(partial, none);
  try {
    make_place(partial);
    {
      sqlite::database copy{partial, sqlite::mode::write, std::chrono::milliseconds{0}};
      // One fsync at the end is enough for a file that does not count before.
      copy.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;");
      from.copy_to(copy, pages_at_once, progress);
    }
    sync(partial, O_RDWR);
    fs::rename(partial, to);
    const auto folder = to.parent_path();
    sync(folder.empty() ? fs::path{"."} : folder, O_RDONLY | O_DIRECTORY);
  } catch (const sqlite::error& e) {
    fs::remove(partial, none);
    refuse(to, e.what());
  } catch (const fs::filesystem_error& e) {
    fs::remove(partial, none);
    refuse(to, e.code().message());
  } catch (...) {
    fs::remove(partial, none);
    throw;
  }
}

}  // namespace gamehub::journal
