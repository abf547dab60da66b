#include "hub/link/codec.hpp"

#include "hub/base/require.hpp"
#include "hub/link/numbers.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace gamehub::link {
namespace {

constexpr std::size_t length_bytes = 4;

enum class kind : std::uint8_t {
  hello = 1,
  hello_answer = 2,
  refused = 3,
  message = 4,
  acknowledge = 5,
  ping = 6,
};

// A kind with this bit is skipped by a version that does not know it.
constexpr std::uint8_t skippable = 0x80;

// The tags of fields, by kind. A tag keeps its meaning for ever.
namespace hello_tag {
constexpr std::uint8_t cluster = 1, from = 2, to = 3, least = 4, greatest = 5, attempt = 6,
                       sent = 7, acknowledged = 8, received = 9, build = 10;
}
namespace answer_tag {
constexpr std::uint8_t from = 1, version = 2, received = 3, window = 4, build = 5;
}
namespace refused_tag {
constexpr std::uint8_t why = 1;
}
namespace message_tag {
constexpr std::uint8_t number = 1, bytes = 2;
}
namespace acknowledge_tag {
constexpr std::uint8_t received = 1, window = 2;
}

// Writes one frame; its length is known at the end.
class frame_writer {
 public:
  frame_writer(kind what, std::string& out) : out_(out), begin_(out.size()) {
    out_.append(length_bytes, '\0');
    out_ += static_cast<char>(what);
  }
  frame_writer(const frame_writer&) = delete;
  frame_writer& operator=(const frame_writer&) = delete;
  ~frame_writer() {
    const auto length = out_.size() - begin_ - length_bytes;
    for (std::size_t i = 0; i < length_bytes; ++i)
      out_[begin_ + i] = static_cast<char>(length >> (8 * (length_bytes - 1 - i)));
  }

  void number(std::uint8_t tag, std::uint64_t n) {
    out_ += static_cast<char>(tag);
    append_number(number_bytes(n), out_);
    append_number(n, out_);
  }
  void text(std::uint8_t tag, std::string_view bytes) {
    out_ += static_cast<char>(tag);
    append_number(bytes.size(), out_);
    out_ += bytes;
  }

