#include "hub/app/operate/orders.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> words{"games",     "end", "ban",  "unban",
                                                "sanctions", "say", "mute", "unmute"};

// As a query has it.
std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

}  // namespace

struct command_parsers::parts {
  explicit parts(CLI::App& to) {
    games = add(to, "games", "Lists the games of a running hub, the newest first.");
    add_text(*games, "--engine", engine, "ENGINE", "only games of this one");
    add_text(*games, "--status", status, "STATUS", "only those waiting, running or ended");
    add_text(*games, "--before", before, "N", "only games with smaller numbers");
    games->add_flag("--json", raw, "print one JSON object");
    end = add(to, "end", "Ends a game of a running hub, to nobody's loss.");
    word(*end, "game", game, "GAME", "its number, as gamehub games lists it");
    add_text(*end, "--reason", reason, "TEXT", "for the log; needed");
    ban = add(to, "ban", "Keeps a player or an address out of a running hub, from now on.");
    unban = add(to, "unban", "Lets a player or an address in again.");
    for (auto* each : {ban, unban}) {
      add_text(*each, "--name", name, "NAME", "the player's");
      add_text(*each, "--address", address, "NETWORK", "an address, or a network: 192.0.2.0/24");
    }
    mute = add(to, "mute", "Lets a player say nothing any more.");
    unmute = add(to, "unmute", "Lets a player speak again.");
    for (auto* each : {mute, unmute}) add_text(*each, "--name", name, "NAME", "the player's");
    for (auto* each : {ban, mute}) add_text(*each, "--reason", reason, "TEXT", "for the list");
    sanctions = add(to, "sanctions", "Lists who is kept out of a running hub, and who is muted.");
    sanctions->add_flag("--json", raw, "print one JSON object");
    say = add(to, "say", "Says something to all who read updates over HTTP.");
    word(*say, "text", text, "TEXT", "one line");
  }

  CLI::App* add(CLI::App& to, const std::string& verb, const std::string& help) {
    auto* made = to.add_subcommand(verb, help);
    made->footer("Exit code: 0 if the hub did it, else 1; 2 for a mistake.");
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

  json whom(bool may_be_address) const {
    if (name.empty() == address.empty())
      throw usage_error{may_be_address ? "say whom: either --name NAME or --address NETWORK"
                                            : "say whom: --name NAME"};
    return name.empty() ? json{{"address", address}} : json{{"name", name}};
  }

  operate_request::order list_games() const {
    auto body = json::object();
    if (!engine.empty()) body["engine"] = engine;
    if (!status.empty()) body["status"] = status;
    if (!before.empty()) {
      const auto n = number_of(before);
      if (!n) throw usage_error{"--before is \"" + before + "\": give the number of a game"};
      body["before"] = *n;
    }
    auto out = post("/games", body);
    out.table = operate_request::order::kind::games;
    return out;
  }

  operate_request::order end_game() const {
    if (!number_of(game))
      throw usage_error{"\"" + game + "\" is no game: give its number, as gamehub games does"};
    if (reason.empty()) throw usage_error{"say why the game ends: --reason TEXT"};
    return {"/games/" + game + "/end?reason=" + escaped(reason), {}, {}, raw};
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
  if (what == p.ban) return p.with_reason("/ban", p.whom(true));
  if (what == p.unban) return p.post("/unban", p.whom(true));
  if (what == p.mute) return p.with_reason("/mute", p.whom(false));
  if (what == p.unmute) return p.post("/unmute", p.whom(false));
  if (what == p.sanctions) return p.list_sanctions();
  return p.post("/say", json{{"text", p.text}});
}

bool is_order(std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace gamehub::app
