// Whatever a request says, the parts of the HTTP wire that decide about it keep their promises: an
// answer or an error with one of the wire's codes, never both and never a value of the client's in
// it; parameters that are what their specs say, and read the same by query, form and object; a
// reader who resumes gets the next update and nothing twice; no client behind a proxy that is not
// trusted is anybody else, and what a client puts before a proxy's word changes nothing.
//
// An input is a method, a target, eight fields and a body, each ended by a line's end; the last
// byte of the input says how long the game's log is.
#include "gateways/http/chat_history.hpp"
#include "gateways/http/client_id.hpp"
#include "gateways/http/forwarded.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/request_target.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/static_files.hpp"
#include "gateways/http/stream_position.hpp"
#include "gateways/http/updates.hpp"
#include "hub/base/address.hpp"
#include "hub/base/json.hpp"
#include "hub/base/utf8.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {
namespace {

namespace http = gateways::http;
namespace json = base::json;
namespace utf8 = base::utf8;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "http: does not keep this: %s\n", promise);
  std::abort();
}

std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const auto line = rest.substr(0, end);
  rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
  return line;
}

void check_error(const http::error& e) {
  bool known = false;
  for (const auto code : http::error_codes) known = known || code == e.code;
  expect(known, "an error has one of the codes");
  const auto r = http::to_response(e);
  expect(r.status >= 400 && r.status < 600, "an error has the status of one");
  expect(base::json::valid(r.body), "an error is JSON");
  expect((r.status == 405) == !e.allow.empty(), "405 says which methods there are, only 405 does");
  expect(e.message.size() < 200, "an error has no room for what the client said");
}

