#include "hub/relay/codec.hpp"

#include "hub/base/require.hpp"
#include "hub/link/numbers.hpp"
#include "hub/relay/fields.hpp"
#include "hub/relay/order_fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace gamehub::relay {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// A kind with this bit is skipped by a version that does not know it.
constexpr std::uint8_t skippable = 0x80;

// Farther from now no time of a game is: 30 years.
constexpr microseconds span_max = std::chrono::hours{24 * 365 * 30};

// The kinds, by their place in `message`. A kind keeps its meaning.
constexpr std::array<std::uint8_t, std::variant_size_v<message>> kinds{
    1,  2,  3,  4,  5, 33, 34, 35, 64, 65, 66, 6,  7,  8, 36,
    37, 38, 39, 67, 9, 10, 11, 40, 41, 42, 43, 68, 69, 70};

constexpr std::uint64_t zigzag(std::int64_t n) {
  return (static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

template <class... T>
struct list {};

class writer {
 public:
  static constexpr bool writes = true;

  writer(std::string& out, base::instant now) : out_(out), now_(now) {}

  // A list has more items than may cross.
  bool failed() const { return failed_; }

  template <class T>
  void must(std::uint8_t tag, const T& v) {
    field(tag, [&] { value(v); });
  }
  template <class T>
  void must(std::uint8_t tag, const std::shared_ptr<const T>& v) {
    GAMEHUB_REQUIRE(v);
    must(tag, *v);
  }
  template <class T>
  void operator()(std::uint8_t tag, const T& v) {
    must(tag, v);
  }
  template <class T>
  void operator()(std::uint8_t tag, const std::optional<T>& v) {
    if (v) must(tag, *v);
  }
  template <class T>
  void operator()(std::uint8_t tag, const std::shared_ptr<const T>& v) {
    if (v) must(tag, *v);
  }
  template <class T>
  void operator()(std::uint8_t tag, const std::vector<T>& v) {
    if (v.empty()) return;
    failed_ = failed_ || v.size() > items_max;
    field(tag, [&] {
      for (const auto& each : v) sized([&] { value(each); });
    });
  }
  void text(std::uint8_t tag, const std::string& v, std::size_t = 0) {
    if (!v.empty()) must(tag, v);
  }
  void clock(std::uint8_t tag, const std::optional<clock_rule>& v) {
    if (v) must(tag, to_text(*v));
  }
  void set(std::uint8_t tag, const game_clock& v) {
    if (v) must(tag, v);
  }
  void until(std::uint8_t tag, base::instant v) {
    if (v != base::instant::max()) must(tag, v);
  }
  template <class... T>
  void one_of(std::uint8_t tag, const std::variant<T...>& v) {
    std::visit([&](const auto& each) { must(static_cast<std::uint8_t>(tag + v.index()), each); },
               v);
  }

 private:
  template <class Write>
  void field(std::uint8_t tag, Write write) {
    out_ += static_cast<char>(tag);
    sized(write);
  }
  // The length is known when the value is written: it is put before it.
  template <class Write>
  void sized(Write write) {
    const auto begin = out_.size();
    write();
    std::string length;
    link::append_number(out_.size() - begin, length);
    out_.insert(begin, length);
  }

  void number(std::uint64_t n) { link::append_number(n, out_); }

  void value(const std::string& v) { out_ += v; }
  void value(const base::address_bytes& v) { out_.append(v.begin(), v.end()); }
  void value(const position_ref& v) { fields(*this, *v); }
  void value(bool v) { number(v ? 1 : 0); }
  void value(std::uint16_t v) { number(v); }
  void value(std::uint32_t v) { number(v); }
  void value(std::uint64_t v) { number(v); }
  void value(std::int64_t v) { number(zigzag(v)); }
  void value(seat_index v) {
    GAMEHUB_REQUIRE(v >= 0 && v < 64);
    number(static_cast<std::uint64_t>(v));
  }
  void value(double v) {
    auto bits = std::bit_cast<std::uint64_t>(v);
    for (int i = 0; i < 8; ++i, bits >>= 8) out_ += static_cast<char>(bits & 0xff);
  }
  void value(milliseconds v) { number(zigzag(v.count())); }
  void value(base::wall_time v) { value(v.time_since_epoch()); }
  void value(base::instant v) {
    const auto far = std::chrono::duration_cast<microseconds>(v - now_);
    number(zigzag(std::clamp(far, -span_max, span_max).count()));
  }
  template <class Tag>
  void value(id<Tag> v) {
    number(v.value);
  }
  template <class T>
  void value(const T& v) {
    if constexpr (std::is_enum_v<T>)
      number(static_cast<std::uint64_t>(v));
    else
      fields(*this, v);
  }

  std::string& out_;
  const base::instant now_;
  bool failed_ = false;
};

// Reads the fields of one value.
class reader {
 public:
  static constexpr bool writes = false;

  reader(std::string_view body, base::instant now, int depth) : now_(now), depth_(depth) {
    if (depth > depth_max) wrong_ = fault::field;
    while (!body.empty() && !wrong_) split(body);
  }

  std::optional<fault> wrong() const { return wrong_; }

  template <class T>
  void must(std::uint8_t tag, T& v) {
    if (!has(tag)) fail(fault::missing);
    (*this)(tag, v);
  }
  template <class T>
  void operator()(std::uint8_t tag, T& v) {
    if (const auto* f = find(tag))
      if (!value(f->bytes, v)) fail(fault::field);
  }
  template <class T>
  void operator()(std::uint8_t tag, std::optional<T>& v) {
    if (has(tag)) (*this)(tag, v.emplace());
  }
  template <class T>
  void operator()(std::uint8_t tag, std::shared_ptr<const T>& v) {
    if (!has(tag)) return;
    auto made = std::make_shared<T>();
    (*this)(tag, *made);
    v = std::move(made);
  }
  template <class T>
  void operator()(std::uint8_t tag, std::vector<T>& v) {
    const auto* f = find(tag);
    if (f == nullptr) return;
    for (auto rest = f->bytes; !rest.empty();) {
      const auto item = take_sized(rest);
      if (!item || v.size() == items_max) return fail(fault::field);
      T each{};
      if (!value(*item, each)) return fail(fault::field);
      v.push_back(std::move(each));
    }
  }
  void text(std::uint8_t tag, std::string& v, std::size_t bytes_max = link::message_bytes_max) {
    const auto* f = find(tag);
    if (f == nullptr) return;
    if (f->bytes.size() > bytes_max) return fail(fault::field);
    v.assign(f->bytes);
  }
  // A newer member may have clocks that this one does not know.
  void clock(std::uint8_t tag, std::optional<clock_rule>& v) {
    const auto* f = find(tag);
    if (f != nullptr) v = find_clock(f->bytes);
  }
  void set(std::uint8_t tag, game_clock& v) {
    (*this)(tag, v);
    if (has(tag) && !v) fail(fault::field);
  }
  // A moment that may be missing: never.
  void until(std::uint8_t tag, base::instant& v) {
    v = base::instant::max();
    (*this)(tag, v);
  }
  template <class... T>
  void one_of(std::uint8_t tag, std::variant<T...>& v) {
    choose(tag, v, list<T...>{});
  }

 private:
  struct entry {
    std::uint8_t tag = 0;
    std::string_view bytes = {};
  };

  void fail(fault what) {
    if (!wrong_) wrong_ = what;
  }
  const entry* find(std::uint8_t tag) const {
    const auto end = fields_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto at =
        std::find_if(fields_.begin(), end, [tag](const entry& f) { return f.tag == tag; });
    return at == end ? nullptr : &*at;
  }
  bool has(std::uint8_t tag) const { return find(tag) != nullptr; }

  void split(std::string_view& body) {
    const auto tag = static_cast<std::uint8_t>(body.front());
    body.remove_prefix(1);
    const auto bytes = take_sized(body);
    if (!bytes) return fail(fault::field);
    if (has(tag)) return fail(fault::repeated);
    if (count_ == fields_.size()) return fail(fault::fields);
    fields_[count_++] = {tag, *bytes};
  }

  static std::optional<std::string_view> take_sized(std::string_view& from) {
    const auto size = link::take_number(from);
    if (!size || *size > from.size()) return std::nullopt;
    const auto found = from.substr(0, static_cast<std::size_t>(*size));
    from.remove_prefix(found.size());
    return found;
  }

  // Exactly one of the alternatives must be there.
  template <class Variant, class... T>
  void choose(std::uint8_t tag, Variant& v, list<T...>) {
    int found = 0;
    (read_one<T>(tag++, v, found), ...);
    if (found == 0) fail(fault::missing);
    if (found > 1) fail(fault::repeated);
  }
  template <class T, class Variant>
  void read_one(std::uint8_t tag, Variant& v, int& found) {
    if (!has(tag)) return;
    ++found;
    T made{};
    (*this)(tag, made);
    v = std::move(made);
  }

  template <class Number>
  static bool number(std::string_view bytes, Number& v) {
    const auto n = link::take_number(bytes);
    if (!n || !bytes.empty() || *n > std::numeric_limits<Number>::max()) return false;
    v = static_cast<Number>(*n);
    return true;
  }
  static bool value(std::string_view bytes, std::string& v) {
    v.assign(bytes);
    return true;
  }
  static bool value(std::string_view bytes, base::address_bytes& v) {
    if (bytes.size() != v.size()) return false;
    std::copy(bytes.begin(), bytes.end(), v.begin());
    return true;
  }
  static bool value(std::string_view bytes, bool& v) {
    std::uint64_t n = 0;
    if (!number(bytes, n) || n > 1) return false;
    v = n == 1;
    return true;
  }
  static bool value(std::string_view bytes, std::uint16_t& v) { return number(bytes, v); }
  static bool value(std::string_view bytes, std::uint32_t& v) { return number(bytes, v); }
  static bool value(std::string_view bytes, std::uint64_t& v) { return number(bytes, v); }
  static bool value(std::string_view bytes, std::int64_t& v) {
    std::uint64_t n = 0;
    if (!number(bytes, n)) return false;
    v = unzigzag(n);
    return true;
  }
  static bool value(std::string_view bytes, seat_index& v) {
    std::uint64_t n = 0;
    if (!number(bytes, n) || n >= 64) return false;
    v = static_cast<seat_index>(n);
    return true;
  }
  static bool value(std::string_view bytes, double& v) {
    if (bytes.size() != 8) return false;
    std::uint64_t bits = 0;
    for (std::size_t i = 8; i-- > 0;) bits = bits << 8 | static_cast<std::uint8_t>(bytes[i]);
    v = std::bit_cast<double>(bits);
    return true;
  }
  template <class Duration>
  static bool duration(std::string_view bytes, Duration& v, Duration most) {
    std::int64_t n = 0;
    if (!value(bytes, n) || n > most.count() || n < -most.count()) return false;
    v = Duration{n};
    return true;
  }
  static bool value(std::string_view bytes, milliseconds& v) {
    return duration(bytes, v, std::chrono::duration_cast<milliseconds>(10 * span_max));
  }
  static bool value(std::string_view bytes, base::wall_time& v) {
    milliseconds since{0};
    if (!value(bytes, since)) return false;
    v = base::wall_time{since};
    return true;
  }
  bool value(std::string_view bytes, base::instant& v) {
    microseconds far{0};
    if (!duration(bytes, far, span_max)) return false;
    v = now_ + far;
    return true;
  }
  template <class Tag>
  static bool value(std::string_view bytes, id<Tag>& v) {
    return number(bytes, v.value);
  }
  template <class T>
  bool value(std::string_view bytes, T& v) {
    if constexpr (std::is_enum_v<T>) {
      std::uint64_t n = 0;
      if (!number(bytes, n) || n > static_cast<std::uint64_t>(last_of(T{}))) return false;
      v = static_cast<T>(n);
      return true;
    } else {
      reader inner{bytes, now_, depth_ + 1};
      fields(inner, v);
      if (inner.wrong()) fail(*inner.wrong());
      return true;
    }
  }

  std::array<entry, static_cast<std::size_t>(link::fields_max)> fields_;
  std::size_t count_ = 0;
  std::optional<fault> wrong_;
  const base::instant now_;
  const int depth_;
};

using decoded = std::optional<std::variant<message, fault>>;

template <class Message>
decoded read(std::string_view body, base::instant now) {
  Message m;
  reader in{body, now, 0};
  if (!in.wrong()) fields(in, m);
  if (in.wrong()) return std::variant<message, fault>{*in.wrong()};
  return std::variant<message, fault>{message{std::move(m)}};
}

template <std::size_t... I>
decoded read(std::uint8_t kind, std::string_view body, base::instant now,
             std::index_sequence<I...>) {
  decoded out;
  const bool known = ((kinds[I] == kind &&
                       (out = read<std::variant_alternative_t<I, message>>(body, now), true)) ||
                      ...);
  if (known) return out;
  if ((kind & skippable) != 0) return std::nullopt;
  return std::variant<message, fault>{fault::kind};
}

}  // namespace

std::optional<std::string> encode(const message& m, base::instant now) {
  std::string out{static_cast<char>(kinds[m.index()])};
  writer to{out, now};
  std::visit([&](const auto& each) { fields(to, each); }, m);
  if (to.failed() || out.size() > link::message_bytes_max) return std::nullopt;
  return out;
}

std::optional<std::variant<message, fault>> decode(std::string_view bytes, base::instant now) {
  if (bytes.empty()) return std::variant<message, fault>{fault::empty};
  if (bytes.size() > link::message_bytes_max) return std::variant<message, fault>{fault::too_long};
  return read(static_cast<std::uint8_t>(bytes.front()), bytes.substr(1), now,
              std::make_index_sequence<std::variant_size_v<message>>{});
}

}  // namespace gamehub::relay
