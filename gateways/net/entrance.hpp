// A socket of a wire on one loop, by which clients come in. Owned by hub/app; made on the program's
// thread before the loops run, then used on its loop's thread.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace gamehub::gateways::net {

// A port can't be listened on; what() is the system's word for why.
class listen_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class entrance {
 public:
  virtual ~entrance() = default;

  virtual void start() = 0;
  // Lets nobody in any more; `all_gone` is called, here or later, once it has no client left.
  virtual void stop(std::function<void()> all_gone) = 0;

  // Whom the operator keeps out has changed: who came in by here and is banned now has to go. What
  // is a connection of its loop hears of it there.
  virtual void close_banned() {}
  // The operator says something to all who can be told.
  virtual void announce(const std::string& /*message*/) {}
};

}  // namespace gamehub::gateways::net
