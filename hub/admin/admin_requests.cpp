#include "hub/admin/admin_requests.hpp"

#include "hub/base/query.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace gamehub::admin {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> words{"games",     "end", "ban",  "unban",
                                                "sanctions", "say", "mute", "unmute"};

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

}  // namespace

struct command_parsers::parts {
  explicit parts(CLI::App& to) {
    games = add(to, "games", "Lists the games of a running hub, newest first.");
    config::add_text(*games, "--engine", engine, "ENGINE", "only games of this engine");
    config::add_text(*games, "--status", status, "STATUS",
                     "only games that are waiting, running or ended");
    config::add_text(*games, "--before", before, "N", "only games with smaller numbers");
    games->add_flag("--json", raw, "print one JSON object");
    end = add(to, "end", "Ends a game of a running hub without a result.");
    word(*end, "game", game, "GAME", "number of the game, from gamehub games");
    config::add_text(*end, "--reason", reason, "TEXT", "reason for the log; required");
    ban = add(to, "ban", "Bans a player or an address from a running hub.");
    unban = add(to, "unban", "Lifts the ban of a player or an address.");
    for (auto* each : {ban, unban}) {
      config::add_text(*each, "--name", name, "NAME", "name of the player");
      config::add_text(*each, "--address", address, "NETWORK",
                       "an address, or a network such as 192.0.2.0/24");
    }
    mute = add(to, "mute", "Mutes a player: chat messages are refused.");
    unmute = add(to, "unmute", "Lets a muted player chat again.");
    for (auto* each : {mute, unmute})
      config::add_text(*each, "--name", name, "NAME", "name of the player");
    for (auto* each : {ban, mute})
      config::add_text(*each, "--reason", reason, "TEXT", "reason for the list of sanctions");
    sanctions = add(to, "sanctions", "Lists the bans and mutes of a running hub.");
    sanctions->add_flag("--json", raw, "print one JSON object");
    say = add(to, "say", "Sends a message to all readers of updates over HTTP.");
    word(*say, "text", text, "TEXT", "one line");
  }

  CLI::App* add(CLI::App& to, const std::string& verb, const std::string& help) {
    auto* made = to.add_subcommand(verb, help);
    made->footer("Exit code: 0 if the command succeeded, else 1; 2 for a mistake.");
    all.push_back(made);
    return made;
  }
  static void word(CLI::App& to, const std::string& what, std::string& into,
                   const std::string& kind, const std::string& help) {
    to.add_option(what, into, help)->type_name(kind)->required();
  }

  operate_request::order post(const std::string& path, const json& body) const {
    return {path, body.empty() ? "{}" : body.dump(), {}, raw};
  }

  json target_of(bool may_be_address) const {
    if (name.empty() == address.empty())
      throw base::usage_error{may_be_address ? "give either --name NAME or --address NETWORK"
                                             : "give --name NAME"};
    return name.empty() ? json{{"address", address}} : json{{"name", name}};
  }

  operate_request::order list_games() const {
    auto body = json::object();
    if (!engine.empty()) body["engine"] = engine;
    if (!status.empty()) body["status"] = status;
    if (!before.empty()) {
      const auto n = number_of(before);
      if (!n) throw base::usage_error{"--before is \"" + before + "\": give the number of a game"};
      body["before"] = *n;
    }
    auto out = post("/games", body);
    out.table = operate_request::order::kind::games;
    return out;
  }

  operate_request::order end_game() const {
    if (!number_of(game))
      throw base::usage_error{"\"" + game + "\" is no game: give its number, from gamehub games"};
    if (reason.empty()) throw base::usage_error{"missing reason: give --reason TEXT"};
    return {"/games/" + game + "/end?reason=" + base::percent_encoded(reason), {}, {}, raw};
  }

  operate_request::order list_sanctions() const {
    auto out = post("/sanctions", json::object());
    out.table = operate_request::order::kind::sanctions;
    return out;
  }

  operate_request::order with_reason(const std::string& path, json body) const {
    if (!reason.empty()) body["reason"] = reason;
    return post(path, body);
  }

  std::string engine, status, before, game, reason, name, address, text;
  bool raw = false;
  std::vector<CLI::App*> all;
  CLI::App *games, *end, *ban, *unban, *mute, *unmute, *sanctions, *say;
};

command_parsers::command_parsers(CLI::App& to) : parts_(std::make_unique<parts>(to)) {}
command_parsers::~command_parsers() = default;

const std::vector<CLI::App*>& command_parsers::verbs() const { return parts_->all; }

CLI::App* command_parsers::given() const {
  const auto at = std::find_if(parts_->all.begin(), parts_->all.end(),
                               [](const auto* each) { return each->parsed(); });
  return at == parts_->all.end() ? nullptr : *at;
}

operate_request::order command_parsers::order() const {
  const auto& p = *parts_;
  const auto* const what = given();
  if (what == p.games) return p.list_games();
  if (what == p.end) return p.end_game();
  if (what == p.ban) return p.with_reason("/ban", p.target_of(true));
  if (what == p.unban) return p.post("/unban", p.target_of(true));
  if (what == p.mute) return p.with_reason("/mute", p.target_of(false));
  if (what == p.unmute) return p.post("/unmute", p.target_of(false));
  if (what == p.sanctions) return p.list_sanctions();
  return p.post("/say", json{{"text", p.text}});
}

}  // namespace gamehub::admin
