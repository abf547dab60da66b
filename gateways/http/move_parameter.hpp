// The move that a request asks for. A plain function, any thread.
#pragma once

#include <variant>

#include "gateways/http/errors.hpp"
#include "gateways/http/parameters.hpp"
#include "hub/core/intent.hpp"

namespace gamehub::gateways::http {

// A cell, which the engine may know nothing of, or words of the engine's own: one of them has to be
// given. Requires: the parameters are those of a move.
std::variant<gamehub::move, error> read_move(const parameters&);

}  // namespace gamehub::gateways::http
