#include "hub/base/json.hpp"

#include "hub/base/text.hpp"
#include "hub/base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gamehub::base::json {
namespace {

bool is_blank(char c) { return c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reading takes a piece off the front of `rest` and says whether it was there.

inline void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

bool skip(std::string_view& rest, char c) {
  if (rest.empty() || rest.front() != c) return false;
  rest.remove_prefix(1);
  return true;
}

bool skip_word(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

bool skip_digits(std::string_view& rest) {
  if (rest.empty() || !is_digit(rest.front())) return false;
  while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
  return true;
}

bool skip_number(std::string_view& rest, kind& what) {
  what = kind::integer;
  skip(rest, '-');
  if (!skip(rest, '0') && !skip_digits(rest)) return false;
  if (skip(rest, '.')) {
    what = kind::fraction;
    if (!skip_digits(rest)) return false;
  }
  if (skip(rest, 'e') || skip(rest, 'E')) {
    what = kind::fraction;
    if (!skip(rest, '+')) skip(rest, '-');
    if (!skip_digits(rest)) return false;
  }
  return true;
}

// The sixteen bits of \uXXXX, or -1.
int code_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int out = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    out = out * 16 + digit;
  }
  return out;
}

bool is_high(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// What a letter says behind a backslash, or zero.
constexpr std::array<char, 256> make_meaning_table() {
  constexpr std::string_view names = "\"\\/bfnrt";
  constexpr std::string_view means = "\"\\/\b\f\n\r\t";
  std::array<char, 256> out{};
  for (std::size_t i = 0; i < names.size(); ++i)
    out[static_cast<unsigned char>(names[i])] = means[i];
  return out;
}
constexpr auto meanings = make_meaning_table();

char meaning_of(char letter) { return meanings[static_cast<unsigned char>(letter)]; }

// Half a surrogate pair is no character, so a string with one says nothing.
bool skip_escape(std::string_view& rest) {
  if (rest.size() < 2) return false;
  if (rest[1] != 'u') {
    if (meaning_of(rest[1]) == '\0') return false;
    rest.remove_prefix(2);
    return true;
  }
  const int first = code_unit(rest);
  if (first < 0 || is_low(first)) return false;
  rest.remove_prefix(6);
  if (!is_high(first)) return true;
  if (!is_low(code_unit(rest))) return false;
  rest.remove_prefix(6);
  return true;
}

// Letters that a string may hold and an output may repeat as they are.
constexpr std::array<bool, 256> make_plain_table() {
  std::array<bool, 256> out{};
  for (std::size_t c = 0x20; c < 0x80; ++c) out[c] = c != '"' && c != '\\';
  return out;
}
constexpr auto plain = make_plain_table();

bool is_plain(char c) { return plain[static_cast<unsigned char>(c)]; }

bool skip_string(std::string_view& rest) {
  if (!skip(rest, '"')) return false;
  std::size_t at = 0;
  for (;;) {
    while (at < rest.size() && is_plain(rest[at])) ++at;
    if (at == rest.size()) return false;
    const auto c = static_cast<unsigned char>(rest[at]);
    if (c == '"') {
      rest.remove_prefix(at + 1);
      return true;
    }
    if (c == '\\' && at + 1 < rest.size() && meaning_of(rest[at + 1]) != '\0') {
      at += 2;
    } else if (c == '\\') {
      rest.remove_prefix(at);
      at = 0;
      if (!skip_escape(rest)) return false;
    } else if (const auto bytes = c < 0x80 ? 0 : utf8::character_bytes(rest.substr(at))) {
      at += bytes;
    } else {
      return false;
    }
  }
}

bool skip_scalar(std::string_view& rest, kind& what) {
  switch (rest.empty() ? '\0' : rest.front()) {
    case '"': what = kind::string; return skip_string(rest);
    case 'n': what = kind::null; return skip_word(rest, "null");
    case 't': what = kind::boolean; return skip_word(rest, "true");
    case 'f': what = kind::boolean; return skip_word(rest, "false");
    default: return skip_number(rest, what);
  }
}

bool skip_name_and_colon(std::string_view& rest) {
  skip_blanks(rest);
  if (!skip_string(rest)) return false;
  skip_blanks(rest);
  return skip(rest, ':');
}

// An array or an object. `open` holds what closes each one that is open: as deep as a client likes,
// for one byte of memory a byte sent.
bool skip_nested(std::string_view& rest) {
  std::string open;
  for (;;) {
    skip_blanks(rest);
    kind ignored;
    if (skip(rest, '{')) {
      skip_blanks(rest);
      open += '}';
      if (rest.empty() || rest.front() != '}') {
        if (!skip_name_and_colon(rest)) return false;
        continue;
      }
    } else if (skip(rest, '[')) {
      skip_blanks(rest);
      open += ']';
      if (rest.empty() || rest.front() != ']') continue;
    } else if (!skip_scalar(rest, ignored)) {
      return false;
    }
    // A value or the opening of an empty one is behind us: close what ends here.
    for (skip_blanks(rest); skip(rest, open.back()); skip_blanks(rest)) {
      open.pop_back();
      if (open.empty()) return true;
    }
    if (!skip(rest, ',')) return false;
    if (open.back() == '}' && !skip_name_and_colon(rest)) return false;
  }
}

bool read_value(std::string_view& rest, value& out) {
  skip_blanks(rest);
  const auto from = rest;
  const char first = rest.empty() ? '\0' : rest.front();
  if (first == '{' || first == '[') {
    out.what = first == '{' ? kind::object : kind::array;
    if (!skip_nested(rest)) return false;
  } else if (!skip_scalar(rest, out.what)) {
    return false;
  }
  out.spelled = from.substr(0, from.size() - rest.size());
  return true;
}

// These write at a place with room for it, and return the place behind it.
char* write_utf8(unsigned c, char* to) {
  const auto put = [&](unsigned byte) { *to++ = static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { put(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return to;
}

// Takes the \u escape off the front and writes what it says. Requires: it is a valid one.
char* write_unescaped(std::string_view& rest, char* to) {
  auto c = static_cast<unsigned>(code_unit(rest));
  rest.remove_prefix(6);
  if (is_high(static_cast<int>(c))) {
    const auto low = static_cast<unsigned>(code_unit(rest));
    rest.remove_prefix(6);
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
  }
  return write_utf8(c, to);
}

// Appends the first letter of the text, which is neither plain nor to be escaped by a backslash
// alone. Returns its bytes.
std::size_t append_rare(std::string_view text, std::string& out) {
  const auto c = static_cast<unsigned char>(text.front());
  if (c >= 0x80) {
    const auto bytes = utf8::character_bytes(text);
    out += bytes != 0 ? text.substr(0, bytes) : std::string_view{"\xEF\xBF\xBD"};
    return bytes != 0 ? bytes : 1;
  }
  constexpr std::string_view means = "\b\f\n\r\t";
  const auto known = means.find(text.front());
  out += '\\';
  if (known != means.npos) {
    out += "bfnrt"[known];
  } else {
    out += "u00";
    out += hex_digits[c >> 4];
    out += hex_digits[c & 15];
  }
  return 1;
}

}  // namespace

walk::walk(std::string_view text, over what)
    : rest_(text), close_(what == over::object ? '}' : ']') {
  skip_blanks(rest_);
  if (!skip(rest_, what == over::object ? '{' : '[')) state_ = state::broken;
}

bool walk::step() {
  if (state_ == state::whole || state_ == state::broken) return false;
  skip_blanks(rest_);
  if (skip(rest_, close_)) {
    skip_blanks(rest_);
    return finish(rest_.empty());
  }
  if (state_ == state::between && !skip(rest_, ',')) return finish(false);
  state_ = state::between;
  if (close_ == '}') {
    skip_blanks(rest_);
    const auto from = rest_;
    if (!skip_string(rest_)) return finish(false);
    name_ = from.substr(0, from.size() - rest_.size());
    skip_blanks(rest_);
    if (!skip(rest_, ':')) return finish(false);
  }
  return read_value(rest_, here_) || finish(false);
}

bool walk::finish(bool good) {
  state_ = good ? state::whole : state::broken;
  name_ = {};
  here_ = {};
  return false;
}

bool valid(std::string_view text) {
  value ignored;
  if (!read_value(text, ignored)) return false;
  skip_blanks(text);
  return text.empty();
}

std::string unquoted(std::string_view quoted) {
  const char* at = quoted.data() + 1;
  const char* const end = quoted.data() + quoted.size() - 1;
  // An escape is longer than what it says.
  std::string out(quoted.size() - 2, '\0');
  char* to = out.data();
  while (at != end) {
    if (*at != '\\') {
      *to++ = *at++;
    } else if (at[1] != 'u') {
      *to++ = meaning_of(at[1]);
      at += 2;
    } else {
      std::string_view rest{at, end};
      to = write_unescaped(rest, to);
      at = rest.data();
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  return out;
}

bool says(std::string_view quoted, std::string_view plain_text) {
  const auto inside = quoted.substr(1, quoted.size() - 2);
  if (inside.find('\\') == inside.npos) return inside == plain_text;
  return unquoted(quoted) == plain_text;
}

std::optional<std::int64_t> integer(const value& from) {
  if (from.what != kind::integer) return std::nullopt;
  std::int64_t out = 0;
  const char* const end = from.spelled.data() + from.spelled.size();
  if (std::from_chars(from.spelled.data(), end, out).ec != std::errc{}) return std::nullopt;
  return out;
}

// Piece by piece: a document has a letter to escape every few bytes.
void append_escaped(std::string_view text, std::string& out) {
  constexpr std::ptrdiff_t letters = 128;
  char piece[2 * letters];
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* const stop = at + std::min(letters, end - at);
    char* to = piece;
    for (; at != stop; ++at) {
      if (!is_plain(*at)) {
        if (*at != '"' && *at != '\\') break;
        *to++ = '\\';
      }
      *to++ = *at;
    }
    out.append(piece, static_cast<std::size_t>(to - piece));
    if (at != stop) at += append_rare({at, static_cast<std::size_t>(end - at)}, out);
  }
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  append_escaped(text, out);
  out += '"';
}

}  // namespace gamehub::base::json

namespace gamehub::base {

void json_writer::piece(std::string_view json) {
  separate();
  out_ += json;
}

void json_writer::begin(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void json_writer::end(char bracket) {
  out_ += bracket;
  first_ = false;
}

json_writer& json_writer::key(std::string_view name) {
  separate();
  (out_ += '"') += name;
  (out_ += '"') += ':';
  first_ = true;
  return *this;
}

void json_writer::text(std::string_view what) {
  separate();
  json::append_quoted(what, out_);
}

void json_writer::time(wall_time at) {
  separate();
  out_ += '"';
  append_rfc3339(at, out_);
  out_ += '"';
}

void json_writer::number(double n) {
  // Most are scores: whole numbers, which need no serializer.
  constexpr double whole_max = 1e15;
  if (std::abs(n) < whole_max && std::trunc(n) == n && !(n == 0 && std::signbit(n)))
    return piece(std::to_string(static_cast<std::int64_t>(n)) + ".0");
  piece(nlohmann::json(n).dump());
}

}  // namespace gamehub::base
