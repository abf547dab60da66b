#include "gateways/jsonrpc/registration.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "gateways/json.hpp"
#include "gateways/jsonrpc/jsonrpc_limits.hpp"
#include "gateways/jsonrpc/names.hpp"
#include "gateways/utf8.hpp"

namespace gamehub::gateways::jsonrpc {
namespace {

constexpr std::string_view method_name = "RegistrationService.Register";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool same_letters(std::string_view text, std::string_view in_lower) {
  return std::equal(text.begin(), text.end(), in_lower.begin(), in_lower.end(),
                    [](char a, char b) { return lower(a) == b; });
}

// A parameter: its name in lower case, where it goes, how long it may be, whether it must be there.
struct parameter {
  std::string_view name;
  std::string registration::*to;
  std::size_t bytes_max;
  bool required;
};

constexpr parameter parameters[] = {
    {"token", &registration::token, limits::bot_token_bytes_max, true},
    {"botname", &registration::name, limits::name_bytes_max, true},
    {"botversion", &registration::version, limits::bot_version_bytes_max, true},
    {"game", &registration::game, limits::name_bytes_max, true},
    {"rpcendpoint", &registration::endpoint, limits::bot_url_bytes_max, true},
    {"programminglanguage", &registration::language, limits::bot_text_bytes_max, false},
    {"website", &registration::website, limits::bot_text_bytes_max, false},
    {"description", &registration::description, limits::bot_text_bytes_max, false},
};

std::string about(const parameter& p, std::string_view why) {
  return "The parameter \"" + std::string{p.name} + "\" " + std::string{why};
}

// What is wrong with it, if anything is.
std::optional<std::string> take(const parameter& p, const json::value& from, registration& to) {
  if (from.what == json::kind::null) return std::nullopt;
  // Versions such as 1.0 come without quotes, too.
  const bool number = from.what == json::kind::integer || from.what == json::kind::fraction;
  if (from.what != json::kind::string && !(number && p.name == "botversion"))
    return about(p, "has to be a string");
  auto text = number ? std::string{from.spelled} : json::unquoted(from.spelled);
  if (text.size() > p.bytes_max)
    return about(p, "is over " + std::to_string(p.bytes_max) + " bytes long");
  if (!utf8::all_of(text, [&](char32_t c) {
        return !utf8::is_control(c) || (!p.required && (c == '\n' || c == '\r' || c == '\t'));
      }))
    return about(p, "has characters that can't be printed");
  to.*p.to = std::move(text);
  return std::nullopt;
}

std::variant<registration, std::string> read_parameters(std::string_view object) {
  registration out;
  json::walk members{object, json::walk::over::object};
  while (members.step()) {
    const auto name = json::unquoted(members.name());
    for (const auto& each : parameters)
      if (same_letters(name, each.name))
        if (auto wrong = take(each, members.here(), out)) return *std::move(wrong);
  }
  for (const auto& each : parameters)
    if (each.required && (out.*each.to).empty()) return about(each, "is missing or empty");
  if (!acceptable_name(out.name) || !acceptable_name(out.version))
    return std::string{
        "The names of a bot and of its version have 1 to 64 printable characters, the first and "
        "the last of them no blank"};
  return out;
}

std::string answer(std::string_view id, std::string_view result, std::string_view error) {
  std::string out = R"({"jsonrpc":"2.0","result":)";
  out += result;
  out += R"(,"error":)";
  out += error;
  out += R"(,"id":)";
  out += id;
  out += '}';
  return out;
}

std::string in_quotes(std::string_view text) {
  std::string out;
  json::append_quoted(text, out);
  return out;
}

}  // namespace

std::variant<register_request, bad_rpc> read_register(std::string_view body) {
  json::value method, params, id;
  json::walk members{body, json::walk::over::object};
  while (members.step()) {
    if (json::says(members.name(), "method")) method = members.here();
    if (json::says(members.name(), "params")) params = members.here();
    if (json::says(members.name(), "id")) id = members.here();
  }
  if (!members.whole()) return bad_rpc{"null", "The body is no JSON object"};
  bad_rpc bad;
  if (id.spelled.size() > limits::bot_id_bytes_max)
    return bad_rpc{"null",
                   "The id is over " + std::to_string(limits::bot_id_bytes_max) + " bytes long"};
  if (id.what != json::kind::missing) bad.id = id.spelled;
  bad.why = "The only method here is " + std::string{method_name};
  if (method.what != json::kind::string || !json::says(method.spelled, method_name)) return bad;
  register_request out;
  out.id = bad.id;
  if (params.what == json::kind::object)
    out.what = read_parameters(params.spelled);
  else
    out.what = std::string{"The params have to be an object with parameters by name"};
  return out;
}

std::string accepted_answer(std::string_view id, std::string_view message) {
  return answer(id, R"({"message":)" + in_quotes(message) + '}', "null");
}

std::string refused_answer(std::string_view id, std::string_view why) {
  return answer(id, "null", in_quotes(why));
}

std::string greeting(const registration& bot, std::string_view game_title) {
  return "Hello, " + bot.name + " (version: " + bot.version + "), good luck with " +
         std::string{game_title} + "!";
}

}  // namespace gamehub::gateways::jsonrpc
