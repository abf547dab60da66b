#include "hub/admin/operator_verbs.hpp"

#include "hub/admin/admin_call.hpp"
#include "hub/admin/status.hpp"
#include "hub/admin/tables.hpp"
#include "hub/base/query.hpp"
#include "hub/base/token_file.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
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

// Returns nothing, and says so, if the hub does not answer with its status.
std::optional<hub_status> status_from(const admin_answer& answer) {
  auto now = answer.status == 200 ? read_status(answer.body) : std::nullopt;
  if (!now)
    std::cerr << "gamehub: the hub answered /status.json with status " << answer.status << ": "
              << without_line_end(answer.body) << '\n';
  return now;
}

int show_cluster(const operate_request& r) {
  const auto now = status_from(get(r, "/status.json"));
  if (!now) return EXIT_FAILURE;
  std::cout << (r.json ? cluster_json_of(*now) : cluster_text_of(*now)) << std::flush;
  return now->cluster.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}

int show_status(const operate_request& r) {
  const auto answer = get(r, "/status.json");
  const auto now = status_from(answer);
  if (!now) return EXIT_FAILURE;
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
  switch (what.table) {
    case kind::words: return words_of_order(body);
    case kind::games: return game_table(body);
    case kind::sanctions: return sanction_table(body);
    case kind::orders: return order_table(body);
  }
  return {};
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
  std::cerr << unreached_in(answer.body);
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

// The request of the named verb, and the options of the commands.
struct given_command : operate_request {
  std::string engine, status, reason, name, address, text;
  std::optional<std::uint64_t> before;
  std::uint64_t game = 0;
  bool raw = false;
};

nlohmann::json target_of(const given_command& c, bool may_be_address) {
  if (c.name.empty() == c.address.empty())
    throw base::usage_error{may_be_address ? "give either --name NAME or --address NETWORK"
                                           : "give --name NAME"};
  return c.name.empty() ? nlohmann::json{{"address", c.address}} : nlohmann::json{{"name", c.name}};
}

nlohmann::json with_reason(const given_command& c, nlohmann::json body) {
  if (!c.reason.empty()) body["reason"] = c.reason;
  return body;
}

nlohmann::json filter_of(const given_command& c) {
  auto body = nlohmann::json::object();
  if (!c.engine.empty()) body["engine"] = c.engine;
  if (!c.status.empty()) body["status"] = c.status;
  if (c.before) body["before"] = *c.before;
  return body;
}

class verb_builder {
 public:
  using kind = operate_request::order::kind;

  verb_builder(config::verb& to, std::function<int(const operate_request&)> run)
      : to_(to),
        verbs_([](auto& r, const auto& found) { r.at = find_admin(found); }, std::move(run)) {}

  void add_probes() {
    using verb = operate_request::verb;
    auto& status = add("status", "Prints the state of a running hub.", verb::status);
    status.flag("json", "print one JSON object", given_.json);
    status.footer = "Exit code: 0 if the hub accepts players, else 1; 2 for a mistake.";
    auto& cluster =
        to_.group_of_verbs("cluster", "Shows the hubs that share a database, and fills it.");
    auto& members = verbs_.add(cluster, "status",
                               "Prints the hubs of the cluster, as one running hub sees them.",
                               verb::cluster_status);
    members.uses_settings = admin_settings();
    members.flag("json", "print one JSON object", given_.json);
    members.footer = "Exit code: 0 if the hub is in a cluster, else 1; 2 for a mistake.";
    auto& drain =
        add("drain", "Stops a running hub: it accepts no players and ends after its games.",
            verb::drain);
    drain.time("wait", "wait for the end of the hub; 0: do not wait", given_.wait,
               std::chrono::seconds{0}, limits::drain_max + limits::farewell_max);
    drain.footer =
        "Exit code: 0; 1 if no hub answers, or if it still runs after the wait; 2 for a mistake.";
    auto& health =
        add("healthcheck", "Checks that the loops of a running hub work, as a liveness probe does.",
            verb::healthcheck);
    health.flag("ready", "check readiness: whether the hub accepts players", given_.ready);
    health.footer =
        "Exit code: 0 if the hub is healthy, else 1 and a reason on standard error; 2 for a "
        "mistake.";
  }

  void add_commands() {
    auto& c = given_;
    auto& games = post(
        "games", "Lists the games of a running hub, in a cluster those of all hubs, newest first.",
        filter_of, kind::games);
    games.text("engine", "ENGINE", "only games of this engine", c.engine);
    games.text("status", "STATUS", "only games that are waiting, running or ended", c.status);
    games.number("before", "only games with smaller numbers", c.before, 0);
    games.flag("json", "print one JSON object", c.raw);

    auto& end = command(
        "end", "Ends a game of a running hub, or of its cluster, without a result.", [](auto& of) {
          return operate_request::order{"/games/" + std::to_string(of.game) +
                                            "/end?reason=" + base::percent_encoded(of.reason),
                                        {}};
        });
    end.number("GAME", "the number of the game, from gamehub games", c.game, 0).required = true;
    auto& reason = end.text("reason", "TEXT", "reason for the log", c.reason);
    reason.wanted = "a reason for the log";
    reason.required = true;

    add_sanctions();
    auto& say = post(
        "say", "Sends a message to all readers of updates over HTTP, in a cluster at all hubs.",
        [](auto& of) {
          return nlohmann::json{{"text", of.text}};
        });
    say.text("TEXT", "", "one line of text", c.text).required = true;
    post(
        "orders", "Lists the latest orders to a running hub or its cluster, newest first.",
        [](auto&) { return nlohmann::json::object(); }, kind::orders)
        .flag("json", "print one JSON object", c.raw);
  }

 private:
  void add_sanctions() {
    auto& c = given_;
    auto& ban = post("ban", "Bans a player or an address from a running hub.",
                     [](auto& of) { return with_reason(of, target_of(of, true)); });
    auto& unban = post("unban", "Lifts the ban of a player or an address.",
                       [](auto& of) { return target_of(of, true); });
    auto& mute = post("mute", "Mutes a player: chat messages are refused.",
                      [](auto& of) { return with_reason(of, target_of(of, false)); });
    auto& unmute = post("unmute", "Lets a muted player chat again.",
                        [](auto& of) { return target_of(of, false); });
    for (auto* each : {&ban, &unban, &mute, &unmute})
      each->text("name", "NAME", "name of the player", c.name);
    for (auto* each : {&ban, &unban})
      each->text("address", "NETWORK", "an address, or a network such as 192.0.2.0/24", c.address);
    for (auto* each : {&ban, &mute})
      each->text("reason", "TEXT", "reason for the list of sanctions", c.reason);
    post(
        "sanctions", "Lists the bans and mutes of a running hub.",
        [](auto&) { return nlohmann::json::object(); }, kind::sanctions)
        .flag("json", "print one JSON object", c.raw);
  }

  config::verb& add(const char* name, const char* help, operate_request::verb what) {
    auto& added = verbs_.add(to_, name, help, what);
    added.uses_settings = admin_settings();
    return added;
  }

  // A command whose request `make` makes from the options.
  config::verb& command(const char* name, const char* help,
                        std::function<operate_request::order(const given_command&)> make) {
    auto& added = add(name, help, operate_request::verb::order);
    added.footer = "Exit code: 0 if the command succeeded, else 1; 2 for a mistake.";
    added.run = [given = verbs_.request, make = std::move(make), run = added.run](auto& found) {
      given->what_to_do = make(*given);
      given->what_to_do.raw = given->raw;
      return run(found);
    };
    return added;
  }
  // One that posts JSON to the path of its name.
  config::verb& post(const char* name, const char* help,
                     std::function<nlohmann::json(const given_command&)> body,
                     kind table = kind::words) {
    return command(
        name, help,
        [path = '/' + std::string{name}, body = std::move(body), table](const given_command& of) {
          return operate_request::order{path, body(of).dump(), table};
        });
  }

  config::verb& to_;
  const config::request_verbs<given_command> verbs_;
  given_command& given_ = *verbs_.request;
};

}  // namespace

std::vector<std::string> admin_settings() {
  return {"admin-port", "admin-listen", "admin-token-file"};
}

admin_place find_admin(const config::settings& found) {
  if (!found.admin_port || *found.admin_port == 0)
    throw base::usage_error{
        "the settings have no port of the admin server: give the one in the hub's ready line with "
        "--admin-port"};
  return {host_of(found.admin_listen), *found.admin_port, found.admin_token_file};
}

void add_operator_verbs(config::verb& to, std::function<int(const operate_request&)> run) {
  verb_builder verbs{to, std::move(run)};
  verbs.add_probes();
  verbs.add_commands();
}

int carry_out(const operate_request& r) {
  try {
    switch (r.what) {
      case operate_request::verb::status: return show_status(r);
      case operate_request::verb::cluster_status: return show_cluster(r);
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
