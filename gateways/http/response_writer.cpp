#include "gateways/http/server/response_writer.hpp"

#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <chrono>

namespace gamehub::gateways::http::server {

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

// Each version has a word for what it does not do anyway.
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
  // A chunk of nothing would be the last one.
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

std::string http_date(wall_time at) {
  namespace chrono = std::chrono;
  constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss time{chrono::floor<chrono::seconds>(at - day)};
  std::string out;
  const auto two = [&out](auto value) {
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
  };
  out += days[chrono::weekday{day}.c_encoding()];
  out += ", ";
  two(static_cast<unsigned>(date.day()));
  out += ' ';
  out += months[static_cast<unsigned>(date.month()) - 1];
  out += ' ';
  append_number(static_cast<std::size_t>(static_cast<int>(date.year())), 10, out);
  out += ' ';
  two(time.hours().count());
  out += ':';
  two(time.minutes().count());
  out += ':';
  two(time.seconds().count());
  out += " GMT";
  return out;
}

}  // namespace gamehub::gateways::http::server
