#include "hub/server/process_supervisor.hpp"

#include "engines/process/direct_channel.hpp"
#include "engines/process/frames.hpp"
#include "engines/process/serve_engine.hpp"
#include "hub/base/log.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <iomanip>
#include <optional>
#include <pthread.h>
#include <sstream>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <variant>

namespace gamehub::server {

namespace asio = boost::asio;
using engines::host::engine_failure;
using std::chrono::steady_clock;

namespace {

std::string failure_text(engines::process::passed how, std::chrono::milliseconds call) {
  switch (how) {
    case engines::process::passed::whole: return "answered";
    case engines::process::passed::ended: return "closed its channel";
    case engines::process::passed::out_of_time:
      return "did not answer a call within " + std::to_string(call.count()) + " ms";
    case engines::process::passed::nonsense: return "sent an invalid reply";
  }
  return "failed";
}

std::string version_of(const engines::process::description& d) {
  return std::to_string(d.version_major) + '.' + std::to_string(d.version_minor) + '.' +
         std::to_string(d.version_patch);
}

// True if the process has nearly all the memory that it may have: what it wants more is refused,
// and an engine that tries again and again does not answer.
bool is_out_of_memory(pid_t process, const base::child_limits& limits) {
  std::ifstream in{"/proc/" + std::to_string(process) + "/statm"};
  std::uint64_t all = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(in >> all >> resident >> shared >> text >> library >> data)) return false;
  const auto pages = limits.exec ? data : all;
  return limits.memory_bytes != 0 &&
         pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >= limits.memory_bytes / 10 * 9;
}

// The processor time that a process has used; nothing: unknown.
std::optional<std::chrono::nanoseconds> cpu_of(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return std::nullopt;
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

std::string seconds_of(std::chrono::nanoseconds time) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1) << std::chrono::duration<double>(time).count() << " s";
  return out.str();
}

}  // namespace

struct process_supervisor::process {
  process(asio::io_context& io, const supervisor_settings& s)
      : child(s.program, {engines::process::serve_engine_verb, s.engine}, s.limits),
        output(io, fcntl(child.output(), F_DUPFD_CLOEXEC, 0)),
        gone(io, static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0))) {}

  // Kills the process and cancels all waits for it.
  void end() {
    child.kill();
    output.close();
    gone.close();
  }

  base::child_process child;              // guarded by the supervisor's mutex
  asio::posix::stream_descriptor output;  // from here on: used by the supervisor's thread alone
  asio::posix::stream_descriptor gone;
  std::array<char, 4096> bytes{};
  output_lines lines;
  engines::process::output_tail tail;
  instant began = steady_clock::now();
};

process_supervisor::process_supervisor(supervisor_settings s)
    : settings_(std::move(s)),
      name_(settings_.engine),
      keep_(asio::make_work_guard(io_)),
      timer_(io_),
      cpu_timer_(io_) {
  thread_ = std::thread{[this] { io_.run(); }};
  pthread_setname_np(thread_.native_handle(), "isolation");
  try {
    start_first();
  } catch (const std::exception& e) {
    end_thread();
    throw engine_failure{e.what()};
  }
}

process_supervisor::~process_supervisor() { end_thread(); }

// The supervisor's thread starts the process, because the kernel ends a child together with the
// thread that started it (PR_SET_PDEATHSIG).
void process_supervisor::start_first() {
  std::promise<void> started;
  asio::post(io_, [&] {
    const std::lock_guard lock{mutex_};
    try {
      start();
      started.set_value();
    } catch (...) {
      started.set_exception(std::current_exception());
    }
  });
  started.get_future().get();
}

void process_supervisor::end_thread() {
  asio::post(io_, [this] { close(); });
  thread_.join();
}

// Cancels all waits, so that the thread ends.
void process_supervisor::close() {
  closed_ = true;
  timer_.cancel();
  cpu_timer_.cancel();
  keep_.reset();
  const std::lock_guard lock{mutex_};
  life_ = 0;
  if (const auto p = std::exchange(process_, nullptr)) p->end();
  give_place_back();
}

void process_supervisor::give_place_back() {
  if (std::exchange(has_place_, false) && settings_.places != nullptr)
    settings_.places->give_back();
}

