#include "gateways/http/updates.hpp"

#include <algorithm>
#include <chrono>

#include "gateways/http/object_writer.hpp"

namespace gamehub::gateways::http {
namespace {

void write(const turn_or_winner& then, object_writer& to) {
  if (then.winner != '\0')
    to.mark("winner", then.winner);
  else if (then.turn != '\0')
    to.mark("turn", then.turn);
}

void write(const status_update& u, object_writer& to) {
  to.text("type", "status");
  to.text("board", u.board);
  write(u.then, to);
  to.text("playerX", u.player_x);
  to.text("playerO", u.player_o);
  if (!u.view.empty()) to.spelled("view", u.view);
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
  write(u.then, to);
  to.mark("player", u.player);
  u.position ? to.integer("position", *u.position) : to.nothing("position");
  if (!u.action.empty()) to.text("action", u.action);
  if (!u.view.empty()) to.spelled("view", u.view);
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
