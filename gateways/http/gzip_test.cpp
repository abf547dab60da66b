#include "gateways/http/gzip.hpp"

#include "gateways/http/http_limits.hpp"
#include "tests/support/catch.hpp"

#include <boost/beast/zlib/inflate_stream.hpp>

#include <string>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

std::string list_of(int games) {
  std::string out;
  for (int i = 0; i < games; ++i) out += "{\"game_id\":\"" + std::to_string(i) + "\"},";
  return out;
}

response compressed(const gzip_writer& by, std::string body) {
  response r;
  r.body = std::move(body);
  by.compress(r);
  return r;
}

std::string inflated(std::string_view gzip, std::size_t size) {
  namespace zlib = boost::beast::zlib;
  zlib::inflate_stream stream;
  stream.reset(15);
  std::string out(size + 1, '\0');
  zlib::z_params p;
  p.next_in = gzip.data() + 10;
  p.avail_in = gzip.size() - 18;
  p.next_out = out.data();
  p.avail_out = out.size();
  boost::system::error_code error;
  stream.write(p, zlib::Flush::finish, error);
  // Beast's reader reports the end of some streams as a lack of input.
  CHECK((error == zlib::error::end_of_stream || error == zlib::error::need_buffers));
  CHECK(p.total_out == size);
  out.resize(size);
  return out;
}

}  // namespace

TEST_CASE("http gzip: a large answer is one member of RFC 1952, each time") {
  const gzip_writer by;
  for (int i = 0; i < 2; ++i) {
    const auto text = list_of(200);
    const auto r = compressed(by, text);
    REQUIRE(r.fields.size() == 2);
    CHECK(r.fields[0].name == "Content-Encoding");
    CHECK(r.fields[0].value == "gzip");
    CHECK(r.fields[1].name == "Vary");
    CHECK(r.body.size() < text.size() / 3);
    CHECK(r.body.starts_with(std::string_view{"\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10}));
    CHECK(inflated(r.body, text.size()) == text);
    // The checksum and size, as zlib computes them.
    CHECK(
        r.body.ends_with(std::string_view{"\x20"
                                          "\xfb"
                                          "\x4b"
                                          "\xf1"
                                          "\xa2"
                                          "\x0d"
                                          "\x00"
                                          "\x00",
                                          8}));
  }
}

TEST_CASE("http gzip: small bodies stay plain, and so do those that are too large") {
  const gzip_writer by;
  for (const auto size : {std::size_t{0}, limits::http_gzip_bytes_min - 1}) {
    const auto r = compressed(by, std::string(size, 'x'));
    CHECK(r.body == std::string(size, 'x'));
    CHECK(r.fields.empty());
  }
  for (const auto size : {limits::http_gzip_bytes_min, limits::http_gzip_part_bytes}) {
    const auto r = compressed(by, std::string(size, 'x'));
    CHECK_FALSE(gzip_writer::is_long(r));
    CHECK(r.body.size() < size / 10);
    CHECK(inflated(r.body, size) == std::string(size, 'x'));
  }
  response r;
  r.body.assign(limits::http_gzip_bytes_max, 'x');
  CHECK(gzip_writer::is_long(r));
  r.body += 'x';
  CHECK_FALSE(gzip_writer::is_long(r));
}

TEST_CASE("http gzip: a long answer is compressed in parts") {
  for (const int games : {3'000, 50'000}) {
    response r;
    r.body = list_of(games);
    REQUIRE(gzip_writer::is_long(r));
    const auto parts =
        (r.body.size() + limits::http_gzip_part_bytes - 1) / limits::http_gzip_part_bytes;
    gzip_parts in_parts{r};
    std::size_t ran = 1;
    while (in_parts.compress_next()) ++ran;
    CHECK(ran == parts);
    const auto done = in_parts.take();
    REQUIRE(done.fields.size() == 2);
    CHECK(done.fields[0].value == "gzip");
    CHECK(done.body.size() < r.body.size() / 3);
    CHECK(inflated(done.body, r.body.size()) == r.body);
  }
}
