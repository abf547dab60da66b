// The contract of every codec, independent of its protocol. The check uses the sample transcripts
// of the protocol's folder, cut in every way, garbage, and events in any order. The findings are
// sentences, so that a test of the contract itself can read them. Plain functions, any thread.
#pragma once

#include "gateways/protocol.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {

// The bytes that a client sends over one connection.
struct codec_sample {
  std::string name;
  std::string bytes;
};

struct codec_subject {
  std::string name;
  std::function<std::unique_ptr<gateways::codec>()> make;
  std::vector<codec_sample> samples;
  // The error in bytes for a client; empty if they are valid. Optional: the test of a protocol
  // knows its grammar.
  std::function<std::string(std::string_view)> fault_of;
};

// The protocol for an engine like TicTacToe, with the samples of its folder: samples/*.hex are
// bytes as hexadecimal digits with comments after '#', all other files of samples/ are sent
// unchanged.
codec_subject subject_of(const gateways::protocol_info&);

// One of protocols(). Throws std::out_of_range for an unknown name.
const gateways::protocol_info& protocol_named(std::string_view name);

// The value of GAMEHUB_SEED in the environment, else 1.
std::uint64_t codec_seed_of_this_run();

// Every violation by the codec, once each, with its first location; empty for a correct codec.
std::vector<std::string> violations(const codec_subject&,
                                    std::uint64_t seed = codec_seed_of_this_run());

inline void check_codec_contract(const codec_subject& subject) {
  for (const auto& found : violations(subject)) FAIL_CHECK(found);
  SUCCEED();
}

}  // namespace gamehub::tests
