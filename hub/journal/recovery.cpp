#include "hub/journal/recovery.hpp"

#include "hub/journal/encoding.hpp"

namespace gamehub::journal {

namespace {

// Odd, so that each step is invertible: two different words never give the same sum. The constant
// is the first multiplier of SplitMix64.
constexpr std::uint64_t factor = 0xbf58476d1ce4e5b9;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * factor;
  return sum ^ (sum >> 29);
}

std::uint64_t word_at(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i)
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

}  // namespace

std::int64_t sum_of(std::initializer_list<std::uint64_t> numbers, std::string_view bytes) {
  std::uint64_t sum = bytes.size();
  for (const auto n : numbers) sum = mixed(sum, n);
  while (bytes.size() >= 8) {
    sum = mixed(sum, word_at(bytes.data(), 8));
    bytes.remove_prefix(8);
  }
  if (!bytes.empty()) sum = mixed(sum, word_at(bytes.data(), bytes.size()));
  return static_cast<std::int64_t>(sum);
}

void append_entry(const batch_entry& e, std::string& out) {
  append_varint(e.game.value, out);
  append_varint(e.count << 2 | static_cast<std::uint64_t>(e.what), out);
  append_varint(e.first, out);
  append_varint(e.bytes.size(), out);
  out.append(e.bytes);
}

std::optional<batch_entry> take_entry(std::string_view& bytes) {
  batch_entry e;
  std::uint64_t kind_and_count = 0, size = 0;
  if (!take_varint(bytes, e.game.value) || !take_varint(bytes, kind_and_count) ||
      !take_varint(bytes, e.first) || !take_varint(bytes, size) || size > bytes.size())
    return std::nullopt;
  const auto what = kind_and_count & 3;
  if (what > static_cast<std::uint64_t>(batch_entry::kind::gone)) return std::nullopt;
  e.what = static_cast<batch_entry::kind>(what);
  e.count = kind_and_count >> 2;
  e.bytes = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return e;
}

namespace {

std::uint64_t number_of(base::wall_time at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

}  // namespace

open_log& recovery::add_row(const kept_row& row, open_game_recovery& to) {
  open_log log;
  log.filed = row.filed;
  log.records = row.records;
  log.bytes = row.log;
  log.quarantined = row.quarantined;
  if (checksum_of_retained(row.id, row.records, row.log) != row.sum)
    log.damage = "its log does not agree with its sum";
  if (row.id > to.last.game) to.last.game = row.id;
  return to.games.emplace(row.id, std::move(log)).first->second;
}

void recovery::add_kept(const kept_row& row) { add_row(row, all_).kept = true; }

open_game_recovery recovery::finish(const std::function<bool(game_id)>& has_ended,
                                    const row_finder& find_asleep) {
  for (const auto& [id, parts] : headless_) {
    const auto row = find_asleep ? find_asleep(id) : std::nullopt;
    if (row) {
      add_row(*row, all_);
      for (const auto& p : parts) {
        number_ = p.batch;
        apply_records({id, batch_entry::kind::records, p.count, p.first, p.bytes});
      }
    } else if (!has_ended(id)) {
      note_damage("the beginning of game " + std::to_string(id.value) + " is missing");
    }
  }
  return std::move(all_);
}

void recovery::add_batch(const batch_row& row) {
  number_ = row.number;
  if (!all_.batches.empty() && all_.batches.back().number + 1 != number_)
    note_damage("batch " + std::to_string(all_.batches.back().number + 1) + " is missing");
  all_.batches.push_back({number_, row.bytes.size()});
  if (sum_of_batch(number_, row.at, row.last, row.bytes) != row.sum)
    return note_damage("batch " + std::to_string(number_) + " does not agree with its sum");
  all_.last = row.last;
  all_.last_written = row.at;
  apply_entries(row.bytes);
}

void recovery::note_damage(std::string what) {
  if (!all_.damage) all_.damage = std::move(what);
}

void recovery::apply_entries(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto e = take_entry(bytes);
    if (!e) return note_damage("batch " + std::to_string(number_) + " can't be read");
    apply(*e);
  }
}

void recovery::apply(const batch_entry& e) {
  switch (e.what) {
    case batch_entry::kind::header: {
      const auto [at, is_new] = all_.games.try_emplace(e.game);
      if (!is_new) return;  // a row of `kept` has it
      at->second.bytes = e.bytes;
      at->second.anchor = number_;
      return;
    }
    case batch_entry::kind::records: return apply_records(e);
    case batch_entry::kind::gone:
      headless_.erase(e.game);
      // A row of `kept` is deleted with the batch that says so. One that is there is newer: the
      // game is in quarantine, or was handed over and has come back.
      if (const auto at = all_.games.find(e.game); at != all_.games.end() && !at->second.kept)
        all_.games.erase(at);
      return;
  }
}

void recovery::apply_records(const batch_entry& e) {
  const auto at = all_.games.find(e.game);
  if (at == all_.games.end()) {
    headless_[e.game].push_back({number_, e.count, e.first, std::string{e.bytes}});
    return;
  }
  auto& log = at->second;
  const auto last = e.first + e.count - 1;
  if (last <= log.records) return;  // a row of `kept` has them
  if (e.first != log.records + 1 && !log.damage)
    log.damage = "records " + std::to_string(log.records + 1) + " to " +
                 std::to_string(e.first - 1) + " are missing";
  log.bytes.append(e.bytes);
  log.records = last;
  if (log.anchor == 0) log.anchor = number_;
}

std::int64_t checksum_of_retained(game_id id, record_number records, std::string_view log) {
  return sum_of({id.value, records}, log);
}

std::int64_t sum_of_batch(batch_number number, base::wall_time at, const journal::numbers& last,
                          std::string_view bytes) {
  return sum_of({number, number_of(at), last.game.value, last.player.value}, bytes);
}

std::int64_t sum_of_ended(game_id id, base::wall_time ended, record_number records,
                          std::string_view log) {
  return sum_of({id.value, number_of(ended), records}, log);
}

}  // namespace gamehub::journal
