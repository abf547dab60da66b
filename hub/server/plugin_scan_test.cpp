#include "hub/app/plugins/rescan.hpp"

#include <atomic>
#include <semaphore>

#include "tests/support/catch.hpp"
#include "tests/support/plugin_folder.hpp"

namespace gamehub::app::plugins {
namespace {

TEST_CASE(
    "rescan: looks elsewhere and answers at home, and once more for all who asked meanwhile") {
  const tests::plugin_folder files;
  std::binary_semaphore go{0};
  std::atomic<int> trials{0};
  folder f{files.path(), [&](const std::filesystem::path&) {
             ++trials;
             go.acquire();
             return std::optional<std::string>{"no"};
           }};
  files.put("good/last_cell_1.0.so", "a.so");
  boost::asio::io_context home;
  const auto open = boost::asio::make_work_guard(home);
  int done = 0;
  rescan r{f, home, [&](rescan::result found) {
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

TEST_CASE("rescan: says why a folder can't be read") {
  const tests::plugin_folder files;
  folder f{files / "nowhere", [](const auto&) { return std::optional<std::string>{}; }};
  boost::asio::io_context home;
  const auto open = boost::asio::make_work_guard(home);
  std::optional<std::string> failure;
  rescan r{f, home, [&](rescan::result found) {
             failure = found.failure;
             home.stop();
           }};
  r.begin();
  home.run();
  CHECK(failure == "No such file or directory");
}

}  // namespace
}  // namespace gamehub::app::plugins