std::string escaped(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

// The parameters once more, in other ways to give them.
void check_other_ways(const http::route& to, const http::parameters& given) {
  std::string pairs, object;
  for (const auto& spec : to.parameters) {
    if (!given.mentions(spec.name)) continue;
    pairs += std::string{pairs.empty() ? "" : "&"} + escaped(spec.name) + "=" +
             escaped(given.text(spec.name));
    object += object.empty() ? "{" : ",";
    base::json::append_quoted(spec.name, object);
    object += ':';
    base::json::append_quoted(given.text(spec.name), object);
  }
  object += object.empty() ? "{}" : "}";
  http::request form, query, document;
  form.method = document.method = "POST";
  query.method = "GET";
  form.body = query.query = pairs;
  document.body = object;
  document.content_type = "application/json";
  for (const auto* each : {&form, &query, &document}) {
    const auto again = http::parameters::read(*each, to.parameters);
    const auto* same = std::get_if<http::parameters>(&again);
    expect(same != nullptr, "what was accepted is accepted in any way");
    for (const auto& spec : to.parameters) {
      expect(same->text(spec.name) == given.text(spec.name), "values read the same in any way");
      expect(same->mentions(spec.name) == given.mentions(spec.name), "blanks are not lost");
    }
  }
}

void check_value(const http::parameter_spec& spec, const http::parameters& given) {
  const auto text = given.text(spec.name);
  expect(base::utf8::valid(text), "values are UTF-8");
  if (text.empty()) return expect(!spec.required, "what is required is there");
  switch (spec.type) {
    case http::parameter_type::integer: {
      const auto number = given.integer(spec.name);
      return expect(number && *number >= spec.least && *number <= spec.most,
                    "a number is within its bounds");
    }
    case http::parameter_type::boolean:
      return expect(given.boolean(spec.name) == (text == "true"), "a boolean is one");
    case http::parameter_type::document:
      return expect(base::json::valid(text), "a document is JSON");
    case http::parameter_type::client_id:
    case http::parameter_type::new_client_id:
      return expect(http::client_id::read(text).has_value(), "a client_id can be one");
    case http::parameter_type::any_client_id: return;
    case http::parameter_type::name:
      expect(text.size() <= limits::name_bytes_max, "a name is short");
      [[fallthrough]];
    case http::parameter_type::list:
    case http::parameter_type::text:
      expect(text.size() <= spec.bytes_max, "a text is as long as it may be");
      return expect(base::utf8::all_of(text, [](char32_t c) { return !base::utf8::is_control(c); }),
                    "a text has no controls");
  }
}

void check_stream(const http::request& r, const http::parameters& given, std::uint8_t how) {
  const http::log_end log{how / 2U, how % 2 == 1};
  const auto wish = http::parse_read_request(r, given);
  if (const auto* wrong = std::get_if<http::error>(&wish)) return check_error(*wrong);
  const auto& w = std::get<http::read_request>(wish);
  const auto p = http::position_of(w, log);
  if (const auto* wrong = std::get_if<http::error>(&p)) {
    check_error(*wrong);
    return expect(w.after > log.last, "only an id from the future is wrong here");
  }
  expect(w.after <= log.last, "an id from the future is wrong");
  if (const auto* s = std::get_if<http::stream_from>(&p))
    expect(s->first == w.after + 1 && (!log.ended || w.offers || s->first <= log.last),
           "a stream goes on with the next update");
  else if (const auto* a = std::get_if<http::answer_with>(&p))
    expect(a->number == w.after + 1 && a->number <= log.last,
           "a poll answers with the next update");
  else if (const auto* wait = std::get_if<http::wait_for>(&p))
    expect((!log.ended || w.by_cursor) && wait->number == log.last + 1 &&
               wait->at_most <= limits::http_wait_max,
           "a poll waits for what may come, for a while");
  else
    expect(w.after == log.last, "nothing is the answer only if there is nothing");
}

void check_request(const http::request& r, std::uint8_t how) {
  const auto found = http::find_route(r.method, r.path);
  if (const auto* wrong = std::get_if<http::error>(&found)) {
    check_error(*wrong);
    for (const std::string_view each : {"GET", "POST", "PUT", "DELETE"})
      if (wrong->allow.starts_with(each))
        expect(!std::holds_alternative<http::error>(http::find_route(each, r.path)) ||
                   std::get<http::error>(http::find_route(each, r.path)).code ==
                       http::error_code::unknown_game,
               "a method that is allowed is allowed");
    return;
  }
  const auto& to = *std::get<http::found_route>(found).to;
  if (r.path.starts_with("/api/"))
    expect(
        std::get<http::found_route>(http::find_route(r.method, "/tictactoe" + std::string{r.path}))
                .to == &to,
        "the older prefix is an alias");
  const auto read = http::parameters::read(r, to.parameters);
  if (const auto* wrong = std::get_if<http::error>(&read)) return check_error(*wrong);
  const auto& given = std::get<http::parameters>(read);
  for (const auto& spec : to.parameters) check_value(spec, given);
  check_other_ways(to, given);
  if (to.what == http::operation::updates) check_stream(r, given, how);
  if (to.what == http::operation::chat) {
    const auto wrong = http::check_message(given.text("message"));
    if (wrong) check_error(*wrong);
  }
  if (to.what == http::operation::page) {
    const auto& file = *std::get<http::found_route>(found).file;
    const auto answer = http::page_answer(file, r);
    expect(answer.status == 304 ? answer.body.empty()
                                : answer.body == file.plain || answer.body == file.gzipped,
           "a file of the page is there, or was already");
  }
  if (to.what == http::operation::move) {
    const auto move = http::read_move(given);
    if (const auto* wrong = std::get_if<http::error>(&move)) check_error(*wrong);
  }
}

void check_origin(http::request r) {
  static const std::array<base::network, 2> trusted{*base::read_network("10.0.0.0/8"),
                                                    *base::read_network("fd00::/8")};
  r.remote = *base::read_address("203.0.113.9");
  expect(http::origin_of(r, trusted).address == r.remote && http::origin_of(r, trusted).direct,
         "who is no proxy is itself");
  r.remote = *base::read_address("10.0.0.1");
  const auto through = http::origin_of(r, trusted);
  expect(through.direct == (r.forwarded.empty() && r.forwarded_for.empty()),
         "a proxy's header makes no client local");
  expect(base::read_address(base::to_text(through.address)) == through.address,
         "addresses are spelled as they are read");

  // The proxy appends what it sees. Commas in quotes are its business where it writes a list.
  const auto forged = std::string{r.forwarded_for} + ", 198.51.100.7";
  r.forwarded = {};
  r.forwarded_for = forged;
  expect(base::to_text(http::origin_of(r, trusted).address) == "198.51.100.7",
         "what a client puts in front changes nothing");
}

void check_texts(std::string_view text) {
  if (const auto n = base::read_network(text))
    expect(base::contains(*n, n->address), "a network holds its address");
  game_update u;
  u.what = game_update::kind::said;
  u.name = u.text = text;
  const auto line = http::to_line(u);
  expect(base::json::valid(line), "an update is JSON");
  expect(line.find_first_of("\r\n") == line.size() - 1, "an update is one line");
}

void try_one(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const auto how = data[size - 1];
  std::string_view rest{reinterpret_cast<const char*>(data), size - 1};
  http::request r;
  r.method = next_line(rest);
  const auto target = http::read_target(next_line(rest));
  for (auto* each : {&r.content_type, &r.accept, &r.authorization, &r.last_event_id, &r.forwarded,
                     &r.forwarded_for, &r.repeated_field})
    *each = next_line(rest);
  r.accept_encoding = r.if_none_match = r.accept;  // lists, too
  r.body = rest;
  // The shell names it from a list.
  if (!r.repeated_field.empty()) r.repeated_field = "Content-Type";
  check_origin(r);
  check_texts(rest);
  if (!target) return;
  r.path = target->path;
  r.query = target->query;
  check_request(r, how);
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gamehub::tests::try_one(data, size);
  return 0;
}
