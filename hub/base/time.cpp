#include "hub/base/time.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace gamehub::base {
namespace {

namespace chrono = std::chrono;

// A moment in UTC, written piece by piece.
class utc_writer {
 public:
  utc_writer(wall_time at, std::string& out)
      : day_(chrono::floor<chrono::days>(at)), date_(day_), time_(at - day_), out_(out) {}

  unsigned weekday() const { return chrono::weekday{day_}.c_encoding(); }
  unsigned month() const { return static_cast<unsigned>(date_.month()); }

  void year() { append(std::max(0, static_cast<int>(date_.year())), 4); }
  void day_of_month() { append(static_cast<int>(static_cast<unsigned>(date_.day())), 2); }

  // 2026-01-02
  void date() {
    year();
    out_ += '-';
    append(static_cast<int>(month()), 2);
    out_ += '-';
    day_of_month();
  }
  // 03:04:05
  void clock() {
    append(time_.hours().count(), 2);
    out_ += ':';
    append(time_.minutes().count(), 2);
    out_ += ':';
    append(time_.seconds().count(), 2);
  }
  void date_and_clock() {
    date();
    out_ += 'T';
    clock();
  }
  // .678
  void milliseconds() {
    out_ += '.';
    append(time_.subseconds().count(), 3);
  }

 private:
  void append(std::int64_t value, std::size_t digits) {
    const auto at = out_.size();
    out_.append(digits, '0');
    for (auto i = at + digits; i-- > at; value /= 10) out_[i] = static_cast<char>('0' + value % 10);
  }

  chrono::sys_days day_;
  chrono::year_month_day date_;
  chrono::hh_mm_ss<chrono::milliseconds> time_;
  std::string& out_;
};

}  // namespace

wall_time wall_now() { return chrono::floor<wall_time::duration>(chrono::system_clock::now()); }

std::string utc_day(wall_time at) {
  std::string out;
  utc_writer{at, out}.date();
  return out;
}

std::string utc_seconds(wall_time at) {
  std::string out;
  utc_writer{at, out}.date_and_clock();
  return out + 'Z';
}

void append_rfc3339(wall_time at, std::string& out) {
  utc_writer to{at, out};
  to.date_and_clock();
  to.milliseconds();
  out += 'Z';
}

std::string iso_time(wall_time at) {
  std::string out;
  out.reserve(26);
  utc_writer to{at, out};
  to.date_and_clock();
  to.milliseconds();
  out += "000";
  return out;
}

std::string http_date(wall_time at) {
  constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::string out;
  out.reserve(29);
  utc_writer to{at, out};
  out += days[to.weekday()];
  out += ", ";
  to.day_of_month();
  out += ' ';
  out += months[to.month() - 1];
  out += ' ';
  to.year();
  out += ' ';
  to.clock();
  out += " GMT";
  return out;
}

}  // namespace gamehub::base
