#include "engines/process/wire_format.hpp"

#include <bit>
#include <concepts>
#include <type_traits>

namespace gamehub::engines::process {

namespace {

// Encoding and decoding share one function per type, so that they cannot differ: a writer appends
// each field, a reader sets it.
class writer {
 public:
  std::string take() { return std::move(out_); }

  template <std::unsigned_integral Number>
  void raw(const Number& n) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      out_.push_back(static_cast<char>((n >> (8 * i)) & 0xff));
  }
  void bytes(const std::string& text) {
    raw(static_cast<std::uint32_t>(text.size()));
    out_ += text;
  }
  template <class Each, class Walk>
  void list(const std::vector<Each>& all, Walk walk) {
    raw(static_cast<std::uint32_t>(all.size()));
    for (const auto& each : all) walk(each);
  }
  template <class What, class Walk>
  void maybe(const std::optional<What>& what, Walk walk) {
    raw(static_cast<std::uint8_t>(what.has_value()));
    if (what) walk(*what);
  }
  void word(const bool& yes) { raw(static_cast<std::uint8_t>(yes)); }
  template <class Kind>
  void kind(const Kind& what, int) {
    raw(static_cast<std::uint8_t>(what));
  }

 private:
  std::string out_;
};

class reader {
 public:
  explicit reader(std::string_view from) : from_(from) {}

  bool whole() const { return good_ && from_.empty(); }

  template <std::unsigned_integral Number>
  void raw(Number& n) {
    n = 0;
    if (!has(sizeof(Number))) return;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      n = static_cast<Number>(
          n | static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(from_[i]))
                                  << (8 * i)));
    from_.remove_prefix(sizeof(Number));
  }
  void bytes(std::string& text) {
    std::uint32_t size = 0;
    raw(size);
    if (!has(size)) return;
    text.assign(from_.substr(0, size));
    from_.remove_prefix(size);
  }
  template <class Each, class Walk>
  void list(std::vector<Each>& all, Walk walk) {
    std::uint32_t size = 0;
    raw(size);
    // Each element has at least one byte, so an impossible count allocates nothing.
    if (!has(size)) return;
    for (std::uint32_t i = 0; i < size && good_; ++i) walk(all.emplace_back());
  }
  template <class What, class Walk>
  void maybe(std::optional<What>& what, Walk walk) {
    bool there = false;
    word(there);
    if (there && good_) walk(what.emplace());
  }
  void word(bool& yes) {
    std::uint8_t n = 0;
    raw(n);
    if (n > 1) good_ = false;
    yes = n == 1;
  }
  template <class Kind>
  void kind(Kind& what, int count) {
    std::uint8_t n = 0;
    raw(n);
    if (n >= count) good_ = false;
    what = static_cast<Kind>(good_ ? n : 0);
  }

 private:
  bool has(std::size_t size) {
    if (from_.size() < size) good_ = false;
    return good_;
  }

  std::string_view from_;
  bool good_ = true;
};

template <class Way>
constexpr bool writes = std::is_same_v<Way, writer>;

// The type for encoding (const) or decoding.
template <class Way, class What>
using shown = std::conditional_t<writes<Way>, const What, What>;

template <class Way, std::unsigned_integral Number>
void number(Way& way, Number& n) {
  way.raw(n);
}

template <class Way, std::signed_integral Number>
void number(Way& way, Number& n) {
  auto bits = static_cast<std::make_unsigned_t<std::remove_const_t<Number>>>(n);
  way.raw(bits);
  if constexpr (!std::is_const_v<Number>) n = static_cast<Number>(bits);
}

template <class Way>
void number(Way& way, shown<Way, double>& n) {
  auto bits = std::bit_cast<std::uint64_t>(n);
  way.raw(bits);
  if constexpr (!writes<Way>) n = std::bit_cast<double>(bits);
}

template <class Way, class Numbers>
void numbers(Way& way, Numbers& all) {
  way.list(all, [&](auto& n) { number(way, n); });
}

