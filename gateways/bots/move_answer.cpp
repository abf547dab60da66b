#include "gateways/bots/move_answer.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "hub/base/json.hpp"
#include "hub/base/utf8.hpp"

#include <optional>
#include <utility>

namespace gamehub::gateways::bots {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bot_error unparsable(std::string text) { return {bot_error_code::unparsable, std::move(text)}; }

// Finds the last member of that name, as most JSON parsers do. Returns false if the text is not an
// object.
bool find(std::string_view object, std::string_view name, base::json::value& to) {
  base::json::walk members{object, base::json::walk::over::object};
  while (members.step())
    if (base::json::says(members.name(), name)) to = members.here();
  return members.whole();
}

bot_error without_position(const base::json::value& result, const base::json::value& error) {
  if (error.what != base::json::kind::missing && error.what != base::json::kind::null)
    return unparsable("You answered with the error " + quoted(error.spelled) +
                      " in place of a position.");
  if (result.what == base::json::kind::missing)
    return unparsable("Your answer has no member \"result\".");
  if (result.what != base::json::kind::object)
    return unparsable("The result of your answer is " + quoted(result.spelled) +
                      " and not an object with a position.");
  return unparsable("The result of your answer has no member \"position\".");
}

// Returns the member `result` of an answer; missing if the answer is no object.
base::json::value result_of(std::string_view body) {
  if (body.starts_with(byte_order_mark)) body.remove_prefix(byte_order_mark.size());
  base::json::value result;
  return find(body, "result", result) ? result : base::json::value{};
}

bool has_position(const base::json::value& result) {
  base::json::value position;
  if (result.what == base::json::kind::object) find(result.spelled, "position", position);
  return position.what != base::json::kind::missing;
}

// Returns the member `move` of a result.
std::optional<gamehub::move> named_move(const base::json::value& result) {
  base::json::value own;
  if (result.what == base::json::kind::object) find(result.spelled, "move", own);
  if (own.what == base::json::kind::missing || own.what == base::json::kind::null)
    return std::nullopt;
  gamehub::move out;
  out.as = move::form::document;
  out.text = own.spelled;
  return out;
}

std::variant<gamehub::move, bot_error> cell_move(std::string_view body) {
  auto cell = read_position(body);
  if (auto* wrong = std::get_if<bot_error>(&cell)) return std::move(*wrong);
  gamehub::move out;
  out.cell = std::get<std::int64_t>(cell);
  return out;
}

}  // namespace

accepted_offers read_accepted(std::string_view body) {
  if (body.starts_with(byte_order_mark)) body.remove_prefix(byte_order_mark.size());
  base::json::value result, accepts;
  accepted_offers out;
  if (!find(body, "result", result) || result.what != base::json::kind::object) return out;
  find(result.spelled, "accepts", accepts);
  if (accepts.what != base::json::kind::array) return out;
  for (base::json::walk each{accepts.spelled, base::json::walk::over::array}; each.step();) {
    if (each.here().what != base::json::kind::string) continue;
    if (base::json::says(each.here().spelled, "draw")) out.draw = true;
    if (base::json::says(each.here().spelled, "takeback")) out.takeback = true;
  }
  return out;
}

std::variant<std::int64_t, bot_error> read_position(std::string_view body) {
  if (body.starts_with(byte_order_mark)) body.remove_prefix(byte_order_mark.size());
  base::json::value result, error, position;
  const bool whole = find(body, "result", result) && find(body, "error", error);
  if (!whole && body.empty()) return unparsable("Your answer has no body.");
  if (!whole) return unparsable("Your answer is no JSON object: " + quoted(body));
  if (result.what == base::json::kind::object) find(result.spelled, "position", position);
  if (position.what == base::json::kind::missing) return without_position(result, error);
  if (position.what != base::json::kind::integer)
    return unparsable("Your position is " + quoted(position.spelled) + " and not an integer.");
  if (const auto n = base::json::integer(position)) return *n;
  return bot_error{bot_error_code::out_of_bounds,
                   "The board has no position " + quoted(position.spelled) + "."};
}

std::variant<gamehub::move, bot_error> read_board_move(std::string_view body) {
  const auto result = result_of(body);
  if (!has_position(result))
    if (auto own = named_move(result)) return *std::move(own);
  return cell_move(body);
}

std::variant<gamehub::move, bot_error> read_table_move(std::string_view body) {
  const auto result = result_of(body);
  if (auto own = named_move(result)) return *std::move(own);
  auto out = cell_move(body);
  if (auto* wrong = std::get_if<bot_error>(&out);
      wrong != nullptr && result.what == base::json::kind::object && !has_position(result))
    wrong->text = "The result of your answer has no member \"move\" or \"position\".";
  return out;
}

std::string quoted(std::string_view text) {
  std::string out;
  const auto cut = text.size() > limits::bot_quote_bytes_max;
  auto rest = text.substr(0, limits::bot_quote_bytes_max);
  bool blank = false;
  while (!rest.empty()) {
    auto bytes = base::utf8::character_bytes(rest);
    // A character that the cut has split is dropped.
    if (bytes == 0 && cut && rest.size() < 4) break;
    const bool good = bytes != 0 && !base::utf8::is_control(base::utf8::character(rest, bytes)) &&
                      !base::utf8::is_disguise(base::utf8::character(rest, bytes));
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

}  // namespace gamehub::gateways::bots
