#include "hub/relay/codec.hpp"

#include "hub/base/require.hpp"
#include "hub/core/limits.hpp"
#include "hub/link/numbers.hpp"
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
    1, 2, 3, 4, 5, 33, 34, 35, 64, 65, 66, 6, 7, 8, 36, 37, 38, 39, 67, 68, 69};

// The greatest value of each enumeration. A newer member may have more: they are refused.
constexpr leave_cause last_of(leave_cause) {
  return static_cast<leave_cause>(leave_cause_count - 1);
}
constexpr offer_kind last_of(offer_kind) { return static_cast<offer_kind>(offer_kind_count - 1); }
constexpr offer_step last_of(offer_step) { return offer_step::withdrawn; }
constexpr offer_cause last_of(offer_cause) {
  return static_cast<offer_cause>(offer_cause_count - 1);
}
constexpr end_reason last_of(end_reason) { return static_cast<end_reason>(end_reason_count - 1); }
constexpr refusal last_of(refusal) { return static_cast<refusal>(refusal_count - 1); }
constexpr seat_kind last_of(seat_kind) { return seat_kind::substitute; }
constexpr close_reason last_of(close_reason) {
  return static_cast<close_reason>(close_reason_count - 1);
}
constexpr seat_filler::kind last_of(seat_filler::kind) { return seat_filler::kind::bot; }
constexpr move::form last_of(move::form) { return move::form::word; }

// The fields of each type, for the writer and the reader alike. A tag keeps its meaning for ever; a
// field that a message must not lack has must().
template <class Side, class T>
using as = std::conditional_t<Side::writes, const T, T>;

template <class Side>
void fields(Side& s, as<Side, client_features>& f) {
  s(1, f.wants_actions);
  s(2, f.resumes);
  s(3, f.answers_offers);
  s(4, f.wants_presence);
}

template <class Side>
void fields(Side& s, as<Side, client_at>& c) {
  s.must(1, c.id);
  s.text(2, c.wire, limits::name_bytes_max);
  s(3, c.features);
  s(4, c.address);
  s(5, c.moves);
}

template <class Side>
void fields(Side& s, as<Side, seat_filler>& f) {
  s.must(1, f.who);
  s.text(2, f.name);
}

template <class Side>
void fields(Side& s, as<Side, seek>& w) {
  s(1, w.engines);
  s(2, w.options);
  s.must(3, w.games_max);
  s(4, w.again);
  s(5, w.seat_at_once);
  s(6, w.seat);
  s(7, w.against_engine);
  s(8, w.reserve_game);
  s(9, w.closed);
  s.text(10, w.invitation);
  s.text(11, w.opponent);
  s(12, w.only_by_name);
  s(13, w.opponent_ready);
  s.text(14, w.level);
  s(15, w.features);
  s(16, w.may_leave);
  s(17, w.join);
  s(18, w.replaces);
  s(19, w.others);
  s.text(20, w.clock);
  s(21, w.any_clock);
}

template <class Side>
void fields(Side& s, as<Side, gamehub::move>& m) {
  s.must(1, m.as);
  s(2, m.cell);
  s.text(3, m.text, limits::line_bytes_max);
}

template <class Side>
void fields(Side& s, as<Side, play>& p) {
  s.must(1, p.move);
  s(2, p.game);
  s(3, p.repeated_after);
}

template <class Side>
void fields(Side& s, as<Side, leave>& l) {
  s.must(1, l.why);
  s(2, l.game);
  s(3, l.only_waiting);
}

template <class Side>
void fields(Side& s, as<Side, chat>& c) {
  s.text(1, c.text, limits::line_bytes_max);
  s(2, c.game);
}

template <class Side>
void fields(Side& s, as<Side, rematch>& r) {
  s(1, r.game);
  s(2, r.only_if_offered);
}

template <class Side>
void fields(Side& s, as<Side, challenge>& c) {
  s.text(1, c.opponent);
  s(2, c.game);
}

template <class Side>
void fields(Side&, as<Side, sign_out>&) {}

template <class Side>
void fields(Side& s, as<Side, change_name>& c) {
  s.text(1, c.name);
}

template <class Side>
void fields(Side& s, as<Side, decline>& d) {
  s(1, d.game);
  s.must(2, d.why);
  s.must(3, d.step);
}

template <class Side>
void fields(Side& s, as<Side, offer>& o) {
  s.must(1, o.what);
  s.must(2, o.step);
  s(3, o.game);
}

template <class Side>
void fields(Side& s, as<Side, claim>& c) {
  s(1, c.game);
}

template <class Side>
void fields(Side& s, as<Side, attach>& a) {
  s.must(1, a.client);
  s.text(2, a.digest);
  s.must(3, a.ticket);
}

template <class Side>
void fields(Side& s, as<Side, arrive>& a) {
  s.must(1, a.client);
  s.text(2, a.name, limits::name_bytes_max);
  s.text(3, a.digest);
  s(4, a.former_names);
}

template <class Side>
void fields(Side& s, as<Side, request>& r) {
  s.must(1, r.client);
  s.must(2, r.ticket);
  s(3, r.trace);
  s.one_of(10, r.what);  // to 20
}

template <class Side>
void fields(Side& s, as<Side, presence>& p) {
  s.must(1, p.client);
  s(2, p.kept_until);
}

template <class Side>
void fields(Side& s, as<Side, depart>& d) {
  s.must(1, d.client);
}

template <class Side>
void fields(Side& s, as<Side, signed_in>& e) {
  s.text(1, e.name);
  s(2, e.returned);
  s(3, e.games);
}

