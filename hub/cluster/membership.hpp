// Keeps this hub a member of a cluster: one thread beats and reads the heartbeats of the others, a
// second one carries out one adoption at a time, so that who takes over games goes on beating. A
// hub beats when its journal is open, and adopts others when it can have games. Owned by the
// composition; any thread after construction.
#pragma once

#include "hub/cluster/member_table.hpp"
#include "hub/cluster/member_watch.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::cluster {

// What membership calls. `games` and `adopt` may throw: that counts as a failure.
struct member_actions {
  // Returns the number of open games. Called on the beating thread.
  std::function<std::uint64_t()> games;
  // Returns the engines that this hub has, as journal::engine_name() has them. Called as `games`;
  // may be empty.
  std::function<std::set<std::string>()> engines = {};
  // Adopts a member and takes its games over. Called on the adopting thread; may take long. As long
  // as the rows show something to adopt, it is called again.
  std::function<void(member_id)> adopt;
  // Another member has adopted this one. Called once, on the beating thread, which then ends.
  std::function<void()> on_fenced;
  // A beat or an adoption failed (with the reason), or beats succeed again (empty). Called on both
  // threads.
  std::function<void(const std::string& why)> on_trouble;
  // A beat was answered with these rows. Called on the beating thread; may be empty.
  std::function<void(const std::vector<member_row>&)> on_rows = {};
};

struct member_state {
  member_row row;
  std::chrono::milliseconds silent_for{0};  // since its beats grew, as this member saw it
};

class membership {
 public:
  membership(std::unique_ptr<member_table>, member_id self, member_actions,
             const watch_tuning& = {});
  // Ends both threads, after an adoption that is under way.
  ~membership();
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;

  // Begins the heartbeats. No member is adopted yet.
  void start();
  // Adopts members from now on, and beats at once if it beats at all. Has no effect after
  // stop_adopting().
  void start_adopting();
  // Adopts no member from now on, for a hub that drains. Waits for nothing.
  void stop_adopting() { adopts_ = adoptions::over; }
  // Ends both threads.
  void stop();
  // Says that this member has ended. Called after stop(), once nothing is appended any more. Throws
  // nothing that a database can cause; returns false if the others were not told.
  bool leave();

  // The link to a member broke, or works again. Counts from the next beat on.
  void on_link_broken(member_id who) { note_link(who, true); }
  void on_link_up(member_id who) { note_link(who, false); }

  // Returns the members as of the latest successful beat.
  std::vector<member_state> members(base::instant now) const;
  // Returns how many other members live, as of that beat.
  std::size_t others() const;

  // Returns true if a member may have died whose players are at no hub yet: one that has not beaten
  // after this time, or whose games are being taken over, here or elsewhere.
  bool may_take_over(base::instant since) const;

  // One beat and its decision. Returns false if this member is fenced. Public for tests.
  bool step(base::instant sent, const std::function<base::instant()>& now);
  // Carries out the adoption that a beat has decided. Returns false if no beat did. Public for
  // tests.
  bool adopt_next();
  // Returns true if an adoption is decided or under way.
  bool adopting() const;

 private:
  enum class adoptions : std::uint8_t { later, now, over };

  void run();
  void run_adoptions();
  void adopt_now(member_id);
  void note_link(member_id, bool broken);
  void take_links();
  void note(const std::vector<member_row>&, base::instant sent, base::instant now);

  const std::unique_ptr<member_table> table_;
  const member_id self_;
  const member_actions actions_;
  const watch_tuning tuning_;
  member_watch watch_;       // of the beating thread
  bool in_trouble_ = false;  // of the beating thread
  std::atomic<adoptions> adopts_{adoptions::later};

  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::condition_variable changed_;
  std::vector<member_row> rows_;
  struct growth {
    std::uint64_t beats = 0;
    base::instant at{};     // when a read showed it
    base::instant after{};  // when the read before was sent: the beat itself came after that
  };
  base::instant last_sent_{};
  std::map<member_id, growth> grew_;
  std::optional<member_id> adopting_;
  std::map<member_id, bool> links_;  // since the latest beat: broken, or up
  bool beats_at_once_ = false;
  bool stopping_ = false;

  std::thread beats_, adoptions_;
};

}  // namespace gamehub::cluster
