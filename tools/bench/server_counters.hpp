// What the hub itself has counted, read from the admin server's /metrics: whether every game that
// began has ended or still runs. Used by the bench, on its thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::app::bench {

struct ledger {
  std::int64_t started = 0, finished = 0, running = 0;

  bool balanced() const { return started == finished + running; }
};

// Over all engines, from the text that Prometheus reads. Nothing if it has none of the names.
std::optional<ledger> read_counters(std::string_view metrics);

// Fetches it. Throws operator_mistake if nobody answers there.
ledger fetch_counters(const std::string& host, std::uint16_t admin_port);

// Fetches it until it is balanced and no game runs, or for so long: games end a moment after their
// players have gone.
ledger fetch_settled_counters(const std::string& host, std::uint16_t admin_port,
                            std::chrono::milliseconds time);

}  // namespace gamehub::app::bench
