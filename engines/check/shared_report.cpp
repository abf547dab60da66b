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

shared_report::shared_report(int file, bool make) : file_(file) {
  if (file_ < 0) fail("kit page");
  if (make && ftruncate(file_, sizeof(layout)) != 0) fail("ftruncate");
  void* at = mmap(nullptr, sizeof(layout), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) fail("mmap");
  shared_ = static_cast<layout*>(at);
}

shared_report::shared_report(std::string_view request)
    : shared_report(memfd_create("kit", MFD_CLOEXEC), true) {
  shared_->request.put(request);
}

shared_report shared_report::open(const std::string& path) {
  return shared_report{::open(path.c_str(), O_RDWR | O_CLOEXEC), false};
}

shared_report::shared_report(shared_report&& other) noexcept
    : file_(std::exchange(other.file_, -1)), shared_(std::exchange(other.shared_, nullptr)) {}

shared_report::~shared_report() {
  if (shared_ != nullptr) munmap(shared_, sizeof(layout));
  if (file_ >= 0) close(file_);
}

std::string shared_report::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
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
