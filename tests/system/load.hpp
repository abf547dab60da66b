// Many clients at once, driven by epoll on the calling thread: they move anywhere, ask for the next
// game when one is over, and complain of everything that is not as it should be.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {

struct load_report {
  long moves = 0;
  long games_ended = 0;  // as the clients saw it: twice a game
  long errors = 0;
  std::string first_error;
};

class load {
 public:
  // Connects so many clients to each port, in turn, and lets them ask for their first games. They
  // do not play yet.
  load(std::uint16_t turns, std::uint16_t opcodes, int clients_each, std::uint32_t seed);
  ~load();
  load(const load&) = delete;
  load& operator=(const load&) = delete;

  load_report play(std::chrono::milliseconds time);

 private:
  class client;
  class turns_bot;
  class opcodes_bot;

  int epoll_ = -1;
  std::uint32_t seed_;
  std::vector<std::unique_ptr<client>> clients_;
};

}  // namespace gamehub::tests::system
