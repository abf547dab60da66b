// Decides which members of a cluster seem dead, and when this one adopts one of them. It judges by
// its own reads of the heartbeats and its own monotonic clock, so clocks are never compared. A
// wrong decision costs only time: an adopted member can't append any more. A plain value without
// threads; owned by membership.
#pragma once

#include "hub/base/time.hpp"
#include "hub/cluster/member_table.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <span>

namespace gamehub::cluster {

struct watch_tuning {
  // The time between two beats. Reads that follow each other sooner count as one.
  std::chrono::milliseconds interval{250};
  // A member seems dead if its beats did not grow over this many reads.
  int silent_reads = 4;
  // And over this many, if the link to it broke after it had last beaten.
  int silent_reads_without_link = 2;
  // The least loaded member adopts at once, each next one this much later.
  std::chrono::milliseconds rank_delay{250};
  // After a failure of the database all members beat again before one of them is adopted.
  std::chrono::milliseconds outage_pause{2'000};
};

// Returns true if no member that lives has an engine for the games that this one left.
bool waits_for_engine(const member_row& left, std::span<const member_row>);

class member_watch {
 public:
  explicit member_watch(member_id self, const watch_tuning& = {});

  struct decision {
    bool fenced = false;  // another member has adopted this one
    std::optional<member_id> adopt;
  };

  // Takes the rows of a beat that was sent and answered at these times. `may_adopt`: this member
  // could adopt another one now.
  decision on_rows(base::instant sent, base::instant answered, std::span<const member_row>,
                   bool may_adopt);

  // A beat failed: nothing that was seen before counts.
  void on_failure();

  // The link to a member broke, or works again. A broken link alone means nothing: it counts until
  // a beat shows that the member lives.
  void on_link_broken(member_id);
  void on_link_up(member_id);

 private:
  enum class link : std::uint8_t {
    unknown,  // it works, or the member has beaten since it broke
    broken,   // since the last read
    missing,  // since before the last read
  };
  struct seen {
    std::uint64_t beats = 0;
    int silent = 0;
    std::optional<base::instant> dead_since;
    link its_link = link::unknown;
  };

  void restart_counts();
  void note(const member_row&, base::instant now, bool counts);
  bool is_silent(const seen&) const;
  std::optional<member_id> choose(base::instant now, std::span<const member_row>) const;
  int rank(const member_row& self, const member_row& dead, std::span<const member_row>) const;

  const member_id self_;
  const watch_tuning tuning_;
  std::map<member_id, seen> members_;
  std::optional<base::instant> last_answer_;  // of the latest read
  std::optional<base::instant> last_counted_;
  base::instant quiet_until_{};
  bool failed_ = false;
};

}  // namespace gamehub::cluster
