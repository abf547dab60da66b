// What a process that hosts an engine and the hub say to each other, from any bytes at all. What
// decodes is exactly what encodes to these bytes; a servant answers any request with a reply that
// decodes; and the hub's judge looks at any reply without harm.
#include "engines/host/registry.hpp"
#include "engines/process/engine_worker.hpp"
#include "engines/process/reply_validation.hpp"
#include "engines/process/wire_format.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace {

namespace remote = gamehub::engines::process;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "remote_words_fuzz: %s\n", what);
  std::abort();
}

const gamehub::engines::host::engine& tictactoe() {
  static const auto rules = gamehub::engines::host::registry::built_in().find("tictactoe").value();
  return rules;
}

void try_description(std::string_view bytes) {
  const auto d = remote::decode_description(bytes);
  if (!d) return;
  expect(gamehub::engines::process::encode(*d) == bytes, "a description has two spellings");
  static_cast<void>(gamehub::engines::process::validate(*d));
}

void try_hello(std::string_view bytes) {
  const auto message = std::string{remote::protocol_name} + std::string{bytes};
  const auto d = remote::decode_hello(message);
  if (std::holds_alternative<std::string>(d)) return;
  // The version may be an earlier one.
  constexpr std::size_t version_bytes = 4;
  const auto again = remote::encode_hello(std::get<remote::description>(d));
  expect(again.substr(remote::protocol_name.size() + version_bytes) == bytes.substr(version_bytes),
         "a first message has two spellings");
}

// A match, a second request that came as bytes, and a look at whether the first still stands.
void try_request(std::string_view bytes) {
  const auto asked = remote::decode_request(bytes);
  if (!asked) return;
  expect(gamehub::engines::process::encode(*asked) == bytes, "a request has two spellings");
  // A choice may think for as long as the request says.
  for (const auto& q : asked->queries)
    if (q.what == remote::query::kind::choose) return;
  remote::engine_worker there{tictactoe()};
  remote::request first;
  first.what = remote::request::kind::create;
  expect(there.serve(gamehub::engines::process::encode(first)).has_value(),
         "a servant does not create");
  const auto said = there.serve(bytes);
  expect(said.has_value(), "a servant says nothing to a request that means something");
  const auto reply = remote::decode_reply(*said);
  expect(reply.has_value(), "a servant's reply does not decode");
  expect(gamehub::engines::process::validate(*reply, *asked).empty(),
         "a servant's reply does not fit its request");
  const auto d = remote::describe(tictactoe());
  if (reply->state)
    expect(gamehub::engines::process::validate(*reply->state, d, nullptr).empty(),
           "a worker's state is invalid");
}

void try_reply(std::string_view bytes) {
  const auto said = remote::decode_reply(bytes);
  if (!said) return;
  expect(gamehub::engines::process::encode(*said) == bytes, "a reply has two spellings");
  const auto d = remote::describe(tictactoe());
  remote::request asked;
  static_cast<void>(gamehub::engines::process::validate(*said, asked));
  remote::state_summary now;
  now.players = 2;
  now.to_move = gamehub::engines::only(0);
  now.size = {3, 3};
  if (said->state) {
    if (!gamehub::engines::process::validate(*said->state, d, &now).empty()) return;
    now = *said->state;
  }
  remote::query q;
  for (int kind = 0; kind < remote::query_kind_count; ++kind) {
    q.what = static_cast<remote::query::kind>(kind);
    for (const auto& each : said->answers)
      static_cast<void>(gamehub::engines::process::validate(each, q, now, d));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 3) {
    case 0:
      try_description(bytes);
      try_hello(bytes);
      break;
    case 1: try_request(bytes); break;
    default: try_reply(bytes);
  }
  return 0;
}
