// The number of standing seeks for each queue whose players may come to it after a game. A plain
// value; the matchmaker owns it.
#pragma once

#include "actors/lobby/open_seek.hpp"

#include <cstddef>
#include <map>

namespace gamehub::actors::lobby {

class standing_seek_counts {
 public:
  // False for a seek that only waits to be asked for by name, or plays the engine.
  static bool counts(const open_seek& what) {
    return what.again && !what.only_by_name && !what.against_engine;
  }

  void add(const open_seek&);
  void remove(const open_seek&);
  std::size_t count(const queue_key&) const;

 private:
  std::map<queue_key, std::size_t> by_queue_;
};

}  // namespace gamehub::actors::lobby
