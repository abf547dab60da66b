#include "metrics/admin_numbers.hpp"

#include "metrics/family.hpp"

namespace gamehub::metrics {

void collect_admin(const admin_numbers& now, std::vector<prometheus::MetricFamily>& out) {
  family refused{out, "gamehub_admin_refusals_total",
                 "Requests that the admin server refused, by reason.",
                 prometheus::MetricType::Counter};
  const auto add = [&](const char* reason, std::uint64_t count) {
    refused.add({{"reason", reason}}, static_cast<double>(count));
  };
  add("foreign-host", now.foreign_host);
  add("web-page", now.web_page);
  add("no-token", now.no_token);
  add("wrong-token", now.wrong_token);
  add("limited", now.limited);
}

}  // namespace gamehub::metrics
