#include "hub/journal/group_commit.hpp"

#include "hub/journal/encoding.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace gamehub::journal {

namespace {

// A buffer that grew beyond this in a burst is freed.
constexpr std::size_t buffer_bytes_max = 4 << 20;

// Bytes of the header and records of a game of a few moves: most logs never need a second block.
constexpr std::size_t log_bytes_usual = 240;

// The row of a game stays if the game is due that much later: it wakes early, and is looked at
// again.
constexpr std::chrono::milliseconds due_later_max{1'000}, due_rounding{5};

// Returns true if the row of `asleep` has all of a game that falls asleep.
bool has_row(const open_game& game, base::wall_time due) {
  if (!game.filed || game.filed->records != game.appended || game.touched_in != 0) return false;
  const auto never = base::wall_time::max();
  const auto row_due = game.filed->due;
  if (due == never || row_due == never) return due == row_due;
  return due - row_due >= -due_rounding && due - row_due <= due_later_max;
}

}  // namespace

void batch::clear() {
  if (bytes.capacity() > buffer_bytes_max) *this = batch{};
  bytes.clear();
  parts.clear();
  touches.clear();
  anchored.clear();
  copies.clear();
  suspicions.clear();
  replayed.clear();
  leaving.clear();
  woken.clear();
  records = 0;
  claims = false;
  free_below = 0;
}

void append_row(const batch& b, std::string& out) {
  using kind = batch_entry::kind;
  std::vector<record_number> next(b.touches.size());
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = b.touches[i].before + 1;
  std::string_view rest = b.bytes;
  for (const auto& p : b.parts) {
    const auto bytes = rest.substr(0, p.bytes);
    rest.remove_prefix(p.bytes);
    const auto& t = b.touches[p.touch];
    if (t.how != batch::closing::no) continue;
    if (p.records == 0) {
      append_entry({t.id, kind::header, 0, 0, bytes}, out);
      continue;
    }
    append_entry({t.id, kind::records, p.records, next[p.touch], bytes}, out);
    next[p.touch] += p.records;
  }
  for (const auto& t : b.touches)
    if (t.how != batch::closing::no && !t.opened_here)
      append_entry({t.id, kind::gone, 0, 0, {}}, out);
  for (const auto& c : b.copies)
    if (c.sleeps) append_entry({c.id, kind::gone, 0, 0, {}}, out);
}

void describe(const batch& b, std::string_view row, log_batch& out) {
  out.number = b.number;
  out.at = b.at;
  out.last = b.last;
  out.entries = row;
  out.sum = sum_of_batch(b.number, b.at, b.last, row);
  out.ended.clear();
  out.kept.clear();
  out.released.clear();
  out.asleep.clear();
  for (const auto& t : b.touches) {
    if (t.how == batch::closing::ended)
      out.ended.push_back({t.id, t.ended, t.last, t.game->log, t.was_kept});
    else if (t.how == batch::closing::quarantined)
      out.kept.push_back({t.id, t.last, t.game->log, t.why});
    else if (t.how == batch::closing::released)
      out.released.push_back(
          {t.id, t.last, t.game->log, t.was_kept, t.suspected, t.keys, t.own_keys});
  }
  for (const auto& c : b.copies)
    if (c.sleeps)
      out.asleep.push_back({c.id, c.records, c.log, &c.sleeps->entry, c.was_kept, c.was_filed});
    else
      out.kept.push_back({c.id, c.records, c.log, std::nullopt});
  out.woken.assign(b.woken.begin(), b.woken.end());
  out.suspicions.assign(b.suspicions.begin(), b.suspicions.end());
  out.free_below = b.free_below;
}

// The table is allocated at the start: a rehash under the lock would delay the loops.
group_commit_buffer::group_commit_buffer(const writer_tuning& t) : tuning_(t) {
  games_.reserve(limits::games_default);
}

void group_commit_buffer::load(open_game_recovery& found, std::uint64_t asleep) {
  asleep_ = asleep;
  pending_.last = found.last;
  pending_.at = found.last_written;
  pending_.number = found.batches.empty() ? 1 : found.batches.back().number + 1;
  for (const auto& b : found.batches) {
    redo_.push_back({b.number, b.bytes, 0, {}});
    redo_bytes_ += b.bytes;
  }
  for (auto& [id, log] : found.games) {
    if (log.quarantined) continue;
    auto& game = games_[id];
    game.log = std::move(log.bytes);
    game.appended = log.records;
    game.committed = log.records;
    game.kept = log.kept;
    game.anchor = log.anchor;
    game.filed = log.filed;
    if (log.anchor == 0) continue;
    auto& in = redo_[log.anchor - redo_.front().number];
    ++in.open;
    in.anchored.push_back(id);
  }
}

std::vector<game_header> group_commit_buffer::adopt(open_game_recovery& found) {
  std::vector<game_header> all;
  for (auto& [id, log] : found.games) {
    if (log.quarantined) continue;
    const auto [at, is_new] = games_.try_emplace(id);
    if (!is_new) continue;
    auto& game = at->second;
    game.log = std::move(log.bytes);
    game.appended = log.records;
    game.committed = log.records;
    game.adopted = true;
    std::string_view bytes = game.log;
    auto header = take_header(bytes);
    if (log.damage || !header)
      quarantine(id, log.damage.value_or("its header can't be read"));
    else
      all.push_back(*std::move(header));
  }
  return all;
}

bool group_commit_buffer::has_adopted() const {
  return std::any_of(games_.begin(), games_.end(), [](const auto& g) { return g.second.adopted; });
}

void group_commit_buffer::open(const game_header& header) {
  const auto [at, is_new] = games_.try_emplace(header.id);
  if (!is_new) throw std::logic_error{"journal: a game's number was used before"};
  auto& game = at->second;
  game.log.reserve(log_bytes_usual);
  append_encoded(header, game.log);
  if (header.id > pending_.last.game) pending_.last.game = header.id;
}

// Called with the first records, so that the file never has a game without records.
void group_commit_buffer::write_header(game_id id, open_game& game) {
  touch(id, game).opened_here = true;
  pending_.parts.push_back({game.touched_at, 0, game.log.size()});
  pending_.bytes.append(game.log);
}

record_number group_commit_buffer::append(game_id id, std::span<const record> added,
                                          commit_listener& listener) {
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.closed)
    throw std::logic_error{"journal: a record of a game that is not open"};
  auto& game = at->second;
  if (game.leaving) throw std::logic_error{"journal: a record of a game that falls asleep"};
  if (added.empty()) return game.committed.load(std::memory_order_relaxed);
  auto next = game.appended;
  for (const auto& r : added)
    if (r.number != ++next || (r.what == record::kind::ended && &r != &added.back()))
      throw std::logic_error{"journal: a record out of order"};