void process_supervisor::start() {
  if (!has_place_ && settings_.places != nullptr && !settings_.places->take())
    throw engine_failure{"more than " + std::to_string(limits::all_engine_processes_max) +
                         " processes of engines would run"};
  has_place_ = true;
  auto p = std::make_shared<process>(io_, settings_);
  std::string hello;
  const auto got = engines::process::receive(p->child.channel(), hello,
                                             steady_clock::now() + limits::isolate_start);
  const auto said = engines::process::description_from(p->child, got, hello, limits::isolate_start);
  if (const auto* why = std::get_if<std::string>(&said)) throw engine_failure{*why};
  auto received = std::optional{std::get<engines::process::description>(said)};
  if (lives_ > 0 && *received != described_)
    throw engine_failure{"the restarted process has another description than the first one"};
  if (lives_ == 0) {
    name_ = received->id;
    described_ = *std::move(received);
  }
  process_ = p;
  process_id_ = p->child.id();
  stopped_ = false;
  life_ = ++lives_;
  called_ = called_before_ = beside_ = {};
  cpu_before_ = cpu_of(process_id_).value_or(std::chrono::nanoseconds{0});
  asio::post(io_, [this, p] {
    read_output(p);
    watch_end(p);
    watch_cpu();
  });
}

void process_supervisor::at_end(std::function<void()> what) {
  const std::lock_guard lock{mutex_};
  at_end_ = std::move(what);
}

bool process_supervisor::start_process() {
  const std::lock_guard lock{mutex_};
  return life() != 0 || try_start();
}

// A process that was stopped has not failed, so its next start is no restart.
bool process_supervisor::try_start() {
  const bool was_stopped = stopped_;
  try {
    start();
    if (!was_stopped) ++restarts_;
    return true;
  } catch (const std::exception& e) {
    base::log::warning("an isolated engine does not start", {{"engine", name_}, {"why", e.what()}});
    if (was_stopped) give_place_back();
    return false;
  }
}

void process_supervisor::stop_unused() {
  const std::lock_guard lock{mutex_};
  stopped_ = true;
  life_ = 0;
  give_place_back();
  asio::post(io_, [this, p = std::exchange(process_, nullptr)] {
    timer_.cancel();
    if (p == nullptr) return;
    drain_output(*p);
    p->end();
  });
  base::log::info("an unused version of an engine was stopped",
                  {{"engine", name_}, {"version", version_of(described_)}});
}

void process_supervisor::wake(std::function<void()> then) {
  if (!is_stopped()) return then();
  asio::post(io_, [this, then = std::move(then)] {
    const std::lock_guard lock{mutex_};
    if (closed_ || !at_end_) return;
    if (is_stopped()) try_start();
    then();
  });
}

std::string process_supervisor::ask(std::uint64_t life, std::string_view request,
                                    std::chrono::nanoseconds more) {
  const auto gone = [&] { return life == 0 || life != this->life(); };
  // A caller does not wait for a restart.
  if (gone()) throw engine_failure{"the engine's process is gone"};
  const std::lock_guard lock{mutex_};
  if (gone()) throw engine_failure{"the engine's process is gone"};
  const auto begin = steady_clock::now();
  const auto until = begin + settings_.call + more;
  std::string reply;
  auto got = engines::process::send(process_->child.channel(), request, until);
  if (got == engines::process::passed::whole)
    got = engines::process::receive(process_->child.channel(), reply, until);
  const auto cores = more.count() > 0 ? cores_ : limits::engine_cores_of_a_call;
  called_ += cores * (steady_clock::now() - begin);
  if (got == engines::process::passed::whole) return reply;
  auto why = failure_text(got, settings_.call);
  if (got == engines::process::passed::out_of_time &&
      is_out_of_memory(process_->child.id(), settings_.limits))
    why += ", and has used its memory of " +
           std::to_string(settings_.limits.memory_bytes / 1024 / 1024) + " MiB";
  end_now(why, engines::process::call_of(request));
  throw engine_failure{"the engine's process " + why};
}

void process_supervisor::end(std::uint64_t life, const std::string& why) {
  const std::lock_guard lock{mutex_};
  if (life != 0 && life == this->life()) end_now(why);
}

