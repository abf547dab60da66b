#include "hub/base/unicode.hpp"

#include "hub/base/require.hpp"
#include "hub/base/text.hpp"
#include "hub/base/utf8.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <cstdint>
#include <memory>

namespace gamehub::base::unicode {
namespace {

constexpr char32_t braille_blank = 0x2800;  // a symbol by its category, yet it has no dot

bool shows(char32_t c) {
  const auto at = static_cast<UChar32>(c);
  switch (u_charType(at)) {
    case U_UNASSIGNED:
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_PRIVATE_USE_CHAR:
    case U_SURROGATE:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR: return false;
    case U_SPACE_SEPARATOR: return c == U' ';
    default:
      return c != braille_blank && u_hasBinaryProperty(at, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) == 0;
  }
}

bool is_mark(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK) != 0; }

icu::UnicodeString utf16_of(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())});
}

// A checker that is not changed any more may be used by all threads.
const USpoofChecker& checker() {
  static const auto made = [] {
    auto status = U_ZERO_ERROR;
    std::unique_ptr<USpoofChecker, void (*)(USpoofChecker*)> c{uspoof_open(&status), uspoof_close};
    uspoof_setChecks(c.get(), USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS,
                     &status);
    uspoof_setRestrictionLevel(c.get(), USPOOF_HIGHLY_RESTRICTIVE);
    GAMEHUB_REQUIRE(U_SUCCESS(status) != 0);
    return c;
  }();
  return *made;
}

icu::UnicodeString skeleton(const icu::UnicodeString& text) {
  auto status = U_ZERO_ERROR;
  icu::UnicodeString out;
  uspoof_getSkeletonUnicodeString(&checker(), 0, text, out, &status);
  GAMEHUB_REQUIRE(U_SUCCESS(status) != 0);
  return out;
}

std::string folded(icu::UnicodeString text) {
  std::string out;
  text.foldCase().toUTF8String(out);
  return out;
}

void append_escaped(char kind, std::uint32_t number, std::string& out) {
  out += {'\\', kind, '{'};
  auto shift = 28;
  while (shift > 0 && number >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += hex_digits[number >> shift & 0xfU];
  out += '}';
}

}  // namespace

bool shows(std::string_view utf8) {
  if (const auto bytes = utf8::character_bytes(utf8);
      bytes != 0 && is_mark(utf8::character(utf8, bytes)))
    return false;
  return utf8::all_of(utf8, [](char32_t c) { return shows(c); });
}

bool is_nfkc(std::string_view utf8) {
  auto status = U_ZERO_ERROR;
  const auto* nfkc = icu::Normalizer2::getNFKCInstance(status);
  GAMEHUB_REQUIRE(U_SUCCESS(status) != 0);
  return nfkc->isNormalizedUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())}, status) != 0;
}

bool is_one_script(std::string_view utf8) {
  auto status = U_ZERO_ERROR;
  const auto found = uspoof_check2UTF8(&checker(), utf8.data(),
                                       static_cast<std::int32_t>(utf8.size()), nullptr, &status);
  return U_SUCCESS(status) != 0 && found == 0;
}

lookalike_keys keys_of(std::string_view utf8) {
  const auto text = utf16_of(utf8);
  return {folded(skeleton(icu::UnicodeString{text}.foldCase())), folded(skeleton(text))};
}

std::string escape_hidden(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto bytes = utf8::character_bytes(text);
    if (bytes == 0) {
      append_escaped('x', static_cast<unsigned char>(text.front()), out);
      text.remove_prefix(1);
      continue;
    }
    const auto c = utf8::character(text, bytes);
    if (shows(c) || is_mark(c)) {
      out += text.substr(0, bytes);
    } else {
      append_escaped('u', c, out);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string escape_hidden_json(std::string_view json) {
  std::string out;
  const auto append_unit = [&out](char32_t unit) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (const int shift : {12, 8, 4, 0}) out += digits[(unit >> shift) & 15];
  };
  while (!json.empty()) {
    const auto bytes = utf8::character_bytes(json);
    GAMEHUB_REQUIRE(bytes != 0);
    const auto c = utf8::character(json, bytes);
    if (c == '\n' || (c >= ' ' && c <= '~') || (c > '~' && (shows(c) || is_mark(c)))) {
      out += json.substr(0, bytes);
    } else if (c < 0x10000) {
      append_unit(c);
    } else {
      append_unit(0xD800 + ((c - 0x10000) >> 10));
      append_unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
    json.remove_prefix(bytes);
  }
  return out;
}

}  // namespace gamehub::base::unicode
