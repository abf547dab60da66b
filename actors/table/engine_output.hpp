// Reads positions, actions and outcomes from an engine and validates them against what the
// protocols can transport, because a plugin may return anything. Plain functions, any thread; they
// throw engine_failure.
#pragma once

#include "engines/host/engine.hpp"
#include "hub/core/event.hpp"
#include "hub/core/spectator_service.hpp"
#include "hub/core/wire.hpp"

#include <string>

namespace gamehub::actors::table {

// Adds one form of the position as the viewer sees it: the board, printable characters, one for
// each cell; or the view of the engine, a JSON object on one line.
void render_position(const engines::host::match&, int viewer, view_form, position&);

// Adds the score and the summary, which are for everyone.
void render_score(const engines::host::match&, position&);

// Returns a legal action in the engine's text, with its cell on the board.
legal_action describe_action(const engines::host::match&, engines::action);

// Returns the legal actions of a seat that is to move, in the engine's JSON. A list longer than
// limits::action_list_bytes_max is cut.
seat_actions list_actions(const engines::host::match&, seat_index);

// Converts the reason that an engine gave for a refused move to a refusal.
refusal refusal_of(std::string_view engine_word);

// Returns the outcome of a match that is over by its rules.
outcome outcome_by_rules(const engines::host::match&);

}  // namespace gamehub::actors::table