  if (game.appended == 0) write_header(id, game);
  auto& t = touch(id, game);
  if (game.anchor == 0) {
    game.anchor = pending_.number;
    pending_.anchored.push_back(id);
  }
  const auto before = game.log.size();
  for (const auto& r : added) {
    append_encoded(r, game.log);
    pending_.at = std::max(pending_.at, r.at);
    if (r.what == record::kind::joined)
      pending_.last.player =
          std::max(pending_.last.player, player_id{static_cast<std::uint64_t>(r.action)});
  }
  const auto bytes = std::string_view{game.log}.substr(before);
  pending_.bytes.append(bytes);
  pending_.parts.push_back(
      {game.touched_at, static_cast<std::uint32_t>(added.size()), bytes.size()});
  pending_.records += added.size();
  game.appended = next;
  t.listener = &listener;
  t.last = next;
  if (added.back().what == record::kind::ended) {
    game.closed = true;
    t.how = batch::closing::ended;
    t.ended = added.back().at;
  }
  return game.committed.load(std::memory_order_relaxed);
}

void group_commit_buffer::suspect(std::span<const game_id> list, bool announced) {
  for (const auto id : list) pending_.suspicions.push_back({id, announced});
  if (!announced) pending_.replayed.insert(pending_.replayed.end(), list.begin(), list.end());
}

bool group_commit_buffer::announce_move(game_id id, commit_listener& listener) {
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.closed) return false;
  touch(id, at->second).listener = &listener;
  pending_.suspicions.push_back({id, true});
  return true;
}

void group_commit_buffer::claim(game_id upto) {
  if (upto <= pending_.last.game) return;
  pending_.last.game = upto;
  pending_.claims = true;
}

bool group_commit_buffer::quarantine(game_id id, const std::string& why) {
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.closed || at->second.leaving) return false;
  auto& t = touch(id, at->second);
  at->second.closed = true;
  t.how = batch::closing::quarantined;
  t.why = why;
  return true;
}

batch::touch* group_commit_buffer::close_released(game_id id) {
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.closed || at->second.adopted) return nullptr;
  auto& t = touch(id, at->second);
  at->second.closed = true;
  t.how = batch::closing::released;
  return &t;
}

bool group_commit_buffer::hand_over(const handed_game& g) {
  auto* const t = close_released(g.id);
  if (t == nullptr) return false;
  t->listener = g.listener;
  t->keys = g.keys;
  t->own_keys = true;
  return true;
}

