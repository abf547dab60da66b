#include "hub/link/net/tls.hpp"

#include "hub/base/usage_error.hpp"

#include <openssl/ssl.h>

#include <string>

namespace gamehub::link::net {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

void check(const error_code& failed, const std::string& setting, const std::string& file,
           const std::string& remedy) {
  if (failed)
    throw base::usage_error{setting + ": " + file + " can't be used (" + failed.message() +
                            "): " + remedy};
}

}  // namespace

ssl::context make_tls(const tls_files& files) {
  ssl::context tls{ssl::context::tls};
  SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_3_VERSION);
  error_code failed;
  tls.use_certificate_chain_file(files.certificate, failed);
  check(failed, "link-certificate", files.certificate, "give a certificate in a PEM file");
  // Without this, OpenSSL asks for a passphrase on the terminal.
  tls.set_password_callback(
      [](std::size_t, ssl::context::password_purpose) { return std::string{}; });
  tls.use_private_key_file(files.key, ssl::context::pem, failed);
  check(failed, "link-key", files.key,
        "give the key of link-certificate in a PEM file without a passphrase");
  tls.load_verify_file(files.authority, failed);
  check(failed, "link-authority", files.authority,
        "give the certificate of the authority in a PEM file");
  tls.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  return tls;
}

}  // namespace gamehub::link::net
