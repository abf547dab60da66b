#include "tools/bench/server.hpp"

#include "tests/support/catch.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gamehub::tools::bench {
namespace {

TEST_CASE("server: the kernel's lines identify the listener of a port, but no connection") {
  const auto* listens =
      "   0: 0100007F:22BA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
      "4711 1 0000000000000000 100 0 0 10 0";
  const auto* connected =
      "   1: 0100007F:22BA 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 "
      "4712 1 0000000000000000 20 4 30 10 -1";
  CHECK(listening_inode(listens, 8890) == 4711U);
  CHECK_FALSE(listening_inode(listens, 8889));
  CHECK_FALSE(listening_inode(connected, 8890));
  CHECK_FALSE(listening_inode("  sl  local_address rem_address   st", 8890));
}

TEST_CASE("server: memory is read from its line") {
  CHECK(resident_kib("VmPeak:\t 9 kB\nVmRSS:\t   12345 kB\nVmData:\t 1 kB\n") == 12345);
  CHECK(resident_kib("nothing") == 0);
}

TEST_CASE("server: a process that listens is found by its port, and its usage is read") {
  const auto fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(bind(fd, reinterpret_cast<const sockaddr*>(&at), size) == 0);
  REQUIRE(listen(fd, 1) == 0);
  REQUIRE(getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  CHECK(listener_on(ntohs(at.sin_port)) == getpid());
  close(fd);
  const auto used = usage_of(getpid());
  REQUIRE(used);
  CHECK(used->cpu_seconds > 0);
  CHECK(used->resident_kib > 0);
  CHECK(used->descriptors > 2);
  CHECK_FALSE(usage_of(-5));
}

TEST_CASE("server: a process that listens on a UDP port is found, and not by who is connected") {
  const auto* listens =
      "   12: 0100007F:32ED 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 "
      "4711 2 0000000000000000 0";
  CHECK(listening_inode(listens, 13'037, transport::udp) == 4711U);
  CHECK_FALSE(listening_inode(listens, 13'037));
  const auto fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(bind(fd, reinterpret_cast<const sockaddr*>(&at), size) == 0);
  REQUIRE(getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0);
  CHECK(listener_on(ntohs(at.sin_port), transport::udp) == getpid());
  close(fd);
}

}  // namespace
}  // namespace gamehub::tools::bench