bool group_commit_buffer::hand_over_unplayed(game_id id, bool suspected,
                                             std::vector<std::string> keys) {
  auto* const t = close_released(id);
  if (t == nullptr) return false;
  t->suspected = suspected;
  t->keys = std::move(keys);
  if (suspected) pending_.suspicions.push_back({id, false});
  return true;
}

group_commit_buffer::sleeping group_commit_buffer::put_to_sleep(
    std::shared_ptr<const sleep_request> what) {
  const auto id = what->entry.id;
  const auto at = games_.find(id);
  if (at == games_.end() || at->second.closed || at->second.adopted || at->second.leaving)
    return sleeping::no;
  auto& game = at->second;
  if (has_row(game, what->entry.due)) {
    games_.erase(at);
    ++asleep_;
    return sleeping::now;
  }
  game.leaving = std::move(what);
  pending_.leaving.push_back(id);
  return sleeping::soon;
}

bool group_commit_buffer::stay_awake(game_id id) {
  const auto at = games_.find(id);
  if (at == games_.end()) return false;
  auto& game = at->second;
  if (tuning_.shares_sleepers && game.leaving && game.left_in != 0) return false;
  game.leaving = nullptr;
  return true;
}

void group_commit_buffer::wake(game_id id, log_store::sleeping_log log) {
  const auto [at, is_new] = games_.try_emplace(id);
  if (!is_new) return;
  auto& game = at->second;
  game.log = std::move(log.bytes);
  game.appended = log.records;
  game.committed = log.records;
  game.filed = {log.records, log.due};
  --asleep_;
}

bool group_commit_buffer::take(game_id id, const log_store::sleeping_log& log) {
  const auto [at, is_new] = games_.try_emplace(id);
  auto& game = at->second;
  // The batch that has it asleep is committed, and finish_commit() is about to remove it.
  const bool has_just_left = game.leaving && game.left_in != 0;
  if (!is_new && !has_just_left) return false;
  game.leaving = nullptr;
  game.left_in = 0;
  game.kept = true;
  if (!is_new) return true;
  game.log = log.bytes;
  game.appended = log.records;
  game.committed = log.records;
  return true;
}

std::optional<group_commit_buffer::committed_log> group_commit_buffer::read(game_id id) const {
  const auto at = games_.find(id);
  if (at == games_.end()) return std::nullopt;
  const auto& game = at->second;
  return committed_log{game.log, game.committed.load(std::memory_order_acquire), game.appended};
}

std::vector<game_header> group_commit_buffer::headers() const {
  std::vector<game_header> found;
  found.reserve(games_.size());
  for (const auto& [id, game] : games_) {
    std::string_view bytes = game.log;
    if (game.closed) continue;
    if (auto h = take_header(bytes)) found.push_back(std::move(*h));
  }
  return found;
}

batch::touch& group_commit_buffer::touch(game_id id, open_game& game) {
  if (game.touched_in != pending_.number) {
    game.touched_in = pending_.number;
    game.touched_at = static_cast<std::uint32_t>(pending_.touches.size());
    pending_.touches.push_back({});
    auto& t = pending_.touches.back();
    t.id = id;
    t.game = &game;
    t.before = t.last = game.appended;
  }
  return pending_.touches[game.touched_at];
}

void group_commit_buffer::take(batch& out) {
  std::swap(out, pending_);
  pending_.number = out.number + 1;
  pending_.last = out.last;
  pending_.at = out.at;
  for (auto& t : out.touches) {
    if (t.how == batch::closing::no) continue;
    t.anchor = t.game->anchor;
    t.was_kept = t.game->kept;
    if (t.game->filed) out.woken.push_back(t.id);
  }
  own_adopted(out);
  store_leaving(out);
  retain_oldest(out);
  free_oldest(out);
}

// What another member's log has is deleted once this log has it.
void group_commit_buffer::own_adopted(batch& out) {
  const auto own = [&](game_id id) {
    const auto at = games_.find(id);
    if (at == games_.end() || !std::exchange(at->second.adopted, false)) return;
    auto& game = at->second;
    if (game.closed) return;  // this batch has its log anyway
    out.copies.push_back({id, game.log, game.appended, 0});
    game.kept = true;
    if (game.anchor != out.number) return;
    game.anchor = 0;
    std::erase(out.anchored, id);
  };
  for (const auto& t : out.touches) own(t.id);
  for (const auto id : out.replayed) own(id);
}

