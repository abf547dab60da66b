#include "hub/app/bots/check_request.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <optional>

#include "hub/app/verb_line.hpp"

namespace gamehub::app::bots {
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
    for (auto* each : {&app_, bot_, check_}) set_help(*each, name_columns);
    check_->allow_extras();
    check_->add_option("URL", url_,
                       "by which the bot is called, such as http://127.0.0.1:8000/rpc");
    add_text(*check_, "--engine", engine_, "ENGINE", "what it plays, by default tictactoe");
    add_text(*check_, "--plugins", plugins_, "DIR", "a folder of engines that are not built in");
    check_->add_flag("--keep-alive", keep_alive_,
                     "keep its connection, as --bot-keep-alive has it");
    add_text(*check_, "--opponent", opponent_, "NAME",
             "tell it of that one, as --bot-tell-opponent has it");
    add_text(*check_, "--seconds", seconds_, "N", "for each call, by default 5");
    check_->footer(
        "The bot is called as by a hub: Status.Ping, NextMove on several boards, Complete and "
        "Error.\n"
        "Exit code 0: it plays by the protocol. 1: something is wrong, and a sentence says what.");
  }

  std::variant<check_request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, "gamehub bot")) return *std::move(help);
    refuse_extras(*check_, "gamehub bot check");
    if (url_.empty())
      throw usage_error{
          "gamehub bot check lacks the bot's URL: give it, as in gamehub bot check "
          "http://127.0.0.1:8000/"};
    check_request out;
    out.url = url_;
    out.plugins = plugins_;
    out.keep_alive = keep_alive_;
    out.opponent = opponent_;
    if (!engine_.empty()) out.engine = engine_;
    if (seconds_.empty()) return out;
    const auto n = number(seconds_);
    if (!n || *n < limits::bot_move_min.count() || *n > limits::bot_move_max.count())
      throw usage_error{"--seconds is " + shown(seconds_) + ": give a whole number from " +
                             std::to_string(limits::bot_move_min.count()) + " to " +
                             std::to_string(limits::bot_move_max.count())};
    out.call_time = std::chrono::seconds{*n};
    return out;
  }

 private:
  static constexpr std::size_t name_columns = 30;

  std::string url_, engine_, plugins_, opponent_, seconds_;
  bool keep_alive_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* bot_ = app_.add_subcommand("bot", "Helps authors of bots.");
  CLI::App* check_ =
      bot_->add_subcommand("check", "Calls a bot as a hub does, and says what is wrong with it.");
};

}  // namespace

std::variant<check_request, reply> parse(int argc, const char* const* argv) {
  try {
    return bot_line{}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app::bots
