// The receiver of faults: of what an engine throws, of exceptions that leave an actor or a task of
// a thread, and of the end of an actor that the hub cannot do without. The composition implements
// it; actors and threads report to it. Any thread.
#pragma once

#include "hub/core/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub {

// A failure of an engine. It concerns one game at most.
struct engine_fault {
  std::string engine, version;
  game_id game;          // zero: no game
  std::string function;  // of abi.h; empty: no particular one
  std::string what;      // the text of the exception
  // The seat whose request, search or action it was (engines::chance: a draw), and the action that
  // was applied last, if there are such.
  std::optional<int> seat = {};
  std::optional<std::int64_t> action = {};

  friend bool operator==(const engine_fault&, const engine_fault&) = default;
};

class fault_listener {
 public:
  virtual ~fault_listener() = default;

  virtual void on_engine_fault(const engine_fault&) = 0;
  // An exception left the code of `where`: the name of an actor, or of a task.
  virtual void on_fault(std::string_view where, std::string_view what) = 0;
  // An actor has ended that must not end before the hub does.
  virtual void on_essential_actor_lost(std::string_view actor) = 0;
};

}  // namespace gamehub
