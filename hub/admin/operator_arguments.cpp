#include "hub/admin/operator_arguments.hpp"

#include "hub/admin/admin_requests.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"
#include "hub/core/limits.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace gamehub::admin {
namespace {

class operate_line {
  using verb = operate_request::verb;

 public:
  explicit operate_line(const config::environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {status_, drain_, healthcheck_}) describe(*each);
    for (auto* each : orders_.verbs()) describe(*each);
    status_->add_flag("--json", json_, "print one JSON object");
    config::add_text(*drain_, "--wait", wait_, "SECONDS",
                     "wait for the end of the hub; default: 0, do not wait");
    healthcheck_->add_flag("--ready", ready_, "check readiness: whether the hub accepts players");
    status_->footer("Exit code: 0 if the hub accepts players, else 1; 2 for a mistake.");
    drain_->footer(
        "Exit code: 0; 1 if no hub answers, or if it still runs after the wait; 2 for a mistake.");
    healthcheck_->footer(
        "Exit code: 0 if the hub is healthy, else 1 and a reason on standard error; 2 for a "
        "mistake.");
  }

  std::variant<operate_request, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, std::string{"gamehub "} + argv[1]))
      return *help;
    operate_request out;
    auto* const order = orders_.given();
    out.what = order != nullptr ? verb::order
               : *status_       ? verb::status
               : *drain_        ? verb::drain
                                : verb::healthcheck;
    const auto& selected = order != nullptr ? *order
                           : *status_       ? *status_
                           : *drain_        ? *drain_
                                            : *healthcheck_;
    config::refuse_extras(selected, "gamehub " + selected.get_name());
    out.at = find_admin(flags_, selected);
    if (order != nullptr) out.what_to_do = orders_.order();
    out.json = json_;
    out.ready = ready_;
    out.wait = wait_seconds();
    return out;
  }

 private:
  void describe(CLI::App& to) {
    config::set_help(to, name_columns);
    to.allow_extras();
    add_admin_flags(flags_, to);
  }

  std::chrono::seconds wait_seconds() const {
    std::uint32_t n = 0;
    const auto* end = wait_.data() + wait_.size();
    const auto [at, error] = std::from_chars(wait_.data(), end, n);
    const std::chrono::seconds most = limits::drain_max + limits::farewell_max;
    if (error != std::errc{} || at != end || std::chrono::seconds{n} > most)
      throw base::usage_error{"--wait is " + config::shown(wait_) + ": give seconds, " +
                              std::to_string(most.count()) + " at most"};
    return std::chrono::seconds{n};
  }

  static constexpr std::size_t name_columns = 30;

  config::setting_flags flags_;
  std::string wait_ = "0";
  bool json_ = false, ready_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* status_ = app_.add_subcommand("status", "Prints the state of a running hub.");
  CLI::App* drain_ = app_.add_subcommand(
      "drain", "Stops a running hub: it accepts no players and ends after its games.");
  CLI::App* healthcheck_ = app_.add_subcommand(
      "healthcheck", "Checks that the loops of a running hub work, as a liveness probe does.");
  command_parsers orders_{app_};
};

}  // namespace

std::variant<operate_request, config::early_exit> parse_operate(int argc, const char* const* argv,
                                                                const config::environment& around) {
  try {
    return operate_line{around}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::admin
