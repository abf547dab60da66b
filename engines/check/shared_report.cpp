#include "hub/app/kit/page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "hub/app/kit/limits.hpp"

namespace gamehub::app::kit {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

// A text of bounded size. The size comes last, and may have been written over by a broken engine.
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

// Everything is zero in a new file.
struct page::layout {
  engines::contract::current_call note;
  std::atomic<bool> aborted;
  shared_text<request_bytes_max> request;
  shared_text<place_bytes_max> place;
  shared_text<report_bytes_max> report;
};
static_assert(std::atomic<std::size_t>::is_always_lock_free);

page::page(int file, bool make) : file_(file) {
  if (file_ < 0) fail("kit page");
  if (make && ftruncate(file_, sizeof(layout)) != 0) fail("ftruncate");
  void* at = mmap(nullptr, sizeof(layout), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) fail("mmap");
  shared_ = static_cast<layout*>(at);
}

page::page(std::string_view request) : page(memfd_create("kit", MFD_CLOEXEC), true) {
  shared_->request.put(request);
}

page page::open(const std::string& path) {
  return page{::open(path.c_str(), O_RDWR | O_CLOEXEC), false};
}

page::page(page&& other) noexcept
    : file_(std::exchange(other.file_, -1)), shared_(std::exchange(other.shared_, nullptr)) {}

page::~page() {
  if (shared_ != nullptr) munmap(shared_, sizeof(layout));
  if (file_ >= 0) close(file_);
}

std::string page::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

std::string page::request() const { return shared_->request.text(); }
engines::contract::current_call& page::note() const { return shared_->note; }
void page::give_up() const { shared_->aborted = true; }
bool page::aborted() const { return shared_->aborted; }
void page::set_place(std::string_view text) { shared_->place.put(text); }
std::string page::place() const { return shared_->place.text(); }
void page::append(std::string_view text) { shared_->report.add(text); }
std::string page::report() const { return shared_->report.text(); }

}  // namespace gamehub::app::kit
