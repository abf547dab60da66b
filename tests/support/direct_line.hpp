// A line to an isolated engine without a process: the servant is asked at once, on the caller's
// thread, and the test decides when its life ends. For tests of what stands on both sides of it.
#pragma once

#include "engines/process/engine_worker.hpp"
#include "engines/process/process_engine.hpp"
#include "engines/process/wire_format.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::tests {

class direct_line final : public engines::process::channel {
 public:
  explicit direct_line(engines::host::engine rules) : rules_(rules) { start(); }

  void start() {
    servant_ = std::make_unique<engines::process::engine_worker>(rules_);
    life_ = ++lives_;
  }
  void stop() { life_ = 0; }

  std::uint64_t life() const override { return life_; }
  bool start_process() override {
    if (life_ == 0 && !refuses_to_start) start();
    return life_ != 0;
  }
  std::string ask(std::uint64_t life, std::string_view request,
                  std::chrono::nanoseconds more) override {
    if (life == 0 || life != life_) throw engines::host::engine_failure{"the engine is gone"};
    ++asked;
    if (before) before(*engines::process::decode_request(request));
    if (life != life_) throw engines::host::engine_failure{"the engine has just gone"};
    longest = std::max(longest, more);
    auto bytes = servant_->serve(request).value();
    if (spoil) {
      auto said = engines::process::decode_reply(bytes).value();
      spoil(said);
      bytes = engines::process::encode(said);
    }
    return garbage ? "nonsense" : bytes;
  }
  void end(std::uint64_t life, const std::string& why) override {
    if (life == life_) life_ = 0;
    ended = why;
  }

  int asked = 0;
  std::chrono::nanoseconds longest{};
  // Hears of each request; may end the life in which it came.
  std::function<void(const engines::process::request&)> before;
  std::function<void(engines::process::reply&)> spoil;
  bool garbage = false;
  bool refuses_to_start = false;
  std::string ended;

 private:
  engines::host::engine rules_;
  std::unique_ptr<engines::process::engine_worker> servant_;
  std::uint64_t life_ = 0;
  std::uint64_t lives_ = 0;
};

// An engine at the other end of such lines, one for each of its processes, whose numbers follow
// each other. Lines live as long as the program, as engines do.
struct distant_engine {
  explicit distant_engine(engines::host::engine near, std::size_t number = 0,
                          std::size_t processes = 1,
                          std::uint16_t protocol_minor = engines::process::protocol_minor)
      : at_home(near),
        all(lines_to(at_home, processes)),
        by(*all.front()),
        rules(made(at_home, all, number, protocol_minor)) {}

  engines::host::engine at_home;
  std::vector<direct_line*> all;
  direct_line& by;  // the first of them
  engines::host::engine rules;

 private:
  static std::vector<direct_line*> lines_to(engines::host::engine near, std::size_t count) {
    std::vector<direct_line*> out;
    while (out.size() < count) out.push_back(new direct_line{near});
    return out;
  }
  static engines::host::engine made(engines::host::engine near,
                                    const std::vector<direct_line*>& lines, std::size_t number,
                                    std::uint16_t protocol_minor) {
    std::vector<engines::process::engine_process> processes;
    for (auto* each : lines) processes.push_back({each, number++});
    auto described = engines::process::describe(near);
    described.protocol_minor = protocol_minor;
    return std::get<engines::host::engine>(
        engines::process::make_process_engine(described, processes));
  }
};

}  // namespace gamehub::tests
