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

  // Compresses the body of a response to a GET, if the client takes that and the size is worth it.
  // The time is bounded by the size, and the size counts as requests of the client's address.
  void compress(response&) const;

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
};

}  // namespace gamehub::gateways::http
