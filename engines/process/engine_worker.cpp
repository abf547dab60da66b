#include "engines/process/engine_worker.hpp"

#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::engines::process {

namespace {

state_summary state_of(const host::match& m) {
  state_summary s;
  s.players = m.players();
  s.to_move = m.to_move();
  s.hash = m.hash();
  s.size = m.cells();
  if (s.to_move == 0) {
    s.scores.resize(static_cast<std::size_t>(s.players));
    m.scores(s.scores);
  } else if (s.to_move == only(chance)) {
    m.chance_outcomes(s.draws, s.weights);
  }
  return s;
}

bool is_failure(std::string_view reason) { return reason == reasons::engine_failure; }

void take(const char* function, const host::match& m, int seat, const host::match::parsed& found,
          query_result& out) {
  if (found.reason != nullptr) {
    if (is_failure(found.reason)) throw m.failure(function);
    out.reason = found.reason;
    return;
  }
  out.number = found.value;
  // The hub asks for the audience next, unless the seat is not to move.
  if (holds(m.to_move(), seat)) out.audience = m.audience(seat, found.value);
}

void choose(const host::match& m, const query& q, query_result& out) {
  const play_style style{static_cast<level>(q.level), q.seed,
                         std::chrono::nanoseconds{static_cast<std::int64_t>(q.budget_ns)}};
  if (const auto chosen = m.choose(q.seat, style))
    out.number = *chosen;
  else
    throw m.failure("choose", "the engine's player chose nothing");
}

void fill(const host::match& m, const query& q, query_result& out) {
  using kind = query::kind;
  switch (q.what) {
    case kind::legal_actions: return m.legal_actions(q.seat, out.actions);
    case kind::audience: out.audience = m.audience(q.seat, q.number); return;
    case kind::from_text:
      return take("action_from_text", m, q.seat, m.from_text(q.seat, q.text), out);
    case kind::from_json:
      return take("action_from_json", m, q.seat, m.from_json(q.seat, q.text), out);
    case kind::at_cell: return take("action_at", m, q.seat, m.at_cell(q.seat, q.number), out);
    case kind::to_text: out.bytes = m.to_text(q.number); return;
    case kind::to_json: out.bytes = m.to_json(q.number); return;
    case kind::glyphs: return m.glyphs(q.seat, out.bytes);
    case kind::cell_of: out.number = m.cell_of(q.number); return;
    case kind::view: return m.view_json(q.seat, out.bytes);
    case kind::save: out.bytes = m.save(); return;
    case kind::choose: return choose(m, q, out);
    case kind::score: return m.score(out.scores);
    case kind::summary: return m.summary(out.bytes);
  }
}

failure_text text_of(const host::engine_failure& failure) {
  return {failure.function(), failure.what()};
}

query_result answer_to(const host::match& m, const query& q) {
  query_result out;
  try {
    fill(m, q, out);
  } catch (...) {
    out = {};
    out.failed = true;
    out.failure = text_of(host::current_failure());
  }
  return out;
}

}  // namespace

description describe(const host::engine& rules) {
  const auto& from = rules.table();
  description d;
  d.flags = from.abi.flags;
  d.id = rules.id();
  d.title = rules.title();
  if (from.abi.options_schema != nullptr) d.options_schema = from.abi.options_schema;
  d.version_major = from.abi.version_major;
  d.version_minor = from.abi.version_minor;
  d.version_patch = from.abi.version_patch;
  d.players_min = from.abi.players_min;
  d.players_max = from.abi.players_max;
  d.actions_max = from.abi.actions_max;
  d.plies_max = from.abi.plies_max;
  d.state_bytes_max = from.abi.state_bytes_max;
  if (from.has_cells) d.marks = from.cells.marks;
  if (!from.face.empty()) d.face = from.face;
  d.has_score = rules.has_score();
  d.has_summary = rules.has_summary();
  d.has_player = from.has_player;
  d.player_immediate = from.has_player && rules.player_immediate();
  d.protocol_minor = protocol_minor;
  return d;
}

std::optional<std::string> engine_worker::serve(std::string_view request_bytes) {
  const auto asked = decode_request(request_bytes);
  if (!asked) return std::nullopt;
  for (const auto id : asked->released) matches_.erase(id);
  reply out;
  try {
    out = carry_out(*asked);
  } catch (...) {
    out = {};
    out.failed = true;
    out.failure = text_of(host::current_failure());
  }
  return encode(out);
}

host::match* engine_worker::find(std::uint64_t id) {
  const auto at = matches_.find(id);
  return at == matches_.end() ? nullptr : &at->second;
}

reply engine_worker::begin(const request& r, std::optional<host::match> made, std::string refused) {
  reply out;
  out.reason = std::move(refused);
  if (!made) return out;
  out.state = state_of(*made);
  matches_.insert_or_assign(r.match, *std::move(made));
  return out;
}

reply engine_worker::carry_out(const request& r) {
  using kind = request::kind;
  reply out;
  switch (r.what) {
    case kind::create: {
      auto made = rules_.create(r.text, static_cast<int>(r.number));
      auto* why = std::get_if<std::string>(&made);
      if (why != nullptr && is_failure(*why)) throw rules_.failure("create");
      if (why != nullptr)
        out = begin(r, {}, std::move(*why));
      else
        out = begin(r, std::get<host::match>(std::move(made)), {});
      break;
    }
    case kind::load: {
      auto made = rules_.load(r.text);
      std::string why = made ? "" : reasons::malformed;
      out = begin(r, std::move(made), std::move(why));
      break;
    }
    case kind::clone: {
      const auto* from = find(static_cast<std::uint64_t>(r.number));
      out.failed = from == nullptr;
      if (from != nullptr) out = begin(r, from->clone(), {});
      break;
    }
    case kind::apply: {
      auto* m = find(r.match);
      out.failed = m == nullptr;
      if (m == nullptr) break;
      const auto* why = m->apply(r.seat, r.number);
      if (why != nullptr && is_failure(why)) throw m->failure("apply");
      if (why != nullptr)
        out.reason = why;
      else
        out.state = state_of(*m);
      break;
    }
    case kind::ask: out.failed = find(r.match) == nullptr; break;
    case kind::play: return play(r);
  }
  if (out.failed || !out.reason.empty()) return out;
  for (const auto& q : r.queries) out.answers.push_back(answer_to(*find(r.match), q));
  return out;
}

reply engine_worker::play(const request& r) {
  reply out;
  const auto* from = find(r.match);
  out.failed = from == nullptr || r.queries.empty() || !is_move(r.queries.front());
  if (out.failed) return out;
  const auto& move = r.queries.front();
  auto& found = out.answers.emplace_back(answer_to(*from, move));
  if (found.failed || !found.reason.empty()) return out;
  auto next = from->clone();
  if (const auto* why = next.apply(move.seat, found.number)) {
    if (is_failure(why)) throw next.failure("apply");
    out.reason = why;
    return out;
  }
  out.state = state_of(next);
  for (std::size_t i = 1; i < r.queries.size(); ++i)
    out.answers.push_back(answer_to(next, r.queries[i]));
  matches_.insert_or_assign(static_cast<std::uint64_t>(r.number), std::move(next));
  return out;
}

}  // namespace gamehub::engines::process
