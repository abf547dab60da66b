#include "hub/link/state.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <variant>
#include <vector>

using namespace gamehub;
using namespace gamehub::link;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t window = 10 * (100 + frame_overhead_max);
const std::string hundred(100, 'x');

// The numbers of the messages in these bytes.
std::vector<std::uint64_t> numbers_in(const std::string& bytes) {
  std::vector<std::uint64_t> found;
  reader in{frame_bytes_max};
  in.receive(bytes);
  while (const auto next = in.next())
    found.push_back(std::get<message>(std::get<frame>(*next)).number);
  return found;
}

std::vector<std::uint64_t> written_by(sender& s, std::size_t enough = 1u << 20) {
  std::string out;
  const auto count = s.write(out, enough);
  const auto found = numbers_in(out);
  CHECK(found.size() == count);
  return found;
}

using numbers = std::vector<std::uint64_t>;

hello greeting(std::uint64_t attempt, std::uint64_t sent, std::uint64_t acknowledged) {
  hello h;
  h.attempt = attempt;
  h.sent = sent;
  h.acknowledged = acknowledged;
  return h;
}

}  // namespace

TEST_CASE("link sender: it refuses messages beyond the window until some are acknowledged") {
  sender s{window};
  for (int i = 0; i < 10; ++i) CHECK(s.send(hundred));
  CHECK(s.bytes() == window);
  CHECK_FALSE(s.send(hundred));
  CHECK_FALSE(s.send(""));
  CHECK(s.bytes() == window);
  s.connect();
  CHECK(s.on_answer(0, window));
  CHECK(written_by(s).size() == 10);
  CHECK(s.on_acknowledge(3, window));
  CHECK(s.bytes() == window - 3 * (100 + frame_overhead_max));
  for (int i = 0; i < 3; ++i) CHECK(s.send(hundred));
  CHECK_FALSE(s.send(hundred));
  CHECK(written_by(s) == numbers{11, 12, 13});
}

TEST_CASE("link sender: empty messages are bounded as well") {
  sender s{window};
  int count = 0;
  while (s.send("")) ++count;
  CHECK(count == static_cast<int>(window / frame_overhead_max));
}

TEST_CASE("link sender: a smaller window of the peer counts") {
  sender s{window};
  s.connect();
  CHECK(s.on_answer(0, 2 * (100 + frame_overhead_max)));
  CHECK(s.send(hundred));
  CHECK(s.send(hundred));
  CHECK_FALSE(s.send(hundred));
  written_by(s);
  CHECK(s.on_acknowledge(2, 0));
  CHECK_FALSE(s.send(""));
  CHECK(s.on_acknowledge(2, 1'000'000'000'000));
  while (s.send(hundred)) {
  }
  CHECK(s.bytes() <= window);
}

TEST_CASE("link sender: a message over the bound is refused, also in a large window") {
  sender s{8 * message_bytes_max};
  CHECK_FALSE(s.send(std::string(message_bytes_max + 1, 'x')));
  CHECK(s.send(std::string(message_bytes_max, 'x')));
}

TEST_CASE("link sender: after a break it writes from what the peer has received") {
  sender s{window};
  CHECK(s.send("1"));
  CHECK(written_by(s).empty());
  CHECK(s.connect() == 1);
  CHECK(written_by(s).empty());
  CHECK(s.on_answer(0, window));
  for (int i = 2; i <= 5; ++i) CHECK(s.send(std::to_string(i)));
  CHECK(written_by(s) == numbers{1, 2, 3, 4, 5});
  CHECK(s.on_acknowledge(2, window));
  s.disconnect();
  CHECK(s.send("6"));
  CHECK(written_by(s).empty());
  CHECK(s.written() == 5);
  CHECK(s.connect() == 2);
  CHECK(s.on_answer(4, window));
  CHECK(s.acknowledged() == 4);
  CHECK(written_by(s) == numbers{5, 6});
  CHECK(s.repeated() == 1);
}

TEST_CASE("link sender: it writes as much as is wanted at a time") {
  sender s{window};
  s.connect();
  s.on_answer(0, window);
  for (int i = 0; i < 5; ++i) s.send(hundred);
  CHECK(written_by(s, 1) == numbers{1});
  CHECK(written_by(s, 150) == numbers{2, 3});
  CHECK(s.has_more());
  CHECK(written_by(s) == numbers{4, 5});
  CHECK_FALSE(s.has_more());
}

TEST_CASE("link sender: numbers that can't be are refused and change nothing") {
  sender s{window};
  s.connect();
  CHECK_FALSE(s.on_answer(1, window));  // nothing was written
  CHECK_FALSE(s.on_acknowledge(0, window));
  CHECK(s.on_answer(0, window));
  for (int i = 0; i < 4; ++i) s.send(hundred);
  CHECK_FALSE(s.on_acknowledge(1, window));  // not written yet
  written_by(s, 150);
  CHECK_FALSE(s.on_acknowledge(3, window));
  CHECK(s.on_acknowledge(2, window));
  CHECK_FALSE(s.on_acknowledge(1, window));
  s.connect();
  CHECK_FALSE(s.on_acknowledge(2, window));  // no answer on the new connection yet
  CHECK_FALSE(s.on_answer(1, window));
  CHECK_FALSE(s.on_answer(3, window));
  CHECK(s.on_answer(2, window));
  CHECK(written_by(s) == numbers{3, 4});
}

