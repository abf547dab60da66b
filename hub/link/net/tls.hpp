// The TLS of links: TLS 1.3, with certificates on both sides. Plain functions, any thread.
#pragma once

#include "hub/link/net/links.hpp"

#include <boost/asio/ssl/context.hpp>

namespace gamehub::link::net {

// Reads the files. The result is for both sides of connections: a peer without a certificate that
// the authority has signed is refused. Throws base::usage_error.
boost::asio::ssl::context make_tls(const tls_files&);

}  // namespace gamehub::link::net
