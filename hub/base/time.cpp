#include "hub/base/time.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace gamehub::base {
namespace {

namespace chrono = std::chrono;

// A moment in UTC, written piece by piece. The text is appended to a string at once.
class utc_writer {
 public:
  explicit utc_writer(wall_time at)
      : day_(chrono::floor<chrono::days>(at)), date_(day_), time_(at - day_) {}

  unsigned weekday() const { return chrono::weekday{day_}.c_encoding(); }
  unsigned month() const { return static_cast<unsigned>(date_.month()); }
  std::string_view text() const { return {text_.data(), size_}; }

  void letters(std::string_view what) {
    for (const char c : what) text_[size_++] = c;
  }
  void year() { number(std::max(0, static_cast<int>(date_.year())), 4); }
  void day_of_month() { number(static_cast<int>(static_cast<unsigned>(date_.day())), 2); }

  // 2026-01-02
  void date() {
    year();
    letters("-");
    number(static_cast<int>(month()), 2);
    letters("-");
    day_of_month();
  }
  // 03:04:05
  void clock() {
    number(time_.hours().count(), 2);
    letters(":");
    number(time_.minutes().count(), 2);
    letters(":");
    number(time_.seconds().count(), 2);
  }
  void date_and_clock() {
    date();
    letters("T");
    clock();
  }
  // .678
  void milliseconds() {
    letters(".");
    number(time_.subseconds().count(), 3);
  }

 private:
  void number(std::int64_t value, std::size_t digits) {
    size_ += digits;
    for (auto at = size_; digits > 0; --digits, value /= 10)
      text_[--at] = static_cast<char>('0' + value % 10);
  }

  chrono::sys_days day_;
  chrono::year_month_day date_;
  chrono::hh_mm_ss<chrono::milliseconds> time_;
  std::size_t size_ = 0;
  std::array<char, 32> text_;  // the longest is http_date() with 29
};

}  // namespace

wall_time wall_now() { return chrono::floor<wall_time::duration>(chrono::system_clock::now()); }

std::string utc_day(wall_time at) {
  utc_writer to{at};
  to.date();
  return std::string{to.text()};
}

std::string utc_seconds(wall_time at) {
  utc_writer to{at};
  to.date_and_clock();
  to.letters("Z");
  return std::string{to.text()};
}

void append_rfc3339(wall_time at, std::string& out) {
  utc_writer to{at};
  to.date_and_clock();
  to.milliseconds();
  to.letters("Z");
  out += to.text();
}

std::string iso_time(wall_time at) {
  utc_writer to{at};
  to.date_and_clock();
  to.milliseconds();
  to.letters("000");
  return std::string{to.text()};
}

std::string http_date(wall_time at) {
  constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  utc_writer to{at};
  to.letters(days[to.weekday()]);
  to.letters(", ");
  to.day_of_month();
  to.letters(" ");
  to.letters(months[to.month() - 1]);
  to.letters(" ");
  to.year();
  to.letters(" ");
  to.clock();
  to.letters(" GMT");
  return std::string{to.text()};
}

}  // namespace gamehub::base
