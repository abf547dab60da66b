#include "hub/journal/encoding.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace gamehub::journal {

namespace {

constexpr std::uint64_t group_mask = 0x7f;
constexpr unsigned char more = 0x80;
constexpr std::size_t varint_bytes_max = 10, fixed_bytes = 8;

// Up to four numbers of varying length and a hash, which are appended at once.
class number_bytes {
 public:
  void add(std::uint64_t n) {
    for (; n > group_mask; n >>= 7) put((n & group_mask) | more);
    put(n);
  }
  void add_signed(std::int64_t n) {
    add((static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
  }
  // For hashes: they use all 64 bits, so a varint would be longer.
  void add_fixed(std::uint64_t n) {
    for (std::size_t i = 0; i < fixed_bytes; ++i, n >>= 8) put(n & 0xff);
  }
  void append_to(std::string& out) const { out.append(bytes_.data(), size_); }

 private:
  void put(std::uint64_t byte) { bytes_[size_++] = static_cast<char>(byte); }

  std::array<char, 4 * varint_bytes_max + fixed_bytes> bytes_;
  std::size_t size_ = 0;
};

}  // namespace

void append_varint(std::uint64_t n, std::string& out) {
  number_bytes all;
  all.add(n);
  all.append_to(out);
}

bool take_varint(std::string_view& bytes, std::uint64_t& n) {
  n = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto group = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    n |= (group & group_mask) << shift;
    if ((group & more) == 0) return shift < 63 || group <= 1;
  }
  return false;
}

namespace {

void append(std::string_view text, std::string& out) {
  append_varint(text.size(), out);
  out.append(text);
}

bool take_signed(std::string_view& bytes, std::int64_t& n) {
  std::uint64_t zigzag = 0;
  if (!take_varint(bytes, zigzag)) return false;
  n = static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
  return true;
}

bool take(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (!take_varint(bytes, size) || size > bytes.size()) return false;
  text.assign(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return true;
}

bool take(std::string_view& bytes, base::wall_time& at) {
  std::int64_t ms = 0;
  if (!take_signed(bytes, ms)) return false;
  at = base::wall_time{std::chrono::milliseconds{ms}};
  return true;
}

bool take_fixed(std::string_view& bytes, std::uint64_t& n) {
  if (bytes.size() < fixed_bytes) return false;
  n = 0;
  for (std::size_t i = fixed_bytes; i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(fixed_bytes);
  return true;
}

// How the bytes name the kinds `opened` and `moved` with a text. Without one they are as they were
// before they could have one.
constexpr auto kind_last = static_cast<std::uint64_t>(record::kind::returned);
constexpr std::uint64_t opened_with_text = kind_last + 1, moved_with_text = kind_last + 2;

std::uint64_t code_of(const record& r) {
  if (r.what == record::kind::opened && !r.text.empty()) return opened_with_text;
  if (r.what == record::kind::moved && !r.text.empty()) return moved_with_text;
  return static_cast<std::uint64_t>(r.what);
}

bool has_state(record::kind what) {
  return what == record::kind::opened || what == record::kind::moved ||
         what == record::kind::taken_back || what == record::kind::drawn;
}

bool take_rest(std::string_view& bytes, record& r, bool with_text) {
  std::uint64_t why = 0;
  switch (r.what) {
    case record::kind::opened:
    case record::kind::moved:
      return take_fixed(bytes, r.state) && (!with_text || take(bytes, r.text));
    case record::kind::taken_back:
    case record::kind::drawn: return take_fixed(bytes, r.state);
    case record::kind::joined:
      return take(bytes, r.text) && take(bytes, r.secret) && take(bytes, r.wire);
    case record::kind::ended:
      if (!take_varint(bytes, why) || why >= end_reason_count) return false;
      r.why = static_cast<end_reason>(why);
      return take(bytes, r.text);
    case record::kind::offered:
    case record::kind::accepted:
    case record::kind::declined:
    case record::kind::withdrawn:
    case record::kind::said: return take(bytes, r.text);
    case record::kind::left:
    case record::kind::returned: return true;
    case record::kind::substituted: return take(bytes, r.text) && take(bytes, r.wire);
  }
  return false;
}

}  // namespace

void append_encoded(const record& r, std::string& out) {
  number_bytes numbers;
  numbers.add(code_of(r) << 1 | (r.hidden ? 1u : 0u));
  numbers.add_signed(r.at.time_since_epoch().count());
  numbers.add_signed(r.seat);
  numbers.add_signed(r.action);
  if (has_state(r.what)) numbers.add_fixed(r.state);
  numbers.append_to(out);
  switch (r.what) {
    case record::kind::opened:
    case record::kind::moved: return r.text.empty() ? void() : append(r.text, out);
    case record::kind::taken_back:
    case record::kind::drawn: return;
    case record::kind::joined:
      append(r.text, out);
      append(r.secret, out);
      return append(r.wire, out);
    case record::kind::ended:
      append_varint(static_cast<std::uint64_t>(r.why), out);
      return append(r.text, out);
    case record::kind::offered:
    case record::kind::accepted:
    case record::kind::declined:
    case record::kind::withdrawn:
    case record::kind::said: return append(r.text, out);
    case record::kind::left:
    case record::kind::returned: return;
    case record::kind::substituted: append(r.text, out); return append(r.wire, out);
  }
}

std::optional<record> take_record(std::string_view& bytes, record_number number) {
  record r;
  r.number = number;
  std::uint64_t what = 0;
  std::int64_t seat = 0;
  if (!take_varint(bytes, what) || !take(bytes, r.at) || !take_signed(bytes, seat) ||
      !take_signed(bytes, r.action))
    return std::nullopt;
  auto code = what >> 1;
  const bool with_text = code > kind_last;
  if (code > moved_with_text || seat < -1 || seat >= 64) return std::nullopt;
  if (with_text)
    code = static_cast<std::uint64_t>(code == opened_with_text ? record::kind::opened
                                                               : record::kind::moved);
  r.what = static_cast<record::kind>(code);
  r.hidden = (what & 1) != 0;
  r.seat = static_cast<std::int16_t>(seat);
  if (!take_rest(bytes, r, with_text)) return std::nullopt;
  return r;
}

void append_encoded(const game_header& h, std::string& out) {
  append_varint(h.id.value, out);
  append(h.engine, out);
  append(h.engine_version, out);
  append(h.options, out);
  number_bytes opened;
  opened.add_signed(h.opened.time_since_epoch().count());
  opened.append_to(out);
}

std::optional<game_header> take_header(std::string_view& bytes) {
  game_header h;
  if (!take_varint(bytes, h.id.value) || !take(bytes, h.engine) || !take(bytes, h.engine_version) ||
      !take(bytes, h.options) || !take(bytes, h.opened))
    return std::nullopt;
  return h;
}

}  // namespace gamehub::journal
