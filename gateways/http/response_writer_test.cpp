#include "gateways/http/response_writer.hpp"

#include "hub/base/time.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <string>

namespace gamehub::gateways::http {
namespace {

using namespace std::chrono_literals;

const std::string date = "Sun, 06 Nov 1994 08:49:37 GMT";
const std::string always = "Date: " + date +
                           "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                           "Referrer-Policy: no-referrer\r\n";

answer_form form(bool keep_alive, bool is_1_1 = true, bool head_only = false) {
  return {keep_alive, is_1_1, head_only, date, nullptr};
}

std::string written(const response& r, const answer_form& f) {
  std::string out;
  append_response(r, f, out);
  return out;
}

response done() {
  response r;
  r.body = "{}";
  return r;
}

TEST_CASE("response writer: an answer has its fields, its length and its body") {
  CHECK(written(done(), form(true)) ==
        "HTTP/1.1 200 OK\r\n" + always +
            "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  auto r = done();
  r.status = 429;
  r.fields.push_back({"Retry-After", "1"});
  CHECK(written(r, form(true)) ==
        "HTTP/1.1 429 Too Many Requests\r\n" + always +
            "Retry-After: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
}

TEST_CASE("response writer: writes Cache-Control") {
  auto r = done();
  r.cache_control = "no-cache";
  const auto text = written(r, form(true));
  CHECK(text.find("\r\nCache-Control: no-cache\r\n") != text.npos);
  CHECK(text.find("no-store") == text.npos);
}

TEST_CASE("response writer: writes Connection if it is not the default") {
  const auto response_with = [](const answer_form& f, const std::string& what) {
    return written(done(), f).find("\r\nConnection: " + what + "\r\n") != std::string::npos;
  };
  CHECK(response_with(form(false), "close"));
  CHECK(response_with(form(true, false), "keep-alive"));
  CHECK(written(done(), form(true)).find("Connection") == std::string::npos);
  CHECK(written(done(), form(false, false)).find("Connection") == std::string::npos);
}

TEST_CASE("response writer: HEAD omits the body, 204 also the length") {
  auto whole = written(done(), form(true));
  CHECK(written(done(), form(true, true, true)) + "{}" == whole);
  auto r = done();
  r.status = 204;
  r.body.clear();
  CHECK(written(r, form(true)) == "HTTP/1.1 204 No Content\r\n" + always + "\r\n");
  r.status = 304;
  CHECK(written(r, form(true)) == "HTTP/1.1 304 Not Modified\r\n" + always + "\r\n");
}

TEST_CASE("response writer: names the site whose pages may read the answer") {
  const std::string site = "https://play.example";
  auto f = form(true);
  f.site = &site;
  const auto text = written(done(), f);
  CHECK(text.find("\r\nAccess-Control-Allow-Origin: https://play.example\r\n") != text.npos);
  CHECK(text.find("\r\nVary: Origin\r\n") != text.npos);
  CHECK(written(done(), form(true)).find("Access-Control") == std::string::npos);
}

TEST_CASE("response writer: a stream comes in chunks, or until the end") {
  std::string out;
  append_stream_head("application/x-ndjson", form(true), out);
  CHECK(out == "HTTP/1.1 200 OK\r\n" + always +
                   "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n");
  out.clear();
  append_chunk({"{\"a\":1}", "\n"}, form(true), out);
  append_chunk({"", ""}, form(true), out);
  append_chunk({std::string(255, 'x')}, form(true), out);
  append_last_chunk(form(true), out);
  CHECK(out == "8\r\n{\"a\":1}\n\r\nff\r\n" + std::string(255, 'x') + "\r\n0\r\n\r\n");
  out.clear();
  append_stream_head("application/x-ndjson", form(false, false), out);
  append_chunk({"{}", "\n"}, form(false, false), out);
  append_last_chunk(form(false, false), out);
  CHECK(out.ends_with("application/x-ndjson\r\n\r\n{}\n"));
}

TEST_CASE("response writer: dates are those of HTTP") {
  const auto day = std::chrono::sys_days{std::chrono::year{1994} / 11 / 6};
  CHECK(base::http_date(base::wall_time{day + 8h + 49min + 37s + 999ms}) == date);
  CHECK(base::http_date(base::wall_time{}) == "Thu, 01 Jan 1970 00:00:00 GMT");
}

}  // namespace
}  // namespace gamehub::gateways::http
