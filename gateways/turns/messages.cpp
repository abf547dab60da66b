#include "gateways/turns/messages.hpp"

#include "hub/core/limits.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace gamehub::gateways::turns {
namespace {

using base::json::kind;

// Returns null for a member that this protocol does not know.
base::json::value* member_of(client_line& line, std::string_view name) {
  if (name == "type") return &line.type;
  if (name == "game_id") return &line.game_id;
  if (name == "payload") return &line.payload;
  if (name == "name") return &line.name;
  if (name == "supported_games") return &line.supported_games;
  if (name == "max_games") return &line.max_games;
  if (name == "options") return &line.options;
  if (name == "resume") return &line.resume;
  return nullptr;
}

std::string string_or_empty(const base::json::value& from) {
  return from.what == kind::string ? base::json::unquoted(from.spelled) : std::string{};
}

std::vector<std::string> engines_of(const base::json::value& games) {
  std::vector<std::string> out;
  if (games.what != kind::array) return out;
  for (base::json::walk each{games.spelled, base::json::walk::over::array}; each.step();) {
    if (out.size() == limits::seeks_per_player_max) break;
    if (each.here().what == kind::string) out.push_back(base::json::unquoted(each.here().spelled));
  }
  return out;
}

// Returns the options of each engine, in the order of `engines`.
std::vector<std::string> options_of(const base::json::value& options,
                                    const std::vector<std::string>& engines) {
  std::vector<std::string> out;
  if (options.what != kind::object) return out;
  out.resize(engines.size());
  for (base::json::walk each{options.spelled, base::json::walk::over::object}; each.step();)
    for (std::size_t i = 0; i < engines.size(); ++i)
      if (each.here().what != kind::null && base::json::says(each.name(), engines[i]))
        out[i] = each.here().spelled;
  return out;
}

// Returns 1 if the number is missing or no integer; numbers above the limit become the limit.
std::uint32_t games_max_of(const base::json::value& number) {
  if (number.what != kind::integer) return 1;
  if (number.spelled.front() == '-') return 0;
  const auto exact = base::json::integer(number).value_or(limits::games_per_player_max);
  return static_cast<std::uint32_t>(std::min<std::int64_t>(exact, limits::games_per_player_max));
}

void append_number(std::int64_t n, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), n).ptr;
  out.append(digits, end);
}

// The text before and after the escaped payload of a game message.
void append_message_head(wire_game game, std::string& out) {
  out += R"({"type":"message","game_id":)";
  append_number(game, out);
  out += R"(,"payload":")";
}

constexpr std::string_view message_tail = "\"}\n";

// Returns the protocol's error word, or the engine's own.
std::string_view error_word(const refused& no) {
  if (no.why == refusal::malformed) return to_string(refusal::out_of_bounds);
  return no.detail.empty() ? to_string(no.why) : std::string_view{no.detail};
}

}  // namespace

std::optional<client_line> read_line(std::string_view line) {
  client_line out;
  base::json::walk members{line, base::json::walk::over::object};
  while (members.step()) {
    const auto spelled = members.name();
    base::json::value* member = nullptr;
    if (spelled.find('\\') == spelled.npos)
      member = member_of(out, spelled.substr(1, spelled.size() - 2));
    else
      member = member_of(out, base::json::unquoted(spelled));
    if (member != nullptr) *member = members.here();
  }
  if (!members.whole()) return std::nullopt;
  return out;
}

sign_in sign_in_of(const client_line& connect) {
  return {string_or_empty(connect.name), string_or_empty(connect.resume)};
}

seek seek_of(const client_line& connect) {
  seek out;
  out.games_max = games_max_of(connect.max_games);
  out.engines = engines_of(connect.supported_games);
  out.options = options_of(connect.options, out.engines);
  out.again = true;
  return out;
}

std::string move_text(const base::json::value& payload) {
  if (payload.what == kind::string) return base::json::unquoted(payload.spelled);
  if (payload.what == kind::missing) return "null";
  return std::string{payload.spelled};
}

void append_name(const signed_in& who, std::string& out) {
  out += R"({"type":"name","name":)";
  base::json::append_quoted(who.name, out);
  if (!who.secret.empty()) {
    out += R"(,"secret":)";
    base::json::append_quoted(who.secret, out);
  }
  out += "}\n";
}

void append_no_game(std::string_view name, const refused& no, std::string& out) {
  out += R"({"type":"name","name":)";
  base::json::append_quoted(name, out);
  out += R"(,"error":)";
  std::string why{to_string(no.why)};
  if (!no.detail.empty()) (why += ": ") += no.detail;
  base::json::append_quoted(why, out);
  out += "}\n";
}

void append_start(wire_game game, std::string_view engine, std::string& out) {
  out += R"({"type":"start","game_id":)";
  append_number(game, out);
  if (!engine.empty()) {
    out += R"(,"game":)";
    base::json::append_quoted(engine, out);
  }
  out += "}\n";
}

void append_state(wire_game game, std::string_view document, std::string& out) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto open = document.find('{');
  const auto inside = open == document.npos ? "}" : document.substr(open + 1);
  const auto first = inside.find_first_not_of(blanks);
  append_message_head(game, out);
  base::json::append_escaped(R"({"type":"state")", out);
  if (first != inside.npos && inside[first] != '}') out += ',';
  base::json::append_escaped(inside, out);
  out += message_tail;
}

void append_turn(wire_game game, std::string& out) {
  append_message_head(game, out);
  base::json::append_escaped(R"({"type":"turn"})", out);
  out += message_tail;
}

void append_repeat_turn(wire_game game, const refused& no, std::string& out) {
  std::string payload = R"({"type":"repeat-turn","error":)";
  base::json::append_quoted(error_word(no), payload);
  payload += R"(,"last-move":)";
  if (base::json::valid(no.what.text))
    payload += no.what.text;
  else
    base::json::append_quoted(no.what.text, payload);
  payload += '}';
  append_message_head(game, out);
  base::json::append_escaped(payload, out);
  out += message_tail;
}

void append_close(wire_game game, std::string& out) {
  out += R"({"type":"close","game_id":)";
  append_number(game, out);
  out += "}\n";
}

std::string with_winner(const std::string& document, seat_index winner, std::string_view marks) {
  auto parsed = nlohmann::ordered_json::parse(document, nullptr, false);
  if (!parsed.is_object()) return document;
  const auto seat = static_cast<std::size_t>(winner);
  if (seat < marks.size())
    parsed["winner"] = std::string(1, marks[seat]);
  else
    parsed["winner"] = winner;
  return parsed.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gamehub::gateways::turns
