#include "hub/admin/pages.hpp"

#include "hub/admin/operator_page.hpp"
#include "hub/base/digest.hpp"
#include "hub/base/host_name.hpp"
#include "hub/base/query.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/base/utf8.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>

namespace gamehub::admin {
namespace {

page plain(int status, std::string body) {
  body += '\n';
  return {status, "text/plain; charset=utf-8", std::move(body)};
}

page wrong_method(std::string_view allow, std::string body) {
  auto out = plain(405, std::move(body));
  out.allow = allow;
  return out;
}

page health_page(const health& now) {
  if (now.failing.empty()) return plain(200, "ok");
  std::string body;
  for (const auto& each : now.failing) body += (body.empty() ? "" : "\n") + each;
  return plain(503, std::move(body));
}

page page_at(const admin_sources& from, std::string_view path) {
  if (path == "/metrics") return {200, "text/plain; version=0.0.4; charset=utf-8", from.metrics()};
  if (path == "/healthz") return health_page(from.healthy());
  if (path == "/readyz") {
    auto why = from.unready();
    return why ? plain(503, std::move(*why)) : plain(200, "ready");
  }
  if (path == "/servingz") {
    auto why = from.unserved ? from.unserved() : from.unready();
    return why ? plain(503, std::move(*why)) : plain(200, "serving");
  }
  if (path == "/startupz") {
    auto why = from.starting ? from.starting() : std::nullopt;
    return why ? plain(503, std::move(*why)) : plain(200, "started");
  }
  if (path == "/status.json" && from.status)
    return {200, "application/json", json_of(from.status())};
  return plain(
      404,
      "here are / (the operators' page), /metrics, /status.json, /healthz, /readyz, "
      "/servingz, /startupz, /arena, POST /drain, POST "
      "/games/NUMBER/end?reason=TEXT, POST /games, /game and /orders, and with a token POST "
      "/players, /sanctions, /ban, /unban, /mute, /unmute and /say");
}

// Returns the text between /games/ and /end; nothing if the path is another one.
std::optional<std::string_view> game_in(std::string_view path) {
  constexpr std::string_view before = "/games/", after = "/end";
  if (!path.starts_with(before) || !path.ends_with(after)) return {};
  if (path.size() < before.size() + after.size()) return {};
  const auto number = path.substr(before.size(), path.size() - before.size() - after.size());
  return number.find('/') == number.npos ? std::optional{number} : std::nullopt;
}

bool is_printable(std::string_view text) {
  return base::utf8::all_of(text, [](char32_t c) { return c >= 0x20 && c != 0x7F; });
}

std::variant<page, end_request, operator_command, league_request> end_of(std::string_view number,
                                                                         std::string_view query) {
  end_request out;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), out.game.value);
  if (error != std::errc{} || end != number.data() + number.size() || !out.game)
    return plain(400, "a game is a number, as in POST /games/17/end?reason=TEXT");
  constexpr std::string_view key = "reason=";
  if (!query.starts_with(key) || query.find('&') != query.npos)
    return plain(
        400, "say why, and nothing else: POST /games/" + std::string{number} + "/end?reason=TEXT");
  auto reason = base::percent_decoded(query.substr(key.size()), base::plus::is_space);
  if (!reason || reason->empty() || !is_printable(*reason))
    return plain(400, "the reason has to be printable text, with % escapes as in any URL");
  if (reason->size() > limits::end_note_bytes_max)
    return plain(400, "the reason is over " + std::to_string(limits::end_note_bytes_max) +
                          " bytes: say it shorter");
  out.reason = std::move(*reason);
  return out;
}

page drain_page(const admin_sources& from) {
  from.drain();
  auto out = plain(202, "draining");
  out.done.emplace().verb = "drain";
  return out;
}

bool has_token(const admin_sources& from, std::string_view authorization) {
  constexpr std::string_view bearer = "Bearer ";
  return authorization.starts_with(bearer) &&
         base::same_secret(authorization.substr(bearer.size()), from.token);
}

page refused_page(admin_refusal why, int status, std::string sentence) {
  auto out = plain(status, std::move(sentence));
  out.refused = why;
  return out;
}

page no_token(const admin_request& r) {
  const auto why = r.authorization.empty() ? admin_refusal::no_token : admin_refusal::wrong_token;
  auto out = refused_page(why, 401, "the operator's token is needed: Authorization: Bearer TOKEN");
  out.challenge = "Bearer";
  return out;
}

// Returns a page if the request may not change anything.
std::optional<page> forbidden(const admin_sources& from, const admin_request& r,
                              std::string_view what) {
  if (r.from_web_page)
    return refused_page(admin_refusal::web_page, 403,
                        "a web page may not " + std::string{what} +
                            ", but the one of this server if it is opened on localhost or over "
                            "HTTPS");
  if (!from.token.empty() && !has_token(from, r.authorization)) return no_token(r);
  return std::nullopt;
}

