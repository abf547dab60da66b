#include "hub/base/endpoint.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace gamehub::base {
namespace {

constexpr std::array<std::uint8_t, 12> ipv4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

std::uint64_t word_at(const endpoint& e, std::size_t offset) {
  std::uint64_t out = 0;
  std::memcpy(&out, e.address.data() + offset, sizeof out);
  return out;
}

class sip_hash {
 public:
  explicit sip_hash(const hash_key& k)
      : v0_(k.first ^ 0x736f6d6570736575u),
        v1_(k.second ^ 0x646f72616e646f6du),
        v2_(k.first ^ 0x6c7967656e657261u),
        v3_(k.second ^ 0x7465646279746573u) {}

  void add(std::uint64_t word) {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }

  std::uint64_t finish() {
    v2_ ^= 0xFF;
    for (int i = 0; i < 3; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void round() {
    v0_ += v1_, v1_ = std::rotl(v1_, 13) ^ v0_, v0_ = std::rotl(v0_, 32);
    v2_ += v3_, v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_, v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_, v1_ = std::rotl(v1_, 17) ^ v2_, v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace

bool is_ipv4(const address_bytes& a) {
  return std::equal(ipv4_prefix.begin(), ipv4_prefix.end(), a.begin());
}

bool is_ipv4(const endpoint& e) { return is_ipv4(e.address); }

bool is_loopback(const endpoint& e) {
  if (is_ipv4(e)) return e.address[12] == 127;
  return e.address.back() == 1 &&
         std::all_of(e.address.begin(), e.address.end() - 1, [](auto b) { return b == 0; });
}

std::uint64_t hash_of(const endpoint& e, const hash_key& key) {
  sip_hash h{key};
  h.add(word_at(e, 0));
  h.add(word_at(e, 8));
  h.add(std::uint64_t{e.scope} << 16 | e.port);
  return h.finish();
}

address_bytes sender_of(const address_bytes& a) {
  auto out = a;
  if (!is_ipv4(a)) std::fill(out.begin() + 8, out.end(), std::uint8_t{0});
  return out;
}

std::uint64_t hash_of_sender(const endpoint& e, const hash_key& key) {
  sip_hash h{key};
  h.add(word_at(e, 0));
  if (is_ipv4(e)) h.add(word_at(e, 8));
  return h.finish();
}

}  // namespace gamehub::base
