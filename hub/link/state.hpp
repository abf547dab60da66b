// What one member keeps of a peer as long as the peer is in the list of members, across
// connections: the messages that the peer has not acknowledged, and how many of its messages have
// arrived. And what it keeps of a connection: when it was last heard of, when to try again. Plain
// values without clock, socket or thread; the caller passes the time in.
#pragma once

#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/link/codec.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace gamehub::link {

// The messages to one peer, numbered from 1 and kept until they are acknowledged. At most one
// connection at a time carries them.
class sender {
 public:
  explicit sender(std::size_t bytes_max) : bytes_max_(bytes_max), peer_window_(bytes_max) {}

  // Takes a message. False, and nothing is kept, if the window of this member or of the peer is
  // full, or the message is too long.
  bool send(std::string message);

  // A new connection begins; what was open before is not any more. Returns its number, from 1.
  std::uint64_t connect();
  // The connection was answered: `received` messages have arrived there. The rest is written again.
  // False, and nothing changes, if that can't be.
  bool on_answer(std::uint64_t received, std::uint64_t window);
  // False, and nothing changes, if the number is not one of this connection.
  bool on_acknowledge(std::uint64_t received, std::uint64_t window);
  void disconnect() { open_ = false; }

  // Appends frames of messages until `out` has this many bytes, or nothing is left to write.
  // Returns their number; 0 without a connection.
  std::size_t write(std::string& out, std::size_t bytes_enough);
  bool has_more() const { return open_ && next_ <= last(); }

  // Numbers of the last message that was written to any connection, and that is acknowledged.
  std::uint64_t written() const { return written_; }
  std::uint64_t acknowledged() const { return acknowledged_; }
  // Messages that were written to a second connection.
  std::uint64_t repeated() const { return repeated_; }

  // What is kept: the bytes of the messages, and frame_overhead_max for each.
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_max() const { return bytes_max_; }

 private:
  std::uint64_t last() const { return acknowledged_ + kept_.size(); }
  void forget(std::uint64_t up_to);

  const std::size_t bytes_max_;
  std::uint64_t peer_window_;
  std::deque<std::string> kept_;  // from acknowledged_ + 1
  std::size_t bytes_ = 0;
  std::uint64_t acknowledged_ = 0, written_ = 0, repeated_ = 0, attempt_ = 0;
  std::uint64_t next_ = 1;  // to write on the open connection
  bool open_ = false;
};

// The messages of one peer.
class receiver {
 public:
  // True if the connection that begins with this hello continues what was received. `written`:
  // the last message that was written to the peer. Changes nothing, so that a wrong connection does
  // not end the right one.
  bool fits(const hello&, std::uint64_t written) const;
  // The connection with this hello takes the place of the one before. Requires: it fits.
  void connect(const hello& h) { attempt_ = h.attempt; }

  enum class arrival : std::uint8_t {
    next,       // it is the next message
    duplicate,  // it was received before
    gap,        // one before it is missing
  };
  arrival take(std::uint64_t number);

  // The last message that was received.
  std::uint64_t received() const { return received_; }

 private:
  std::uint64_t received_ = 0, attempt_ = 0;
};

// The versions that both speak: the greatest one, or nothing.
std::optional<std::uint32_t> common_version(std::uint32_t least, std::uint32_t greatest);

// Whether a connection lives, by its bytes.
class pulse {
 public:
  struct tuning {
    std::chrono::milliseconds beat{250}, silence_max{1'000};
  };
  pulse(const tuning& by, base::instant now)
      : by_(by), heard_(now), said_(now), writing_since_(now), checked_(now) {}

  // Bytes have arrived; a write has begun; it has made progress, and whether more is to be written.
  void on_bytes(base::instant now) { heard_ = now; }
  void on_write(base::instant now);
  void on_progress(base::instant now, bool done);

  struct verdict {
    bool ping = false;    // this side has said nothing for a beat
    bool silent = false;  // the connection is broken
  };
  // To be called several times per beat. Time between two calls that is longer than a beat does not
  // count: this process did not run, and the bytes of the other side have not been read yet.
  verdict check(base::instant now);

 private:
  const tuning by_;
  base::instant heard_, said_, writing_since_, checked_;
  bool writing_ = false;
};

// The pauses between attempts to connect: each up to twice as long as the one before, between half
// of that and all of it, so that members do not connect in step.
class reconnect_pause {
 public:
  reconnect_pause(std::chrono::milliseconds least, std::chrono::milliseconds most,
                  std::uint64_t seed)
      : least_(least), most_(most), now_(least), random_(seed) {}

  base::duration next();
  // The link was up.
  void reset() { now_ = least_; }

 private:
  const std::chrono::milliseconds least_, most_;
  std::chrono::milliseconds now_;
  base::seeded_entropy random_;
};

}  // namespace gamehub::link
