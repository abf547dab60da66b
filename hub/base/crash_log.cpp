#include "hub/base/crash_log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <execinfo.h>
#include <sys/prctl.h>
#include <unistd.h>

// Of the program in memory, by the linker.
extern "C" const char __executable_start, _end;

namespace gamehub::base::crash_log {
namespace {

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t name_bytes_max = 80, line_bytes_max = 512, calls_max = 32;
// Room for the handler, and for what the kernel saves.
constexpr std::size_t stack_bytes = 64 * 1024;

thread_local activity now_active;

struct engine_name {
  std::array<char, name_bytes_max> text{};
  std::atomic<std::size_t> size{0};
};
std::array<engine_name, engines_max> names;
std::atomic<log::format> form{log::format::text};

// Appends to a fixed buffer; what does not fit is left out.
class fixed_text {
 public:
  explicit fixed_text(std::span<char> to) : to_(to) {}

  void add(std::string_view text) {
    const auto fits = text.substr(0, to_.size() - size_);
    std::copy(fits.begin(), fits.end(), to_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += fits.size();
  }
  void add(std::uint64_t number, std::size_t digits = 1) {
    std::array<char, 20> text{};
    auto at = text.size();
    do text[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0 || text.size() - at < digits);
    add({text.data() + at, text.size() - at});
  }
  void add_hex(std::uint64_t number) {
    std::array<char, 16> text{};
    auto at = text.size();
    do text[--at] = "0123456789abcdef"[number % 16];
    while ((number /= 16) != 0);
    add({text.data() + at, text.size() - at});
  }
  std::string_view text() const { return {to_.data(), size_}; }

 private:
  std::span<char> to_;
  std::size_t size_ = 0;
};

std::string_view name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    default: return "another signal";
  }
}

std::string_view engine_of(activity a) {
  if (a.engine == 0 || a.engine > names.size()) return {};
  const auto& found = names[a.engine - 1];
  return {found.text.data(), found.size.load()};
}

void add_time(std::int64_t milliseconds, fixed_text& to) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::milliseconds> now{chrono::milliseconds{milliseconds}};
  const auto day = chrono::floor<chrono::days>(now);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss time{now - day};
  to.add(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
  to.add("-"), to.add(static_cast<unsigned>(date.month()), 2);
  to.add("-"), to.add(static_cast<unsigned>(date.day()), 2);
  to.add("T"), to.add(static_cast<std::uint64_t>(time.hours().count()), 2);
  to.add(":"), to.add(static_cast<std::uint64_t>(time.minutes().count()), 2);
  to.add(":"), to.add(static_cast<std::uint64_t>(time.seconds().count()), 2);
  to.add("."), to.add(static_cast<std::uint64_t>(time.subseconds().count()), 3);
  to.add("Z");
}

// Begins a line: its time, its level and its message.
void begin_line(log::format as, std::int64_t milliseconds, std::string_view message,
                fixed_text& to) {
  const bool json = as == log::format::json;
  if (json) to.add("{\"time\":\"");
  add_time(milliseconds, to);
  to.add(json ? "\",\"level\":\"error\",\"message\":\"" : " error   ");
  to.add(message);
  if (json) to.add("\"");
}

// The room has a byte for the end of the line.
void write_line(std::span<char> room, std::size_t size) {
  room[size] = '\n';
  static_cast<void>(write(STDERR_FILENO, room.data(), size + 1) != 0);
}

// Finds the calls that are active, the latest first. Those in libraries are left out.
std::size_t find_calls(std::span<std::uint64_t, calls_max> to) {
  std::array<void*, calls_max> all{};
  const auto found = backtrace(all.data(), static_cast<int>(all.size()));
  std::size_t count = 0;
  for (const auto* each : std::span{all}.first(static_cast<std::size_t>(std::max(found, 0))))
    if (each >= &__executable_start && each < &_end)
      to[count++] =
          static_cast<std::uint64_t>(static_cast<const char*>(each) - &__executable_start);
  return count;
}

void on_signal(int signal) {
  static std::atomic_flag taken;
  // Another thread crashes, too: it waits for the end of the program.
  if (taken.test_and_set())
    for (;;) pause();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::array<char, 16> thread{};
  prctl(PR_GET_NAME, thread.data());
  const auto at = std::int64_t{now.tv_sec} * 1'000 + now.tv_nsec / 1'000'000;
  std::array<char, line_bytes_max> text{};
  const auto room = std::span{text}.first(text.size() - 1);
  write_line(text, line(form, signal, at, thread.data(), now_active, room).size());
  // A stack that is damaged ends the program here.
  std::array<std::uint64_t, calls_max> calls{};
  const auto count = find_calls(calls);
  write_line(text, calls_line(form, at, std::span{calls}.first(count), room).size());
  // The default action is set again (SA_RESETHAND).
  raise(signal);
}

}  // namespace

activity& of_this_thread() { return now_active; }

void name_engine(std::uint32_t number, std::string_view name) {
  if (number == 0 || number > names.size()) return;
  auto& to = names[number - 1];
  if (to.size.load() != 0) return;
  const auto fits = name.substr(0, to.text.size());
  // Only what needs no escape, also in JSON.
  std::transform(fits.begin(), fits.end(), to.text.begin(),
                 [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\' ? c : '?'; });
  to.size.store(fits.size());
}

void install(log::format as) {
  form = as;
  // The first call loads a library.
  void* none = nullptr;
  backtrace(&none, 1);
  for (const int each : signals) {
    struct sigaction before {};
    if (sigaction(each, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    sigaction(each, &action, nullptr);
  }
}

signal_stack::signal_stack() : bytes_(std::make_unique<std::byte[]>(stack_bytes)) {
  stack_t to{};
  to.ss_sp = bytes_.get();
  to.ss_size = stack_bytes;
  sigaltstack(&to, nullptr);
}

signal_stack::~signal_stack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

std::string_view line(log::format as, int signal, std::int64_t milliseconds,
                      std::string_view thread, activity what, std::span<char> to) {
  const bool json = as == log::format::json;
  const auto engine = engine_of(what);
  fixed_text out{to};
  const auto member = [&](std::string_view key, std::string_view value) {
    out.add(json ? ",\"" : " "), out.add(key);
    out.add(json ? "\":\"" : "=\""), out.add(value), out.add("\"");
  };
  begin_line(as, milliseconds, "the program crashed", out);
  member("signal", name_of(signal));
  if (!engine.empty()) member("engine", engine);
  if (!thread.empty()) member("thread", thread);
  if (what.game != 0) {
    out.add(json ? ",\"game\":" : " game=");
    out.add(what.game);
  }
  if (json) out.add("}");
  return out.text();
}

std::string_view calls_line(log::format as, std::int64_t milliseconds,
                            std::span<const std::uint64_t> calls, std::span<char> to) {
  const bool json = as == log::format::json;
  fixed_text out{to};
  begin_line(as, milliseconds, "the calls of the program that crashed", out);
  out.add(json ? ",\"calls\":\"" : " calls=\"");
  for (const auto& each : calls) {
    if (&each != calls.data()) out.add(" ");
    out.add_hex(each);
  }
  out.add(json ? "\"}" : "\"");
  return out.text();
}

}  // namespace gamehub::base::crash_log
