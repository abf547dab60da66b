#include "gateways/jsonrpc/move_answer.hpp"

#include "gateways/json.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "gateways/utf8.hpp"

#include <utility>

namespace gamehub::gateways::bots {
namespace {

bot_error unparsable(std::string text) { return {bot_fault_code::unparsable, std::move(text)}; }

// The last member of that name, which is what most readers of JSON take. False: it is no object.
bool find(std::string_view object, std::string_view name, json::value& to) {
  json::walk members{object, json::walk::over::object};
  while (members.step())
    if (json::says(members.name(), name)) to = members.here();
  return members.whole();
}

bot_error without_position(const json::value& result, const json::value& error) {
  if (error.what != json::kind::missing && error.what != json::kind::null)
    return unparsable("You answered with the error " + quoted(error.spelled) +
                      " in place of a position.");
  if (result.what == json::kind::missing)
    return unparsable("Your answer has no member \"result\".");
  if (result.what != json::kind::object)
    return unparsable("The result of your answer is " + quoted(result.spelled) +
                      " and not an object with a position.");
  return unparsable("The result of your answer has no member \"position\".");
}

}  // namespace

std::variant<std::int64_t, bot_error> read_position(std::string_view body) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (body.starts_with(byte_order_mark)) body.remove_prefix(byte_order_mark.size());
  json::value result, error, position;
  const bool whole = find(body, "result", result) && find(body, "error", error);
  if (!whole && body.empty()) return unparsable("Your answer has no body.");
  if (!whole) return unparsable("Your answer is no JSON object: " + quoted(body));
  if (result.what == json::kind::object) find(result.spelled, "position", position);
  if (position.what == json::kind::missing) return without_position(result, error);
  if (position.what != json::kind::integer)
    return unparsable("Your position is " + quoted(position.spelled) + " and not an integer.");
  if (const auto n = json::integer(position)) return *n;
  return bot_error{bot_fault_code::out_of_bounds,
                 "The board has no position " + quoted(position.spelled) + "."};
}

std::string quoted(std::string_view said) {
  std::string out;
  const auto cut = said.size() > limits::bot_quote_bytes_max;
  auto rest = said.substr(0, limits::bot_quote_bytes_max);
  bool blank = false;
  while (!rest.empty()) {
    auto bytes = utf8::character_bytes(rest);
    // A character that the cut has halved goes with what was cut.
    if (bytes == 0 && cut && rest.size() < 4) break;
    const bool good = bytes != 0 && !utf8::is_control(utf8::character(rest, bytes)) &&
                      !utf8::is_disguise(utf8::character(rest, bytes));
    if (bytes == 0) bytes = 1;
    if (good)
      out += rest.substr(0, bytes);
    else if (!blank)
      out += ' ';
    blank = !good;
    rest.remove_prefix(bytes);
  }
  return cut ? out + "…" : out;
}

}  // namespace gamehub::gateways::jsonrpc
