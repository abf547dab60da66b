#include "hub/admin/commands.hpp"

#include "hub/base/utf8.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/spectator_service.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace gamehub::admin {
namespace {

namespace utf8 = base::utf8;
using nlohmann::json;

struct command_path {
  std::string_view path;
  operator_command::verb what;
  // A hub without a token has the others, as it shows its status and ends games.
  bool only_with_token = true;
};
constexpr std::array paths{
    command_path{"/games", operator_command::verb::list_games, false},
    command_path{"/game", operator_command::verb::show_game, false},
    command_path{"/orders", operator_command::verb::list_orders, false},
    command_path{"/players", operator_command::verb::list_players},
    command_path{"/sanctions", operator_command::verb::list_sanctions},
    command_path{"/ban", operator_command::verb::ban},
    command_path{"/unban", operator_command::verb::unban},
    command_path{"/mute", operator_command::verb::mute},
    command_path{"/unmute", operator_command::verb::unmute},
    command_path{"/say", operator_command::verb::say},
    // As starting and cancelling tournaments, which are below /arena, too.
    command_path{"/arena/forget", operator_command::verb::forget_bots, false},
};

const command_path* find(std::string_view path) {
  const auto* const at =
      std::find_if(paths.begin(), paths.end(), [&](const auto& p) { return p.path == path; });
  return at == paths.end() ? nullptr : at;
}

// Thrown and caught within this file.
struct invalid_request {
  std::string sentence;
};

// The members of a request body. end() refuses members that were not read.
class members {
 public:
  explicit members(std::string_view body) {
    all_ = body.empty() ? json::object() : json::parse(body, nullptr, false);
    if (!all_.is_object()) throw invalid_request{"the body has to be one object of JSON"};
  }

  std::string text(const char* name, std::size_t bytes_max) {
    const auto at = all_.find(name);
    if (at == all_.end()) return {};
    if (!at->is_string()) throw invalid_request{std::string{name} + " has to be a string"};
    auto out = at->get<std::string>();
    all_.erase(at);
    const bool good =
        base::utf8::all_of(out, [](char32_t c) { return !base::utf8::is_control(c); });
    if (!good || out.size() > bytes_max)
      throw invalid_request{std::string{name} + " has to be printable text of at most " +
                            std::to_string(bytes_max) + " bytes"};
    return out;
  }

  std::uint64_t number(const char* name, std::uint64_t fallback, std::uint64_t most) {
    const auto at = all_.find(name);
    if (at == all_.end()) return fallback;
    if (!at->is_number_unsigned() || at->get<std::uint64_t>() > most)
      throw invalid_request{std::string{name} + " has to be a whole number, at most " +
                            std::to_string(most)};
    const auto out = at->get<std::uint64_t>();
    all_.erase(at);
    return out;
  }

  void end() const {
    if (!all_.empty())
      throw invalid_request{"there is no member \"" + all_.begin().key() + "\" here"};
  }

 private:
  json all_;
};

void read_target(members& from, operator_command& to, bool may_be_address) {
  to.name = from.text("name", limits::name_bytes_max);
  if (may_be_address) to.address = from.text("address", limits::name_bytes_max);
  if (to.name.empty() == to.address.empty())
    throw invalid_request{may_be_address ? "say whom: either name or address" : "say whom: name"};
}

operator_command read(operator_command::verb what, std::string_view body) {
  members from{body};
  operator_command out;
  out.what = what;
  switch (what) {
    case operator_command::verb::list_games:
      out.engine = from.text("engine", limits::name_bytes_max);
      out.status = from.text("status", limits::name_bytes_max);
      out.before = game_id{from.number("before", 0, UINT64_MAX)};
      out.limit = from.number("limit", out.limit, list_limit_max);
      if (!out.status.empty() && out.status != "waiting" && out.status != "running" &&
          out.status != "ended")
        throw invalid_request{"status has to be waiting, running or ended"};
      break;
    case operator_command::verb::list_players:
      out.name = from.text("name", limits::name_bytes_max);
      out.after = player_id{from.number("after", 0, UINT64_MAX)};
      out.limit = from.number("limit", out.limit, list_limit_max);
      break;
    case operator_command::verb::show_game:
      out.game = game_id{from.number("game", 0, UINT64_MAX)};
      if (!out.game) throw invalid_request{"say which game: its number"};
      break;
    case operator_command::verb::list_sanctions:
    case operator_command::verb::list_orders: break;
    case operator_command::verb::ban:
    case operator_command::verb::mute:
      read_target(from, out, what == operator_command::verb::ban);
      out.reason = from.text("reason", limits::end_note_bytes_max);
      break;
    case operator_command::verb::unban:
    case operator_command::verb::unmute:
      read_target(from, out, what == operator_command::verb::unban);
      break;
    case operator_command::verb::say:
      out.text = from.text("text", limits::chat_bytes_max);
      if (out.text.empty()) throw invalid_request{"say what: text"};
      break;
    case operator_command::verb::forget_bots:
      out.name = from.text("bot", limits::name_bytes_max);
      out.owner = from.text("owner", limits::end_note_bytes_max);
      if (out.name.empty() == out.owner.empty())
        throw invalid_request{"say which bots: either bot or owner"};
      break;
  }
  from.end();
  return out;
}

}  // namespace

bool is_command(std::string_view path) { return find(path) != nullptr; }

bool is_only_with_token(std::string_view path) { return find(path)->only_with_token; }

std::variant<operator_command, command_mistake> read_command(std::string_view method,
                                                             std::string_view path,
                                                             std::string_view body) {
  if (method != "POST")
    return command_mistake{405, std::string{path} + " is asked by POST, with JSON", "POST"};
  try {
    auto out = read(find(path)->what, body);
    out.path = path;
    out.body = body;
    return out;
  } catch (const invalid_request& wrong) {
    return command_mistake{400, wrong.sentence};
  }
}

}  // namespace gamehub::admin
