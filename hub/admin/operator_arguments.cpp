#include "hub/app/operate/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "hub/app/operate/orders.hpp"
#include "hub/app/verb_line.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {
namespace {

using verb = operate_request::verb;

class operate_line {
 public:
  explicit operate_line(const environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {status_, drain_, healthcheck_}) describe(*each);
    for (auto* each : orders_.verbs()) describe(*each);
    status_->add_flag("--json", json_, "print one JSON object");
    add_text(*drain_, "--wait", wait_, "SECONDS",
             "for the hub to be gone; 0, the default: not at all");
    healthcheck_->add_flag("--ready", ready_, "ask whether players are taken");
    status_->footer("Exit code: 0 if players are taken, else 1; 2 for a mistake.");
    drain_->footer("Exit code: 0, 1 if nobody answers or the hub is not gone in time, or 2.");
    healthcheck_->footer("Exit code: 0 if it is, else 1, and standard error says why; or 2.");
  }

  std::variant<operate_request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, std::string{"gamehub "} + argv[1])) return *help;
    operate_request out;
    auto* const order = orders_.given();
    out.what = order != nullptr ? verb::order
               : *status_       ? verb::status
               : *drain_        ? verb::drain
                                : verb::healthcheck;
    const auto& asked = order != nullptr ? *order
                        : *status_       ? *status_
                        : *drain_        ? *drain_
                                         : *healthcheck_;
    refuse_extras(asked, "gamehub " + asked.get_name());
    out.at = find_admin(flags_, asked);
    if (order != nullptr) out.what_to_do = orders_.order();
    out.json = json_;
    out.ready = ready_;
    out.wait = wait_seconds();
    return out;
  }

 private:
  void describe(CLI::App& to) {
    set_help(to, name_columns);
    to.allow_extras();
    add_admin_flags(flags_, to);
  }

  std::chrono::seconds wait_seconds() const {
    std::uint32_t n = 0;
    const auto* end = wait_.data() + wait_.size();
    const auto [at, error] = std::from_chars(wait_.data(), end, n);
    const std::chrono::seconds most = limits::drain_max + limits::farewell_max;
    if (error != std::errc{} || at != end || std::chrono::seconds{n} > most)
      throw usage_error{"--wait is " + shown(wait_) + ": give seconds, " +
                             std::to_string(most.count()) + " at most"};
    return std::chrono::seconds{n};
  }

  static constexpr std::size_t name_columns = 30;

  setting_flags flags_;
  std::string wait_ = "0";
  bool json_ = false, ready_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* status_ = app_.add_subcommand("status", "Says how a running hub is.");
  CLI::App* drain_ = app_.add_subcommand(
      "drain", "Tells a running hub to go: it takes nobody and lets its games end.");
  CLI::App* healthcheck_ = app_.add_subcommand(
      "healthcheck", "Asks whether a running hub's loops turn, as a liveness probe does.");
  command_parsers orders_{app_};
};

}  // namespace

std::variant<operate_request, reply> parse_operate(int argc, const char* const* argv,
                                                   const environment& around) {
  try {
    return operate_line{around}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
