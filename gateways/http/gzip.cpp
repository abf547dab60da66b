#include "gateways/http/gzip.hpp"

#include "gateways/http/http_limits.hpp"
#include "hub/base/require.hpp"

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

// Returns the inverted checksum of a text and of another one behind it, which begins as ~0.
std::uint32_t continue_checksum(std::uint32_t sum, std::string_view text) {
  for (const char c : text)
    sum = checksums[(sum ^ static_cast<unsigned char>(c)) & 0xffU] ^ (sum >> 8);
  return sum;
}

void append_number(std::uint32_t value, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

// One body: its parts go through the stream, which is reset first.
class compression {
 public:
  compression(zlib::deflate_stream& deflate, std::size_t size) : deflate_(deflate) {
    deflate_.reset(level, window_bits, memory_level, zlib::Strategy::normal);
    out_ = header;
    out_.resize(header.size() + deflate_.upper_bound(size));
    params_.next_out = out_.data() + header.size();
    params_.avail_out = out_.size() - header.size();
  }

  // Returns false after an error: then the response stays uncompressed.
  bool add(std::string_view part, bool is_last) {
    params_.next_in = part.data();
    params_.avail_in = part.size();
    boost::system::error_code error;
    deflate_.write(params_, is_last ? zlib::Flush::finish : zlib::Flush::none, error);
    sum_ = continue_checksum(sum_, part);
    return is_last ? error == zlib::error::end_of_stream : !error && params_.avail_in == 0;
  }

  // Replaces the body, all of which was added.
  void finish(response& r) {
    out_.resize(header.size() + params_.total_out);
    append_number(~sum_, out_);
    append_number(static_cast<std::uint32_t>(r.body.size()), out_);
    r.body = std::move(out_);
    r.fields.push_back({"Content-Encoding", "gzip"});
    r.fields.push_back({"Vary", "Accept-Encoding"});
  }

 private:
  zlib::deflate_stream& deflate_;
  zlib::z_params params_;
  std::string out_;
  std::uint32_t sum_ = ~std::uint32_t{0};
};

}  // namespace

struct gzip_writer::stream {
  zlib::deflate_stream deflate;
};

gzip_writer::gzip_writer() : stream_(std::make_unique<stream>()) {}
gzip_writer::~gzip_writer() = default;

void gzip_writer::compress(response& r) const {
  const auto size = r.body.size();
  if (size < limits::http_gzip_bytes_min) return;
  GAMEHUB_REQUIRE(size <= limits::http_gzip_part_bytes);
  compression work{stream_->deflate, size};
  if (work.add(r.body, true)) work.finish(r);
}

bool gzip_writer::is_long(const response& r) {
  return r.body.size() > limits::http_gzip_part_bytes &&
         r.body.size() <= limits::http_gzip_bytes_max;
}

struct gzip_parts::work {
  explicit work(const response& r) : what(r), all(deflate, r.body.size()) {}

  response what;
  zlib::deflate_stream deflate;
  compression all;
  std::size_t done = 0;
  bool failed = false;
};

gzip_parts::gzip_parts(const response& r) : work_(std::make_unique<work>(r)) {}
gzip_parts::~gzip_parts() = default;

bool gzip_parts::compress_next() {
  auto& w = *work_;
  const auto part = std::string_view{w.what.body}.substr(w.done, limits::http_gzip_part_bytes);
  w.done += part.size();
  const bool is_last = w.done == w.what.body.size();
  w.failed = !w.all.add(part, is_last);
  return !is_last && !w.failed;
}

response gzip_parts::take() {
  if (!work_->failed) work_->all.finish(work_->what);
  return std::move(work_->what);
}

}  // namespace gamehub::gateways::http
