// Any reply of a bot to a call, and any registration: an answer reads the same however it
// is cut, is within its bounds or a sentence says what is wrong, and what no move is in has one of
// the numbers of mistakes; a registration is answered by JSON, whatever was in it; and a URL that
// is taken names one place, which a policy judges as what it is.
//
// The first byte of an input says where an answer is cut, the rest is what comes.
#include "gateways/bots/address_policy.hpp"
#include "gateways/bots/call_errors.hpp"
#include "gateways/bots/messages.hpp"
#include "gateways/bots/move_answer.hpp"
#include "gateways/bots/names.hpp"
#include "gateways/bots/registration.hpp"
#include "gateways/bots/url.hpp"
#include "gateways/http_client/response_parser.hpp"
#include "hub/base/address.hpp"
#include "hub/base/json.hpp"
#include "hub/base/utf8.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::tests {
namespace {

namespace json = base::json;
namespace rpc = gateways::bots;
namespace utf8 = base::utf8;
using gateways::http_client::response_parser;
using state = response_parser::state;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "bot answers: does not keep this: %s\n", promise);
  std::abort();
}

bool is_line(std::string_view text) {
  return base::utf8::all_of(text, [](char32_t c) { return !base::utf8::is_control(c); });
}

// The result, in words.
std::string read(std::string_view bytes, std::size_t piece) {
  response_parser reader{rpc::answer_limits};
  auto came = state::reading;
  while (!bytes.empty() && came == state::reading) {
    const auto taken = bytes.substr(0, piece);
    came = reader.receive(taken);
    bytes.remove_prefix(taken.size());
    expect(reader.kept_bytes() <= rpc::answer_limits.total, "keeps no more than an answer has");
  }
  if (came == state::reading) came = reader.end();
  expect(came != state::reading, "when the bot has closed there is an answer, or none");
  if (came == state::failed) {
    const auto sentence = rpc::sentence_of({reader.error()});
    expect(!sentence.empty() && is_line(sentence), "what is wrong is told in words");
    return "wrong: " + sentence;
  }
  const auto& said = reader.here();
  expect(said.body.size() <= rpc::answer_limits.body, "a body is as long as it may be");
  expect(said.status >= 100 && said.status <= 999, "a status has three digits");
  return std::to_string(said.status) + (said.encoded ? " coded " : " plain ") + said.body;
}

void check_answer(std::string_view bytes, std::size_t piece) {
  const auto whole = read(bytes, bytes.size() + 1);
  // Which of several mistakes is found first may depend on how much was there to look at.
  const auto in_pieces = read(bytes, piece);
  expect(whole.starts_with("wrong") == in_pieces.starts_with("wrong"),
         "an answer is one however it is cut");
  if (!whole.starts_with("wrong")) expect(whole == in_pieces, "an answer reads the same");
}

void check_position(std::string_view body) {
  const auto position = rpc::read_position(body);
  const auto* wrong = std::get_if<bot_error>(&position);
  if (wrong == nullptr)
    return expect(body.find("position") != body.npos || body.find('\\') != body.npos,
                  "a position is called so");
  expect(is_line(wrong->text), "a mistake is told on one line");
  expect(wrong->text.size() < 200, "a mistake has no room for all that was said");
  const auto call = rpc::error_call("TicTacToe", {wrong->code, wrong->text, {1}}, 1);
  expect(base::json::valid(call), "whatever was said, the call about it is JSON");
}

void check_move(std::string_view body) {
  for (const auto parse : {rpc::read_board_move, rpc::read_table_move}) {
    const auto found = parse(body);
    if (const auto* wrong = std::get_if<bot_error>(&found)) {
      expect(is_line(wrong->text), "a mistake is told on one line");
      continue;
    }
    const auto& played = std::get<move>(found);
    expect(played.as == move::form::cell || json::valid(played.text), "a move is JSON");
  }
}

void check_registration(std::string_view body) {
  const auto read = rpc::read_register(body);
  if (const auto* bad = std::get_if<rpc::bad_rpc>(&read))
    return expect(base::json::valid(rpc::refused_answer(bad->id, bad->why)), "a refusal is JSON");
  const auto& asked = std::get<rpc::register_request>(read);
  const auto* bot = std::get_if<rpc::bot_registration>(&asked.what);
  if (bot == nullptr)
    return expect(
        base::json::valid(rpc::refused_answer(asked.id, std::get<std::string>(asked.what))),
        "a refusal is JSON");
  expect(is_acceptable_name(bot->name), "a bot has a name");
  expect(!bot->token.empty() && !bot->endpoint.empty(), "what is required is there");
  expect(base::json::valid(rpc::accepted_answer(asked.id, rpc::greeting(*bot, "Tic-Tac-Toe"))),
         "an answer is JSON");
}

void check_url(std::string_view text) {
  const auto read = rpc::read_url(text);
  const auto* url = std::get_if<rpc::bot_url>(&read);
  if (url == nullptr) return;
  expect(url->port != 0, "there is a port to connect to");
  expect(url->target.starts_with('/'), "there is a path to ask for");
  for (const auto& part : {url->host, url->field, url->target})
    expect(std::all_of(part.begin(), part.end(), [](char c) { return c > ' ' && c < '\x7f'; }),
           "nothing of a URL ends a line of a request");
  if (!url->address) {
    const auto last = url->host.substr(url->host.rfind('.') + 1);
    expect(last.empty() ||
               !std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; }),
           "what systems take for an address is one");
    return;
  }
  static const rpc::address_policy nobody,
      everybody{{*base::read_network("0.0.0.0/0"), *base::read_network("::/0")}};
  expect(!everybody.why_not(*url->address), "what is allowed is called");
  static_cast<void>(nobody.why_not(*url->address));
}

void try_one(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  check_answer(bytes, data[0] % 32U + 1U);
  check_position(bytes);
  check_move(bytes);
  check_registration(bytes);
  check_url(bytes);
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gamehub::tests::try_one(data, size);
  return 0;
}
