#include "hub/app/admin/pages.hpp"

#include <stdexcept>

#include "tests/support/catch.hpp"

namespace gamehub::app {
namespace {

admin_sources well() {
  return {[] { return std::string{"a_metric 1\n"}; }, [] { return health{}; },
          [] { return std::optional<std::string>{}; }};
}

TEST_CASE("pages: are the three that probes and Prometheus ask for") {
  CHECK(answer(well(), "GET", "/metrics").body == "a_metric 1\n");
  CHECK(answer(well(), "GET", "/metrics").type == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(answer(well(), "GET", "/healthz").body == "ok\n");
  CHECK(answer(well(), "GET", "/readyz").body == "ready\n");
  CHECK(answer(well(), "HEAD", "/readyz?verbose").status == 200);
}

TEST_CASE("pages: name every loop that fails") {
  auto ill = well();
  ill.healthy = [] { return health{{"loop 0 stands still", "loop 2 stands still"}}; };
  const auto said = answer(ill, "GET", "/healthz");
  CHECK(said.status == 503);
  CHECK(said.body == "loop 0 stands still\nloop 2 stands still\n");
  CHECK(answer(ill, "GET", "/readyz").status == 200);
}

TEST_CASE("pages: say why no players shall come") {
  auto leaving = well();
  leaving.unready = [] { return std::optional<std::string>{"draining"}; };
  const auto said = answer(leaving, "GET", "/readyz");
  CHECK(said.status == 503);
  CHECK(said.body == "draining\n");
  CHECK(answer(leaving, "GET", "/healthz").status == 200);
}

TEST_CASE("pages: refuse other targets and other methods") {
  CHECK(answer(well(), "GET", "/").status == 404);
  CHECK(answer(well(), "GET", "").status == 404);
  CHECK(answer(well(), "GET", "/metrics/").status == 404);
  CHECK(answer(well(), "POST", "/metrics").status == 405);
  CHECK(answer(well(), "DELETE", "/nothing").status == 405);
}

TEST_CASE("pages: survive a source that fails") {
  auto broken = well();
  broken.metrics = []() -> std::string { throw std::runtime_error{"no numbers"}; };
  CHECK(answer(broken, "GET", "/metrics").status == 500);
  CHECK(answer(broken, "GET", "/metrics").body == "no numbers\n");
}

}  // namespace
}  // namespace gamehub::app
