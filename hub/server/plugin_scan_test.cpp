#include "hub/server/plugin_scan.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"

#include <atomic>
#include <semaphore>

namespace gamehub::server {
namespace {

TEST_CASE(
    "rescan: looks elsewhere and answers at home, and once more for all who asked meanwhile") {
  const tests::plugin_folder files;
  std::binary_semaphore go{0};
  std::atomic<int> trials{0};
  plugins::folder f{files.path(), [&](const std::filesystem::path&) {
                      ++trials;
                      go.acquire();
                      return std::optional<std::string>{"no"};
                    }};
  files.put("good/last_cell_1.0.so", "a.so");
  boost::asio::io_context home;
  const auto open = boost::asio::make_work_guard(home);
  int done = 0;
  plugin_scan r{f, home, [&](plugin_scan::result found) {
                  CHECK(found.fresh.size() == 1);
                  CHECK_FALSE(found.failure);
                  go.release();
                  if (++done == 2) home.stop();
                }};
  for (int i = 0; i < 5; ++i) r.begin();
  go.release();
  home.run();
  CHECK(done == 2);
  CHECK(trials == 2);
}

TEST_CASE("plugin_scan: reports why a folder can't be read") {
  const tests::plugin_folder files;
  plugins::folder f{files / "nowhere", [](const auto&) { return std::optional<std::string>{}; }};
  boost::asio::io_context home;
  const auto open = boost::asio::make_work_guard(home);
  std::optional<std::string> failure;
  plugin_scan r{f, home, [&](plugin_scan::result found) {
                  failure = found.failure;
                  home.stop();
                }};
  r.begin();
  home.run();
  CHECK(failure == "No such file or directory");
}

}  // namespace
}  // namespace gamehub::server
