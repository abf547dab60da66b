#include "gateways/http/gzip.hpp"

#include "gateways/http/http_limits.hpp"

#include <boost/beast/zlib/deflate_stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::http {
namespace zlib = boost::beast::zlib;
namespace {

// The fastest level, and a window of 8 KiB: about 50 KiB of memory. Lists repeat themselves soon.
constexpr int level = 1, window_bits = 13, memory_level = 6;

// RFC 1952: no name, no time, fastest, unknown system.
constexpr std::string_view header{"\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10};

// The checksum of RFC 1952, a byte at a time.
constexpr auto checksums = [] {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t byte = 0; byte < out.size(); ++byte) {
    out[byte] = byte;
    for (int bit = 0; bit < 8; ++bit)
      out[byte] = (out[byte] >> 1) ^ ((out[byte] & 1) != 0 ? 0xedb88320U : 0U);
  }
  return out;
}();

std::uint32_t checksum_of(std::string_view text) {
  auto sum = ~std::uint32_t{0};
  for (const char c : text)
    sum = checksums[(sum ^ static_cast<unsigned char>(c)) & 0xffU] ^ (sum >> 8);
  return ~sum;
}

void append_number(std::uint32_t value, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

}  // namespace

struct gzip_writer::stream {
  zlib::deflate_stream deflate;
};

gzip_writer::gzip_writer() : stream_(std::make_unique<stream>()) {}
gzip_writer::~gzip_writer() = default;

void gzip_writer::compress(response& r) const {
  const auto size = r.body.size();
  if (size < limits::http_gzip_bytes_min || size > limits::http_gzip_bytes_max) return;
  auto& deflate = stream_->deflate;
  deflate.reset(level, window_bits, memory_level, zlib::Strategy::normal);
  std::string out{header};
  out.resize(header.size() + deflate.upper_bound(size));
  zlib::z_params p;
  p.next_in = r.body.data();
  p.avail_in = size;
  p.next_out = out.data() + header.size();
  p.avail_out = out.size() - header.size();
  boost::system::error_code error;
  deflate.write(p, zlib::Flush::finish, error);
  // After any other error the response stays uncompressed.
  if (error != zlib::error::end_of_stream) return;
  out.resize(header.size() + p.total_out);
  append_number(checksum_of(r.body), out);
  append_number(static_cast<std::uint32_t>(size), out);
  r.body = std::move(out);
  r.fields.push_back({"Content-Encoding", "gzip"});
  r.fields.push_back({"Vary", "Accept-Encoding"});
}

}  // namespace gamehub::gateways::http
