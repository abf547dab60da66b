#include "hub/admin/operator_verbs.hpp"

#include "hub/admin/admin_call.hpp"
#include "hub/admin/status.hpp"
#include "hub/admin/tables.hpp"
#include "hub/base/token_file.hpp"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

namespace gamehub::admin {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds page_answer_max{5'000};
// For commands that wait for all loops.
constexpr milliseconds order_max{15'000};
// Between two checks whether the hub has ended.
constexpr milliseconds drain_pause{200};

admin_answer get(const operate_request& r, const std::string& page) {
  return call_admin(r.at.host, r.at.port, "GET", page, page_answer_max);
}

int show_status(const operate_request& r) {
  const auto answer = get(r, "/status.json");
  const auto now = answer.status == 200 ? read_status(answer.body) : std::nullopt;
  if (!now) {
    std::cerr << "gamehub: the hub answered /status.json with status " << answer.status << ": "
              << without_line_end(answer.body) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << (r.json ? answer.body : text_of(*now)) << std::flush;
  return now->ready && now->failing.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool is_gone(const operate_request& r) {
  try {
    get(r, "/healthz");
    return false;
  } catch (const no_answer&) {
    return true;
  }
}

std::string token_of(const operate_request& r) { return base::read_token(r.at.token_file); }

std::string shown(const operate_request::order& what, const std::string& body) {
  using kind = operate_request::order::kind;
  if (what.raw) return without_line_end(body) + '\n';
  if (what.table == kind::words) return words_of_order(body);
  return what.table == kind::games ? game_table(body) : sanction_table(body);
}

int send_command(const operate_request& r) {
  const auto& what = r.what_to_do;
  const auto answer =
      call_admin(r.at.host, r.at.port, "POST", what.target, order_max, token_of(r), what.body);
  if (answer.status < 200 || answer.status > 299) {
    std::cerr << "gamehub: the hub refused the command: " << complaint_in(answer.body) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << shown(what, answer.body) << std::flush;
  return EXIT_SUCCESS;
}

int drain(const operate_request& r) {
  const auto until = std::chrono::steady_clock::now() + r.wait;
  const auto answer =
      call_admin(r.at.host, r.at.port, "POST", "/drain", page_answer_max, token_of(r));
  if (answer.status != 202) {
    std::cerr << "gamehub: the hub refused to drain: " << without_line_end(answer.body) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << "draining" << std::endl;
  if (r.wait.count() == 0) return EXIT_SUCCESS;
  while (!is_gone(r)) {
    if (std::chrono::steady_clock::now() > until) {
      std::cerr << "gamehub: the hub is still there after " << r.wait.count()
                << " s: gamehub status prints the running games\n";
      return EXIT_FAILURE;
    }
    std::this_thread::sleep_for(drain_pause);
  }
  std::cout << "gone" << std::endl;
  return EXIT_SUCCESS;
}

int check_health(const operate_request& r) {
  const auto answer = get(r, r.ready ? "/readyz" : "/healthz");
  if (answer.status == 200) return EXIT_SUCCESS;
  std::cerr << "gamehub: " << without_line_end(answer.body) << '\n';
  return EXIT_FAILURE;
}

}  // namespace

int carry_out(const operate_request& r) {
  try {
    switch (r.what) {
      case operate_request::verb::status: return show_status(r);
      case operate_request::verb::drain: return drain(r);
      case operate_request::verb::healthcheck: return check_health(r);
      case operate_request::verb::order: return send_command(r);
    }
  } catch (const no_answer& e) {
    std::cerr << "gamehub: " << e.what() << '\n';
  }
  return EXIT_FAILURE;
}

}  // namespace gamehub::admin