 private:
  std::string& out_;
  const std::size_t begin_;
};

// Visible ASCII and blanks: it is shown in logs.
bool is_text(std::string_view bytes) {
  const auto shown = [](char c) { return c >= ' ' && c <= '~'; };
  return bytes.size() <= text_bytes_max && std::all_of(bytes.begin(), bytes.end(), shown);
}

bool read(std::string_view bytes, std::uint64_t& to) {
  const auto n = take_number(bytes);
  if (!n || !bytes.empty()) return false;
  to = *n;
  return true;
}

bool read(std::string_view bytes, std::uint32_t& to) {
  std::uint64_t n = 0;
  if (!read(bytes, n) || n > std::numeric_limits<std::uint32_t>::max()) return false;
  to = static_cast<std::uint32_t>(n);
  return true;
}

bool read(std::string_view bytes, member_id& to) { return read(bytes, to.value) && to.value != 0; }

bool read(std::string_view bytes, std::string& to) {
  if (!is_text(bytes)) return false;
  to.assign(bytes);
  return true;
}

bool read(std::string_view bytes, std::string_view& to) {
  to = bytes;
  return bytes.size() <= message_bytes_max;
}

bool read(std::string_view bytes, std::optional<refusal>& to) {
  std::uint64_t n = 0;
  if (!read(bytes, n)) return false;
  to = refusal_of(n);
  return true;
}

// One field that a kind has: its type is that of the value that it is read to.
struct field {
  std::uint8_t tag;
  bool required;
  std::variant<std::uint64_t*, std::uint32_t*, member_id*, std::string*, std::string_view*,
               std::optional<refusal>*>
      to;
  bool seen = false;
};

std::optional<fault> read_fields(std::string_view body, std::span<field> known) {
  for (int count = 0; !body.empty(); ++count) {
    if (count == fields_max) return fault::fields;
    const auto tag = static_cast<std::uint8_t>(body.front());
    body.remove_prefix(1);
    const auto size = take_number(body);
    if (!size || *size > body.size()) return fault::field;
    const auto value = body.substr(0, static_cast<std::size_t>(*size));
    body.remove_prefix(value.size());
    const auto at =
        std::find_if(known.begin(), known.end(), [&](const field& f) { return f.tag == tag; });
    if (at == known.end()) continue;
    if (std::exchange(at->seen, true)) return fault::repeated;
    if (!std::visit([&](auto* to) { return read(value, *to); }, at->to)) return fault::field;
  }
  const auto absent = [](const field& f) { return f.required && !f.seen; };
  if (std::any_of(known.begin(), known.end(), absent)) return fault::missing;
  return std::nullopt;
}

using decoded = std::variant<frame, fault>;

template <class Frame>
decoded result(Frame& what, std::optional<fault> wrong) {
  return wrong ? decoded{*wrong} : decoded{frame{std::move(what)}};
}

decoded read_hello(std::string_view body) {
  hello h;
  field known[] = {
      {hello_tag::cluster, true, &h.cluster},
      {hello_tag::from, true, &h.from},
      {hello_tag::to, true, &h.to},
      {hello_tag::least, true, &h.least},
      {hello_tag::greatest, true, &h.greatest},
      {hello_tag::attempt, true, &h.attempt},
      {hello_tag::sent, true, &h.sent},
      {hello_tag::acknowledged, true, &h.acknowledged},
      {hello_tag::received, true, &h.received},
      {hello_tag::build, false, &h.build},
  };
  return result(h, read_fields(body, known));
}

decoded read_answer(std::string_view body) {
  hello_answer a;
  field known[] = {
      {answer_tag::from, true, &a.from},         {answer_tag::version, true, &a.version},
      {answer_tag::received, true, &a.received}, {answer_tag::window, true, &a.window},
      {answer_tag::build, false, &a.build},
  };
  return result(a, read_fields(body, known));
}

decoded read_refused(std::string_view body) {
  refused r;
  field known[] = {{refused_tag::why, true, &r.why}};
  return result(r, read_fields(body, known));
}

decoded read_message(std::string_view body) {
  message m;
  field known[] = {{message_tag::number, true, &m.number}, {message_tag::bytes, true, &m.bytes}};
  return result(m, read_fields(body, known));
}

decoded read_acknowledge(std::string_view body) {
  acknowledge a;
  field known[] = {{acknowledge_tag::received, true, &a.received},
                   {acknowledge_tag::window, true, &a.window}};
  return result(a, read_fields(body, known));
}

decoded read_ping(std::string_view body) {
  ping p;
  return result(p, read_fields(body, {}));
}

// Nothing: a frame of a newer version that may be skipped.
std::optional<decoded> read_frame(std::string_view bytes) {
  const auto what = static_cast<std::uint8_t>(bytes.front());
  const auto body = bytes.substr(1);
  switch (static_cast<kind>(what)) {
    case kind::hello: return read_hello(body);
    case kind::hello_answer: return read_answer(body);
    case kind::refused: return read_refused(body);
    case kind::message: return read_message(body);
    case kind::acknowledge: return read_acknowledge(body);
    case kind::ping: return read_ping(body);
  }
  if ((what & skippable) != 0) return std::nullopt;
  return decoded{fault::kind};
}

void write(const hello& h, std::string& out) {
  GAMEHUB_REQUIRE(is_text(h.cluster) && is_text(h.build) && h.from && h.to);
  frame_writer w{kind::hello, out};
  w.text(hello_tag::cluster, h.cluster);
  w.number(hello_tag::from, h.from.value);
  w.number(hello_tag::to, h.to.value);
  w.number(hello_tag::least, h.least);
  w.number(hello_tag::greatest, h.greatest);
  w.number(hello_tag::attempt, h.attempt);
  w.number(hello_tag::sent, h.sent);
  w.number(hello_tag::acknowledged, h.acknowledged);
  w.number(hello_tag::received, h.received);
  w.text(hello_tag::build, h.build);
}

void write(const hello_answer& a, std::string& out) {
  GAMEHUB_REQUIRE(is_text(a.build) && a.from);
  frame_writer w{kind::hello_answer, out};
  w.number(answer_tag::from, a.from.value);
  w.number(answer_tag::version, a.version);
  w.number(answer_tag::received, a.received);
  w.number(answer_tag::window, a.window);
  w.text(answer_tag::build, a.build);
}

void write(const refused& r, std::string& out) {
  frame_writer w{kind::refused, out};
  w.number(refused_tag::why, r.why ? static_cast<std::uint64_t>(*r.why) : 0);
}

void write(const message& m, std::string& out) { append_message(m.number, m.bytes, out); }

void write(const acknowledge& a, std::string& out) {
  frame_writer w{kind::acknowledge, out};
  w.number(acknowledge_tag::received, a.received);
  w.number(acknowledge_tag::window, a.window);
}

void write(const ping&, std::string& out) { frame_writer{kind::ping, out}; }

}  // namespace

std::string_view to_string(fault what) {
  switch (what) {
    case fault::empty: return "an empty frame";
    case fault::too_long: return "a frame that is too long";
    case fault::kind: return "a frame of an unknown kind";
    case fault::field: return "a field that can't be read";
    case fault::repeated: return "a field twice in one frame";
    case fault::missing: return "a frame without a field that it must have";
    case fault::fields: return "a frame with too many fields";
  }
  return "unknown";
}

void append(const frame& what, std::string& out) {
  std::visit([&](const auto& each) { write(each, out); }, what);
}

void append_message(std::uint64_t number, std::string_view bytes, std::string& out) {
  GAMEHUB_REQUIRE(bytes.size() <= message_bytes_max);
  frame_writer w{kind::message, out};
  w.number(message_tag::number, number);
  w.text(message_tag::bytes, bytes);
}

std::optional<std::variant<frame, fault>> reader::next() {
  while (!failed_) {
    const auto unread = inbox_.unread();
    if (unread.size() < length_bytes) break;
    std::size_t length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i)
      length = length << 8 | static_cast<std::uint8_t>(unread[i]);
    std::optional<decoded> found;
    if (length == 0) {
      found = fault::empty;
    } else if (length > bytes_max_) {
      found = fault::too_long;
    } else if (unread.size() - length_bytes < length) {
      break;
    } else {
      found = read_frame(unread.substr(length_bytes, length));
      inbox_.skip(length_bytes + length);
    }
    if (!found) continue;
    failed_ = std::holds_alternative<fault>(*found);
    return found;
  }
  if (failed_) inbox_.skip(inbox_.unread().size());
  inbox_.keep_rest();
  return std::nullopt;
}

}  // namespace gamehub::link