template <class Way>
void walk(Way& way, shown<Way, description>& d) {
  number(way, d.flags);
  way.bytes(d.id);
  way.bytes(d.title);
  way.maybe(d.options_schema, [&](auto& text) { way.bytes(text); });
  number(way, d.version_major);
  number(way, d.version_minor);
  number(way, d.version_patch);
  number(way, d.players_min);
  number(way, d.players_max);
  number(way, d.actions_max);
  number(way, d.plies_max);
  number(way, d.state_bytes_max);
  way.maybe(d.marks, [&](auto& text) { way.bytes(text); });
  way.maybe(d.face, [&](auto& text) { way.bytes(text); });
  way.word(d.has_score);
  way.word(d.has_summary);
  way.word(d.has_player);
  way.word(d.player_immediate);
}

template <class Way>
void walk(Way& way, shown<Way, query>& q) {
  way.kind(q.what, query_kind_count);
  number(way, q.seat);
  number(way, q.number);
  way.bytes(q.text);
  number(way, q.level);
  number(way, q.seed);
  number(way, q.budget_ns);
}

template <class Way>
void walk(Way& way, shown<Way, failure_text>& f) {
  way.bytes(f.function);
  way.bytes(f.what);
}

template <class Way>
void walk(Way& way, shown<Way, query_result>& a) {
  way.word(a.failed);
  walk(way, a.failure);
  way.bytes(a.reason);
  number(way, a.number);
  number(way, a.audience);
  way.bytes(a.bytes);
  numbers(way, a.actions);
  numbers(way, a.scores);
}

template <class Way>
void walk(Way& way, shown<Way, state_summary>& s) {
  number(way, s.players);
  number(way, s.to_move);
  number(way, s.hash);
  number(way, s.size.rows);
  number(way, s.size.columns);
  numbers(way, s.scores);
  numbers(way, s.draws);
  numbers(way, s.weights);
}

template <class Way>
void walk(Way& way, shown<Way, request>& r) {
  way.kind(r.what, request_kind_count);
  numbers(way, r.released);
  number(way, r.match);
  number(way, r.seat);
  number(way, r.number);
  way.bytes(r.text);
  way.list(r.queries, [&](auto& q) { walk(way, q); });
}

template <class Way>
void walk(Way& way, shown<Way, reply>& r) {
  way.word(r.failed);
  walk(way, r.failure);
  way.bytes(r.reason);
  way.maybe(r.state, [&](auto& s) { walk(way, s); });
  way.list(r.answers, [&](auto& a) { walk(way, a); });
}

template <class What>
std::string bytes_of(const What& what) {
  writer way;
  walk(way, what);
  return way.take();
}

template <class What>
std::optional<What> decode(std::string_view bytes) {
  reader way{bytes};
  What out;
  walk(way, out);
  if (!way.whole()) return std::nullopt;
  return out;
}

}  // namespace

std::string encode(const description& d) { return bytes_of(d); }
std::string encode(const request& r) { return bytes_of(r); }
std::string encode(const reply& r) { return bytes_of(r); }

std::optional<description> decode_description(std::string_view bytes) {
  return decode<description>(bytes);
}
std::optional<request> decode_request(std::string_view bytes) { return decode<request>(bytes); }
std::optional<reply> decode_reply(std::string_view bytes) { return decode<reply>(bytes); }

std::string encode_hello(const description& d) {
  writer way;
  way.raw(protocol_major);
  way.raw(d.protocol_minor);
  return std::string{protocol_name} + way.take() + encode(d);
}

std::variant<description, std::string> decode_hello(std::string_view bytes) {
  constexpr std::size_t version_bytes = 4;
  if (!bytes.starts_with(protocol_name) || bytes.size() < protocol_name.size() + version_bytes)
    return std::string{not_an_engine};
  bytes.remove_prefix(protocol_name.size());
  reader way{bytes.substr(0, version_bytes)};
  std::uint16_t major = 0, minor = 0;
  way.raw(major);
  way.raw(minor);
  if (major != protocol_major || minor > protocol_minor)
    return "it needs version " + std::to_string(major) + '.' + std::to_string(minor) +
           " of the engine protocol, and this hub speaks " + std::to_string(protocol_major) + '.' +
           std::to_string(protocol_minor);
  auto found = decode_description(bytes.substr(version_bytes));
  if (!found) return "its description is malformed";
  found->protocol_minor = minor;
  return *std::move(found);
}

}  // namespace gamehub::engines::process
