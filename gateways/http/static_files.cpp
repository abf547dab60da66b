#include "gateways/http/static_files.hpp"

#include "hub/base/digest.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gamehub::gateways::http {
namespace {

constexpr std::string_view version_folder = "/v/";

// Scripts are those of the bundle and one inline script of index.html, which is named by its
// digest; tests/page/unit compares them. The policies of trusted types make the URL of the worker,
// and read the icons of engines.
constexpr std::string_view page_policy =
    "default-src 'none'; "
    "script-src 'self' 'sha256-2f7nq7jztlSPmE4SGPSbl5pGcSVg0eI7VbuQu2oL+LQ='; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
    "trusted-types gamehub gamehub-icon; frame-ancestors ";

// The style of pages of sentences: the colours and sizes of base.css.
constexpr std::string_view small_style =
    ":root{color-scheme:light dark}"
    "body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#f5f2ec;color:#20242b}"
    "main{max-width:34rem;margin:12vh auto 0;padding:0 1.2rem}"
    "h1{margin:0;font:500 2rem/1.15 Georgia,serif}"
    "a{display:inline-block;padding:.5rem .9rem;border:1px solid;border-radius:9px;color:inherit}"
    "@media(prefers-color-scheme:dark){body{background:#15171b;color:#ece8df}}";

// Allows that style, by its digest, and the icon.
const std::string& small_policy() {
  static const std::string text =
      "default-src 'none'; style-src 'sha256-" + base::base64(base::sha256(small_style)) +
      "'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return text;
}

const static_file* find_named(std::string_view name) {
  const auto all = page_files();
  const auto at = std::find_if(all.begin(), all.end(), [name](const static_file& each) {
    return each.path.starts_with(version_folder) && each.path.ends_with(name);
  });
  return at == all.end() ? nullptr : &*at;
}

void add_policy(response& to, std::string policy) {
  to.fields.push_back({"Content-Security-Policy", std::move(policy)});
  to.fields.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
}

// Programs accept HTML, too, where their library names it in each request.
bool is_page_path(std::string_view path) {
  return !path.starts_with("/api/") && !path.starts_with("/tictactoe/api/") && path != "/rpc";
}

std::string_view title_of(int status) {
  if (status == 404) return "There is no such page";
  if (status == 403) return "You can't play here";
  return "Not just now";
}

std::string capitalised(std::string text) {
  constexpr char capital = 'A' - 'a';
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() + capital);
  return text;
}

std::string sentence_of(const error& e, int status) {
  // The text of an unknown path is for authors of clients.
  if (status == 404) return "The address may be mistyped, or old.";
  // Pages are refused to no other clients.
  if (status == 403)
    return "The operator of this hub does not let you play from this network address, until the "
           "ban of it is lifted.";
  return html_of(capitalised(e.message) + '.');
}

std::string sentences_of(const error& e, int status) {
  auto out = "<h1>" + std::string{title_of(status)} + "</h1><p>" + sentence_of(e, status) + "</p>";
  if (status != 403) out += "<p><a href=\"/\">To the lobby</a></p>";
  return out;
}

}  // namespace

const static_file* find_static_file(std::string_view path) {
  // Browsers ask for this name without being told of it.
  if (path == "/favicon.ico") return find_named("/icon.svg");
  return base::find_file(page_files(), path);
}

response page_answer(const static_file& file, const request& r, std::string_view frames) {
  response out;
  out.content_type = file.content_type;
  // The path of a versioned file changes with its content. The browser revalidates the others each
  // time, so that a new hub shows its new page.
  out.cache_control =
      r.path.starts_with(version_folder) ? "public, max-age=31536000, immutable" : "no-cache";
  // Of the connections that a browser opens for these files it keeps one.
  if (r.path.starts_with(version_folder)) out.fields.push_back({"Connection", "close"});
  const auto answer = base::answer_with(file, r.accept_encoding, r.if_none_match);
  out.status = answer.status;
  for (const auto& [name, value] : answer.fields) out.fields.push_back({name, std::string{value}});
  if (out.status == 200) add_policy(out, std::string{page_policy}.append(frames));
  out.body = answer.body;
  return out;
}

std::string html_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

response small_page(std::string_view head, std::string_view main) {
  response out;
  out.content_type = "text/html; charset=utf-8";
  out.body =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" "
      "content=\"light dark\">";
  out.body += head;
  out.body += "<style>" + std::string{small_style} + "</style></head><body><main>";
  out.body += main;
  out.body += "</main></body></html>\n";
  add_policy(out, small_policy());
  return out;
}

std::optional<response> page_of_error(const error& e, const request& r) {
  const bool asks = r.method == "GET" || r.method == "HEAD";
  if (!asks || r.accept.find("text/html") == r.accept.npos || !is_page_path(r.path))
    return std::nullopt;
  auto out = to_response(e);
  std::string head = "<title>gamehub</title>", sentences = sentences_of(e, out.status);
  const auto retry = std::find_if(out.fields.begin(), out.fields.end(),
                                  [](const auto& each) { return each.name == "Retry-After"; });
  if (out.status == 503 && retry != out.fields.end()) {
    head += "<meta http-equiv=\"refresh\" content=\"" + retry->value + "\">";
    sentences += "<p>The page is loaded again in " + retry->value + " seconds.</p>";
  }
  auto page = small_page(head, sentences);
  out.content_type = page.content_type;
  out.body = std::move(page.body);
  for (auto& each : page.fields) out.fields.push_back(std::move(each));
  return out;
}

}  // namespace gamehub::gateways::http
