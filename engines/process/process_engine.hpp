// An engine that runs in another process, to the rest of the hub an engine like any other: its
// table's functions send requests over a line and believe what comes back only if it can be true.
// What was told of a state is kept until the state changes, so that a move costs two round trips.
// Made at any time by one thread, then used as any engine; never destroyed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engines/engine.hpp"
#include "engines/remote/words.hpp"

namespace gamehub::engines::remote {

// The way to the process, which may end and be started anew: then all matches of its former life
// are gone. Any thread may call; outlives the program's engines.
class line {
 public:
  virtual ~line() = default;

  // The number of the present life; 0 between two of them.
  virtual std::uint64_t life() const = 0;
  // See engines::host.
  virtual bool bring_up() = 0;

  // The reply to a request in that life. Waits as long as a call may last, and `more` for what it
  // was asked to think. Throws engine_failure if the life is over by then, or ends for that.
  virtual std::string ask(std::uint64_t life, std::string_view request,
                          std::chrono::nanoseconds more) = 0;
  // What it said can't be: that life ends.
  virtual void end(std::uint64_t life, const std::string& why) = 0;
};

// How many engines of a program may be remote, each version counting as one.
inline constexpr std::size_t process_engines_max = 32;

// The engine of that description at the other end of the line, or a sentence that says what is
// wrong. `number`: of its host.
std::variant<engine, std::string> make_process_engine(const description&, line&, std::size_t number);

}  // namespace gamehub::engines::remote
