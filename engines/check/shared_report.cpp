#include "engines/check/shared_report.hpp"

#include "engines/check/limits.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::engines::check {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

// A text of bounded size. A broken engine may have overwritten the size.
template <std::size_t Max>
struct shared_text {
  std::atomic<std::size_t> size;
  std::array<char, Max> bytes;

  void put(std::string_view text) {
    size = 0;
    add(text.substr(0, Max));
  }
  void add(std::string_view text) {
    const auto at = size.load();
    if (at > Max || text.size() > Max - at) return;
    std::memcpy(bytes.data() + at, text.data(), text.size());
    size = at + text.size();
  }
  std::string text() const { return {bytes.data(), std::min(size.load(), Max)}; }
};

// An engine in the child may neither shrink it, which would crash this process, nor store more in
// it than its bound of memory.
int make_file(std::size_t size) {
  const int file = memfd_create("engine check", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) fail("memfd_create");
  if (ftruncate(file, static_cast<off_t>(size)) != 0) fail("ftruncate");
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) fail("fcntl");
  return file;
}

}  // namespace

// A new file contains zeros.
struct shared_report::layout {
  engines::contract::current_call note;
  std::atomic<bool> aborted;
  shared_text<request_bytes_max> request;
  shared_text<place_bytes_max> place;
  shared_text<report_bytes_max> report;
};
static_assert(std::atomic<std::size_t>::is_always_lock_free);

shared_report::shared_report(int file) : file_(file) {
  void* at = mmap(nullptr, sizeof(layout), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) fail("mmap");
  shared_ = static_cast<layout*>(at);
}

shared_report::shared_report(std::string_view request) : shared_report(make_file(sizeof(layout))) {
  shared_->request.put(request);
}

shared_report shared_report::open(int file) {
  shared_report out{file};
  ::close(std::exchange(out.file_, -1));
  return out;
}

shared_report::shared_report(shared_report&& other) noexcept
    : file_(std::exchange(other.file_, -1)), shared_(std::exchange(other.shared_, nullptr)) {}

shared_report::~shared_report() {
  if (shared_ != nullptr) munmap(shared_, sizeof(layout));
  if (file_ >= 0) close(file_);
}

std::string shared_report::request() const { return shared_->request.text(); }
engines::contract::current_call& shared_report::note() const { return shared_->note; }
void shared_report::abort() const { shared_->aborted = true; }
bool shared_report::aborted() const { return shared_->aborted; }
void shared_report::set_place(std::string_view text) { shared_->place.put(text); }
std::string shared_report::place() const { return shared_->place.text(); }
void shared_report::append(std::string_view text) { shared_->report.add(text); }
std::string shared_report::report() const { return shared_->report.text(); }

}  // namespace gamehub::engines::check
