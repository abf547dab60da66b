#include "hub/core/trace.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;

TEST_CASE("trace: logs have all of its 16 digits") {
  CHECK(text_of({0x53ce929d0e0e4736}) == "53ce929d0e0e4736");
  CHECK(text_of({1}) == "0000000000000001");
  CHECK(text_of({~std::uint64_t{0}}) == "ffffffffffffffff");
}

TEST_CASE("trace: a call names it as W3C Trace Context does, padded on the left") {
  CHECK(traceparent({0x53ce929d0e0e4736}, {0xf067aa0ba902b7}) ==
        "00-000000000000000053ce929d0e0e4736-00f067aa0ba902b7-01");
}
