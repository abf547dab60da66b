// The hubs of a cluster, each a process, on one database. One thread.
#pragma once

#include "tests/journal/postgres_server.hpp"
#include "tests/system/hub.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests::system {

// Hubs on one database with links between all of them.
struct linked_hubs {
  explicit linked_hubs(std::size_t count, const std::vector<std::string>& more = {}) {
    std::vector<std::string> flags{"--cluster", server.target()};
    flags.insert(flags.end(), more.begin(), more.end());
    for (std::size_t i = 0; i < count; ++i) hubs.push_back(std::make_unique<hub>(flags));
    for (auto& each : hubs) await_links(*each, count - 1);
  }
  static void await_links(hub& at, std::size_t count) {
    at.await_count("gamehub_links_up", {}, static_cast<double>(count));
    // Each hub says when it is linked that it can be asked.
    at.await("is greeted by all hubs",
             [&] { return at.count("gamehub_relay_hubs") == static_cast<double>(count); });
  }
  hub& operator[](std::size_t i) { return *hubs.at(i); }

  postgres_server server;
  std::vector<std::unique_ptr<hub>> hubs;
};

}  // namespace gamehub::tests::system
