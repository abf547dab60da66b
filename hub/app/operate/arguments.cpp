#include "hub/app/operate/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "hub/app/operate/admin_call.hpp"
#include "hub/app/operate/orders.hpp"
#include "hub/app/setting_list.hpp"
#include "hub/app/setting_sources.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {
namespace {

using verb = operate_request::verb;

class operate_line {
 public:
  explicit operate_line(const surroundings& around) : around_(around), list_(setting_list(around)) {
    app_.require_subcommand(1);
    for (auto* each : {status_, drain_, healthcheck_}) describe(*each);
    for (auto* each : orders_.verbs()) describe(*each);
    status_->add_flag("--json", json_, "print one JSON object");
    text(*drain_, "--wait", wait_, "SECONDS", "for the hub to be gone; 0, the default: not at all");
    healthcheck_->add_flag("--ready", ready_, "ask whether players are taken");
    status_->footer("Exit code: 0 if players are taken, else 1; 2 for a mistake.");
    drain_->footer("Exit code: 0, 1 if nobody answers or the hub is not gone in time, or 2.");
    healthcheck_->footer("Exit code: 0 if it is, else 1, and standard error says why; or 2.");
  }

  std::variant<operate_request, reply> read(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return reply{help(), 0};
    } catch (const CLI::ParseError& e) {
      throw operator_mistake{std::string{e.what()} + "; gamehub " + argv[1] + " --help tells more"};
    }
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
    if (!asked.remaining().empty())
      throw operator_mistake{shown(asked.remaining().front()) + " is not for gamehub " +
                             asked.get_name() + ": leave it out, gamehub " + asked.get_name() +
                             " --help lists what is"};
    find_admin(asked, out);
    if (order != nullptr) out.what_to_do = orders_.order();
    out.json = json_;
    out.ready = ready_;
    out.wait = wait_seconds();
    return out;
  }

 private:
  void describe(CLI::App& to) {
    to.set_help_flag("-h,--help", "print this and exit");
    to.get_formatter()->column_width(name_columns);
    to.allow_extras();
    for (auto [name, into] : {std::pair{"admin-port", &port_},
                              {"admin-listen", &listen_},
                              {"admin-token-file", &token_file_}}) {
      const auto& s = named(name);
      text(to, s.flag(), *into, s.kind, s.help + "  [" + s.variable() + "]");
    }
    text(to, "--config", config_, "FILE",
         "settings from a file, as for gamehub serve  [GAMEHUB_CONFIG]");
  }

  static void text(CLI::App& to, const std::string& flag, std::string& into,
                   const std::string& kind, const std::string& help) {
    to.add_option(flag, into, help)
        ->type_name(kind)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  const setting& named(std::string_view name) const {
    return *std::find_if(list_.begin(), list_.end(),
                         [name](const setting& each) { return each.name == name; });
  }

  std::string help() const {
    auto out = app_.help();
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
  }

  static std::optional<std::string> given(const CLI::App& in, const std::string& flag,
                                          const std::string& value) {
    return in.get_option(flag)->count() > 0 ? std::optional{value} : std::nullopt;
  }

  void find_admin(const CLI::App& asked, operate_request& out) const {
    const setting_sources sources{around_, list_, given(asked, "--config", config_)};
    settings found;
    sources.take(named("admin-port"), given(asked, "--admin-port", port_), found);
    sources.take(named("admin-listen"), given(asked, "--admin-listen", listen_), found);
    if (!found.admin_port || *found.admin_port == 0)
      throw operator_mistake{
          "the settings have no port for the admin server: say which one the hub's ready line "
          "named with --admin-port"};
    sources.take(named("admin-token-file"), given(asked, "--admin-token-file", token_file_), found);
    out.token_file = found.admin_token_file;
    out.host = host_of(found.admin_listen);
    out.port = *found.admin_port;
  }

  std::chrono::seconds wait_seconds() const {
    std::uint32_t n = 0;
    const auto* end = wait_.data() + wait_.size();
    const auto [at, error] = std::from_chars(wait_.data(), end, n);
    const std::chrono::seconds most = limits::drain_max + limits::farewell_max;
    if (error != std::errc{} || at != end || std::chrono::seconds{n} > most)
      throw operator_mistake{"--wait is " + shown(wait_) + ": give seconds, " +
                             std::to_string(most.count()) + " at most"};
    return std::chrono::seconds{n};
  }

  static constexpr std::size_t name_columns = 30;

  const surroundings& around_;
  const std::vector<setting> list_;
  std::string port_, listen_, token_file_, config_, wait_ = "0";
  bool json_ = false, ready_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* status_ = app_.add_subcommand("status", "Says how a running hub is.");
  CLI::App* drain_ = app_.add_subcommand(
      "drain", "Tells a running hub to go: it takes nobody and lets its games end.");
  CLI::App* healthcheck_ = app_.add_subcommand(
      "healthcheck", "Asks whether a running hub's loops turn, as a liveness probe does.");
  order_lines orders_{app_};
};

}  // namespace

std::variant<operate_request, reply> parse_operate(int argc, const char* const* argv,
                                                   const surroundings& around) {
  try {
    return operate_line{around}.read(argc, argv);
  } catch (const operator_mistake& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
