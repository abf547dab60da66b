// The links of this member to all other members of its cluster: one connection each way between two
// members, over which numbered messages arrive exactly once and in order as long as both live.
// Owned by the composition; it owns one thread with all its sockets. Any thread may call it; events
// are called on its thread.
#pragma once

#include "hub/journal/member_id.hpp"
#include "hub/link/refusal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::link::net {

using link::break_cause;
using link::refusal;

// PEM files. The certificate is used for both directions, with its intermediate certificates behind
// it; the key has no passphrase; the authority has signed the certificates of all members.
struct tls_files {
  std::string key, certificate, authority;
};

// What others connect to, by what they are known, and the bounds.
struct links_options {
  std::string cluster;  // the id of the cluster, from its database
  journal::member_id self;
  std::string build;  // for people: in the logs of the other side

  std::string listen = "127.0.0.1";  // a numeric address
  std::uint16_t port = 0;            // 0: any free one
  // Without certificates the address to listen on and those of the peers must be loopback.
  std::optional<tls_files> tls = {};

  // Each side of a connection sends a byte at least once per beat. A connection is broken without a
  // byte for silence_max, and if a write takes longer than that. The time in which this process did
  // not run does not count.
  std::chrono::milliseconds beat{250}, silence_max{1'000};
  // The time for the connection, the handshake and the hello, on both sides.
  std::chrono::milliseconds hello_max{2'000};
  // The pause after a broken connection doubles up to this, with jitter.
  std::chrono::milliseconds connect_pause_min{50}, connect_pause_max{2'000};
  // The bytes of messages to one peer that are kept until it has acknowledged them.
  std::size_t unanswered_bytes_max = 4u << 20;
  // Accepted connections that have sent no valid hello yet: in all, and of one address.
  std::size_t unidentified_max = 64, unidentified_per_address_max = 16;
  // 0: the system's default. A small one lets tests fill it.
  int socket_buffer_bytes = 0;
};

// A member that lives, and where its links listen: "10.0.0.7:7070", "[::1]:7070". The address is
// numeric.
struct peer {
  journal::member_id id;
  std::string address;

  friend bool operator==(const peer&, const peer&) = default;
};

struct link_status {
  journal::member_id id;
  std::string address;
  bool up_out = false, up_in = false;  // the connection made by this member, and by the other one
  std::chrono::milliseconds since{0};  // how long the link has been up or not
  std::string why;         // of the last break or failure to connect; empty before the first one
  std::string build = {};  // of the other side; empty before its first hello
  std::size_t unanswered_bytes = 0;  // kept of what was sent to it
};

struct link_numbers {
  std::uint64_t links_up = 0, links_wanted = 0, breaks = 0;
  std::uint64_t sent_messages = 0, received_messages = 0;  // each message counts once
  std::uint64_t sent_bytes = 0, received_bytes = 0;        // of all frames
  std::uint64_t repeated = 0;  // messages that were written again after a break
  std::uint64_t dropped = 0;   // messages that send() refused because the window was full
  std::map<refusal, std::uint64_t> refused;          // by this member; always all reasons
  std::map<break_cause, std::uint64_t> broken = {};  // the breaks by cause; always all of them
};

// Called on the thread of the links; they must not throw, block, or call stop(). Each may be empty.
struct links_events {
  // Both directions are up. Messages may arrive before this.
  std::function<void(journal::member_id)> on_up;
  // A link that was up is broken: one of its connections has ended. Not called for members that
  // set_members() removed.
  std::function<void(journal::member_id, std::string_view why)> on_broken;
  // A message of a member, in the order of its sending. The view is valid during the call.
  std::function<void(journal::member_id, std::string_view message)> on_message;
};

class links {
 public:
  // Listens. Throws base::usage_error: the address can't be used or its port is taken, a file can't
  // be read or does not fit the others, an address that needs certificates.
  links(links_options, links_events);
  // As stop().
  ~links();
  links(const links&) = delete;
  links& operator=(const links&) = delete;

  // Returns the port that it listens on.
  std::uint16_t port() const;

  // Starts the thread. Until then connections wait in the listener's queue. Requires: not called
  // before.
  void start();

  // Says who lives now: this member connects to each of them and accepts connections of them alone.
  // What is kept of other members, links and messages, ends. This member itself is ignored. A
  // member that was removed and comes back is refused by the other side (`numbers`), if messages
  // were exchanged before: a member's number is one life of a process.
  void set_members(std::vector<peer>);

  // Sends a message with the next flush(), once a connection is there. Returns false if it does
  // not: the member is not in the list, the window of the member is full, or the message is over
  // message_bytes_max (hub/link/codec.hpp).
  bool send(journal::member_id, std::string message);
  // Wakes the thread to write what was sent. The messages of one flush are one write.
  void flush();

  // Returns the bytes of messages to a member that are kept, because it has not acknowledged them.
  std::size_t unanswered_bytes(journal::member_id) const;

  std::vector<link_status> status() const;
  link_numbers numbers() const;

  // Closes everything and ends the thread; no event is called after that. Messages that are not
  // written yet are lost.
  void stop();

 private:
  class worker;
  const std::unique_ptr<worker> worker_;
};

}  // namespace gamehub::link::net
