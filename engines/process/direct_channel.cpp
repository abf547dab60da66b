#include "engines/process/direct_channel.hpp"

#include "engines/host/loader.hpp"
#include "engines/process/engine_files.hpp"
#include "engines/process/process_engine.hpp"
#include "engines/process/program.hpp"
#include "engines/process/serve_engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gamehub::engines::process {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t tail_bytes_max = 1024;
constexpr std::size_t tail_lines_max = 8;

// Reads what is there now, but no more than a pipe holds. Returns false at the end of the output.
bool read_into(output_tail& tail, int output, bool forward) {
  std::array<char, 4096> bytes;
  for (int i = 0; i < 64; ++i) {
    const auto size = read(output, bytes.data(), bytes.size());
    if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EINTR);
    const std::string_view some{bytes.data(), static_cast<std::size_t>(size)};
    tail.add(some);
    if (forward) std::cerr << some << std::flush;
  }
  return true;
}

class direct_channel final : public channel {
 public:
  direct_channel(const std::string& what, const direct_settings& with, base::child_limits limits)
      : settings_(with), child_(base::this_program, {serve_engine_verb, what}, limits) {}

  std::variant<description, std::string> start() {
    std::string hello;
    const auto got = receive(child_.channel(), hello, steady_clock::now() + settings_.start);
    return description_from(child_, got, hello, settings_.start);
  }

  // Requires: start() returned a description, and this object is never destroyed.
  void begin() {
    life_ = 1;
    std::thread{[this] { read_output(); }}.detach();
  }

  std::uint64_t life() const override { return life_; }
  bool start_process() override { return life_ != 0; }

  std::string ask(std::uint64_t, std::string_view request, std::chrono::nanoseconds more) override {
    const std::lock_guard lock{mutex_};
    if (life_ == 0) throw host::engine_failure{"the engine's process is gone"};
    const auto until = steady_clock::now() + settings_.call + more;
    std::string reply;
    auto got = send(child_.channel(), request, until);
    if (got == passed::whole) got = receive(child_.channel(), reply, until);
    if (got == passed::whole) return reply;
    const auto why =
        got == passed::out_of_time
            ? "did not answer a call within " + std::to_string(settings_.call.count()) + " ms"
            : std::string{got == passed::nonsense ? "sent an invalid reply" : ""};
    fail(why);
  }

  void end(std::uint64_t, const std::string& why) override {
    const std::lock_guard lock{mutex_};
    if (life_ != 0) fail(why);
  }

 private:
  // Requires: the mutex is locked.
  [[noreturn]] void fail(std::string why) {
    life_ = 0;
    const auto ended = child_.kill();
    if (why.empty()) why = base::in_words(ended);
    {
      const std::lock_guard lock{output_mutex_};
      read_into(tail_, child_.output(), settings_.forward_output);
      if (const auto last = tail_.text(); !last.empty()) why += ": " + last;
    }
    if (settings_.on_failure) settings_.on_failure(why);
    throw host::engine_failure{"the engine's process " + why};
  }

  // Reads until the process ends, so that a full pipe never stops it.
  void read_output() {
    for (;;) {
      pollfd ready{child_.output(), POLLIN, 0};
      if (poll(&ready, 1, -1) < 0 && errno != EINTR) return;
      const std::lock_guard lock{output_mutex_};
      if (!read_into(tail_, child_.output(), settings_.forward_output)) return;
    }
  }

  const direct_settings settings_;
  base::child_process child_;
  std::mutex mutex_, output_mutex_;
  output_tail tail_;
  std::atomic<std::uint64_t> life_{0};
};

// What a client said, for the log.
std::string move_in_words(const query& move) {
  constexpr std::size_t bytes_max = 64;
  auto text = move.what == query::kind::at_cell ? "cell " + std::to_string(move.number)
                                                : move.text.substr(0, bytes_max);
  for (auto& c : text)
    if (c < ' ' || c > '~') c = '?';
  return "seat " + std::to_string(move.seat) + ", " + text;
}

std::string function_of(const request& r) {
  using kind = request::kind;
  switch (r.what) {
    case kind::create: return "create";
    case kind::load: return "load";
    case kind::clone: return "clone";
    case kind::apply:
      return "apply (seat " + std::to_string(r.seat) + ", action " + std::to_string(r.number) + ')';
    case kind::ask: return "a query";
    case kind::play: return "play (" + move_in_words(r.queries.at(0)) + ')';
  }
  return {};
}

}  // namespace

