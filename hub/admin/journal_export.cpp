#include "hub/admin/journal_export.hpp"

#include "actors/table/replay.hpp"
#include "hub/base/json.hpp"
#include "hub/base/text.hpp"
#include "hub/base/unicode.hpp"
#include "hub/core/offer.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <variant>

namespace gamehub::admin {
namespace {

using journal::archived_game;
using journal::record;
using kind = record::kind;

std::size_t seats_of(const archived_game& game) { return journal::seats_of(game.records).size(); }

// The game's match, played along with its records for the engine's words. It falls silent when the
// log and the rules part, or the engine fails: to find where is the work of verify.
class companion {
 public:
  companion(const engines::host::registry& engines, const archived_game& game) : game_(game) {
    if (game.state == journal::game_state::quarantined) return;
    const auto engine = engines.find(game.header.engine, game.header.engine_version);
    if (!engine) return;
    rules_ = *engine;
    try {
      auto made = engine->create(game.header.options);
      if (auto* fresh = std::get_if<engines::host::match>(&made)) match_.emplace(std::move(*fresh));
    } catch (const engines::host::engine_failure&) {
    }
  }

  // Takes the record's action, and says it in the engine's words.
  std::optional<std::string> follow(const record& r) {
    if (!match_) return {};
    try {
      const auto seat = r.what == kind::drawn ? engines::chance : int{r.seat};
      if (match_->apply(seat, r.action) == nullptr) return match_->to_text(r.action);
    } catch (const engines::host::engine_failure&) {
    }
    match_.reset();
    return {};
  }

  // Takes the moves back that the record undoes.
  void take_back(const record& r) {
    if (!match_) return;
    try {
      const auto before = std::span{game_.records}.first(static_cast<std::size_t>(r.number - 1));
      *match_ = actors::table::match_before(*rules_, game_.header.options, before,
                                            static_cast<journal::record_number>(r.action));
    } catch (const engines::host::engine_failure&) {
      match_.reset();
    }
  }

  // What the rules give; nothing if the game is not at its end by them.
  std::optional<std::vector<double>> scores() const {
    if (!match_) return {};
    try {
      if (!match_->over()) return {};
      std::vector<double> out(static_cast<std::size_t>(match_->players()));
      match_->scores(out);
      return out;
    } catch (const engines::host::engine_failure&) {
      return {};
    }
  }

