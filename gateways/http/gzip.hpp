// Compresses response bodies. Owned by the service of a loop, because it keeps its buffers, and
// used on that loop.
#pragma once

#include "gateways/http/request.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

class gzip_writer {
 public:
  gzip_writer();
  ~gzip_writer();
  gzip_writer(const gzip_writer&) = delete;
  gzip_writer& operator=(const gzip_writer&) = delete;

  // Compresses the body of a response to a GET, if the size is worth it. Requires: it is not long.
  void compress(response&) const;
  // True if the body is to be compressed in parts: at once it would delay the others of the loop.
  static bool is_long(const response&);

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
};

// Compresses a long body, a part in each iteration of a loop. Owned by the connection that waits
// for it, and used on its loop.
class gzip_parts {
 public:
  explicit gzip_parts(const response&);
  ~gzip_parts();
  gzip_parts(const gzip_parts&) = delete;
  gzip_parts& operator=(const gzip_parts&) = delete;

  // Compresses the next part. Returns true if parts are left.
  bool compress_next();
  // Returns the response. Requires: compress_next() has returned false.
  response take();

 private:
  struct work;
  std::unique_ptr<work> work_;
};

}  // namespace gamehub::gateways::http
