// The contract of every table of bans and mutes. Each implementation calls these functions from a
// test with a place of its kind: a file, a database. Functions of one test.
#pragma once

#include "hub/moderation/sanction_table.hpp"
#include "tests/support/catch.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gamehub::tests {

// A place with a list that is empty at first; each call opens it, as a hub that starts does.
using sanction_place = std::function<std::unique_ptr<moderation::sanction_table>()>;

inline std::vector<std::string> lines_of(const moderation::sanction_list& list) {
  std::vector<std::string> out;
  for (const auto& s : list.all)
    out.push_back(std::string{to_string(s.what)} + ' ' + s.target + ' ' + s.reason + ' ' + s.since);
  return out;
}

// Writes a change of the list that the table has now.
inline moderation::write_result write_now(moderation::sanction_table& to,
                                          const moderation::sanction_change& change) {
  return to.write(change, after(to.read(), change));
}

inline void check_sanction_contract(const sanction_place& open) {
  using moderation::sanction;
  using kind = sanction::kind;
  using outcome = moderation::write_result::outcome;
  const auto table = open();
  const auto empty = table->read();
  CHECK(empty.all.empty());

  const sanction eve{kind::banned_name, "eve", "rude", "2026-01-02T03:04:05Z"};
  const sanction net{kind::banned_address, "192.0.2.0/24", "", ""};
  const sanction bob{kind::muted_name, "B\u00f6b", "\u201ctwo\u201d\nlines", ""};
  for (const auto& s : {eve, net, bob})
    CHECK(write_now(*table, {s, false}).what == outcome::written);
  const std::vector<std::string> all{"banned-name eve rude 2026-01-02T03:04:05Z",
                                     "banned-address 192.0.2.0/24  ",
                                     "muted-name B\u00f6b \u201ctwo\u201d\nlines "};
  CHECK(lines_of(table->read()) == all);
  CHECK(table->read().generation == empty.generation + 3);
  // A hub that starts later.
  CHECK(lines_of(open()->read()) == all);

  // The same name in another kind is another sanction; a repeated one is the latest.
  CHECK(write_now(*table, {{kind::muted_name, "eve", "", ""}, false}).what == outcome::written);
  CHECK(write_now(*table, {{kind::banned_name, "eve", "worse", ""}, false}).what ==
        outcome::written);
  CHECK(lines_of(open()->read()) ==
        std::vector<std::string>{all[1], all[2], "muted-name eve  ", "banned-name eve worse "});
  CHECK(write_now(*table, {net, true}).what == outcome::written);
  // A removal that is repeated.
  CHECK(write_now(*table, {net, true}).what == outcome::written);
  CHECK(lines_of(open()->read()) ==
        std::vector<std::string>{all[2], "muted-name eve  ", "banned-name eve worse "});

  // Decided on a list that is not the latest one.
  const std::vector<moderation::sanction_change> changes{{net, false}, {bob, true}};
  for (const auto& change : changes) {
    auto wrong = after(table->read(), change);
    for (const auto by : {-1, +1}) {
      wrong.generation += static_cast<std::uint64_t>(by);
      CHECK(table->write(change, wrong).what == outcome::outdated);
      wrong.generation -= static_cast<std::uint64_t>(by);
    }
  }
  CHECK(lines_of(table->read()).size() == 3);
  CHECK(lines_of(open()->read()).size() == 3);
}

}  // namespace gamehub::tests
