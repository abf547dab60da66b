#include "gateways/turns/messages.hpp"

#include "hub/core/limits.hpp"
#include "hub/core/ranks.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <utility>

namespace gamehub::gateways::turns {
namespace {

using base::json::kind;

constexpr std::string_view blanks = " \t\r\n";

// Returns null for a member that this protocol does not know.
base::json::value* member_of(client_line& line, std::string_view name) {
  if (name == "type") return &line.type;
  if (name == "game_id") return &line.game_id;
  if (name == "payload") return &line.payload;
  if (name == "name") return &line.name;
  if (name == "supported_games") return &line.supported_games;
  if (name == "max_games") return &line.max_games;
  if (name == "options") return &line.options;
  if (name == "opponents") return &line.opponents;
  if (name == "resume") return &line.resume;
  if (name == "wants") return &line.wants;
  if (name == "what") return &line.what;
  if (name == "step") return &line.step;
  if (name == "clock") return &line.clock;
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

// Returns the mark of a seat as JSON, its number in a game without marks, or null.
std::string seat_json(std::optional<seat_index> seat, std::string_view marks) {
  if (!seat) return "null";
  const auto at = static_cast<std::size_t>(*seat);
  if (at >= marks.size()) return std::to_string(*seat);
  std::string out;
  base::json::append_quoted(marks.substr(at, 1), out);
  return out;
}

bool has_winner(std::string_view document) {
  // Mostly it is the last member.
  if (const auto last = document.rfind(R"(,"winner":)");
      last != document.npos && document.find_first_of("}]", last) == document.size() - 1)
    return true;
  base::json::walk members{document, base::json::walk::over::object};
  while (members.step())
    if (base::json::says(members.name(), "winner")) return true;
  return false;
}

// Adds a member at the end of an object. An empty document counts as an empty object.
std::string with_member(std::string_view document, std::string_view name, std::string_view json) {
  const auto close = document.rfind('}');
  std::string out{close == document.npos ? "{" : document.substr(0, close)};
  if (out.find_last_not_of(blanks) != out.find('{')) out += ',';
  base::json::append_quoted(name, out);
  (out += ':').append(json) += '}';
  return out;
}

void append_actions(const seat_actions& legal, std::string& members) {
  (members += R"(,"actions":)") += legal.list;
  if (!legal.complete) members += R"(,"more_actions":true)";
}

void append_clock(std::string_view clock, std::string& members) {
  if (!clock.empty()) (members += R"(,"clock":)") += clock;
}

// The text before the further members of a game message's payload, which are escaped, and after
// them.
void append_message_head(wire_game game, std::string_view payload, std::string& out) {
  constexpr std::string_view start = R"({"type":"message","game_id":)";
  out += start;
  append_number(game, out);
  out += payload;
}

constexpr std::string_view state_payload = R"(,"payload":"{\"type\":\"state\")";
constexpr std::string_view turn_payload = R"(,"payload":"{\"type\":\"turn\")";
constexpr std::string_view repeat_turn_payload = R"(,"payload":"{\"type\":\"repeat-turn\")";
constexpr std::string_view message_tail = "\"}\n";

// Appends the members of an engine's document, with a comma before the first and the bracket behind
// the last, escaped.
void append_members(std::string_view document, std::string& out) {
  const auto open = document.find('{');
  const auto inside = open == document.npos ? "}" : document.substr(open + 1);
  const auto first = inside.find_first_not_of(blanks);
  if (first != inside.npos && inside[first] != '}') out += ',';
  base::json::append_escaped(inside, out);
}

// The same. The players of a game get the same document one after the other, so what was escaped
// last is kept.
void append_members_once(std::string_view document, std::string& out) {
  constexpr std::size_t kept_bytes_max = 1024;
  if (document.size() > kept_bytes_max) return append_members(document, out);
  static thread_local std::string latest, escaped;
  if (document != latest || escaped.empty()) {
    latest.clear(), escaped.clear();
    append_members(document, escaped);
    latest = document;
  }
  out += escaped;
}

// Returns the protocol's error word, or the engine's own.
std::string_view error_word(const refused& no) {
  if (no.why == refusal::malformed) return to_string(refusal::out_of_bounds);
  return no.detail.empty() ? to_string(no.why) : std::string_view{no.detail};
}

}  // namespace

std::optional<client_line> read_line(std::string_view line) {
  std::optional<client_line> out{std::in_place};
  base::json::walk members{line, base::json::walk::over::object};
  while (members.step()) {
    const auto spelled = members.name();
    base::json::value* member = nullptr;
    if (spelled.find('\\') == spelled.npos)
      member = member_of(*out, spelled.substr(1, spelled.size() - 2));
    else
      member = member_of(*out, base::json::unquoted(spelled));
    if (member != nullptr) *member = members.here();
  }
  if (!members.whole()) out.reset();
  return out;
}

wanted wants_of(const client_line& connect) {
  wanted out;
  out.resume = connect.resume.what != kind::missing;
  if (connect.wants.what != kind::array) return out;
  for (base::json::walk each{connect.wants.spelled, base::json::walk::over::array}; each.step();) {
    if (each.here().what != kind::string) continue;
    if (base::json::says(each.here().spelled, "actions")) out.actions = true;
    if (base::json::says(each.here().spelled, "clock")) out.clock = true;
    if (base::json::says(each.here().spelled, "offers")) out.offers = true;
    if (base::json::says(each.here().spelled, "resume")) out.resume = true;
    if (base::json::says(each.here().spelled, "presence")) out.presence = true;
  }
  return out;
}

sign_in sign_in_of(const client_line& connect) {
  return {string_or_empty(connect.name), string_or_empty(connect.resume)};
}

std::string_view clock_mistake(const client_line& connect) {
  const auto what = connect.clock.what;
  if (what == kind::string || what == kind::missing || what == kind::null) return {};
  return "clock is no string";
}

std::string_view games_mistake(const client_line& connect) {
  const auto& games = connect.supported_games;
  if (games.what == kind::missing || games.what == kind::null) return "supported_games is missing";
  if (games.what != kind::array) return "supported_games is no list";
  base::json::walk each{games.spelled, base::json::walk::over::array};
  if (!each.step()) return "supported_games is empty";
  do {
    if (each.here().what == kind::string) return {};
  } while (each.step());
  return "supported_games has no string";
}

std::variant<std::vector<seat_filler>, std::string> fillers_of(const client_line& connect) {
  std::vector<std::string> words;
  const auto& list = connect.opponents;
  if (list.what == kind::missing || list.what == kind::null) return read_fillers(words);
  if (list.what != kind::array) return "opponents is no list";
  for (base::json::walk each{list.spelled, base::json::walk::over::array}; each.step();)
    words.push_back(string_or_empty(each.here()));
  return read_fillers(words);
}

seek seek_of(const client_line& connect) {
  seek out;
  out.games_max = games_max_of(connect.max_games);
  out.engines = engines_of(connect.supported_games);
  out.options = options_of(connect.options, out.engines);
  // One byte more than a clock may have is refused, too.
  out.clock = string_or_empty(connect.clock).substr(0, clock_rule::text_bytes_max + 1);
  out.again = out.may_leave = true;
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

void append_no_game(std::string_view name, const refused& no, std::string_view mistake,
                    std::string& out) {
  const auto unknown = no.why == refusal::unknown_engine;
  const auto malformed = unknown && !mistake.empty();
  std::string why{unknown ? "unknown-game" : to_string(no.why)};
  if (malformed) why = "malformed: " + std::string{mistake};
  if (!no.detail.empty()) (why += malformed ? "; " : ": ") += no.detail;
  base::json_writer line{out};
  line.begin('{');
  line.text("type", "name");
  line.text("name", name);
  line.text("error", why);
  line.end('}');
  out += '\n';
}

void append_start(wire_game game, const started& begins, bool names_game,
                  std::optional<wire_game> rematch_of, std::string& out) {
  base::json_writer line{out};
  line.begin('{');
  line.text("type", "start");
  line.number("game_id", game);
  if (names_game) line.text("game", begins.engine);
  line.number("seat", begins.seat);
  line.number("seats", begins.players.size());
  if (static_cast<std::size_t>(begins.seat) < begins.marks.size())
    line.text("mark",
              std::string_view{begins.marks}.substr(static_cast<std::size_t>(begins.seat), 1));
  line.as_is("players", names_json(begins.players));
  line.text("engine", begins.engine);
  if (begins.terms) {
    line.text("version", begins.terms->version);
    line.as_is("options", begins.terms->options.empty() ? "{}" : begins.terms->options);
    if (const auto time = begins.terms->turn_time.count(); time > 0)
      line.number("turn_milliseconds", time);
    if (begins.terms->clock) line.text("clock_rule", to_text(*begins.terms->clock));
    if (!begins.terms->kinds.empty()) {
      line.key("kinds").begin('[');
      for (const auto kind : begins.terms->kinds) line.text(to_string(kind));
      line.end(']');
    }
  }
  if (rematch_of) line.number("rematch_of", *rematch_of);
  line.end('}');
  out += '\n';
}

void append_start(wire_game game, std::string& out) {
  out += R"({"type":"start","game_id":)";
  append_number(game, out);
  out += "}\n";
}

void append_state(wire_game game, std::string_view document, const state_extras& extras,
                  std::string& out) {
  append_message_head(game, state_payload, out);
  std::string members;
  append_clock(extras.clock, members);
  if (!extras.away.empty()) (members += R"(,"away":)") += extras.away;
  if (!extras.players.empty()) (members += R"(,"players":)") += extras.players;
  if (!extras.substitutes.empty()) (members += R"(,"substitutes":)") += extras.substitutes;
  base::json::append_escaped(members, out);
  append_members_once(document, out);
  out += message_tail;
}

void append_turn(wire_game game, const seat_actions* actions, std::string_view clock,
                 std::string& out) {
  append_message_head(game, turn_payload, out);
  std::string members;
  if (actions != nullptr) append_actions(*actions, members);
  append_clock(clock, members);
  base::json::append_escaped(members += '}', out);
  out += message_tail;
}

void append_repeat_turn(wire_game game, const refused& no, bool slowed, std::string& out) {
  std::string members = R"(,"error":)";
  base::json::append_quoted(error_word(no), members);
  members += R"(,"last-move":)";
  if (base::json::valid(no.what.text))
    members += no.what.text;
  else
    base::json::append_quoted(no.what.text, members);
  if (no.actions) append_actions(*no.actions, members);
  if (slowed) members += R"(,"slowed":"too many refusals in a row")";
  append_message_head(game, repeat_turn_payload, out);
  base::json::append_escaped(members += '}', out);
  out += message_tail;
}

void append_close(wire_game game, const outcome& end, std::string_view marks, std::string& out) {
  base::json_writer line{out};
  line.begin('{');
  line.text("type", "close");
  line.number("game_id", game);
  line.as_is("winner", seat_json(end.winner, marks));
  line.as_is("winner_seat", seat_json(end.winner, {}));
  line.key("scores").begin('[');
  // The sum removes the sign of a zero.
  for (const auto score : end.scores) line.number(score + 0.0);
  line.end(']');
  const bool drawn = end.draw() && end.reason == end_reason::rules;
  line.text("reason", drawn ? "draw" : to_string(end.reason));
  if (end.scores.size() > 2 || end.forfeits != 0) {
    line.key("ranks").begin('[');
    for (const auto rank : ranks_of(end)) line.number(rank);
    line.end(']');
    line.as_is("forfeits", seats_json(end.forfeits, {}));
  }
  line.end('}');
  out += '\n';
}

void append_close_of_failed(wire_game game, std::string& out) {
  append_close(game, {end_reason::failed, std::nullopt, {}}, {}, out);
}

void append_close_of_all(std::string_view word, std::string& out) {
  out += R"({"type":"close","error":)";
  base::json::append_quoted(word, out);
  out += "}\n";
}

std::string clock_json(const game_clock& clock, std::string_view marks) {
  std::string out;
  if (!clock) return out;
  base::json_writer to{out};
  to.begin('{');
  to.key("milliseconds_left").begin('[');
  for (const auto left : clock.left) to.number(left.count());
  to.end(']');
  to.key("runs").begin('[');
  for (std::size_t i = 0; i < clock.left.size(); ++i)
    if (const auto seat = static_cast<seat_index>(i); holds(clock.running, seat))
      to.as_is(seat_json(seat, marks));
  to.end(']');
  if (!clock.periods.empty()) {
    to.key("periods").begin('[');
    for (const auto left : clock.periods) to.number(left);
    to.end(']');
  }
  to.end('}');
  return out;
}

void append_offer(wire_game game, const offer_update& o, std::string_view marks, std::string& out) {
  base::json_writer line{out};
  line.begin('{');
  line.text("type", "offer");
  line.number("game_id", game);
  line.text("what", to_string(o.what));
  line.text("step", to_string(o.step));
  line.number("seat", o.seat);
  if (!marks.empty()) line.as_is("mark", seat_json(o.seat, marks));
  line.text("name", o.name);
  if (o.cause != offer_cause::request) line.text("cause", to_string(o.cause));
  line.end('}');
  out += '\n';
}

void append_offer_refused(wire_game game, const refused& no, std::string& out) {
  base::json_writer line{out};
  line.begin('{');
  line.text("type", "offer");
  line.number("game_id", game);
  line.text("error", to_string(no.why));
  if (!no.detail.empty()) line.text("detail", no.detail);
  line.end('}');
  out += '\n';
}

offer offer_of(const client_line& line) {
  constexpr offer_kind kinds[] = {offer_kind::draw, offer_kind::takeback, offer_kind::rematch};
  constexpr offer_step steps[] = {offer_step::offered, offer_step::accepted, offer_step::declined,
                                  offer_step::withdrawn};
  offer out;
  const auto what = string_or_empty(line.what), step = string_or_empty(line.step);
  const auto kind_at = std::find_if(std::begin(kinds), std::end(kinds),
                                    [&](offer_kind each) { return what == to_string(each); });
  const auto step_at = std::find_if(std::begin(steps), std::end(steps),
                                    [&](offer_step each) { return step == to_string(each); });
  if (kind_at == std::end(kinds))
    out.mistake = R"("what" must be "draw", "takeback" or "rematch")";
  else if (line.step.what != kind::missing && step_at == std::end(steps))
    out.mistake = R"("step" must be "offered", "accepted", "declined" or "withdrawn")";
  if (!out.mistake.empty()) return out;
  out.what = *kind_at;
  if (step_at != std::end(steps)) out.step = *step_at;
  return out;
}

std::string names_json(const std::vector<std::string>& names) {
  std::string out;
  base::json_writer to{out};
  to.begin('[');
  for (const auto& name : names) to.text(name);
  to.end(']');
  return out;
}

std::string seats_json(seat_set seats, std::string_view marks) {
  std::string out = "[";
  for (; seats != 0; seats &= seats - 1) {
    if (out.size() > 1) out += ',';
    out += seat_json(static_cast<seat_index>(std::countr_zero(seats)), marks);
  }
  out += ']';
  return out;
}

std::string with_winner(const std::string& document, const outcome& end, std::string_view marks) {
  const auto winner = seat_json(end.winner, marks);
  if (!has_winner(document)) return with_member(document, "winner", winner);
  if (!end.winner || end.reason == end_reason::rules) return document;
  // The engine does not know that a player left or ran out of time.
  auto parsed = nlohmann::ordered_json::parse(document, nullptr, false);
  parsed["winner"] = nlohmann::ordered_json::parse(winner);
  return parsed.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gamehub::gateways::turns
