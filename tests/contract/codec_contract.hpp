// What every codec must keep, whatever its protocol: asked of it with its folder's sample
// transcripts, cut in every way, with garbage, and with events in any order. The findings are
// sentences, so that a test of the contract itself can look at them. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/protocol.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::tests {

// What a client sends over one connection, from its first byte on.
struct codec_sample {
  std::string name;
  std::string bytes;
};

struct codec_subject {
  std::string name;
  std::function<std::unique_ptr<gateways::codec>()> make;
  std::vector<codec_sample> samples;
  // What is wrong with bytes that a client is to read; empty if nothing is. Optional: a protocol's
  // own test knows its grammar.
  std::function<std::string(std::string_view)> fault_of;
};

// The protocol for an engine like TicTacToe, with the samples of its folder: samples/*, of which
// *.hex are bytes as hexadecimal digits with comments after '#', and all others are what is sent.
codec_subject subject_of(const gateways::protocol&);

// One of protocols(). Throws std::out_of_range if there is none of that name.
const gateways::protocol& protocol_named(std::string_view name);

// GAMEHUB_SEED from the environment, else 1.
std::uint64_t codec_seed_of_this_run();

// Every promise that the codec broke, once each, with where it was first seen; empty if it kept
// all.
std::vector<std::string> violations(const codec_subject&,
                                    std::uint64_t seed = codec_seed_of_this_run());

inline void check_codec_contract(const codec_subject& subject) {
  for (const auto& found : violations(subject)) FAIL_CHECK(found);
  SUCCEED();
}

}  // namespace gamehub::tests
