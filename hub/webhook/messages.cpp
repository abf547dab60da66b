#include "hub/webhook/messages.hpp"

#include "gateways/bots/call_bytes.hpp"
#include "gateways/http/player_symbols.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/digest.hpp"
#include "hub/base/json.hpp"
#include "hub/base/text.hpp"

namespace gamehub::webhook {
namespace {

using gateways::http::mark_of;

// The receiver knows by the id that it has an event already.
void begin(std::string_view type, const lasting_seat& at, std::uint64_t number,
           base::json_writer& to) {
  const auto game = std::to_string(at.game.value);
  to.begin('{');
  to.text("type", type);
  to.text("id", game + '.' + std::to_string(number));
  to.text("game_id", game);
  to.text("engine", at.engine);
  to.text("player", mark_of(at.seat).text());
}

}  // namespace

std::string turn_body(const absent_turn& t) {
  std::string out;
  base::json_writer to{out};
  begin("your-turn", t.at, t.number, to);
  to.text("since", base::iso_time(t.since));
  if (t.until) to.text("until", base::iso_time(*t.until));
  to.end('}');
  return out;
}

std::string end_body(const lasting_end& e) {
  std::string out;
  base::json_writer to{out};
  begin("game-ended", e.at, e.number, to);
  to.text("code", gateways::http::end_code_of(e.how));
  if (e.how.winner)
    to.text("winner", mark_of(*e.how.winner).text());
  else if (e.how.draw())
    to.text("winner", "D");
  else
    to.nothing("winner");
  to.end('}');
  return out;
}

std::string challenge_body(std::string_view challenge) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.text("type", "challenge");
  to.text("challenge", challenge);
  to.end('}');
  return out;
}

std::string challenge_answer(std::string_view secret, std::string_view challenge) {
  const auto digest = base::hmac_sha256(secret, "challenge." + std::string{challenge});
  return base::hex_of(std::string{digest.begin(), digest.end()});
}

bool is_answer(std::string_view body, std::string_view secret, std::string_view challenge) {
  std::optional<std::string> given;
  base::json::walk each{body, base::json::walk::over::object};
  while (each.step())
    if (base::json::says(each.name(), "answer") && each.here().what == base::json::kind::string)
      given = base::json::unquoted(each.here().spelled);
  return each.whole() && given && base::same_secret(*given, challenge_answer(secret, challenge));
}

std::string request_bytes(const gateways::bots::bot_url& to, std::string_view secret,
                          base::wall_time at, std::string_view body) {
  std::string out = "POST " + to.target + " HTTP/1.1\r\nHost: " + to.field;
  out += "\r\nUser-Agent: gamehub\r\nContent-Type: application/json\r\nContent-Length: ";
  out += std::to_string(body.size());
  out += "\r\nGamehub-Signature: " + gateways::bots::signature_of(secret, at, body);
  out += "\r\nConnection: close\r\n\r\n";
  out += body;
  return out;
}

}  // namespace gamehub::webhook