void output_tail::add(std::string_view bytes) {
  bytes_ += bytes;
  if (bytes_.size() > tail_bytes_max) bytes_.erase(0, bytes_.size() - tail_bytes_max);
}

std::string output_tail::text() const {
  auto from = bytes_.size();
  while (from > 0 && bytes_[from - 1] == '\n') --from;
  const auto end = from;
  for (std::size_t lines = 0; from > 0; --from)
    if (bytes_[from - 1] == '\n' && ++lines == tail_lines_max) break;
  std::string out;
  for (auto i = from; i < end; ++i) {
    const auto c = bytes_[i];
    if (c == '\n')
      out += " | ";
    else
      out += c < ' ' || c > '~' ? '?' : c;
  }
  return out;
}

std::string call_of(std::string_view request_bytes) {
  const auto asked = decode_request(request_bytes);
  if (!asked) return {};
  return function_of(*asked) + " of match " + std::to_string(asked->match);
}

std::variant<description, std::string> description_from(base::child_process& child, passed got,
                                                        std::string_view hello,
                                                        std::chrono::milliseconds time) {
  std::variant<description, std::string> out;
  if (got == passed::whole) out = decode_hello(hello);
  if (got == passed::nonsense) out = std::string{not_an_engine};
  if (got == passed::out_of_time)
    out = "it did not start within " +
          std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()) + " s";
  if (got != passed::ended && std::holds_alternative<description>(out)) return out;
  const auto end = child.kill();
  output_tail tail;
  read_into(tail, child.output(), false);
  const auto last = tail.text();
  if (got == passed::ended && end.how == base::child_end::way::exited &&
      end.code == exit_code_not_started && !last.empty())
    return last;
  const bool by_us = end.how == base::child_end::way::signalled && end.code == SIGKILL;
  if (got == passed::ended)
    out = by_us ? "it closed its standard output" : "its process " + base::in_words(end);
  auto& why = std::get<std::string>(out);
  if (!last.empty()) why += ": " + last;
  // As shells say it, among them the scripts of version managers.
  if (got == passed::ended && last.find("fork") != last.npos)
    why +=
        "; an engine can't start other processes: give the program itself, such as "
        "/usr/bin/python3";
  else if (got == passed::ended && last.find("ermission denied") != last.npos)
    why += "; the sandbox lets an engine read only its folders and the paths of --sandbox-read";
  return out;
}

std::variant<opened_program, std::string> start_program(const std::string& what,
                                                        const direct_settings& with) {
  auto limits = with.limits;
  limits.exec = is_program(what);
  limits.readable = readable_files(what);
  // Lives as long as the program, as its engine does. A started process is ended with this one.
  std::unique_ptr<direct_channel> made;
  try {
    made = std::make_unique<direct_channel>(what, with, limits);
  } catch (const std::system_error& e) {
    return what + ": it can't be started (" + e.what() + ")";
  }
  const auto said = made->start();
  if (const auto* why = std::get_if<std::string>(&said)) return what + ": " + *why;
  if (const auto why = id_fault(what, std::get<description>(said).id); !why.empty())
    return what + ": " + why;
  auto* const lasting = made.release();
  lasting->begin();
  const engine_process process{lasting, 0};
  const auto& described = std::get<description>(said);
  auto without_play = described;
  without_play.protocol_minor = 0;
  auto rules = make_process_engine(without_play, {&process, 1});
  if (auto* why = std::get_if<std::string>(&rules)) return std::move(*why);
  return opened_program{std::get<host::engine>(rules), described, lasting};
}

std::variant<host::engine, std::string> open_program(const std::string& what,
                                                     const direct_settings& with) {
  auto opened = start_program(what, with);
  if (auto* why = std::get_if<std::string>(&opened)) return std::move(*why);
  return std::get<opened_program>(opened).rules;
}

std::variant<host::engine, std::string> open(const std::filesystem::path& file) {
  if (!is_program(file.string())) return host::load(file);
  return open_program(text_of(file), {});
}

}  // namespace gamehub::engines::process
