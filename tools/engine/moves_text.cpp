#include "tools/engine/moves_text.hpp"

#include "engines/contract/move_examples.hpp"
#include "engines/host/registry.hpp"
#include "hub/base/json.hpp"
#include "tools/engine/open_engine.hpp"
#include "tools/engine/play_text.hpp"

namespace gamehub::tools::engine {
namespace {

namespace contract = engines::contract;

constexpr std::string_view preface =
    R"(# Moves

How the moves of the built-in engines look to clients, with the default options: positions of a random game in which
a player has moves of a new form, what that player sees, and some of the legal moves.
`gamehub-tools engine moves > engines/MOVES.md` makes this page; `gamehub-tools engine moves ENGINE` prints the same for
a plugin or a program. `GET /api/engines/{engine}` has these examples for every engine of a hub.

| column | where clients use it |
|---|---|
| text | `action` of `POST /api/move` over [HTTP](../gateways/http/README.md) |
| JSON | `payload` of [JSON turns](../gateways/turns/README.md) and [WebSockets](../gateways/ws/README.md), `move` of [bots](../gateways/bots/README.md) |
| cell | `position` of HTTP and of bots, the cell of [opcodes](../gateways/opcodes/README.md) and [UDP](../gateways/udp/README.md); empty: the move is no cell |

Players are X, O, then 3, 4 and so on, the seats 0, 1, 2 and 3 of views and scores. Chance moves by itself: clients read
its moves and send none.
)";

// A cell of a table.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char c : terminal_text(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out + '`';
}

}  // namespace

std::string moves_section(const engines::host::engine& rules, const moves_request& with) {
  begin_match(rules, with.options, with.players);
  auto out = "## " + terminal_text(rules.title()) + "\n\n`" + std::string{rules.id()} + "` " +
             rules.version_text();
  if (!with.options.empty()) out += ", options " + code(with.options);
  out += '\n';
  for (const auto& at : contract::move_examples(rules, with.seed, {with.options, with.players})) {
    out += '\n' + (at.seat == engines::chance
                       ? "Chance draws; spectators see"
                       : contract::player_name(at.seat) + " is to move and sees");
    out += ":\n\n```json\n" + terminal_text(at.view, at.view.size()) + "\n```\n\n";
    out += at.moves.size() < at.legal
               ? std::to_string(at.moves.size()) + " of " + std::to_string(at.legal) + " moves:\n"
               : "The moves:\n";
    out += "\n| text | JSON | cell |\n|---|---|---|\n";
    for (const auto& each : at.moves)
      out += "| " + code(each.text) + " | " + code(each.json) + " | " +
             (each.cell < 0 ? "" : std::to_string(each.cell) + ' ') + "|\n";
  }
  return out;
}

std::string moves_page(const moves_request& with) {
  std::string out{preface};
  const auto built_in = engines::host::registry::built_in();
  for (const auto& each : built_in.all()) out += '\n' + moves_section(each, with);
  return out;
}

std::string moves_json(const engines::host::engine& rules, const moves_request& with) {
  begin_match(rules, with.options, with.players);
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.text("engine", rules.id());
  to.text("title", rules.title());
  to.as_is("examples", contract::examples_json(contract::move_examples(
                           rules, with.seed, {with.options, with.players})));
  to.end('}');
  return out;
}

std::string all_moves_json(const moves_request& with) {
  std::string out = "{\"engines\":[";
  const auto built_in = engines::host::registry::built_in();
  for (const auto& each : built_in.all())
    out += (out.back() == '}' ? "," : "") + moves_json(each, with);
  return out + "]}";
}

}  // namespace gamehub::tools::engine
