// An engine that runs in another process, with the interface of any engine: the functions of its
// table send requests over a channel and validate the replies. Answers about a state are cached
// until the state changes, and a move that is read brings the state after it, so a move costs one
// round trip. One thread creates it; then any thread may use it. It is never destroyed.
#pragma once

#include "engines/host/engine.hpp"
#include "engines/process/wire_format.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::engines::process {

// The channel to the process. The process may end and be restarted; then all matches of its
// previous life are lost. Any thread. It outlives the engines of the program.
class channel {
 public:
  virtual ~channel() = default;

  // Returns the number of the current life; 0 while the process is not running.
  virtual std::uint64_t life() const = 0;
  // Starts the process if necessary. See host::bring_up().
  virtual bool start_process() = 0;
  // See host::wake().
  virtual void wake(std::function<void()> then) { then(); }

  // Returns the reply to a request in that life. Waits for at most the time limit of a call plus
  // `more`, the search time. Throws engine_failure if the life has ended or ends because of the
  // timeout.
  virtual std::string ask(std::uint64_t life, std::string_view request,
                          std::chrono::nanoseconds more) = 0;
  // Ends that life because of an invalid reply.
  virtual void end(std::uint64_t life, const std::string& why) = 0;
};

// One process of an engine.
struct engine_process {
  channel* to = nullptr;
  std::size_t number = 0;  // host::number()
};

// Returns the engine with this description in the first of these processes, or the error text. Each
// process is one of its host::processes(). Requires: there is one.
std::variant<host::engine, std::string> make_process_engine(const description&,
                                                            std::span<const engine_process>);

}  // namespace gamehub::engines::process
