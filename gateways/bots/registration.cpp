#include "gateways/bots/registration.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "gateways/bots/names.hpp"
#include "hub/base/json.hpp"
#include "hub/base/text.hpp"
#include "hub/base/utf8.hpp"
#include "hub/core/bot_record.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace gamehub::gateways::bots {
namespace {

constexpr std::string_view method_name = "RegistrationService.Register";

// A parameter: name in lower case, destination, size limit, and whether it is required.
struct parameter {
  std::string_view name;
  std::string bot_registration::*to;
  std::size_t bytes_max;
  bool required;
};

constexpr parameter parameters[] = {
    {"token", &bot_registration::token, limits::bot_token_bytes_max, true},
    {"botname", &bot_registration::name, limits::name_bytes_max, true},
    {"botversion", &bot_registration::version, limits::bot_version_bytes_max, true},
    {"game", &bot_registration::game, limits::name_bytes_max, true},
    {"rpcendpoint", &bot_registration::endpoint, limits::bot_url_bytes_max, true},
    {"programminglanguage", &bot_registration::language, limits::bot_text_bytes_max, false},
    {"website", &bot_registration::website, limits::bot_text_bytes_max, false},
    {"description", &bot_registration::description, limits::bot_text_bytes_max, false},
    {"signingsecret", &bot_registration::signing_secret, limits::bot_signing_secret_bytes_max,
     false},
};

std::string about(const parameter& p, std::string_view why) {
  return "The parameter \"" + std::string{p.name} + "\" " + std::string{why};
}

// Stores a parameter; returns what is wrong with it, if anything.
std::optional<std::string> take(const parameter& p, const base::json::value& from,
                                bot_registration& to) {
  if (from.what == base::json::kind::null) return std::nullopt;
  // A version such as 1.0 may be a JSON number.
  const bool number =
      from.what == base::json::kind::integer || from.what == base::json::kind::fraction;
  if (from.what != base::json::kind::string && !(number && p.name == "botversion"))
    return about(p, "has to be a string");
  auto text = number ? std::string{from.spelled} : base::json::unquoted(from.spelled);
  if (text.size() > p.bytes_max)
    return about(p, "is over " + std::to_string(p.bytes_max) + " bytes long");
  if (!base::utf8::all_of(text, [&](char32_t c) {
        return !base::utf8::is_control(c) || (!p.required && (c == '\n' || c == '\r' || c == '\t'));
      }))
    return about(p, "has characters that can't be printed");
  to.*p.to = std::move(text);
  return std::nullopt;
}

bool is_signing_secret(std::string_view text) {
  return text.size() >= limits::bot_signing_secret_bytes_min &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

std::variant<bot_registration, std::string> read_parameters(std::string_view object) {
  bot_registration out;
  base::json::walk members{object, base::json::walk::over::object};
  while (members.step()) {
    const auto name = base::json::unquoted(members.name());
    for (const auto& each : parameters)
      if (base::same_letters(name, each.name))
        if (auto wrong = take(each, members.here(), out)) return *std::move(wrong);
  }
  for (const auto& each : parameters)
    if (each.required && (out.*each.to).empty()) return about(each, "is missing or empty");
  if (!out.signing_secret.empty() && !is_signing_secret(out.signing_secret))
    return std::string{
        "The parameter \"signingsecret\" has to be 16 to 128 characters of ASCII without blanks"};
  if (!is_acceptable_name(out.name) || !is_acceptable_name(out.version))
    return std::string{
        "The names of a bot and of its version have 1 to 64 printable characters of one script, "
        "the first and the last of them no blank"};
  if (is_reserved_name(out.name))
    return std::string{"The names operator, engine and bot:NAME are the hub's own"};
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
  base::json::append_quoted(text, out);
  return out;
}

}  // namespace

std::variant<register_request, bad_rpc> read_register(std::string_view body) {
  base::json::value method, params, id;
  base::json::walk members{body, base::json::walk::over::object};
  while (members.step()) {
    if (base::json::says(members.name(), "method")) method = members.here();
    if (base::json::says(members.name(), "params")) params = members.here();
    if (base::json::says(members.name(), "id")) id = members.here();
  }
  if (!members.whole()) return bad_rpc{"null", "The body is no JSON object"};
  bad_rpc bad;
  if (id.spelled.size() > limits::bot_id_bytes_max)
    return bad_rpc{"null",
                   "The id is over " + std::to_string(limits::bot_id_bytes_max) + " bytes long"};
  if (id.what != base::json::kind::missing) bad.id = id.spelled;
  bad.why = "The only method here is " + std::string{method_name};
  if (method.what != base::json::kind::string || !base::json::says(method.spelled, method_name))
    return bad;
  register_request out;
  out.id = bad.id;
  if (params.what == base::json::kind::object)
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

std::string greeting(const bot_profile& bot, std::string_view game_title) {
  return "Hello, " + bot.name + " (version: " + bot.version + "), good luck with " +
         std::string{game_title} + "!";
}

}  // namespace gamehub::gateways::bots
