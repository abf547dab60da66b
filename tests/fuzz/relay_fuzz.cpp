// Any bytes as a message between the hub of a client and the hub of its player. It is refused, or
// it is a value that is written and read again alike.
#include "hub/relay/codec.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace {

namespace relay = gamehub::relay;
constexpr gamehub::base::instant now{std::chrono::hours{1'000}};

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "relay_fuzz: does not keep this: %s\n", promise);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto found = relay::decode(bytes, now);
  if (!found || std::holds_alternative<relay::fault>(*found)) return 0;
  const auto& m = std::get<relay::message>(*found);
  const auto again = relay::encode(m, now);
  expect(again.has_value(), "what was read can be written");
  const auto twice = relay::decode(*again, now);
  expect(twice && std::holds_alternative<relay::message>(*twice), "what was written is read");
  expect(relay::encode(std::get<relay::message>(*twice), now) == again, "it reads as it was");
  return 0;
}
