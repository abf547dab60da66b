#include "gateways/http/updates.hpp"

#include <algorithm>
#include <chrono>

#include "gateways/json.hpp"

namespace gamehub::gateways::http {
namespace {

// Writes the members of one object, in the order of the protocol's document.
class object_writer {
 public:
  explicit object_writer(std::string& out) : out_(out) {}

  void text(std::string_view name, std::string_view value) {
    begin(name);
    json::append_quoted(value, out_);
  }
  void mark(std::string_view name, char value) { text(name, {&value, 1}); }
  void number(std::string_view name, std::uint64_t value) {
    begin(name);
    out_ += std::to_string(value);
  }
  void position(const std::optional<std::int64_t>& value) {
    begin("position");
    out_ += value ? std::to_string(*value) : "null";
  }
  void end() { out_ += '}'; }

 private:
  void begin(std::string_view name) {
    out_ += first_ ? "{\"" : ",\"";
    out_ += name;
    out_ += "\":";
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

void write(const game_began& u, object_writer& to) {
  to.text("type", "status");
  to.text("board", u.board);
  to.mark("turn", u.turn);
  to.text("playerX", u.player_x);
  to.text("playerO", u.player_o);
}

void write(const came& u, object_writer& to) {
  to.text("type", "connect");
  to.text("name", u.name);
  to.mark("player", u.player);
}

void write(const went& u, object_writer& to) {
  to.text("type", "disconnect");
  to.text("name", u.name);
  to.mark("player", u.player);
}

void write(const moved& u, object_writer& to) {
  to.text("type", "move");
  to.text("board", u.board);
  if (u.then.winner != '\0')
    to.mark("winner", u.then.winner);
  else if (u.then.turn != '\0')
    to.mark("turn", u.then.turn);
  to.mark("player", u.player);
  to.position(u.position);
}

void write(const said& u, object_writer& to) {
  to.text("type", "chat");
  to.text("name", u.name);
  to.text("message", u.message);
}

void write(const game_ended& u, object_writer& to) {
  to.text("type", "end");
  to.text("reason", u.reason);
}

void append_padded(std::uint64_t value, std::size_t digits, std::string& out) {
  const auto text = std::to_string(value);
  out.append(digits > text.size() ? digits - text.size() : 0, '0');
  out += text;
}

}  // namespace

std::string board_of(std::string_view cells) {
  std::string out{cells};
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string iso_time(wall_time at) {
  namespace chrono = std::chrono;
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss time{chrono::floor<chrono::milliseconds>(at - day)};
  const auto count = [](auto value) { return static_cast<std::uint64_t>(value.count()); };
  std::string out;
  out.reserve(26);
  append_padded(static_cast<std::uint64_t>(std::max(0, static_cast<int>(date.year()))), 4, out);
  out += '-';
  append_padded(static_cast<unsigned>(date.month()), 2, out);
  out += '-';
  append_padded(static_cast<unsigned>(date.day()), 2, out);
  out += 'T';
  append_padded(count(time.hours()), 2, out);
  out += ':';
  append_padded(count(time.minutes()), 2, out);
  out += ':';
  append_padded(count(time.seconds()), 2, out);
  out += '.';
  append_padded(count(time.subseconds()), 3, out);
  out += "000";
  return out;
}

std::string to_json(const update& u) {
  std::string out;
  out.reserve(192);
  object_writer to{out};
  std::visit([&](const auto& what) { write(what, to); }, u.what);
  to.number("update_id", u.number);
  to.number("cursor", u.number);
  to.text("timestamp", iso_time(u.at));
  to.end();
  return out;
}

std::string to_line(const update& u) { return to_json(u) + '\n'; }

std::string to_event(const update& u) {
  return "id: " + std::to_string(u.number) + "\ndata: " + to_json(u) + "\n\n";
}

std::string quit_reason(std::string_view name) { return std::string{name} + " quit the game"; }

}  // namespace gamehub::gateways::http
