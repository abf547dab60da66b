#include "gateways/http/response_writer.hpp"

#include <boost/beast/http/status.hpp>

#include <array>
#include <charconv>
#include <chrono>

namespace gamehub::gateways::http {

namespace {

void append_field(std::string_view name, std::string_view value, std::string& out) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

void append_number(std::size_t value, int base, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  out.append(digits.data(), end);
}

void append_status(int status, std::string_view cache_control, const answer_form& form,
                   std::string& out) {
  out += "HTTP/1.1 ";
  append_number(static_cast<std::size_t>(status), 10, out);
  out += ' ';
  const auto reason = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(static_cast<unsigned>(status)));
  out.append(reason.data(), reason.size());
  out += "\r\n";
  append_field("Date", form.date, out);
  append_field("Cache-Control", cache_control, out);
  for (const auto& each : fields_of_every_answer) append_field(each.name, each.value, out);
  if (form.site == nullptr) return;
  append_field("Access-Control-Allow-Origin", *form.site, out);
  append_field("Vary", "Origin", out);
}

// Appends Connection only if it differs from the default of the HTTP version.
void append_connection(const answer_form& form, std::string& out) {
  if (form.keep_alive && !form.is_1_1)
    append_field("Connection", "keep-alive", out);
  else if (!form.keep_alive && form.is_1_1)
    append_field("Connection", "close", out);
}

}  // namespace

void append_response(const response& r, const answer_form& form, std::string& out) {
  append_status(r.status, r.cache_control, form, out);
  append_connection(form, out);
  for (const auto& each : r.fields) append_field(each.name, each.value, out);
  const bool bodiless = r.status == 204 || r.status == 304;
  if (!bodiless) {
    append_field("Content-Type", r.content_type, out);
    out += "Content-Length: ";
    append_number(r.body.size(), 10, out);
    out += "\r\n";
  }
  out += "\r\n";
  if (!form.head_only && !bodiless) out += r.body;
}

void append_switch(const response& r, const answer_form& form, std::string& out) {
  append_status(101, r.cache_control, form, out);
  append_field("Connection", "Upgrade", out);
  for (const auto& each : r.fields) append_field(each.name, each.value, out);
  out += "\r\n";
}

void append_stream_head(std::string_view content_type, const answer_form& form, std::string& out) {
  append_status(200, response{}.cache_control, form, out);
  append_connection(form, out);
  append_field("Content-Type", content_type, out);
  if (form.is_1_1) append_field("Transfer-Encoding", "chunked", out);
  out += "\r\n";
}

void append_chunk(std::initializer_list<std::string_view> parts, const answer_form& form,
                  std::string& out) {
  std::size_t bytes = 0;
  for (const auto part : parts) bytes += part.size();
  // An empty chunk would end the stream.
  if (bytes == 0) return;
  if (form.is_1_1) {
    append_number(bytes, 16, out);
    out += "\r\n";
  }
  for (const auto part : parts) out += part;
  if (form.is_1_1) out += "\r\n";
}

void append_last_chunk(const answer_form& form, std::string& out) {
  if (form.is_1_1) out += "0\r\n\r\n";
}

}  // namespace gamehub::gateways::http
