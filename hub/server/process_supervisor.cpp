#include "hub/app/isolation/keeper.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <exception>
#include <future>
#include <system_error>
#include <utility>

#include "hub/app/isolation/frames.hpp"
#include "hub/app/isolation/serve_engine.hpp"
#include "hub/app/log.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app::isolation {

namespace asio = boost::asio;
using engines::engine_failure;
using std::chrono::steady_clock;

namespace {

std::string in_words(passed how, std::chrono::milliseconds call) {
  switch (how) {
    case passed::whole: return "answered";
    case passed::ended: return "closed its channel";
    case passed::out_of_time:
      return "did not answer a call within " + std::to_string(call.count()) + " ms";
    case passed::nonsense: return "says what means nothing";
  }
  return "failed";
}

// What it left to say, as far as it is there.
std::string last_words(int output) {
  std::array<char, 512> bytes;
  const auto size = read(output, bytes.data(), bytes.size());
  std::string text(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return text.substr(0, text.find('\n'));
}

}  // namespace

struct process_supervisor::process {
  process(asio::io_context& io, const supervisor_settings& s)
      : child(s.program, {serve_engine_verb, s.engine}, s.limits),
        output(io, fcntl(child.output(), F_DUPFD_CLOEXEC, 0)),
        gone(io, static_cast<int>(syscall(SYS_pidfd_open, child.id(), 0))) {}

  // It goes, and so does what waits for it.
  void let_go() {
    child.kill();
    output.close();
    gone.close();
  }

  child_process child;                    // with the keeper's mutex
  asio::posix::stream_descriptor output;  // this and the rest: the keeper's thread
  asio::posix::stream_descriptor gone;
  std::array<char, 4096> bytes{};
  said_lines said;
  instant began = steady_clock::now();
};

process_supervisor::process_supervisor(supervisor_settings s)
    : settings_(std::move(s)),
      name_(settings_.engine),
      keep_(asio::make_work_guard(io_)),
      timer_(io_) {
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

// On the keeper's thread, for a process goes with the thread that started it.
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

// Leaves nothing that is awaited, so that the thread ends.
void process_supervisor::close() {
  closed_ = true;
  timer_.cancel();
  keep_.reset();
  const std::lock_guard lock{mutex_};
  life_ = 0;
  if (const auto p = std::exchange(process_, nullptr)) p->let_go();
}

void process_supervisor::start() {
  auto p = std::make_shared<process>(io_, settings_);
  std::string hello;
  const auto got = receive(p->child.channel(), hello, steady_clock::now() + limits::isolate_start);
  std::optional<engines::remote::description> told;
  if (got == passed::whole) told = engines::remote::decode_description(hello);
  if (!told) {
    const auto end = p->child.kill();
    const auto words = last_words(p->child.output());
    const auto how =
        got == passed::out_of_time
            ? "it did not start within " + std::to_string(limits::isolate_start.count()) + " s"
            : "its process " + app::in_words(end);
    throw engine_failure{how + (words.empty() ? "" : ": " + words)};
  }
  if (lives_ > 0 && *told != described_)
    throw engine_failure{"it is not the engine any more that it was"};
  if (lives_ == 0) {
    name_ = told->id;
    described_ = *std::move(told);
  }
  process_ = p;
  process_id_ = p->child.id();
  life_ = ++lives_;
  asio::post(io_, [this, p] {
    read_output(p);
    watch_end(p);
  });
}

void process_supervisor::at_end(std::function<void()> what) {
  const std::lock_guard lock{mutex_};
  at_end_ = std::move(what);
}

bool process_supervisor::bring_up() {
  const std::lock_guard lock{mutex_};
  if (life() != 0) return true;
  try {
    start();
    ++restarts_;
    return true;
  } catch (const std::exception& e) {
    log::warning("an isolated engine does not start", {{"engine", name_}, {"why", e.what()}});
    return false;
  }
}

std::string process_supervisor::ask(std::uint64_t life, std::string_view request,
                        std::chrono::nanoseconds more) {
  const auto gone = [&] { return life == 0 || life != this->life(); };
  // Who comes while it is started anew does not wait for that.
  if (gone()) throw engine_failure{"the engine's process is gone"};
  const std::lock_guard lock{mutex_};
  if (gone()) throw engine_failure{"the engine's process is gone"};
  const auto until = steady_clock::now() + settings_.call + more;
  std::string reply;
  auto got = send(process_->child.channel(), request, until);
  if (got == passed::whole) got = receive(process_->child.channel(), reply, until);
  if (got == passed::whole) return reply;
  const auto why = in_words(got, settings_.call);
  end_now(why);
  throw engine_failure{"the engine's process " + why};
}

void process_supervisor::end(std::uint64_t life, const std::string& why) {
  const std::lock_guard lock{mutex_};
  if (life != 0 && life == this->life()) end_now(why);
}

void process_supervisor::end_now(const std::string& why) {
  life_ = 0;
  const auto p = std::exchange(process_, nullptr);
  const auto end = p->child.kill();
  // Who went by itself is known better by how it went.
  const bool by_us = end.how == child_end::way::signalled && end.code == SIGKILL;
  const auto how = by_us ? why : app::in_words(end);
  const auto lived = steady_clock::now() - p->began;
  asio::post(io_, [this, how, lived] {
    log::warning("an isolated engine is gone, and its games with it",
                 {{"engine", name_},
                  {"how", how},
                  {"lived_seconds", std::chrono::duration<double>(lived).count()}});
    {
      // Not without the mutex, so that whoever takes at_end() back is not called any more.
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
  if (closed_ || life() != 0) return;
  try {
    start();
    ++restarts_;
    log::info("an isolated engine was started anew", {{"engine", name_}});
  } catch (const std::exception& e) {
    log::warning("an isolated engine does not start", {{"engine", name_}, {"why", e.what()}});
    pause_then_start({});
  }
}

void process_supervisor::read_output(const std::shared_ptr<process>& p) {
  p->output.async_read_some(asio::buffer(p->bytes), [this, p](auto failed, std::size_t size) {
    if (failed) return tell(p->said.finish(steady_clock::now()));
    tell(p->said.take({p->bytes.data(), size}, steady_clock::now()));
    read_output(p);
  });
}

void process_supervisor::watch_end(const std::shared_ptr<process>& p) {
  p->gone.async_wait(asio::posix::stream_descriptor::wait_read, [this, p](auto failed) {
    const std::lock_guard lock{mutex_};
    if (!failed && process_ == p) end_now("was killed");
  });
}

void process_supervisor::tell(const said_lines::batch& what) const {
  for (const auto& said : what.lines)
    log::info("an isolated engine says", {{"engine", name_}, {"line", said}});
  if (what.left_out > 0)
    log::info("an isolated engine says more than is logged",
              {{"engine", name_}, {"lines", what.left_out}});
}

}  // namespace gamehub::app::isolation
