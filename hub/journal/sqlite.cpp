#include "hub/journal/sqlite.hpp"

#include <sqlite3.h>

#include <atomic>
#include <utility>

namespace gamehub::journal::sqlite {

namespace codes {
const int full = SQLITE_FULL, io = SQLITE_IOERR, busy = SQLITE_BUSY, read_only = SQLITE_READONLY,
          corrupt = SQLITE_CORRUPT;
}

namespace {

std::atomic<fault_point> faults{nullptr};

int fault_at(const char* call) {
  const auto inject = faults.load(std::memory_order_relaxed);
  return inject == nullptr ? SQLITE_OK : inject(call);
}

sqlite_error_kind kind_of(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL: return sqlite_error_kind::full;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return sqlite_error_kind::io;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: return sqlite_error_kind::busy;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return sqlite_error_kind::read_only;
    case SQLITE_CORRUPT: return sqlite_error_kind::corrupt;
    case SQLITE_NOTADB: return sqlite_error_kind::no_database;
    default: return sqlite_error_kind::other;
  }
}

// The message of the connection describes its last failure only if that had this code.
std::string message_of(sqlite3* db, int code) {
  if (db != nullptr && sqlite3_extended_errcode(db) == code) return sqlite3_errmsg(db);
  return sqlite3_errstr(code);
}

[[noreturn]] void fail(sqlite3* db, int code) { throw error{code, message_of(db, code)}; }

void check(sqlite3_stmt* s, int code) {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(s), code);
}

template <class Call>
int guarded(const char* name, Call&& call) {
  const auto fault = fault_at(name);
  if (fault == SQLITE_OK) return call();
  if ((fault & made) != 0) call();
  return fault & ~made;
}

int note_pages(void* out, sqlite3*, const char*, int pages) {
  *static_cast<int*>(out) = pages;
  return SQLITE_OK;
}

}  // namespace

error::error(int code, const std::string& text) : std::runtime_error(text), kind_(kind_of(code)) {}

void inject_faults(fault_point point) { faults.store(point, std::memory_order_relaxed); }

void statement::finalizer::operator()(sqlite3_stmt* s) const noexcept { sqlite3_finalize(s); }

void statement::bind(int at, std::int64_t n) {
  check(handle_.get(), guarded("bind", [&] { return sqlite3_bind_int64(handle_.get(), at, n); }));
}

void statement::bind_real(int at, double x) {
  check(handle_.get(), guarded("bind", [&] { return sqlite3_bind_double(handle_.get(), at, x); }));
}

void statement::bind_text(int at, std::string_view text) {
  check(handle_.get(), guarded("bind", [&] {
          return sqlite3_bind_text64(handle_.get(), at, text.data(), text.size(), SQLITE_STATIC,
                                     SQLITE_UTF8);
        }));
}

void statement::bind_blob(int at, std::string_view bytes) {
  check(handle_.get(), guarded("bind", [&] {
          // A blob of no bytes must not be null.
          return sqlite3_bind_blob64(handle_.get(), at, bytes.empty() ? "" : bytes.data(),
                                     bytes.size(), SQLITE_STATIC);
        }));
}

void statement::bind_null(int at) {
  check(handle_.get(), guarded("bind", [&] { return sqlite3_bind_null(handle_.get(), at); }));
}

bool statement::step() {
  const auto code = guarded("step", [&] { return sqlite3_step(handle_.get()); });
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(sqlite3_db_handle(handle_.get()), code);
}

void statement::reset() noexcept { sqlite3_reset(handle_.get()); }

void statement::run() {
  rows all{*this};
  while (all.next()) {
  }
}

std::int64_t statement::number(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string_view statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return bytes == nullptr ? std::string_view{} : std::string_view{bytes, size};
}

bool statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

void database::closer::operator()(sqlite3* db) const noexcept { sqlite3_close_v2(db); }

database::database(const std::filesystem::path& file, mode how,
                   std::chrono::milliseconds patience) {
  const int flags = SQLITE_OPEN_NOMUTEX |
                    (how == mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (how == mode::create ? SQLITE_OPEN_CREATE : 0);
  sqlite3* opened = nullptr;
  const auto code =
      guarded("open", [&] { return sqlite3_open_v2(file.c_str(), &opened, flags, nullptr); });
  handle_.reset(opened);
  if (code != SQLITE_OK) fail(opened, code);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
}

statement database::prepare(std::string_view text) {
  sqlite3_stmt* prepared = nullptr;
  const auto code = guarded("prepare", [&] {
    return sqlite3_prepare_v3(handle_.get(), text.data(), static_cast<int>(text.size()),
                              SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  });
  statement s;
  s.handle_.reset(prepared);
  if (code != SQLITE_OK) fail(handle_.get(), code);
  return s;
}

void database::run(const char* text) {
  const auto code =
      guarded("exec", [&] { return sqlite3_exec(handle_.get(), text, nullptr, nullptr, nullptr); });
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

std::int64_t database::number(const char* text) {
  auto s = prepare(text);
  return s.step() ? s.number(0) : 0;
}

std::string database::text(const char* text) {
  auto s = prepare(text);
  return s.step() ? std::string{s.blob(0)} : std::string{};
}

bool database::read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }

bool database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

void database::roll_back() noexcept {
  if (handle_ && in_transaction())
    sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void database::watch_log(int& pages) { sqlite3_wal_hook(handle_.get(), note_pages, &pages); }

database::moved database::checkpoint() {
  moved m;
  const auto code = guarded("checkpoint", [&] {
    return sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &m.pages,
                                     &m.done);
  });
  if (code != SQLITE_OK) fail(handle_.get(), code);
  return m;
}

void database::sync() {
  const auto code = guarded("sync", [&] {
    sqlite3_file* file = nullptr;
    const auto found =
        sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (found != SQLITE_OK) return found;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
  });
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

void database::copy_to(database& other, int pages_at_once,
                       const std::function<void(double)>& progress) {
  int code = fault_at("backup") & ~made;
  if (code != SQLITE_OK) fail(nullptr, code);
  auto* const copy = sqlite3_backup_init(other.handle_.get(), "main", handle_.get(), "main");
  if (copy == nullptr) fail(other.handle_.get(), sqlite3_extended_errcode(other.handle_.get()));
  const std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)> guard{copy,
                                                                        sqlite3_backup_finish};
  do {
    code = guarded("backup", [&] { return sqlite3_backup_step(copy, pages_at_once); });
    if (code != SQLITE_OK && code != SQLITE_DONE) fail(other.handle_.get(), code);
    const auto all = sqlite3_backup_pagecount(copy);
    if (progress && all > 0)
      progress(1.0 - static_cast<double>(sqlite3_backup_remaining(copy)) / all);
  } while (code != SQLITE_DONE);
}

}  // namespace gamehub::journal::sqlite