template <class Side>
void fields(Side& s, as<Side, placed>& e) {
  s.text(1, e.engine);
  s.text(2, e.marks);
  s(3, e.seat);
  s.text(4, e.invitation);
  s(5, e.rows);
  s(6, e.columns);
  s(7, e.begins);
  s(8, e.seats);
  s.text(9, e.start);
  s.clock(10, e.clock);
}

template <class Side>
void fields(Side& s, as<Side, game_terms>& t) {
  s.text(1, t.version);
  s.text(2, t.options);
  s(3, t.turn_time);
  s(4, t.kinds);
  s.clock(5, t.clock);
}

template <class Side>
void fields(Side& s, as<Side, started>& e) {
  s.text(1, e.engine);
  s.text(2, e.marks);
  s(3, e.players);
  s.must(4, e.seat);
  s(5, e.visits);
  s(6, e.terms);
}

template <class Side>
void fields(Side& s, as<Side, outcome>& o) {
  s.must(1, o.reason);
  s(2, o.winner);
  s(3, o.scores);
  s(4, o.forfeits);
}

template <class Side>
void fields(Side& s, as<Side, game_clock>& c) {
  s.must(1, c.at);
  s(2, c.left);
  s(3, c.running);
  s(4, c.periods);
  if (!c.periods.empty()) s(5, c.period);
}

template <class Side>
void fields(Side& s, as<Side, seat_actions>& a) {
  s.must(1, a.seat);
  s.text(2, a.list);
  s(3, a.complete);
}

template <class Side>
void fields(Side& s, as<Side, position>& p) {
  s.must(1, p.number);
  s(2, p.by);
  s(3, p.to_move);
  s(4, p.prompted);
  s(5, p.away);
  s(6, p.substituted);
  s(7, p.rows);
  s(8, p.columns);
  s.text(9, p.cells);
  s.text(10, p.document);
  s(11, p.score);
  s.text(12, p.summary);
  s(13, p.outcome);
  s.set(14, p.clock);
  s(15, p.actions);
}

template <class Side>
void fields(Side& s, as<Side, refused>& r) {
  s.must(1, r.why);
  s.text(2, r.detail);
  s(3, r.what);
  s(4, r.actions);
}

template <class Side>
void fields(Side&, as<Side, done>&) {}

template <class Side>
void fields(Side& s, as<Side, renamed>& r) {
  s.must(1, r.seat);
  s.text(2, r.name);
  s.text(3, r.old_name);
}

template <class Side>
void fields(Side& s, as<Side, offer_update>& o) {
  s.must(1, o.step);
  s.must(2, o.seat);
  s.text(3, o.name);
  s(4, o.cause);
  s(5, o.next);
  s.must(6, o.what);
}

template <class Side>
void fields(Side& s, as<Side, stage_times>& t) {
  s(1, t.taken_up);
  s(2, t.decided);
  s(3, t.committed);
}

template <class Side>
void fields(Side& s, as<Side, told>& t) {
  s.must(1, t.client);
  s(2, t.what.answers.from);
  s(3, t.what.answers.ticket);
  s(4, t.what.answers.trace);
  s(5, t.what.answers.stages);
  s(6, t.what.game);
  s.one_of(10, t.what.what);  // to 17
}

template <class Side>
void fields(Side& s, as<Side, accepted>& a) {
  s.must(1, a.client);
}

template <class Side>
void fields(Side& s, as<Side, closed>& c) {
  s.must(1, c.client);
  s.must(2, c.why);
}

template <class Side>
void fields(Side& s, as<Side, find_player>& f) {
  s.must(1, f.question);
  s.text(2, f.digest);
}

template <class Side>
void fields(Side& s, as<Side, find_opponent>& f) {
  s.must(1, f.question);
  s.text(2, f.wire, limits::name_bytes_max);
  s.text(3, f.name, limits::name_bytes_max);
  s.must(4, f.what);
  s(5, f.gathered);
}

template <class Side>
void fields(Side& s, as<Side, answer>& a) {
  s.must(1, a.question);
  s(2, a.yes);
  s(3, a.level);
}

template <class Side>
void fields(Side& s, as<Side, web_request>& r) {
  s.must(1, r.number);
  s.text(2, r.method, limits::name_bytes_max);
  s.text(3, r.path);
  s(4, r.names);
  s(5, r.values);
  s.text(6, r.accept);
  s.text(7, r.last_event_id);
  s(8, r.error_pause);
  s.text(9, r.digest);
  s(10, r.address);
  s(11, r.opens);
}

template <class Side>
void fields(Side& s, as<Side, web_taken>& t) {
  s.must(1, t.number);
  s.must(2, t.bytes);
}

template <class Side>
void fields(Side& s, as<Side, web_gone>& g) {
  s.must(1, g.number);
}

template <class Side>
void fields(Side& s, as<Side, web_part>& p) {
  s.must(1, p.number);
  s.text(2, p.bytes);
}

template <class Side>
void fields(Side& s, as<Side, web_answer>& a) {
  s.must(1, a.number);
  s.must(2, a.status);
  s.text(3, a.content_type);
  s.text(4, a.cache_control);
  s(5, a.names);
  s(6, a.values);
  s.text(7, a.body);
  s(8, a.extra_requests);
  s(9, a.not_here);
}

template <class Side>
void fields(Side& s, as<Side, web_stream>& b) {
  s.must(1, b.number);
  s.text(2, b.content_type);
  s(3, b.extra_requests);
}

template <class Side>
void fields(Side& s, as<Side, web_end>& e) {
  s.must(1, e.number);
}

template <class Side>
void fields(Side& s, as<Side, find_game>& f) {
  s.must(1, f.question);
  s(2, f.game);
  s.text(3, f.party, limits::name_bytes_max);
}

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
