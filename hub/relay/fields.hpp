// The fields of each message between hubs, for the writer and the reader of codec.cpp alike, which
// are its only users: `Side` is one of them. Plain functions; any thread.
#pragma once

#include "hub/core/limits.hpp"
#include "hub/relay/messages.hpp"

#include <cstdint>
#include <type_traits>

namespace gamehub::relay {

// The greatest value of each enumeration. A newer member may have more: they are refused.
constexpr leave_cause last_of(leave_cause) {
  return static_cast<leave_cause>(leave_cause_count - 1);
}
constexpr offer_kind last_of(offer_kind) { return static_cast<offer_kind>(offer_kind_count - 1); }
constexpr offer_step last_of(offer_step) { return offer_step::withdrawn; }
constexpr offer_cause last_of(offer_cause) {
  return static_cast<offer_cause>(offer_cause_count - 1);
}
constexpr end_reason last_of(end_reason) { return static_cast<end_reason>(end_reason_count - 1); }
constexpr refusal last_of(refusal) { return static_cast<refusal>(refusal_count - 1); }
constexpr seat_kind last_of(seat_kind) { return seat_kind::substitute; }
constexpr close_reason last_of(close_reason) {
  return static_cast<close_reason>(close_reason_count - 1);
}
constexpr seat_filler::kind last_of(seat_filler::kind) { return seat_filler::kind::bot; }
constexpr move::form last_of(move::form) { return move::form::word; }
constexpr game_status last_of(game_status) { return game_status::ended; }
constexpr game_update::kind last_of(game_update::kind) { return game_update::kind::returned; }

// The fields of each type, for the writer and the reader alike. A tag keeps its meaning for ever; a
// field that a message must not lack has must().
template <class Side, class T>
using as = std::conditional_t<Side::writes, const T, T>;

template <class Side>
void fields(Side& s, as<Side, client_features>& f) {
  s(1, f.wants_actions);
  s(2, f.resumes);
  s(3, f.answers_offers);
  s(4, f.wants_presence);
}

template <class Side>
void fields(Side& s, as<Side, client_at>& c) {
  s.must(1, c.id);
  s.text(2, c.wire, limits::name_bytes_max);
  s(3, c.features);
  s(4, c.address);
  s(5, c.moves);
}

template <class Side>
void fields(Side& s, as<Side, seat_filler>& f) {
  s.must(1, f.who);
  s.text(2, f.name);
}

template <class Side>
void fields(Side& s, as<Side, seek>& w) {
  s(1, w.engines);
  s(2, w.options);
  s.must(3, w.games_max);
  s(4, w.again);
  s(5, w.seat_at_once);
  s(6, w.seat);
  s(7, w.against_engine);
  s(8, w.reserve_game);
  s(9, w.closed);
  s.text(10, w.invitation);
  s.text(11, w.opponent);
  s(12, w.only_by_name);
  s(13, w.opponent_ready);
  s.text(14, w.level);
  s(15, w.features);
  s(16, w.may_leave);
  s(17, w.join);
  s(18, w.replaces);
  s(19, w.others);
  s.text(20, w.clock);
  s(21, w.any_clock);
}

template <class Side>
void fields(Side& s, as<Side, gamehub::move>& m) {
  s.must(1, m.as);
  s(2, m.cell);
  s.text(3, m.text, limits::line_bytes_max);
}

template <class Side>
void fields(Side& s, as<Side, play>& p) {
  s.must(1, p.move);
  s(2, p.game);
  s(3, p.repeated_after);
}

template <class Side>
void fields(Side& s, as<Side, leave>& l) {
  s.must(1, l.why);
  s(2, l.game);
  s(3, l.only_waiting);
}

template <class Side>
void fields(Side& s, as<Side, chat>& c) {
  s.text(1, c.text, limits::line_bytes_max);
  s(2, c.game);
}

template <class Side>
void fields(Side& s, as<Side, rematch>& r) {
  s(1, r.game);
  s(2, r.only_if_offered);
}

template <class Side>
void fields(Side& s, as<Side, challenge>& c) {
  s.text(1, c.opponent);
  s(2, c.game);
}

template <class Side>
void fields(Side&, as<Side, sign_out>&) {}

template <class Side>
void fields(Side& s, as<Side, change_name>& c) {
  s.text(1, c.name);
}

template <class Side>
void fields(Side& s, as<Side, decline>& d) {
  s(1, d.game);
  s.must(2, d.why);
  s.must(3, d.step);
}

template <class Side>
void fields(Side& s, as<Side, offer>& o) {
  s.must(1, o.what);
  s.must(2, o.step);
  s(3, o.game);
}

template <class Side>
void fields(Side& s, as<Side, claim>& c) {
  s(1, c.game);
}

template <class Side>
void fields(Side& s, as<Side, attach>& a) {
  s.must(1, a.client);
  s.text(2, a.digest);
  s.must(3, a.ticket);
}

template <class Side>
void fields(Side& s, as<Side, arrive>& a) {
  s.must(1, a.client);
  s.text(2, a.name, limits::name_bytes_max);
  s.text(3, a.digest);
  s(4, a.former_names);
}

template <class Side>
void fields(Side& s, as<Side, request>& r) {
  s.must(1, r.client);
  s.must(2, r.ticket);
  s(3, r.trace);
  s.one_of(10, r.what);  // to 20
}

template <class Side>
void fields(Side& s, as<Side, presence>& p) {
  s.must(1, p.client);
  s(2, p.kept_until);
}

template <class Side>
void fields(Side& s, as<Side, depart>& d) {
  s.must(1, d.client);
  s(2, d.way_lost);
}

template <class Side>
void fields(Side& s, as<Side, signed_in>& e) {
  s.text(1, e.name);
  s(2, e.returned);
  s(3, e.games);
}

template <class Side>
void fields(Side& s, as<Side, placed>& e) {
  s.text(1, e.engine);
  s.text(2, e.marks);
  s(3, e.seat);
  s.text(4, e.invitation);
  s(5, e.rows);
  s(6, e.columns);
  s(7, e.begins);
  s(8, e.seats);
  s.text(9, e.start);
  s.clock(10, e.clock);
}

template <class Side>
void fields(Side& s, as<Side, game_terms>& t) {
  s.text(1, t.version);
  s.text(2, t.options);
  s(3, t.turn_time);
  s(4, t.kinds);
  s.clock(5, t.clock);
}

template <class Side>
void fields(Side& s, as<Side, started>& e) {
  s.text(1, e.engine);
  s.text(2, e.marks);
  s(3, e.players);
  s.must(4, e.seat);
  s(5, e.visits);
  s(6, e.terms);
}

template <class Side>
void fields(Side& s, as<Side, outcome>& o) {
  s.must(1, o.reason);
  s(2, o.winner);
  s(3, o.scores);
  s(4, o.forfeits);
}

template <class Side>
void fields(Side& s, as<Side, game_clock>& c) {
  s.must(1, c.at);
  s(2, c.left);
  s(3, c.running);
  s(4, c.periods);
  if (!c.periods.empty()) s(5, c.period);
}

template <class Side>
void fields(Side& s, as<Side, seat_actions>& a) {
  s.must(1, a.seat);
  s.text(2, a.list);
  s(3, a.complete);
}

template <class Side>
void fields(Side& s, as<Side, position>& p) {
  s.must(1, p.number);
  s(2, p.by);
  s(3, p.to_move);
  s(4, p.prompted);
  s(5, p.away);
  s(6, p.substituted);
  s(7, p.rows);
  s(8, p.columns);
  s.text(9, p.cells);
  s.text(10, p.document);
  s(11, p.score);
  s.text(12, p.summary);
  s(13, p.outcome);
  s.set(14, p.clock);
  s(15, p.actions);
}

template <class Side>
void fields(Side& s, as<Side, refused>& r) {
  s.must(1, r.why);
  s.text(2, r.detail);
  s(3, r.what);
  s(4, r.actions);
}

template <class Side>
void fields(Side&, as<Side, done>&) {}

template <class Side>
void fields(Side& s, as<Side, renamed>& r) {
  s.must(1, r.seat);
  s.text(2, r.name);
  s.text(3, r.old_name);
}

template <class Side>
void fields(Side& s, as<Side, offer_update>& o) {
  s.must(1, o.step);
  s.must(2, o.seat);
  s.text(3, o.name);
  s(4, o.cause);
  s(5, o.next);
  s.must(6, o.what);
}

template <class Side>
void fields(Side& s, as<Side, stage_times>& t) {
  s(1, t.taken_up);
  s(2, t.decided);
  s(3, t.committed);
}

template <class Side>
void fields(Side& s, as<Side, told>& t) {
  s.must(1, t.client);
  s(2, t.what.answers.from);
  s(3, t.what.answers.ticket);
  s(4, t.what.answers.trace);
  s(5, t.what.answers.stages);
  s(6, t.what.game);
  s.one_of(10, t.what.what);  // to 17
}

template <class Side>
void fields(Side& s, as<Side, accepted>& a) {
  s.must(1, a.client);
}

template <class Side>
void fields(Side& s, as<Side, closed>& c) {
  s.must(1, c.client);
  s.must(2, c.why);
}

template <class Side>
void fields(Side& s, as<Side, find_player>& f) {
  s.must(1, f.question);
  s.text(2, f.digest);
}

template <class Side>
void fields(Side& s, as<Side, find_opponent>& f) {
  s.must(1, f.question);
  s.text(2, f.wire, limits::name_bytes_max);
  s.text(3, f.name, limits::name_bytes_max);
  s.must(4, f.what);
  s(5, f.gathered);
  s(6, f.stay);
}

template <class Side>
void fields(Side& s, as<Side, answer>& a) {
  s.must(1, a.question);
  s(2, a.yes);
  s(3, a.level);
}

template <class Side>
void fields(Side& s, as<Side, web_request>& r) {
  s.must(1, r.number);
  s.text(2, r.method, limits::name_bytes_max);
  s.text(3, r.path);
  s(4, r.names);
  s(5, r.values);
  s.text(6, r.accept);
  s.text(7, r.last_event_id);
  s(8, r.error_pause);
  s.text(9, r.digest);
  s(10, r.address);
  s(11, r.opens);
}

template <class Side>
void fields(Side& s, as<Side, web_taken>& t) {
  s.must(1, t.number);
  s.must(2, t.bytes);
}

template <class Side>
void fields(Side& s, as<Side, web_gone>& g) {
  s.must(1, g.number);
}

template <class Side>
void fields(Side& s, as<Side, web_part>& p) {
  s.must(1, p.number);
  s.text(2, p.bytes);
}

template <class Side>
void fields(Side& s, as<Side, web_answer>& a) {
  s.must(1, a.number);
  s.must(2, a.status);
  s.text(3, a.content_type);
  s.text(4, a.cache_control);
  s(5, a.names);
  s(6, a.values);
  s.text(7, a.body);
  s(8, a.extra_requests);
  s(9, a.not_here);
}

template <class Side>
void fields(Side& s, as<Side, web_stream>& b) {
  s.must(1, b.number);
  s.text(2, b.content_type);
  s(3, b.extra_requests);
}

template <class Side>
void fields(Side& s, as<Side, web_end>& e) {
  s.must(1, e.number);
}

template <class Side>
void fields(Side& s, as<Side, find_game>& f) {
  s.must(1, f.question);
  s(2, f.game);
  s.text(3, f.party, limits::name_bytes_max);
}

template <class Side>
void fields(Side& s, as<Side, game_metadata>& g) {
  s.must(1, g.id);
  s.text(2, g.engine);
  s.text(3, g.engine_version);
  s.text(4, g.options);
  s.text(5, g.marks);
  s(6, g.players);
  s(7, g.kinds);
  s.text(8, g.reserved_for);
  s(9, g.closed);
  s(10, g.opened);
  s.clock(11, g.clock);
}

// A hidden one has neither seat nor text nor cell. The view of a seat does not cross.
template <class Side>
void fields(Side& s, as<Side, game_update>& u) {
  s.must(1, u.number);
  s(2, u.at);
  s.must(3, u.what);
  s(4, u.hidden);
  s(5, u.seat);
  s.text(6, u.name);
  s.text(7, u.text);
  s(8, u.cell);
  s(9, u.then);
  s(10, u.back_to);
  s(11, u.offer);
}

template <class Side>
void fields(Side& s, as<Side, absence>& a) {
  s.must(1, a.seat);
  s.until(2, a.kept_until);
  s.until(3, a.claimable_at);
}

// Of spectators, who have no actions.
template <class Side>
void fields(Side& s, as<Side, game_present>& p) {
  s.must(1, p.number);
  s.set(2, p.clock);
  s(3, p.away);
}

template <class Side>
void fields(Side& s, as<Side, watch>& w) {
  s.must(1, w.number);
  s.must(2, w.game);
  s(3, w.after);
}

template <class Side>
void fields(Side& s, as<Side, watch_taken>& t) {
  s.must(1, t.number);
  s.must(2, t.updates);
}

template <class Side>
void fields(Side& s, as<Side, watch_gone>& g) {
  s.must(1, g.number);
}

template <class Side>
void fields(Side& s, as<Side, watch_found>& f) {
  s.must(1, f.number);
  s.must(2, f.game);
  s.must(3, f.status);
  s(4, f.last);
}

template <class Side>
void fields(Side& s, as<Side, watch_update>& u) {
  s.must(1, u.number);
  s(2, u.game);
  s.must(3, u.what);
  s(4, u.present);
}

template <class Side>
void fields(Side& s, as<Side, watch_present>& p) {
  s.must(1, p.number);
  s.must(2, p.present);
}

template <class Side>
void fields(Side& s, as<Side, watch_end>& e) {
  s.must(1, e.number);
  s(2, e.complete);
}

template <class Side>
void fields(Side& s, as<Side, guest_change>& g) {
  s.must(1, g.game);
  s.text(2, g.name, limits::name_bytes_max);
  s(3, g.left);
}

}  // namespace gamehub::relay
