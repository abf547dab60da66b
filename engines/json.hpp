// A JSON reader for engines, for example to read one member of an object that a client sent. It
// accepts exactly valid JSON with nesting up to depth_max, and neither copies nor allocates. Plain
// functions, any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gamehub::engines::json {

// Deeper than any move, and small enough for the stack of any thread.
inline constexpr int depth_max = 64;

enum class kind : std::uint8_t {
  missing,
  null,
  boolean,
  integer,  // By its spelling: 2 and -0 are integers, 2.0 and 2e0 are not.
  fraction,
  string,
  array,
  object,
};

struct value {
  kind what = kind::missing;
  std::string_view spelled;  // A part of the input; strings with their quotes.
};

// Reads JSON. Every function moves past the element that it names and returns true if it is there.
class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }

  void blanks() {
    while (!at_end() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  bool any(value& out, int depth = 0) {
    blanks();
    const auto start = at_;
    if (!something(out.what, depth)) return false;
    out.spelled = text_.substr(start, at_ - start);
    return true;
  }

  // Calls take(value) for each element.
  template <class Take>
  bool array(int depth, Take take) {
    if (!skip('[') || depth >= depth_max) return false;
    blanks();
    if (skip(']')) return true;
    do {
      value found;
      if (!any(found, depth + 1)) return false;
      take(found);
      blanks();
    } while (skip(','));
    return skip(']');
  }

  // Calls take(name with quotes and escapes, value) for each member.
  template <class Take>
  bool object(int depth, Take take) {
    if (!skip('{') || depth >= depth_max) return false;
    blanks();
    if (skip('}')) return true;
    do {
      blanks();
      const auto start = at_;
      if (!string()) return false;
      const auto name = text_.substr(start, at_ - start);
      blanks();
      value found;
      if (!skip(':') || !any(found, depth + 1)) return false;
      take(name, found);
      blanks();
    } while (skip(','));
    return skip('}');
  }

 private:
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  bool skip(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool word(std::string_view letters) {
    if (text_.substr(at_, letters.size()) != letters) return false;
    at_ += letters.size();
    return true;
  }

  bool something(kind& what, int depth) {
    switch (peek()) {
      case '{': what = kind::object; return object(depth, [](std::string_view, const value&) {});
      case '[': what = kind::array; return array(depth, [](const value&) {});
      case '"': what = kind::string; return string();
      case 'n': what = kind::null; return word("null");
      case 't': what = kind::boolean; return word("true");
      case 'f': what = kind::boolean; return word("false");
      default: return number(what);
    }
  }

  bool digits() {
    const auto start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ != start;
  }

  bool number(kind& what) {
    what = kind::integer;
    skip('-');
    if (!skip('0') && !digits()) return false;
    if (skip('.')) {
      what = kind::fraction;
      if (!digits()) return false;
    }
    if (skip('e') || skip('E')) {
      what = kind::fraction;
      if (!skip('+')) skip('-');
      if (!digits()) return false;
    }
    return true;
  }

  bool string() {
    if (!skip('"')) return false;
    for (plain_letters(); !at_end(); plain_letters()) {
      const char c = text_[at_];
      if (c == '"') return skip('"');
      if (!(c == '\\' ? escape() : letter())) return false;
    }
    return false;
  }

  // Moves past characters that stand for themselves: most of a string.
  void plain_letters() {
    auto at = at_;
    while (at < text_.size() && text_[at] >= ' ' && text_[at] <= '~' && text_[at] != '"' &&
           text_[at] != '\\')
      ++at;
    at_ = at;
  }

  // The number of a \u escape, or -1.
  int unit() {
    if (text_.size() - at_ < 6 || !word("\\u")) return -1;
    int out = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return -1;
      out = out * 16 + digit;
    }
    return out;
  }

  bool escape() {
    if (text_.substr(at_, 2) != "\\u") {
      const auto c = text_.substr(at_ + 1, 1);
      if (c.empty()) return false;
      at_ += 2;
      return std::string_view{"\"\\/bfnrt"}.find(c) != std::string_view::npos;
    }
    const int first = unit();
    if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF)) return false;
    if (first < 0xD800 || first > 0xDBFF) return true;
    const int second = unit();
    return second >= 0xDC00 && second <= 0xDFFF;
  }

  // One character other than an escape: not a control character, and well-formed UTF-8 (shortest
  // form, no surrogates, at most U+10FFFF).
  bool letter() {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    if (lead >= 0x20 && lead < 0x80) return ++at_, true;
    const int more = lead < 0x80 ? 0 : lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (lead < 0x20 || more < 0 || lead > 0xF4) return false;
    ++at_;
    for (int i = 0; i < more; ++i, ++at_) {
      const auto next = static_cast<unsigned char>(peek());
      const int low = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const int high = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (next < low || next > high) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// True if a valid JSON string, with quotes and escapes, equals a plain ASCII text.
inline bool says(std::string_view quoted, std::string_view plain) {
  quoted = quoted.substr(1, quoted.size() - 2);
  // An escape is longer than what it says.
  if (quoted.size() < plain.size()) return false;
  while (!quoted.empty() && !plain.empty()) {
    unsigned c = static_cast<unsigned char>(quoted[0]);
    std::size_t length = 1;
    if (c == '\\') {
      const std::string_view names = "\"\\/bfnrt";
      const std::string_view means = "\"\\/\b\f\n\r\t";
      length = quoted[1] == 'u' ? 6 : 2;
      c = length == 2 ? static_cast<unsigned char>(means[names.find(quoted[1])]) : 0;
      for (std::size_t i = 2; i < length; ++i) {
        const unsigned d = static_cast<unsigned char>(quoted[i]);
        c = c * 16 + (d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10);
      }
    }
    if (c >= 0x80 || c != static_cast<unsigned char>(plain[0])) return false;
    quoted.remove_prefix(length);
    plain.remove_prefix(1);
  }
  return quoted.empty() && plain.empty();
}

// True if the text is exactly one JSON value.
inline bool valid(std::string_view text) {
  reader r{text};
  value ignored;
  if (!r.any(ignored)) return false;
  r.blanks();
  return r.at_end();
}

// Returns the members of these names (ASCII), each of kind `missing` if it does not exist, or
// nothing if the text is not exactly one JSON object. The last of several equal names counts, as in
// most JSON libraries.
template <std::size_t N>
std::optional<std::array<value, N>> members(std::string_view text,
                                            const std::string_view (&names)[N]) {
  reader r{text};
  std::array<value, N> out;
  r.blanks();
  if (!r.object(0, [&](std::string_view spelled, const value& found) {
        for (std::size_t i = 0; i < N; ++i)
          if (says(spelled, names[i])) out[i] = found;
      }))
    return std::nullopt;
  r.blanks();
  if (!r.at_end()) return std::nullopt;
  return out;
}

// The same of one member.
inline std::optional<value> member(std::string_view text, std::string_view name) {
  const auto found = members(text, {name});
  return found ? std::optional{found->front()} : std::nullopt;
}

// True if the text is an object without members.
inline bool is_empty_object(std::string_view text) {
  bool empty = true;
  reader r{text};
  r.blanks();
  if (!r.object(0, [&](std::string_view, const value&) { empty = false; })) return false;
  r.blanks();
  return empty && r.at_end();
}

// Returns the number if it is spelled as an integer and in range.
inline std::optional<std::int64_t> integer(const value& from) {
  if (from.what != kind::integer) return std::nullopt;
  auto digits = from.spelled;
  const bool negative = digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  // Counts downwards, because the smallest number has no positive counterpart.
  std::int64_t out = 0;
  for (const char c : digits) {
    const int digit = c - '0';
    if (out < (INT64_MIN + digit) / 10) return std::nullopt;
    out = out * 10 - digit;
  }
  if (!negative && out == INT64_MIN) return std::nullopt;
  return negative ? out : -out;
}

// Return the integer or boolean member of an object, or the fallback.
inline std::int64_t integer_or(std::string_view text, std::string_view name,
                               std::int64_t fallback) {
  const auto found = member(text, name);
  const auto number = found ? integer(*found) : std::nullopt;
  return number.value_or(fallback);
}

inline bool boolean_or(std::string_view text, std::string_view name, bool fallback) {
  const auto found = member(text, name);
  return found && found->what == kind::boolean ? found->spelled == "true" : fallback;
}

// True if the member of that name is a string equal to the text.
inline bool is_text(std::string_view text, std::string_view name, std::string_view plain) {
  const auto found = member(text, name);
  return found && found->what == kind::string && says(found->spelled, plain);
}

// Return the integer if it is in 0 to end - 1, or nothing.
inline std::optional<std::int64_t> index(const value& from, std::int64_t end) {
  const auto number = integer(from);
  return number && *number >= 0 && *number < end ? number : std::nullopt;
}

inline std::optional<std::int64_t> index(std::string_view text, std::string_view name,
                                         std::int64_t end) {
  const auto found = member(text, name);
  return found ? index(*found, end) : std::nullopt;
}

}  // namespace gamehub::engines::json
