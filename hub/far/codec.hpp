// The bytes of the messages between a front and a host (README.md, "Bytes"). They are the opaque
// bytes of one message of a link. They come from another process: what is wrong with them is a
// value, every size has a bound, and nothing throws. Plain functions; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/far/messages.hpp"
#include "hub/link/codec.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::far {

using link::fault;

// By seat: names, visits, scores, clocks.
inline constexpr std::size_t items_max = 64;
// Nested values: an event, a position, its lists of actions.
inline constexpr int depth_max = 4;

// Returns the bytes of a message. Times of the steady clock cross as what is between them and
// `now`; of the lists of actions in a position only that of the receiver crosses. Nothing: they
// would be longer than a message of a link.
// Requires: an event is one that games send, so neither signed_in nor placed.
std::optional<std::string> encode(const message&, base::instant now);

// Reads the bytes of one message. Nothing: a message of a newer version that may be skipped.
std::optional<std::variant<message, fault>> decode(std::string_view, base::instant now);

}  // namespace gamehub::far