std::variant<page, end_request, operator_command, league_request> command_of(
    const admin_sources& from, const admin_request& r, std::string_view path) {
  if (auto no = forbidden(from, r, "give orders")) return *std::move(no);
  if (from.token.empty() && is_only_with_token(path))
    return plain(403,
                 "the operator's commands need a token: start the hub with --admin-token-file");
  auto read = read_command(r.method, path, r.body);
  if (const auto* wrong = std::get_if<command_mistake>(&read)) {
    auto out = plain(wrong->status, wrong->sentence);
    out.allow = wrong->allow;
    return out;
  }
  return std::get<operator_command>(std::move(read));
}

page arena_page_of(const admin_sources& from, std::string_view method, std::string_view target) {
  try {
    return arena_order_page({std::string{method}, std::string{target}}, from.arena(method, target));
  } catch (const std::exception& e) {
    return plain(500, e.what());
  }
}

}  // namespace

page arena_order_page(const league_request& r, page out) {
  if (r.method != "POST") return out;
  auto& done = out.done.emplace();
  done.verb = "arena";
  done.target = r.target;
  return out;
}

bool is_from_foreign_page(std::optional<std::string_view> host,
                          std::optional<std::string_view> origin, std::string_view fetch_site) {
  if (!origin) return !fetch_site.empty() && fetch_site != "same-origin" && fetch_site != "none";
  if (!host || host->empty() || fetch_site != "same-origin") return true;
  const auto is_origin = [&](std::string_view scheme) {
    return origin->starts_with(scheme) && origin->substr(scheme.size()) == *host;
  };
  // https: behind a proxy that terminates TLS.
  return !is_origin("http://") && !is_origin("https://");
}

std::variant<page, end_request, operator_command, league_request> answer(const admin_sources& from,
                                                                         const admin_request& r) {
  // A page after DNS rebinding has the rights of this server's own pages.
  if (r.host && !base::is_own_host(*r.host, from.hosts))
    return refused_page(
        admin_refusal::foreign_host, 421,
        "the Host of the request is no address, not localhost, and no name that the "
        "operator gave with --admin-host");
  const auto path = r.target.substr(0, r.target.find('?'));
  if (is_command(path) && from.carry_out) return command_of(from, r, path);
  if (!r.body.empty()) return plain(413, "requests have no body here");
  if (const auto game = game_in(path); game && from.end_game) {
    if (r.method != "POST") return wrong_method("POST", "a game is ended by POST");
    if (auto no = forbidden(from, r, "end games")) return *std::move(no);
    return end_of(*game, path.size() < r.target.size() ? r.target.substr(path.size() + 1) : "");
  }
  if (path == "/drain" && from.drain) {
    if (r.method != "POST") return wrong_method("POST", "the hub is drained by POST");
    if (auto no = forbidden(from, r, "drain the hub")) return *std::move(no);
    return drain_page(from);
  }
  if (from.arena && (path == "/arena" || path.starts_with("/arena/"))) {
    if (r.method == "POST")
      if (auto no = forbidden(from, r, "change anything here")) return *std::move(no);
    // It has endpoints and failures of bots.
    if (!from.token.empty() && !has_token(from, r.authorization)) return no_token(r);
    if (from.arena_is_elsewhere && from.arena_is_elsewhere())
      return league_request{std::string{r.method}, std::string{r.target}};
    return arena_page_of(from, r.method, r.target);
  }
  if (r.method != "GET" && r.method != "HEAD")
    return wrong_method("GET, HEAD", "only GET and HEAD are served here");
  if (auto file = operator_page(path, r.accept_encoding, r.if_none_match)) return *std::move(file);
  try {
    return page_at(from, path);
  } catch (const std::exception& e) {
    return plain(500, e.what());
  }
}

page command_page(const command_answer& a) { return {a.status, "application/json", a.json + '\n'}; }

page end_page(const end_request& request, std::optional<bool> found) {
  const auto game = "game " + std::to_string(request.game.value);
  if (!found)
    return plain(504, "no " + game +
                          " runs at the hubs that answered, and others did not answer: gamehub "
                          "cluster status shows the hubs");
  return *found ? plain(202, game + " is told to end") : plain(404, "no " + game + " runs here");
}

page too_many_guesses(base::duration wait) {
  auto out = refused_page(admin_refusal::limited, 429,
                          "too many wrong tokens came from this address: ask again later");
  out.retry_after = std::to_string(base::retry_after(wait).count());
  return out;
}

page complaint(int status, std::string_view sentence) {
  return plain(status, std::string{sentence});
}

}  // namespace gamehub::admin
