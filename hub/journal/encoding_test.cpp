#include "hub/journal/encoding.hpp"

#include "tests/support/catch.hpp"

#include <cstdint>
#include <limits>
#include <random>

namespace gamehub::journal {

namespace {

record sample(std::mt19937_64& random) {
  record r;
  r.number = random() % 1'000 + 1;
  r.at = base::wall_time{
      std::chrono::milliseconds{static_cast<std::int64_t>(random() >> (random() % 64))}};
  r.action = static_cast<std::int64_t>(random() >> (random() % 64));
  if (random() % 2 == 0) r.action = -r.action;
  const auto text = [&] {
    return std::string(random() % 300, static_cast<char>('a' + random() % 26));
  };
  r.seat = static_cast<std::int16_t>(static_cast<int>(random() % 65) - 1);
  r.what = static_cast<record::kind>(random() % 14);
  // What a kind has no use for is not kept.
  if (r.what == record::kind::joined) {
    r.text = text();
    r.secret = text();
    r.wire = text();
  } else if (r.what == record::kind::ended) {
    r.text = text();
    r.why = static_cast<end_reason>(random() % end_reason_count);
  } else if (r.what == record::kind::said ||
             (r.what >= record::kind::offered && r.what <= record::kind::withdrawn)) {
    r.text = text();
  } else if (r.what == record::kind::substituted) {
    r.text = text();
    r.wire = text();
  } else if (r.what != record::kind::left && r.what != record::kind::returned) {
    r.state = random();
    const bool may_have_text = r.what == record::kind::opened || r.what == record::kind::moved;
    if (may_have_text && random() % 2 == 0) r.text = text();
  }
  r.hidden = random() % 2 == 0;
  return r;
}

bool same(const record& a, const record& b) {
  return a.number == b.number && a.at == b.at && a.action == b.action && a.text == b.text &&
         a.secret == b.secret && a.wire == b.wire && a.state == b.state && a.seat == b.seat &&
         a.what == b.what && a.why == b.why && a.hidden == b.hidden;
}

}  // namespace

TEST_CASE("encoding: a log comes back record by record, and nothing is left over") {
  std::mt19937_64 random{7};
  for (int round = 0; round < 200; ++round) {
    std::vector<record> log(random() % 20);
    std::string bytes;
    for (auto& r : log) append_encoded(r = sample(random), bytes);
    std::string_view rest = bytes;
    for (const auto& r : log) {
      const auto back = take_record(rest, r.number);
      REQUIRE(back);
      CHECK(same(*back, r));
    }
    CHECK(rest.empty());
  }
}

TEST_CASE("encoding: a record with a clock has other bytes, one without has those of before") {
  record r;
  r.what = record::kind::opened;
  r.state = 1;
  std::string before, with_clock;
  append_encoded(r, before);
  CHECK(before == std::string("\0\0\1\0\1\0\0\0\0\0\0\0", 12));
  r.text = "sudden:5";
  append_encoded(r, with_clock);
  CHECK(with_clock == std::string("\x1c\0\1\0\1\0\0\0\0\0\0\0\10sudden:5", 21));
  // A kind that no version has.
  with_clock[0] = '\x20';
  std::string_view rest = with_clock;
  CHECK_FALSE(take_record(rest, 1));
  // The text is cut off.
  with_clock[0] = '\x1e';
  for (std::size_t n = 0; n < with_clock.size(); ++n) {
    rest = std::string_view{with_clock}.substr(0, n);
    CHECK_FALSE(take_record(rest, 1));
  }
  rest = with_clock;
  const auto moved = take_record(rest, 1);
  REQUIRE(moved);
  CHECK(moved->what == record::kind::moved);
  CHECK(moved->text == "sudden:5");
}

TEST_CASE("encoding: the extremes of a number survive") {
  for (const auto n : {std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}}) {
    record r;
    r.action = n;
    std::string bytes;
    append_encoded(r, bytes);
    std::string_view rest = bytes;
    CHECK(take_record(rest, 1)->action == n);
  }
}

TEST_CASE("encoding: a move of a small game takes few bytes") {
  record r;
  r.what = record::kind::moved;
  r.at = base::wall_time{std::chrono::milliseconds{1'800'000'000'000}};
  r.seat = 1;
  r.action = 8;
  std::string bytes;
  append_encoded(r, bytes);
  CHECK(bytes.size() == 17);
}

TEST_CASE("encoding: bytes cut anywhere are nothing, never half a record") {
  std::mt19937_64 random{8};
  const auto r = sample(random);
  std::string bytes;
  append_encoded(r, bytes);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    auto part = std::string_view{bytes}.substr(0, cut);
    CHECK_FALSE(take_record(part, r.number));
  }
}

TEST_CASE("encoding: garbage is refused or is a record within its bounds") {
  std::mt19937_64 random{9};
  for (int round = 0; round < 100'000; ++round) {
    std::string bytes(random() % 24, '\0');
    for (auto& c : bytes) c = static_cast<char>(random());
    std::string_view rest = bytes;
    const auto r = take_record(rest, 1);
    if (!r) continue;
    CHECK(r->what <= record::kind::returned);
    CHECK(static_cast<int>(r->why) < end_reason_count);
  }
}

TEST_CASE("encoding: a log from before the records said and left is read") {
  // A game of two as the first hubs with a journal wrote it: bob leaves at 1'767'323'045'678.
  const std::string old{
      "\x00\xdc\xbc\xcc\xca\xef\x66\x01\x00\x88\x77\x66\x55\x44\x33\x22\x11"
      "\x02\xdc\xbc\xcc\xca\xef\x66\x00\x0e\x03"
      "ann\x02ss\x05turns"
      "\x02\xdc\xbc\xcc\xca\xef\x66\x02\x10\x03"
      "bob\x00\x07opcodes"
      "\x04\xdc\xbc\xcc\xca\xef\x66\x00\x08\x01\x00\x00\x00\x00\x00\x00\x00"
      "\x08\xdc\xbc\xcc\xca\xef\x66\x00\x00\x01\x00",
      89};
  std::string_view rest = old;
  std::vector<record> log;
  for (record_number n = 1; !rest.empty(); ++n) {
    auto r = take_record(rest, n);
    REQUIRE(r);
    CHECK(r->at == base::wall_time{std::chrono::milliseconds{1'767'323'045'678}});
    log.push_back(*std::move(r));
  }
  REQUIRE(log.size() == 5);
  CHECK(log[0].state == 0x1122334455667788);
  CHECK(log[1].text == "ann");
  CHECK(log[2].wire == "opcodes");
  CHECK(log[3].action == 4);
  CHECK(log[4].what == record::kind::ended);
  CHECK(log[4].why == end_reason::left);
  CHECK(log[4].seat == 0);
  std::string again;
  for (const auto& r : log) append_encoded(r, again);
  CHECK(again == old);
}

TEST_CASE("encoding: a header comes back") {
  const game_header h{game_id{12'345}, "tictactoe", "1.0.0", R"({"rows":3})",
                      base::wall_time{std::chrono::milliseconds{-5}}};
  std::string bytes;
  append_encoded(h, bytes);
  std::string_view rest = bytes;
  const auto back = take_header(rest);
  REQUIRE(back);
  CHECK(back->id == h.id);
  CHECK(back->engine == h.engine);
  CHECK(back->engine_version == h.engine_version);
  CHECK(back->options == h.options);
  CHECK(back->opened == h.opened);
  CHECK(rest.empty());
}

}  // namespace gamehub::journal