// Bounded in one transaction, because the commits of moves wait for it. The rest is for the next.
void group_commit_buffer::store_leaving(batch& out) {
  const auto copies_max = out.copies.size() + tuning_.kept_per_transaction_max;
  bool anchored_here = false;
  std::size_t done = 0;
  for (; done < out.leaving.size() && out.copies.size() < copies_max; ++done) {
    const auto at = games_.find(out.leaving[done]);
    // One that was brought back and fell asleep again is there twice.
    if (at == games_.end() || at->second.closed || !at->second.leaving ||
        std::exchange(at->second.left_in, out.number) == out.number)
      continue;
    auto& game = at->second;
    const bool here = game.anchor == out.number;
    anchored_here |= here;
    out.copies.push_back({at->first, game.log, game.appended, here ? 0 : game.anchor, game.leaving,
                          std::exchange(game.kept, false),
                          std::exchange(game.filed, std::nullopt).has_value()});
    game.anchor = 0;
  }
  pending_.leaving.assign(out.leaving.begin() + static_cast<std::ptrdiff_t>(done),
                          out.leaving.end());
  if (anchored_here)
    std::erase_if(out.anchored, [this, &out](game_id id) {
      const auto at = games_.find(id);
      return at != games_.end() && at->second.anchor != out.number;
    });
}

void group_commit_buffer::retain_oldest(batch& out) {
  // At least as many as the batch has games, or batches could grow faster than they are freed.
  const auto copies_max = std::max(tuning_.kept_per_transaction_max, out.touches.size());
  auto left = redo_bytes_;
  for (auto& oldest : redo_) {
    if (left <= tuning_.redo_bytes_max || !retain(oldest, copies_max, out)) return;
    left -= oldest.bytes;
  }
}

// Returns true if all games of the batch have another row after this transaction.
bool group_commit_buffer::retain(redo_batch& oldest, std::size_t copies_max, batch& out) {
  for (; !oldest.anchored.empty(); oldest.anchored.pop_back()) {
    const auto id = oldest.anchored.back();
    const auto at = games_.find(id);
    if (at == games_.end()) continue;
    auto& game = at->second;
    if (game.anchor != oldest.number || game.closed) continue;
    if (out.copies.size() >= copies_max) return false;
    // The lock is held since the swap: the batch has all records of the log.
    out.copies.push_back({id, game.log, game.appended, game.anchor});
    game.anchor = 0;
    game.kept = true;
  }
  return true;
}

void group_commit_buffer::free_oldest(batch& out) {
  std::uint64_t freed = 0;
  auto end = redo_.begin();
  for (; redo_.end() - end > 1 && end->open == 0 && freed < tuning_.freed_per_transaction_max;
       ++end)
    freed += end->bytes;
  if (end == redo_.begin() || freed < tuning_.freed_per_transaction_min) return;
  out.free_below = end->number;
  redo_.erase(redo_.begin(), end);
  redo_bytes_ -= freed;
}

void group_commit_buffer::release(batch_number anchor) {
  if (anchor == 0 || redo_.empty() || anchor < redo_.front().number) return;
  --redo_[anchor - redo_.front().number].open;
}

void group_commit_buffer::mark_committed(const batch& b) {
  for (const auto& t : b.touches) t.game->committed.store(t.last, std::memory_order_release);
}

void group_commit_buffer::finish_commit(const batch& b, std::uint64_t row_bytes,
                                        std::vector<games::node_type>& removed,
                                        slept_games& slept) {
  redo_.push_back({b.number, row_bytes, b.anchored.size(), b.anchored});
  redo_bytes_ += row_bytes;
  for (const auto& c : b.copies) {
    release(c.released);
    if (!c.sleeps) continue;
    const auto at = games_.find(c.id);
    if (at->second.leaving == c.sleeps) {
      removed.push_back(games_.extract(at));
      slept.push_back(c.sleeps);
      if (!tuning_.shares_sleepers) ++asleep_;
    } else if (!tuning_.shares_sleepers) {
      // It was brought back meanwhile.
      at->second.filed = {c.records, c.sleeps->entry.due};
    }
  }
  for (const auto& t : b.touches) {
    if (t.game->touched_in == b.number) t.game->touched_in = 0;
    if (t.how == batch::closing::no) continue;
    release(t.anchor);
    removed.push_back(games_.extract(t.id));
  }
}

std::optional<game_log> log_of(std::string_view log, record_number upto) {
  auto header = take_header(log);
  if (!header || upto == 0) return std::nullopt;
  game_log found{*std::move(header), {}};
  for (record_number n = 1; n <= upto; ++n) {
    auto r = take_record(log, n);
    if (!r) return std::nullopt;
    found.records.push_back(*std::move(r));
  }
  return found;
}

std::vector<record> records_of(std::string_view log, record_number upto, record_number after) {
  std::vector<record> found;
  if (after >= upto || !take_header(log)) return found;
  for (record_number n = 1; n <= upto; ++n) {
    auto r = take_record(log, n);
    if (!r) break;
    if (n > after) found.push_back(std::move(*r));
  }
  return found;
}

}  // namespace gamehub::journal