void process_supervisor::end_now(const std::string& why, const std::string& call) {
  life_ = 0;
  const auto p = std::exchange(process_, nullptr);
  const auto end = p->child.kill();
  // If the process ended by itself, its exit status describes the fault best.
  const bool by_us = end.how == base::child_end::way::signalled && end.code == SIGKILL;
  const auto how = by_us ? why : base::in_words(end);
  const auto lived = steady_clock::now() - p->began;
  asio::post(io_, [this, p, how, call, lived] {
    drain_output(*p);
    base::log::warning("the process of an isolated engine ended, and its games with it",
                       {{"engine", name_},
                        {"version", version_of(described_)},
                        {"how", how},
                        {"call", call},
                        {"last_output", p->tail.text()},
                        {"lived_seconds", std::chrono::duration<double>(lived).count()}});
    {
      // Under the mutex, so that no call follows after at_end() was called with an empty function.
      const std::lock_guard guard{mutex_};
      if (at_end_) at_end_();
    }
    pause_then_start(lived);
  });
}

void process_supervisor::pause_then_start(instant::duration lived) {
  if (closed_) return;
  timer_.expires_after(pause_.after(lived));
  timer_.async_wait([this](auto failed) {
    if (!failed) restart();
  });
}

void process_supervisor::restart() {
  const std::lock_guard lock{mutex_};
  if (closed_ || stopped_ || life() != 0) return;
  if (!try_start()) return pause_then_start({});
  base::log::info("an isolated engine was restarted", {{"engine", name_}});
}

void process_supervisor::read_output(const std::shared_ptr<process>& p) {
  p->output.async_read_some(asio::buffer(p->bytes), [this, p](auto failed, std::size_t size) {
    if (failed) return log_output(p->lines.finish(steady_clock::now()));
    take_output(*p, {p->bytes.data(), size});
    read_output(p);
  });
}

void process_supervisor::take_output(process& p, std::string_view bytes) {
  p.tail.add(bytes);
  log_output(p.lines.take(bytes, steady_clock::now()));
}

// Reads what a process wrote before its end. A pipe has a bound.
void process_supervisor::drain_output(process& p) {
  constexpr int reads_max = 64;
  std::array<char, 4096> bytes;
  for (int i = 0; i < reads_max && p.output.is_open(); ++i) {
    const auto size = read(p.output.native_handle(), bytes.data(), bytes.size());
    if (size <= 0) return;
    take_output(p, {bytes.data(), static_cast<std::size_t>(size)});
  }
}

void process_supervisor::watch_end(const std::shared_ptr<process>& p) {
  p->gone.async_wait(asio::posix::stream_descriptor::wait_read, [this, p](auto failed) {
    const std::lock_guard lock{mutex_};
    if (!failed && process_ == p) end_now("was killed");
  });
}

// One timer for all lives.
void process_supervisor::watch_cpu() {
  constexpr int checks_a_window = 10;
  if (closed_) return;
  const std::chrono::nanoseconds pause = settings_.cpu_window / checks_a_window;
  cpu_timer_.expires_after(pause);
  cpu_timer_.async_wait([this, pause](auto failed) {
    if (failed) return;
    {
      const std::lock_guard lock{mutex_};
      if (process_ == nullptr) return;
      const auto cpu = cpu_of(process_->child.id()).value_or(cpu_before_);
      const auto used = cpu - std::exchange(cpu_before_, cpu);
      const auto by_calls = called_ - std::exchange(called_before_, called_);
      constexpr auto part = limits::engine_cpu_beside_calls_divisor;
      beside_ = std::max(beside_ + used - by_calls - pause / part, std::chrono::nanoseconds{0});
      if (beside_ > settings_.cpu_window / part)
        return end_now("used the processor for " + seconds_of(beside_) + " beside its calls");
    }
    watch_cpu();
  });
}

void process_supervisor::log_output(const output_lines::batch& what) const {
  for (const auto& line : what.lines)
    base::log::info("output of an isolated engine", {{"engine", name_}, {"line", line}});
  if (what.left_out > 0)
    base::log::info("output lines of an isolated engine were left out",
                    {{"engine", name_}, {"lines", what.left_out}});
}

}  // namespace gamehub::server
