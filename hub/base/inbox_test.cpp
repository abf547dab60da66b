#include "hub/base/inbox.hpp"

#include "tests/support/catch.hpp"

#include <string>

namespace gamehub::base {
namespace {

TEST_CASE("inbox: shows what was received and keeps nothing that was read") {
  inbox in;
  in.receive("abc");
  CHECK(in.unread() == "abc");
  CHECK(in.kept_bytes() == 0);
  in.skip(3);
  in.keep_rest();
  CHECK(in.unread().empty());
  CHECK(in.kept_bytes() == 0);
}

TEST_CASE("inbox: keeps the rest when the received bytes go") {
  inbox in;
  std::string buffer = "abc";
  in.receive(buffer);
  in.skip(1);
  in.keep_rest();
  buffer = "xyz";
  CHECK(in.unread() == "bc");
  CHECK(in.kept_bytes() == 2);
}

TEST_CASE("inbox: puts new bytes behind the rest") {
  inbox in;
  in.receive("abc");
  in.skip(1);
  in.keep_rest();
  in.receive("de");
  CHECK(in.unread() == "bcde");
  in.skip(3);
  in.keep_rest();
  CHECK(in.unread() == "e");
  CHECK(in.kept_bytes() == 1);
}

TEST_CASE("inbox: goes on reading what it kept for a pause") {
  inbox in;
  in.receive("abcd");
  in.skip(1);
  in.keep_rest();
  in.skip(1);
  in.keep_rest();
  CHECK(in.unread() == "cd");
  in.skip(2);
  in.keep_rest();
  CHECK(in.kept_bytes() == 0);
  in.receive("e");
  CHECK(in.unread() == "e");
}

TEST_CASE("inbox: keeps one byte at a time until a message is whole") {
  inbox in;
  for (const char c : std::string(1000, 'x')) {
    in.receive({&c, 1});
    in.keep_rest();
  }
  CHECK(in.unread() == std::string(1000, 'x'));
}

}  // namespace
}  // namespace gamehub::base
