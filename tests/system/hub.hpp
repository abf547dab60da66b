// A running hub: the real program with free ports, and what its admin server says of it. When a
// test is through with it, it must have come to rest and end well: no game, player or connection
// left over, as many games finished as started, exit code 0. One thread.
#pragma once

#include "tests/system/http_get.hpp"
#include "tests/system/program.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::system {

// For what a hub says of its memory.
inline constexpr double megabyte = 1024 * 1024;

class hub {
 public:
  // More flags, which stand over the usual ones: free ports, two loops, no time to drain, the
  // journal in memory. `program` may be another copy of the program.
  explicit hub(std::vector<std::string> flags = {},
               std::map<std::string, std::string> variables = {},
               const std::string& program = hub_program());
  // Requires: the clients of the hub are gone, as they are if it was declared before them.
  ~hub() noexcept(false);
  hub(const hub&) = delete;
  hub& operator=(const hub&) = delete;

  // 0: not open.
  std::uint16_t turns() const { return port("turns"); }
  std::uint16_t opcodes() const { return port("opcodes"); }
  std::uint16_t udp() const { return port("udp"); }
  std::uint16_t http() const { return port("http"); }
  std::uint16_t admin() const { return port("admin"); }
  std::uint16_t link() const { return port("link"); }

  http_answer get(const std::string& target) { return http_.get(target); }
  http_answer post(const std::string& target) { return http_.post(target); }
  scrape metrics() { return scrape{get("/metrics").body}; }
  double count(std::string_view name, const std::vector<scrape::label>& labels = {}) {
    return metrics().sum(name, labels);
  }

  // Asks until it is so; throws std::runtime_error with `what` in its words if it never is.
  void await(const std::string& what, const std::function<bool()>& is_so);
  void await_count(std::string_view name, const std::vector<scrape::label>& labels, double wanted,
                   std::chrono::milliseconds time = patience);
  void await_waiting(std::string_view engine, int players);

  // Waits for the end of the program; what was said above of its end is then the test's own affair.
  int wait();

  system::program& process() { return process_; }

 private:
  std::uint16_t port(const std::string& wire) const;
  void check_end();

  system::program process_;
  std::string ready_;
  http_client http_;
  int exceptions_;
  bool ended_ = false;
};

}  // namespace gamehub::tests::system
