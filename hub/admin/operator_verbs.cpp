#include "hub/app/operate/verbs.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "hub/app/moderation/token.hpp"
#include "hub/app/operate/admin_call.hpp"
#include "hub/app/operate/status.hpp"
#include "hub/app/operate/tables.hpp"

namespace gamehub::app {
namespace {

using verb = operate_request::verb;
using std::chrono::milliseconds;

constexpr milliseconds answer_max{5'000};
// For what loops have a say in.
constexpr milliseconds order_max{15'000};
// Between looks whether a hub is gone.
constexpr milliseconds pause{200};

// A page's text without its last line's end.
std::string line_of(std::string body) {
  while (!body.empty() && body.back() == '\n') body.pop_back();
  return body;
}

admin_answer get(const operate_request& r, const std::string& page) {
  return call_admin(r.at.host, r.at.port, "GET", page, answer_max);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

int show_status(const operate_request& r) {
  const auto ready = get(r, "/readyz"), healthy = get(r, "/healthz");
  status now;
  now.ready = ready.status == 200;
  if (!now.ready) now.why = line_of(ready.body);
  if (healthy.status != 200) now.failing = lines_of(healthy.body);
  now.told = samples{get(r, "/metrics").body};
  now.now_seconds =
      std::chrono::duration<double>{std::chrono::system_clock::now().time_since_epoch()}.count();
  std::cout << (r.json ? json_of(now) : text_of(now)) << std::flush;
  return now.ready && now.failing.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool is_gone(const operate_request& r) {
  try {
    get(r, "/healthz");
    return false;
  } catch (const no_answer&) {
    return true;
  }
}

std::string token_of(const operate_request& r) { return read_token(r.at.token_file); }

std::string shown(const operate_request::order& what, const std::string& body) {
  using kind = operate_request::order::kind;
  if (what.raw) return line_of(body) + '\n';
  if (what.table == kind::words) return words_of_order(body);
  return what.table == kind::games ? game_table(body) : sanction_table(body);
}

int give_order(const operate_request& r) {
  const auto& what = r.what_to_do;
  const auto said =
      call_admin(r.at.host, r.at.port, "POST", what.target, order_max, token_of(r), what.body);
  if (said.status < 200 || said.status > 299) {
    std::cerr << "gamehub: the hub does not do it: " << complaint_in(said.body) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << shown(what, said.body) << std::flush;
  return EXIT_SUCCESS;
}

int drain(const operate_request& r) {
  const auto until = std::chrono::steady_clock::now() + r.wait;
  const auto said = call_admin(r.at.host, r.at.port, "POST", "/drain", answer_max, token_of(r));
  if (said.status != 202) {
    std::cerr << "gamehub: the hub does not drain: " << line_of(said.body) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << "draining" << std::endl;
  if (r.wait.count() == 0) return EXIT_SUCCESS;
  while (!is_gone(r)) {
    if (std::chrono::steady_clock::now() > until) {
      std::cerr << "gamehub: the hub is still there after " << r.wait.count()
                << " s: gamehub status tells how many games run\n";
      return EXIT_FAILURE;
    }
    std::this_thread::sleep_for(pause);
  }
  std::cout << "gone" << std::endl;
  return EXIT_SUCCESS;
}

int check_health(const operate_request& r) {
  const auto said = get(r, r.ready ? "/readyz" : "/healthz");
  if (said.status == 200) return EXIT_SUCCESS;
  std::cerr << "gamehub: " << line_of(said.body) << '\n';
  return EXIT_FAILURE;
}

}  // namespace

int carry_out(const operate_request& r) {
  try {
    switch (r.what) {
      case verb::status: return show_status(r);
      case verb::drain: return drain(r);
      case verb::healthcheck: return check_health(r);
      case verb::order: return give_order(r);
    }
  } catch (const no_answer& e) {
    std::cerr << "gamehub: " << e.what() << '\n';
  }
  return EXIT_FAILURE;
}

}  // namespace gamehub::app
