// The two ends of one connection of a link, without its socket: which frames belong where, and what
// they do to the state of the peer. Owned by the connection; one thread at a time.
#pragma once

#include "hub/link/codec.hpp"
#include "hub/link/refusal.hpp"
#include "hub/link/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::link {

// This member, as it introduces itself.
struct identity {
  std::string cluster;
  member_id self;
  std::string build;
};

// What is kept of one peer.
struct peer_state {
  peer_state(member_id i, std::size_t bytes_max) : id(i), out(bytes_max) {}

  const member_id id;
  sender out;
  receiver in;
};

// Why a connection ends, by what arrived on it.
struct ending {
  break_cause cause;
  std::string why;  // for people: the cause, and what is known beside it
};
// Of bytes that are no frame.
ending ending_of(fault);

// The end that has connected, and sends messages.
class caller {
 public:
  caller(const identity& who, peer_state& peer) : who_(who), peer_(peer) {}

  // The first frame.
  hello begin();
  // Takes a frame of the peer. Returns why the connection ends, if it does.
  std::optional<ending> on_frame(const frame&);

  // The peer has answered: messages may be written.
  bool is_up() const { return up_; }
  const std::string& build() const { return build_; }

 private:
  std::optional<ending> on_answer(const hello_answer&);

  const identity& who_;
  peer_state& peer_;
  std::string build_;
  bool up_ = false;
};

// Why a hello is refused, if it is. `from`: the state of the member that it comes from; null if it
// is not in the list. Changes nothing.
std::optional<refusal> check(const hello&, const identity&, const peer_state* from);

// The end that was connected to, and receives messages, from the answer to its hello on.
class answerer {
 public:
  // The connection takes the place of an earlier one. Requires: check() finds nothing.
  answerer(const identity& who, peer_state& peer, const hello&, std::uint64_t window);

  // The first frame.
  const hello_answer& answer() const { return answer_; }

  // What a frame of the peer causes: a message to deliver, the end of the connection, or nothing.
  using effect = std::variant<std::monostate, message, ending>;
  effect on_frame(const frame&);

  // What is to be acknowledged, once.
  std::optional<acknowledge> take_acknowledgement();

 private:
  peer_state& peer_;
  hello_answer answer_;
  bool owes_ = false;
};

}  // namespace gamehub::link
