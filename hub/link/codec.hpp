// The frames of a link and their bytes (README.md, "Bytes"). Bytes come from another process: what
// is wrong with them is a value, every size has a bound, and nothing throws. Plain values and
// functions; one reader serves one connection, one thread at a time.
#pragma once

#include "hub/base/inbox.hpp"
#include "hub/journal/member_id.hpp"
#include "hub/link/refusal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::link {

using journal::member_id;

// The versions of the protocol that this program speaks.
inline constexpr std::uint32_t version_least = 1, version_greatest = 1;

// The opaque bytes of one message. A position with its record takes some hundred bytes, the log of
// a long game some ten thousand.
inline constexpr std::size_t message_bytes_max = 1u << 20;
// What is around the bytes of a message: kind, fields, number. Also the most that one kept message
// costs beyond its bytes.
inline constexpr std::size_t frame_overhead_max = 64;
inline constexpr std::size_t frame_bytes_max = message_bytes_max + frame_overhead_max;
// Until it has said who it is, a connection can make this member keep this much.
inline constexpr std::size_t first_frame_bytes_max = 1'024;
// The id of the cluster, and the build: visible ASCII.
inline constexpr std::size_t text_bytes_max = 128;
inline constexpr int fields_max = 64;

static_assert(2 * text_bytes_max + 8 * 12 < first_frame_bytes_max, "a hello must fit");

// The first frame, of the member that has connected and sends messages.
struct hello {
  std::string cluster;
  member_id from, to;
  std::uint32_t least = version_least, greatest = version_greatest;
  std::uint64_t attempt = 0;       // counts its connections to this peer, from 1
  std::uint64_t sent = 0;          // its last message to this peer
  std::uint64_t acknowledged = 0;  // the last one that it need not keep
  std::uint64_t received = 0;      // the last message of this peer that it has received
  std::string build;

  friend bool operator==(const hello&, const hello&) = default;
};

// The connection is a link: messages follow, from `received` + 1.
struct hello_answer {
  member_id from;
  std::uint32_t version = version_greatest;
  std::uint64_t received = 0;
  std::uint64_t window = 0;  // bytes of messages that may be unacknowledged
  std::string build;

  friend bool operator==(const hello_answer&, const hello_answer&) = default;
};

// The connection is closed. No reason: one that only newer versions have.
struct refused {
  std::optional<refusal> why;

  friend bool operator==(const refused&, const refused&) = default;
};

struct message {
  std::uint64_t number = 0;  // from 1, without gaps
  std::string_view bytes;    // of a reader: valid until its next call

  friend bool operator==(const message&, const message&) = default;
};

struct acknowledge {
  std::uint64_t received = 0;  // this number and all before it
  std::uint64_t window = 0;

  friend bool operator==(const acknowledge&, const acknowledge&) = default;
};

struct ping {
  friend bool operator==(const ping&, const ping&) = default;
};

using frame = std::variant<hello, hello_answer, refused, message, acknowledge, ping>;

// Appends the frame. Requires: texts and the bytes of a message within their bounds.
void append(const frame&, std::string& out);
// The same without a copy of the bytes.
void append_message(std::uint64_t number, std::string_view bytes, std::string& out);

// What is wrong with bytes of the other side.
enum class fault : std::uint8_t {
  empty,     // a frame without a kind
  too_long,  // longer than the bound
  kind,      // a kind that this version does not know and must not skip
  field,     // a field that is cut off, not of its type, or out of its bounds
  repeated,  // a known field twice
  missing,   // a field that the kind must have
  fields,    // more than fields_max
};
std::string_view to_string(fault);

// Makes frames of the bytes of one connection, cut anywhere.
class reader {
 public:
  // Keeps at most this many bytes of an unfinished frame, beside what was received last.
  explicit reader(std::size_t bytes_max = first_frame_bytes_max) : bytes_max_(bytes_max) {}

  // Bytes of the other side. Requires: next() has returned nothing since the last call.
  void receive(std::string_view bytes) { inbox_.receive(bytes); }
  // The next frame; nothing until more bytes come. After a fault there is nothing more, ever.
  // Frames that may be skipped are.
  std::optional<std::variant<frame, fault>> next();
  // From the next frame on the bound is this one.
  void allow(std::size_t bytes_max) { bytes_max_ = bytes_max; }

  std::size_t kept_bytes() const { return inbox_.kept_bytes(); }

 private:
  base::inbox inbox_;
  std::size_t bytes_max_;
  bool failed_ = false;
};

}  // namespace gamehub::link
