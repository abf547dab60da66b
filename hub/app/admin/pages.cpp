#include "hub/app/admin/pages.hpp"

#include <exception>

namespace gamehub::app {
namespace {

page plain(int status, std::string body) {
  body += '\n';
  return {status, "text/plain; charset=utf-8", std::move(body)};
}

page health_page(const health& now) {
  if (now.failing.empty()) return plain(200, "ok");
  std::string body;
  for (const auto& each : now.failing) body += (body.empty() ? "" : "\n") + each;
  return plain(503, std::move(body));
}

page page_at(const admin_sources& from, std::string_view path) {
  if (path == "/metrics") return {200, "text/plain; version=0.0.4; charset=utf-8", from.metrics()};
  if (path == "/healthz") return health_page(from.healthy());
  if (path == "/readyz") {
    auto why = from.unready();
    return why ? plain(503, std::move(*why)) : plain(200, "ready");
  }
  return plain(404, "here are /metrics, /healthz and /readyz");
}

}  // namespace

page answer(const admin_sources& from, std::string_view method, std::string_view target) {
  if (method != "GET" && method != "HEAD") return plain(405, "only GET and HEAD are served here");
  try {
    return page_at(from, target.substr(0, target.find('?')));
  } catch (const std::exception& e) {
    return plain(500, e.what());
  }
}

page complaint(int status, std::string_view sentence) {
  return plain(status, std::string{sentence});
}

}  // namespace gamehub::app