TEST_CASE("link receiver: it takes each number once, in order") {
  receiver r;
  CHECK(r.take(1) == receiver::arrival::next);
  CHECK(r.take(2) == receiver::arrival::next);
  CHECK(r.take(1) == receiver::arrival::duplicate);
  CHECK(r.take(2) == receiver::arrival::duplicate);
  CHECK(r.take(0) == receiver::arrival::duplicate);
  CHECK(r.take(4) == receiver::arrival::gap);
  CHECK(r.take(~std::uint64_t{0}) == receiver::arrival::gap);
  CHECK(r.take(3) == receiver::arrival::next);
  CHECK(r.received() == 3);
}

TEST_CASE("link receiver: a hello must continue what was received, and be newer") {
  receiver r;
  CHECK_FALSE(r.fits(greeting(0, 0, 0), 0));  // attempts count from 1
  CHECK_FALSE(r.fits(greeting(1, 5, 1), 0));  // of what it has forgotten nothing has arrived
  CHECK(r.fits(greeting(1, 5, 0), 0));
  r.connect(greeting(1, 5, 0));
  for (std::uint64_t n = 1; n <= 5; ++n) r.take(n);
  CHECK_FALSE(r.fits(greeting(1, 5, 0), 0));  // an older connection
  CHECK_FALSE(r.fits(greeting(2, 4, 0), 0));  // more has arrived than it says it has sent
  CHECK_FALSE(r.fits(greeting(2, 9, 6), 0));
  CHECK(r.fits(greeting(2, 9, 5), 0));
  auto h = greeting(2, 9, 5);
  h.received = 3;
  CHECK_FALSE(r.fits(h, 2));  // it has received what this member has not sent
  CHECK(r.fits(h, 3));
}

TEST_CASE("link versions: the greatest that both speak") {
  CHECK(common_version(1, 1) == 1);
  CHECK(common_version(0, 9) == version_greatest);
  CHECK_FALSE(common_version(version_greatest + 1, version_greatest + 5));
  CHECK_FALSE(common_version(0, 0));
  CHECK_FALSE(common_version(2, 1));
}

namespace {

// A connection that is looked at every 50 ms.
class looks {
 public:
  base::instant now{1h};
  pulse here{{250ms, 1'000ms}, now};
  int pings = 0;

  // Returns false once it is silent.
  bool look(base::duration time) {
    for (const auto end = now + time; now < end;) {
      now += 50ms;
      const auto v = here.check(now);
      if (v.silent) return false;
      if (!v.ping) continue;
      ++pings;
      here.on_write(now);
      here.on_progress(now, true);
    }
    return true;
  }
};

}  // namespace

TEST_CASE("link pulse: it says something every beat") {
  looks l;
  CHECK(l.look(1s));
  CHECK(l.pings == 4);
  l.here.on_write(l.now);
  l.here.on_progress(l.now, true);
  l.here.on_bytes(l.now);
  CHECK(l.look(200ms));
  CHECK(l.pings == 4);
}

TEST_CASE("link pulse: without a byte for the time it is silent") {
  looks l;
  CHECK(l.look(950ms));
  l.here.on_bytes(l.now);
  CHECK(l.look(1s));
  CHECK_FALSE(l.look(50ms));
}

TEST_CASE("link pulse: a write without progress is silence, whatever arrives") {
  looks l;
  l.here.on_write(l.now);
  for (int i = 0; i < 4; ++i) {
    l.here.on_bytes(l.now);
    CHECK(l.look(250ms));
  }
  l.here.on_bytes(l.now);
  SECTION("none") { CHECK_FALSE(l.look(50ms)); }
  SECTION("some") {
    l.here.on_progress(l.now, false);
    CHECK(l.look(1s));
    l.here.on_bytes(l.now);
    CHECK_FALSE(l.look(50ms));
  }
  SECTION("all") {
    l.here.on_progress(l.now, true);
    CHECK(l.look(1s));
  }
}

TEST_CASE("link pulse: a pause of this process is no silence of the other side") {
  looks l;
  CHECK(l.look(900ms));
  l.now += 1h;
  CHECK(l.look(50ms));
  CHECK_FALSE(l.look(1s));
}

TEST_CASE("link pause: pauses grow to their bound, differ between seeds, and start again") {
  reconnect_pause a{50ms, 2s, 1}, b{50ms, 2s, 2};
  auto bound = base::duration{50ms};
  int differ = 0;
  for (int i = 0; i < 20; ++i) {
    const auto pause = a.next();
    CHECK(pause >= bound / 2);
    CHECK(pause <= bound);
    if (pause != b.next()) ++differ;
    bound = std::min<base::duration>(2 * bound, 2s);
  }
  CHECK(differ > 10);
  a.reset();
  CHECK(a.next() <= 50ms);
}
