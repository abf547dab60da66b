#include "engines/process/frames.hpp"

#include "engines/process/wire_format.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <fcntl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace gamehub::engines::process {
namespace {

using std::chrono::steady_clock;

struct sockets {
  sockets() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) FAIL("socketpair");
  }
  ~sockets() {
    for (const auto each : ends) close(each);
  }
  // Of the first end; any thread may.
  bool put(std::string_view bytes) const {
    return ::send(ends[0], bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  }
  std::array<int, 2> ends{};
};

deadline soon() { return steady_clock::now() + std::chrono::milliseconds{20}; }
deadline later() { return steady_clock::now() + std::chrono::seconds{20}; }

TEST_CASE("frames: a message has its size before it") {
  const sockets s;
  REQUIRE(send(s.ends[0], "hello", later()) == passed::whole);
  std::array<char, 32> bytes{};
  REQUIRE(recv(s.ends[1], bytes.data(), bytes.size(), 0) == 9);
  CHECK(std::string(bytes.data(), 9) == std::string{"\x05\0\0\0hello", 9});
}

TEST_CASE("frames: messages come as they were sent, however they are cut") {
  const sockets s;
  std::string got;
  REQUIRE(send(s.ends[0], "", later()) == passed::whole);
  REQUIRE(receive(s.ends[1], got, later()) == passed::whole);
  CHECK(got.empty());
  // More than any buffer holds.
  const std::string large(3 * 1024 * 1024, 'x');
  bool sent = false;
  std::thread sender{[&] {
    sent = s.put({"\x02\0", 2}) && s.put({"\0\0a", 3}) && s.put("b") &&
           send(s.ends[0], large, later()) == passed::whole;
  }};
  CHECK(receive(s.ends[1], got, later()) == passed::whole);
  CHECK(got == "ab");
  CHECK(receive(s.ends[1], got, later()) == passed::whole);
  CHECK(got == large);
  sender.join();
  CHECK(sent);
}

TEST_CASE("frames: who says nothing or not all is out of time") {
  const sockets s;
  std::string got;
  CHECK(receive(s.ends[1], got, soon()) == passed::out_of_time);
  REQUIRE(s.put({"\x05\0\0\0he", 6}));
  CHECK(receive(s.ends[1], got, soon()) == passed::out_of_time);
}

TEST_CASE("frames: who does not read is out of time") {
  const sockets s;
  CHECK(send(s.ends[0], std::string(4 * 1024 * 1024, 'x'), soon()) == passed::out_of_time);
}

TEST_CASE("frames: who closes has ended") {
  sockets s;
  REQUIRE(s.put({"\x05\0\0\0he", 6}));
  close(s.ends[0]);
  s.ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  std::string got;
  CHECK(receive(s.ends[1], got, later()) == passed::ended);
  CHECK(receive(s.ends[1], got, later()) == passed::ended);
  CHECK(send(s.ends[1], "hello", later()) == passed::ended);
}

TEST_CASE("frames: a size that no message has is nonsense, and takes no memory") {
  const sockets s;
  std::string got;
  REQUIRE(s.put("\xff\xff\xff\xff"));
  CHECK(receive(s.ends[1], got, later()) == passed::nonsense);
  // The largest that is allowed is believed as it comes.
  const auto most = message_bytes_max;
  std::string head;
  for (int i = 0; i < 4; ++i) head.push_back(static_cast<char>((most >> (8 * i)) & 0xff));
  REQUIRE(s.put(head));
  std::string fresh;
  CHECK(receive(s.ends[1], fresh, soon()) == passed::out_of_time);
  CHECK(fresh.capacity() < 1024 * 1024);
}

}  // namespace
}  // namespace gamehub::engines::process
