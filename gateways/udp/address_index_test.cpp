#include "gateways/udp/address_index.hpp"

#include "gateways/udp/source_quota.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/endpoints.hpp"

#include <map>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways;
using namespace gamehub::gateways::udp;

namespace {

using gamehub::tests::ipv4;

constexpr base::hash_key key{0x0123456789ABCDEF, 0xFEDCBA9876543210};

}  // namespace

TEST_CASE("udp address index: finds what a map finds, however entries come and go") {
  address_index index;
  std::map<std::uint32_t, std::uint64_t> known;
  base::seeded_entropy random{1};
  for (int round = 0; round < 60'000; ++round) {
    // Entries decrease a third of the time; hashes of few bits cause many collisions.
    const auto slot = static_cast<std::uint32_t>(random.below(3'000));
    const auto at = known.find(slot);
    const bool shrinking = round / 10'000 % 2 == 1;
    if (at == known.end() && (!shrinking || random.below(4) == 0)) {
      known[slot] = random.below(1'000);
      index.insert(known[slot], slot);
    } else if (at != known.end() && (shrinking || random.below(4) == 0)) {
      index.erase(at->second, slot);
      known.erase(at);
    }
    if (round % 500 != 0) continue;
    REQUIRE(index.size() == known.size());
    for (const auto& [each, hash] : known) {
      const auto wanted = each;
      REQUIRE(index.find(hash, [&](std::uint32_t s) { return s == wanted; }) == each);
    }
    REQUIRE(index.find(5, [](std::uint32_t) { return false; }) == address_index::none);
  }
}

TEST_CASE("udp address index: gives memory back") {
  address_index index;
  for (std::uint32_t i = 0; i < 100'000; ++i) index.insert(base::hash_of(ipv4(i, 1), key), i);
  CHECK(index.bytes() <= 100'000 * 22);
  for (std::uint32_t i = 0; i < 100'000; ++i) index.erase(base::hash_of(ipv4(i, 1), key), i);
  CHECK(index.size() == 0);
  CHECK(index.bytes() <= 1'024);
}

TEST_CASE("udp source quota: counts one sender exactly among few, and never too low") {
  source_quota tally;
  std::vector<std::uint64_t> senders;
  for (std::uint32_t i = 0; i < 2'000; ++i)
    senders.push_back(base::hash_of_sender(ipv4(i, 1), key));
  for (int i = 0; i < 300; ++i) tally.add(senders[0]);
  for (std::size_t i = 1; i < senders.size(); ++i) tally.add(senders[i]);
  CHECK(tally.count(senders[0]) >= 300);
  CHECK(tally.count(senders[0]) <= 305);
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < senders.size(); ++i)
    wrong += tally.count(senders[i]) >= 256 ? 1u : 0u;
  CHECK(wrong == 0);
  for (int i = 0; i < 300; ++i) tally.remove(senders[0]);
  for (std::size_t i = 1; i < senders.size(); ++i) tally.remove(senders[i]);
  for (const auto each : senders) REQUIRE(tally.count(each) == 0);
}
