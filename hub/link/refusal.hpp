// Why a member refuses a connection, and why a link breaks: README.md says what each means. Plain
// values, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::link {

// The reasons for which a connection is closed that is not, or not yet, a link. The values are sent
// to the other side: a reason keeps its value, new ones are added at the end.
enum class refusal : std::uint8_t {
  garbage = 1,      // bytes that are no frames, or frames in the wrong order
  cluster = 2,      // a member of another cluster
  self = 3,         // this member itself
  member = 4,       // not in the list of members, or it looks for another member than this one
  version = 5,      // no version of the protocol that both speak
  numbers = 6,      // message numbers that do not fit: another life, or an older connection
  certificate = 7,  // a certificate that the authority has not signed, or none
  silent = 8,       // no hello in time
  crowded = 9,      // too many connections without a hello, in all or from its address
};

inline constexpr std::array refusals{refusal::garbage,     refusal::cluster, refusal::self,
                                     refusal::member,      refusal::version, refusal::numbers,
                                     refusal::certificate, refusal::silent,  refusal::crowded};

constexpr std::string_view to_string(refusal why) {
  switch (why) {
    case refusal::garbage: return "garbage";
    case refusal::cluster: return "cluster";
    case refusal::self: return "self";
    case refusal::member: return "member";
    case refusal::version: return "version";
    case refusal::numbers: return "numbers";
    case refusal::certificate: return "certificate";
    case refusal::silent: return "silent";
    case refusal::crowded: return "crowded";
  }
  return "unknown";
}

// The reason with this value, or nothing: a newer member may have more of them.
constexpr std::optional<refusal> refusal_of(std::uint64_t value) {
  for (const auto each : refusals)
    if (static_cast<std::uint64_t>(each) == value) return each;
  return std::nullopt;
}

enum class break_cause : std::uint8_t {
  closed,       // the other side, or its system, closed the connection
  silent,       // no byte arrived, or none could be written, for silence_max
  garbage,      // the other side sent what is no frame, or no frame that belongs there
  sequence,     // a number is missing, or one was acknowledged that was not sent
  replaced,     // the other side has opened a newer connection
  refused,      // the other side refused the connection
  certificate,  // its certificate is not signed by the authority
  unreachable,  // no connection to its address
  address,      // its address can't be used: not numeric, or without certificates not loopback
};

inline constexpr std::array break_causes{
    break_cause::closed,      break_cause::silent,      break_cause::garbage,
    break_cause::sequence,    break_cause::replaced,    break_cause::refused,
    break_cause::certificate, break_cause::unreachable, break_cause::address};

constexpr std::string_view to_string(break_cause why) {
  switch (why) {
    case break_cause::closed: return "closed";
    case break_cause::silent: return "silent";
    case break_cause::garbage: return "garbage";
    case break_cause::sequence: return "sequence";
    case break_cause::replaced: return "replaced";
    case break_cause::refused: return "refused";
    case break_cause::certificate: return "certificate";
    case break_cause::unreachable: return "unreachable";
    case break_cause::address: return "address";
  }
  return "unknown";
}

}  // namespace gamehub::link
