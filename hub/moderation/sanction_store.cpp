#include "hub/moderation/sanction_store.hpp"

#include "hub/base/address.hpp"

#include <exception>
#include <string>
#include <utility>

namespace gamehub::moderation {
namespace {

using kind = sanction::kind;
using outcome = write_result::outcome;

// Tries of one change, of which each after the first follows a change by another hub or an unknown
// outcome.
constexpr int tries_max = 5;

[[noreturn]] void refuse(const std::string& why, bool uncertain) {
  throw not_changed{uncertain ? "the database did not answer (" + why +
                                    "), so it is not known whether this was done: repeat the "
                                    "command when it can"
                              : "the database can't be used (" + why +
                                    "), so nothing was done, and what was in force stays: repeat "
                                    "the command when it can"};
}

}  // namespace

sanction_store::sanction_store(std::unique_ptr<sanction_table> table, ban_list& bans)
    : table_(std::move(table)), bans_(bans) {
  refresh();
}

void sanction_store::add(sanction s) { carry_out({std::move(s), false}); }

bool sanction_store::remove(kind what, std::string_view target) {
  return carry_out({{what, std::string{target}, {}, {}}, true});
}

void sanction_store::refresh() { apply(table_->read()); }

bool sanction_store::carry_out(const sanction_change& change) {
  bool uncertain = false;
  std::string why = "other hubs change the list at the same moment";
  for (int tries = 0; tries < tries_max; ++tries) {
    sanction_list now;
    try {
      now = table_->read();
    } catch (const std::exception& e) {
      refuse(e.what(), uncertain);
    }
    // After an unknown outcome it is written again even if it is there already: only then a standby
    // has it.
    if (change.removes && !uncertain && !contains(now, change.what.what, change.what.target)) {
      apply(std::move(now));
      return false;
    }
    auto then = after(now, change);
    auto result = table_->write(change, then);
    switch (result.what) {
      case outcome::written: apply(std::move(then)); return true;
      case outcome::not_kept:
        apply(std::move(then));
        throw not_stored{"this holds until the hub stops, but " + result.why +
                         ": repeat the command when it can"};
      case outcome::outdated: break;
      case outcome::unknown:
        uncertain = true;
        why = std::move(result.why);
        break;
    }
  }
  refuse(why, uncertain);
}

void sanction_store::apply(sanction_list to) {
  moderation_list list;
  for (const auto& each : to.all) {
    switch (each.what) {
      case kind::banned_name: list.banned_names.insert(each.target); break;
      case kind::muted_name: list.muted_names.insert(each.target); break;
      case kind::banned_address:
        list.banned_addresses.push_back(*base::read_network(each.target));
        break;
    }
  }
  bans_.set(std::move(list));
  const std::lock_guard lock{mutex_};
  list_ = std::move(to);
}

std::vector<sanction> sanction_store::all() const {
  const std::lock_guard lock{mutex_};
  return list_.all;
}

std::uint64_t sanction_store::generation() const {
  const std::lock_guard lock{mutex_};
  return list_.generation;
}

}  // namespace gamehub::moderation
