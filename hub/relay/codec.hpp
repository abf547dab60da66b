// The bytes of the messages between the hubs of a client and of its player (README.md, "Bytes").
// They are the opaque bytes of one message of a link. They come from another process: what is wrong
// with them is a value, every size has a bound, and nothing throws. Plain functions; any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/link/codec.hpp"
#include "hub/relay/messages.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::relay {

using link::fault;

// By seat: names, visits, scores, clocks; the engines of a seek, the names of a player.
inline constexpr std::size_t items_max = 64;
// Nested values: an event, a position, its lists of actions.
inline constexpr int depth_max = 4;

// Returns the bytes of a message. Times of the steady clock cross as what is between them and
// `now`. Nothing: they would be longer than a message of a link, or a list than items_max. The
// secret of signed_in and the mistake of an offer do not cross.
std::optional<std::string> encode(const message&, base::instant now);

// Reads the bytes of one message. Nothing: a message of a newer version that may be skipped.
std::optional<std::variant<message, fault>> decode(std::string_view, base::instant now);

}  // namespace gamehub::relay
