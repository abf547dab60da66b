// C++ wrapper of SQLite, the only code that calls it. A failed call throws `error`; tests can make
// any call fail. One thread at a time uses a database and its statements. The code that opens a
// database owns it, and destroys the statements before it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace gamehub::journal::sqlite {

enum class sqlite_error_kind : std::uint8_t {
  full,
  io,
  busy,
  read_only,
  corrupt,
  no_database,
  moved,
  other
};

class error : public std::runtime_error {
 public:
  error(int code, const std::string& text);
  error(sqlite_error_kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  sqlite_error_kind kind() const { return kind_; }

 private:
  sqlite_error_kind kind_;
};

// Called with the name of each SQLite call that can fail, before the call. A result other than 0 is
// the SQLite code that the call then returns; the call is skipped, unless `made` is added. For
// tests; any thread calls it.
using fault_point = int (*)(const char* call);
void inject_faults(fault_point);
inline constexpr int made = 1 << 24;

// Codes of SQLite, for tests that inject errors.
namespace codes {
extern const int full, io, busy, read_only, corrupt;
}

class statement {
 public:
  statement() = default;
  explicit operator bool() const { return handle_ != nullptr; }

  // Bind a parameter; the first is 1. Texts and blobs must stay valid until the next reset().
  void bind(int at, std::int64_t);
  void bind(int at, std::uint64_t n) { bind(at, static_cast<std::int64_t>(n)); }
  void bind_real(int at, double);
  void bind_text(int at, std::string_view);
  void bind_blob(int at, std::string_view);
  void bind_null(int at);

  // Advances to the next row. Returns false after the last one.
  bool step();
  void reset() noexcept;

  // Steps to the end, and resets also if a step throws.
  void run();

  // Columns of the row; the first is 0. Views are valid until the next step() or reset().
  std::int64_t number(int column) const;
  std::uint64_t natural(int column) const { return static_cast<std::uint64_t>(number(column)); }
  double real(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class database;
  struct finalizer {
    void operator()(sqlite3_stmt*) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, finalizer> handle_;
};

// Resets a statement on destruction.
class rows {
 public:
  explicit rows(statement& s) : of_(s) {}
  rows(const rows&) = delete;
  rows& operator=(const rows&) = delete;
  ~rows() { of_.reset(); }
  bool next() { return of_.step(); }

 private:
  statement& of_;
};

enum class mode : std::uint8_t { read, write, create };

class database {
 public:
  database() = default;
  // Opens a file. `patience` is how long a call waits while another program holds a lock.
  database(const std::filesystem::path&, mode, std::chrono::milliseconds patience);

  explicit operator bool() const { return handle_ != nullptr; }

  // Compiles one statement.
  statement prepare(std::string_view text);
  // Runs statements without results.
  void run(const char* text);
  // Return the first column of the first row; 0 or an empty text if there is no row.
  std::int64_t number(const char* text);
  std::string text(const char* text);

  bool read_only() const;
  bool in_transaction() const;
  void roll_back() noexcept;

  // Stores the length of the write-ahead log in `pages` after each commit.
  void watch_log(int& pages);

  // Copies pages of the write-ahead log to the file. Does not wait for readers or writers.
  struct moved {
    int pages = 0, done = 0;
    bool all() const { return pages == done; }
  };
  moved checkpoint();

  // Writes the pages that checkpoint() copied from the system's cache to the disk. SQLite itself
  // does so only in a checkpoint that copies all of the log.
  void sync();

  // Copies the database to another one in steps. Requires: this one is in a transaction, so that it
  // does not change meanwhile.
  void copy_to(database& other, int pages_at_once, const std::function<void(double)>& progress);

 private:
  struct closer {
    void operator()(sqlite3*) const noexcept;
  };
  std::unique_ptr<sqlite3, closer> handle_;
};

}  // namespace gamehub::journal::sqlite
