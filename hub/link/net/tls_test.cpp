// Links with certificates, which the test makes.
#include "hub/base/usage_error.hpp"
#include "hub/link/net/links.hpp"
#include "tests/support/catch.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stdlib.h>
#include <string>
#include <thread>

using namespace gamehub;
using namespace gamehub::link;
using namespace std::chrono_literals;
using gamehub::journal::member_id;
using link::net::links;
using link::net::links_options;

namespace {

namespace fs = std::filesystem;

using key_ref = std::shared_ptr<EVP_PKEY>;
using certificate_ref = std::shared_ptr<X509>;

struct signed_key {
  key_ref key;
  certificate_ref certificate;
};

// A key with its certificate; without `by` it has signed itself, as an authority.
signed_key make_key(const char* name, const signed_key* by = nullptr) {
  static long serial = 0;
  signed_key made{{EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free},
                  {X509_new(), X509_free}};
  auto* const x = made.certificate.get();
  X509_set_version(x, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(x), -3'600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3'600);
  X509_set_pubkey(x, made.key.get());
  auto* const subject = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  const auto& issuer = by == nullptr ? made : *by;
  X509_set_issuer_name(x, X509_get_subject_name(issuer.certificate.get()));
  if (by == nullptr) {
    auto* const is_authority =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE");
    X509_add_ext(x, is_authority, -1);
    X509_EXTENSION_free(is_authority);
  }
  REQUIRE(X509_sign(x, issuer.key.get(), nullptr) != 0);
  return made;
}

// PEM files in a folder of the test.
class files {
 public:
  files() {
    std::string name = fs::temp_directory_path() / "gamehub-links-XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  ~files() { fs::remove_all(folder_); }

  std::string put(const char* name, const std::function<void(std::FILE*)>& write) const {
    const auto path = (folder_ / name).string();
    auto* const f = std::fopen(path.c_str(), "w");
    REQUIRE(f != nullptr);
    write(f);
    std::fclose(f);
    return path;
  }
  link::net::tls_files of(const signed_key& own, const signed_key& authority,
                          const char* passphrase = nullptr) const {
    return {put("key.pem",
                [&](std::FILE* f) {
                  PEM_write_PrivateKey(f, own.key.get(),
                                       passphrase == nullptr ? nullptr : EVP_aes_128_cbc(), nullptr,
                                       0, nullptr, const_cast<char*>(passphrase));
                }),
            put("certificate.pem", [&](std::FILE* f) { PEM_write_X509(f, own.certificate.get()); }),
            put("authority.pem",
                [&](std::FILE* f) { PEM_write_X509(f, authority.certificate.get()); })};
  }

 private:
  fs::path folder_;
};

links_options options_of(std::uint64_t self, const link::net::tls_files& tls) {
  links_options o;
  o.cluster = "0123456789abcdef";
  o.self = member_id{self};
  o.tls = tls;
  o.silence_max = o.hello_max = 10min;
  o.connect_pause_min = 1ms;
  o.connect_pause_max = 20ms;
  return o;
}

void await(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (!holds()) {
    REQUIRE(std::chrono::steady_clock::now() < until);
    std::this_thread::yield();
  }
}

// Each has the other one in its list.
void introduce(links& a, links& b) {
  a.start(), b.start();
  a.set_members({{member_id{2}, "127.0.0.1:" + std::to_string(b.port())}});
  b.set_members({{member_id{1}, "127.0.0.1:" + std::to_string(a.port())}});
}

std::string mistake_of(const link::net::tls_files& tls) {
  try {
    const links unused{options_of(1, tls), {}};
  } catch (const base::usage_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("links: members with certificates of one authority are linked") {
  const auto authority = make_key("authority");
  const files at_a, at_b;
  links a{options_of(1, at_a.of(make_key("a", &authority), authority)), {}};
  std::atomic<int> heard{0};
  links b{options_of(2, at_b.of(make_key("b", &authority), authority)),
          {{}, {}, [&](member_id, std::string_view) { ++heard; }}};
  introduce(a, b);
  await([&] { return a.numbers().links_up == 1 && b.numbers().links_up == 1; });
  for (int i = 0; i < 100; ++i) REQUIRE(a.send(member_id{2}, std::string(1'000, 'x')));
  a.flush();
  await([&] { return heard == 100; });
  CHECK(a.numbers().refused.at(refusal::certificate) == 0);
  a.stop(), b.stop();
}

TEST_CASE("links: a certificate of another authority is refused") {
  const auto authority = make_key("authority"), another = make_key("authority");
  const files at_a, at_b;
  links a{options_of(1, at_a.of(make_key("a", &authority), authority)), {}};
  // It trusts the right one, and has a certificate of the wrong one.
  links b{options_of(2, at_b.of(make_key("b", &another), authority)), {}};
  introduce(a, b);
  await([&] {
    return a.numbers().refused.at(refusal::certificate) > 0 &&
           a.numbers().broken.at(break_cause::certificate) > 0;
  });
  CHECK(a.numbers().links_up == 0);
  CHECK(b.numbers().links_up == 0);
  a.stop(), b.stop();
}

TEST_CASE("links: a member without certificates is refused by one that has them") {
  const auto authority = make_key("authority");
  const files at_a;
  links a{options_of(1, at_a.of(make_key("a", &authority), authority)), {}};
  auto o = options_of(2, {});
  o.tls.reset();
  links b{o, {}};
  introduce(a, b);
  await([&] { return a.numbers().refused.at(refusal::certificate) > 0; });
  CHECK(a.numbers().links_up == 0);
  a.stop(), b.stop();
}

TEST_CASE("links: wrong files are one sentence, and no question on the terminal") {
  using Catch::Matchers::Contains;
  const auto authority = make_key("authority"), own = make_key("a", &authority);
  const files folder;
  auto good = folder.of(own, authority);
  CHECK(mistake_of(good).empty());
  auto bad = good;
  bad.authority = good.key;
  CHECK_THAT(mistake_of(bad), Contains("link-authority: " + good.key + " can't be used"));
  CHECK_THAT(mistake_of(folder.of(own, authority, "secret")),
             Contains("link-key: ") && Contains("without a passphrase"));
  // The key of another certificate.
  const files other;
  auto mixed = other.of(make_key("b", &authority), authority);
  mixed.certificate = folder.of(own, authority).certificate;
  CHECK_THAT(mistake_of(mixed), Contains("link-key: " + mixed.key + " can't be used"));
}
