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

TEST_CASE("http gzip: small bodies, and those too large for one turn of a loop, stay plain") {
  const gzip_writer by;
  for (const auto size :
       {std::size_t{0}, limits::http_gzip_bytes_min - 1, limits::http_gzip_bytes_max + 1}) {
    const auto r = compressed(by, std::string(size, 'x'));
    CHECK(r.body == std::string(size, 'x'));
    CHECK(r.fields.empty());
  }
  for (const auto size : {limits::http_gzip_bytes_min, limits::http_gzip_bytes_max}) {
    const auto r = compressed(by, std::string(size, 'x'));
    CHECK(r.body.size() < size / 10);
    CHECK(inflated(r.body, size) == std::string(size, 'x'));
  }
}
