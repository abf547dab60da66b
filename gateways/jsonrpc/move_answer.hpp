// What a bot says to a call: reads the move out of an answer's body, or says in words for its
// author what is wrong. Only what decides is looked at: neither jsonrpc nor id, and an error that
// comes with a position does not matter. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "gateways/jsonrpc/messages.hpp"

namespace gamehub::gateways::jsonrpc {

struct misstep {
  fault_code code = fault_code::unparsable;
  std::string text;  // a sentence
};

// The number in result.position; whether the board has such a place, the game knows.
std::variant<std::int64_t, misstep> read_position(std::string_view body);

// A piece of what a bot said, to be shown to people: one line, cut where it is long.
std::string quoted(std::string_view said);

}  // namespace gamehub::gateways::jsonrpc
