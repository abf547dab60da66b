#include "tools/bot/check_request.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <optional>

namespace gamehub::tools::bot {
namespace {

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t n = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return n;
}

class bot_line {
 public:
  bot_line() {
    app_.require_subcommand(1);
    bot_->require_subcommand(1);
    for (auto* each : {&app_, bot_, check_}) config::set_help(*each, name_columns);
    check_->allow_extras();
    check_->add_option("URL", url_, "URL of the bot, such as http://127.0.0.1:8000/rpc");
    config::add_text(*check_, "--engine", engine_, "ENGINE",
                     "engine that the bot plays; default: tictactoe");
    config::add_text(*check_, "--plugins", plugins_, "DIR", "folder with more engines");
    check_->add_flag("--keep-alive", keep_alive_,
                     "reuse the connection, as a hub with --bot-keep-alive does");
    config::add_text(*check_, "--opponent", opponent_, "NAME",
                     "name this opponent in calls, as a hub with --bot-tell-opponent does");
    config::add_text(*check_, "--seconds", seconds_, "N", "time limit of each call; default: 5");
    check_->footer(
        "Calls the bot as a hub does: Status.Ping, NextMove on several boards, Complete and "
        "Error.\n"
        "Exit code 0: the bot plays correctly. 1: the bot has errors, one line for each.");
  }

  std::variant<check_request, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, "gamehub bot")) return *std::move(help);
    config::refuse_extras(*check_, "gamehub bot check");
    if (url_.empty())
      throw base::usage_error{
          "bot check: missing URL of the bot. Example: gamehub bot check http://127.0.0.1:8000/"};
    check_request out;
    out.url = url_;
    out.plugins = plugins_;
    out.keep_alive = keep_alive_;
    out.opponent = opponent_;
    if (!engine_.empty()) out.engine = engine_;
    if (seconds_.empty()) return out;
    const auto n = number(seconds_);
    if (!n || *n < limits::bot_move_min.count() || *n > limits::bot_move_max.count())
      throw base::usage_error{"--seconds is " + config::shown(seconds_) +
                              ": give a whole number from " +
                              std::to_string(limits::bot_move_min.count()) + " to " +
                              std::to_string(limits::bot_move_max.count())};
    out.call_time = std::chrono::seconds{*n};
    return out;
  }

 private:
  static constexpr std::size_t name_columns = 30;

  std::string url_, engine_, plugins_, opponent_, seconds_;
  bool keep_alive_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* bot_ = app_.add_subcommand("bot", "Tools for authors of bots.");
  CLI::App* check_ =
      bot_->add_subcommand("check", "Calls a bot as a hub does and reports its errors.");
};

}  // namespace

std::variant<check_request, config::early_exit> parse(int argc, const char* const* argv) {
  try {
    return bot_line{}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::tools::bot
