// A table of bans and mutes in memory that several stores share, with the failures of a database.
// One thread.
#pragma once

#include "hub/moderation/sanction_table.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace gamehub::tests {

struct shared_sanctions {
  moderation::sanction_list list;
  bool away = false;
  int reads = 0;
  // Of the next write: nothing: it succeeds. Otherwise no answer comes, and the change was carried
  // out (true), or is executed later by late() (false).
  std::optional<bool> unanswered;
  std::function<void()> before_write = [] {};
  std::function<void()> late = [] {};
};

class fake_sanctions final : public moderation::sanction_table {
 public:
  using outcome = moderation::write_result::outcome;

  explicit fake_sanctions(shared_sanctions& in) : in_(in) {}

  moderation::sanction_list read() override {
    if (in_.away) throw std::runtime_error{"no database"};
    ++in_.reads;
    return in_.list;
  }

  moderation::write_result write(const moderation::sanction_change&,
                                 const moderation::sanction_list& after) override {
    std::exchange(in_.before_write, [] {})();
    if (in_.away) return {outcome::unknown, "no database"};
    const auto execute = [this, after] {
      if (after.generation != in_.list.generation + 1) return false;
      in_.list = after;
      return true;
    };
    if (const auto done = std::exchange(in_.unanswered, std::nullopt)) {
      if (*done)
        execute();
      else
        in_.late = [execute] { execute(); };
      return {outcome::unknown, "no answer"};
    }
    return {execute() ? outcome::written : outcome::outdated, {}};
  }

 private:
  shared_sanctions& in_;
};

}  // namespace gamehub::tests
