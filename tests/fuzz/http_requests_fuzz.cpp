// Whatever bytes come over a connection of the HTTP wire: they read the same however they are cut;
// what is a request is one for the router and the checks of parameters; anything else ends the
// reading; and no more is kept than a request may have.
//
// The first byte of an input says where it is cut, the rest is what the client sends.
#include "gateways/http/http_limits.hpp"
#include "gateways/http/message_reader.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/routes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gamehub::tests {
namespace {

namespace http = gateways::http;
using gateways::http::message_reader;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "http requests: does not keep this: %s\n", promise);
  std::abort();
}

void append(std::string_view text, std::string& to) {
  to += std::to_string(text.size());
  to += ':';
  to += text;
}

// All that a request says, and what the table makes of it.
void append(const gateways::http::parsed_request& m, std::string& to) {
  const auto& r = m.what;
  for (const auto each : {r.method, r.path, r.query, r.content_type, r.accept, r.authorization,
                          r.last_event_id, r.forwarded, r.forwarded_for, r.origin, r.upgrade,
                          r.websocket_key, r.websocket_version, r.repeated_field, r.body})
    append(each, to);
  to += m.keep_alive ? '+' : '-';
  expect(r.path.starts_with('/'), "a path begins with /");
  expect(r.body.size() <= limits::http_body_bytes_max, "a body is as long as it may be");
  const auto found = http::find_route(r.method, r.path);
  if (const auto* route = std::get_if<http::found_route>(&found)) {
    const auto given = http::parameters::read(r, route->to->parameters);
    to += std::holds_alternative<http::parameters>(given) ? 'p' : 'e';
  } else {
    to += 'n';
  }
}

std::string read(std::string_view bytes, std::size_t piece) {
  message_reader reader;
  std::string out;
  bool wrong = false;
  while (!bytes.empty()) {
    const std::string now{bytes.substr(0, piece)};
    bytes.remove_prefix(now.size());
    reader.receive(now);
    for (auto what = reader.next(); what != message_reader::read_result::nothing;
         what = reader.next()) {
      expect(!wrong, "after a mistake there is nothing more");
      wrong = what == message_reader::read_result::wrong;
      if (wrong)
        out += "wrong " + std::to_string(static_cast<int>(reader.mistake().code));
      else
        append(reader.here(), out);
    }
    reader.keep_rest();
    expect(reader.kept_bytes() <= limits::http_header_bytes_max + 2 * limits::http_body_bytes_max,
           "what is kept has a bound");
    expect(!wrong || reader.kept_bytes() == 0, "after a mistake nothing is kept");
  }
  return out;
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gamehub::tests::expect;
  using gamehub::tests::read;
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data + 1), size - 1};
  const auto whole = read(bytes, std::max<std::size_t>(1, bytes.size()));
  expect(read(bytes, std::size_t{1} + data[0]) == whole,
         "bytes read the same however they are cut");
  return 0;
}
