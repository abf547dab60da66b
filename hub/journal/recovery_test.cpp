#include "hub/journal/recovery.hpp"

#include "tests/support/catch.hpp"

#include <random>

namespace gamehub::journal {

TEST_CASE("recovery: entries are read back unchanged") {
  std::string bytes;
  append_entry({game_id{5}, batch_entry::kind::header, 0, 0, "head"}, bytes);
  append_entry({game_id{~0ull}, batch_entry::kind::records, 300, 1'000'000, ""}, bytes);
  append_entry({game_id{6}, batch_entry::kind::gone, 0, 0, {}}, bytes);
  std::string_view rest = bytes;
  auto e = take_entry(rest);
  REQUIRE(e);
  CHECK(e->game == game_id{5});
  CHECK(e->what == batch_entry::kind::header);
  CHECK(e->bytes == "head");
  e = take_entry(rest);
  REQUIRE(e);
  CHECK(e->game == game_id{~0ull});
  CHECK(e->count == 300);
  CHECK(e->first == 1'000'000);
  e = take_entry(rest);
  REQUIRE(e);
  CHECK(e->what == batch_entry::kind::gone);
  CHECK(rest.empty());
  CHECK_FALSE(take_entry(rest));
}

TEST_CASE("recovery: an entry cut anywhere is nothing") {
  std::string bytes;
  append_entry({game_id{500}, batch_entry::kind::records, 2, 3, "records"}, bytes);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    auto part = std::string_view{bytes}.substr(0, cut);
    CHECK_FALSE(take_entry(part));
  }
}

TEST_CASE("recovery: any changed bit changes the sum, and so does any number") {
  std::mt19937_64 random{11};
  std::string bytes(67, '\0');
  for (auto& c : bytes) c = static_cast<char>(random());
  const auto sum = sum_of({1, 2}, bytes);
  CHECK(sum == sum_of({1, 2}, bytes));
  CHECK(sum != sum_of({2, 1}, bytes));
  CHECK(sum != sum_of({1, 2}, std::string_view{bytes}.substr(1)));
  CHECK(sum_of({}, std::string(3, '\0')) != sum_of({}, std::string(4, '\0')));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    CHECK(sum_of({1, 2}, flipped) != sum);
  }
}

}  // namespace gamehub::journal