 private:
  const archived_game& game_;
  std::optional<engines::host::engine> rules_;
  std::optional<engines::host::match> match_;
};

std::string_view word_of(kind what) {
  switch (what) {
    case kind::opened: return "opened";
    case kind::joined: return "joined";
    case kind::moved: return "moved";
    case kind::drawn: return "drawn";
    case kind::ended: return "ended";
    case kind::said: return "said";
    case kind::left: return "left";
    case kind::offered: return "offered";
    case kind::accepted: return "accepted";
    case kind::declined: return "declined";
    case kind::withdrawn: return "withdrawn";
    case kind::taken_back: return "taken-back";
    case kind::substituted: return "substituted";
    case kind::returned: return "returned";
  }
  return "unknown";
}

void append_seat(std::int16_t seat, base::json_writer& to) {
  if (seat < 0)
    to.nothing();
  else
    to.number(seat);
}

void append_hash(std::uint64_t hash, base::json_writer& to) {
  std::string digits;
  base::append_hex(hash, digits);
  to.text("hash", digits);
}

void append_header(const archived_game& game, base::json_writer& to) {
  to.key("game").number(game.header.id.value);
  to.key("state").text(journal::to_string(game.state));
  if (!game.note.empty()) to.key("note").text(game.note);
  if (game.damage) to.key("damage").text(*game.damage);
  to.key("engine").text(game.header.engine);
  to.key("version").text(game.header.engine_version);
  if (!game.header.options.empty()) to.key("options").text(game.header.options);
  to.key("opened").time(game.header.opened);
}

void append_seats(const archived_game& game, base::json_writer& to) {
  to.key("seats").begin('[');
  for (const auto& each : journal::seats_of(game.records)) {
    to.begin('{');
    to.key("seat").number(each.seat);
    to.key("player").number(each.action);
    to.key("name").text(each.text);
    to.key("wire").text(each.wire);
    to.end('}');
  }
  to.end(']');
}

// What only this kind of record has.
void append_own_part(const record& r, companion& game, base::json_writer& to) {
  switch (r.what) {
    case kind::opened:
      if (r.action != 0) to.key("closed").truth(true);
      if (!r.text.empty()) to.key("clock").text(r.text);
      append_hash(r.state, to);
      break;
    case kind::joined:
      to.key("seat").number(r.seat);
      to.key("player").number(r.action);
      to.key("name").text(r.text);
      break;
    case kind::moved:
    case kind::drawn:
      if (r.what == kind::moved) to.key("seat").number(r.seat);
      to.key("action").number(r.action);
      if (const auto text = game.follow(r)) to.key("text").text(*text);
      if (r.what == kind::moved && !r.text.empty()) to.key("left").text(r.text);
      if (r.hidden) to.key("hidden").truth(true);
      append_hash(r.state, to);
      break;
    case kind::ended:
      to.key("reason").text(to_string(r.why));
      append_seat(r.seat, to.key("winner"));
      if (!r.text.empty()) to.key("text").text(r.text);
      break;
    case kind::said:
      to.key("seat").number(r.seat);
      to.key("text").text(r.text);
      break;
    case kind::left:
    case kind::returned: to.key("seat").number(r.seat); break;
    case kind::substituted:
      to.key("seat").number(r.seat);
      to.key("by").text(r.wire);
      if (!r.text.empty()) to.key("text").text(r.text);
      if (r.action != 0) to.key("may_return").truth(true);
      break;
    case kind::offered:
    case kind::accepted:
    case kind::declined:
    case kind::withdrawn:
      to.key("seat").number(r.seat);
      to.key("offer").text(to_string(static_cast<offer_kind>(r.action)));
      if (!r.text.empty()) to.key("cause").text(r.text);
      break;
    case kind::taken_back:
      to.key("seat").number(r.seat);
      to.key("from").number(r.action);
      append_hash(r.state, to);
      game.take_back(r);
      break;
  }
}

void append_records(const archived_game& game, companion& beside, base::json_writer& to) {
  to.key("records").begin('[');
  for (const auto& each : game.records) {
    to.begin('{');
    to.key("number").number(each.number);
    to.key("time").time(each.at);
    to.key("what").text(word_of(each.what));
    append_own_part(each, beside, to);
    to.end('}');
  }
  to.end(']');
}

// The scores follow from the rules or, where these did not end the game, from the winner.
std::optional<std::vector<double>> scores_of(const record& end, const companion& game,
                                             std::size_t seats) {
  if (end.why == end_reason::rules) return game.scores();
  std::vector<double> out(seats, end.seat < 0 ? 0.0 : -1.0);
  if (end.seat >= 0 && static_cast<std::size_t>(end.seat) < seats)
    out[static_cast<std::size_t>(end.seat)] = 1.0;
  return out;
}

void append_result(const archived_game& game, const companion& beside, base::json_writer& to) {
  to.key("result");
  if (game.records.empty() || game.records.back().what != kind::ended) return to.nothing();
  const auto& last = game.records.back();
  to.begin('{');
  to.key("reason").text(to_string(last.why));
  append_seat(last.seat, to.key("winner"));
  if (const auto scores = scores_of(last, beside, seats_of(game))) {
    to.key("scores").begin('[');
    for (const auto each : *scores) to.number(each);
    to.end(']');
  }
  to.end('}');
}

}  // namespace

// Names of an older journal may have characters that change what a terminal shows.
void game_writer::append(const archived_game& game, std::string& out) {
  companion beside{engines_, game};
  std::string line;
  base::json_writer to{line};
  to.begin('{');
  append_header(game, to);
  append_seats(game, to);
  append_records(game, beside, to);
  append_result(game, beside, to);
  to.end('}');
  out += base::unicode::escape_hidden_json(line) + '\n';
}

std::vector<game_id> export_games(journal::archive& from, std::span<const game_id> asked,
                                  const engines::host::registry& engines,
                                  const std::function<bool(std::string_view)>& write) {
  constexpr std::size_t bytes_at_once = 256 * 1024;
  game_writer writer{engines};
  std::vector<game_id> missing{asked.begin(), asked.end()};
  std::string lines;
  from.for_each(asked, [&](archived_game& game) {
    std::erase(missing, game.header.id);
    writer.append(game, lines);
    if (lines.size() < bytes_at_once) return true;
    const auto go_on = write(lines);
    lines.clear();
    return go_on;
  });
  if (!lines.empty()) write(lines);
  return missing;
}

std::string no_such_games(std::span<const game_id> missing, const std::filesystem::path& journal) {
  constexpr std::size_t named_max = 10;
  auto out = "the journal " + journal.string() +
             (missing.size() == 1 ? " has no game " : " has no games ");
  for (std::size_t i = 0; i < std::min(missing.size(), named_max); ++i)
    out += (i > 0 ? ", " : "") + std::to_string(missing[i].value);
  if (missing.size() > named_max) out += " and more";
  return out + ": gamehub journal export lists those it has";
}

}  // namespace gamehub::admin
