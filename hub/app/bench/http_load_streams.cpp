// The players' streams: how the load of the HTTP wire opens them and hears of moves.
#include <cerrno>
#include <cstring>
#include <string>

#include "hub/app/bench/http_load.hpp"

namespace gamehub::app::bench {
namespace {

// So many streams may be unanswered at once: a hub's backlog is finite.
constexpr std::size_t streams_unanswered_max = 64;
constexpr std::size_t shown_bytes_max = 120;

bool part_of(board small, board large) {
  return (small.x & ~large.x) == 0 && (small.o & ~large.o) == 0;
}

}  // namespace

void http_load::open_streams() {
  while (!streams_wanted_.empty() && streams_unanswered_ < streams_unanswered_max) {
    const auto who = streams_wanted_.front();
    streams_wanted_.pop_front();
    auto& by = readers_[who];
    const auto* at = players_[who].at;
    if (at == nullptr) continue;
    by.asked = true;
    ++streams_unanswered_;
    append_reading(at->game, players_[who].id, by.out);
    if (by.fd < 0 && !sockets_.open(by))
      lost(by, std::strerror(errno));
    else
      sockets_.send(by);
  }
}

std::size_t http_load::hear_stream(reader& from, std::string_view bytes) {
  std::size_t used = 0;
  if (from.asked) {
    const auto head = read_head(bytes);
    if (!head) return 0;
    from.asked = false;
    --streams_unanswered_;
    if (head->status != 200 || !head->in_chunks) {
      give_up(players_[from.number].at, "a stream was answered by " + std::to_string(head->status));
      return bytes.size();
    }
    from.reading = true;
    from.shown = from.over = false;
    from.last = 0;
    from.seen = {};
    used = head->bytes;
  }
  while (from.fd >= 0 && from.reading) {
    const auto next = read_chunk(bytes.substr(used));
    if (!next) return used;
    if (next->wrong) {
      give_up(players_[from.number].at, "a stream came in chunks that are none");
      return bytes.size();
    }
    used += next->bytes;
    if (next->last)
      stream_ended(from);
    else
      hear_lines(from, next->text);
  }
  return used;
}

void http_load::hear_lines(reader& from, std::string_view lines) {
  while (from.fd >= 0 && !lines.empty()) {
    const auto end = lines.find('\n');
    // Nothing but a line's end keeps a quiet stream open.
    if (end > 0) hear_update(from, lines.substr(0, end));
    if (end == lines.npos) return;
    lines.remove_prefix(end + 1);
  }
}

void http_load::hear_update(reader& from, std::string_view line) {
  auto* const at = players_[from.number].at;
  if (at == nullptr) return;
  const auto told = read_update(line);
  if (!told) return give_up(at, "no update: " + std::string{line.substr(0, shown_bytes_max)});
  if (told->number != from.last + 1) return give_up(at, "updates have a gap");
  from.last = told->number;
  if (from.over) return give_up(at, "an update came after the end");
  switch (told->what) {
    case update_told::kind::status:
      if (from.shown || told->board != board{}) return give_up(at, "a game began with a mark");
      from.shown = true;
      if (++at->shown == 2) begin(*at);
      return;
    case update_told::kind::move: return hear_move(from, *told);
    case update_told::kind::end: from.over = true; return;
    case update_told::kind::other: return;
  }
}

void http_load::hear_move(reader& from, const update_told& told) {
  auto& t = *players_[from.number].at;
  const auto& after = told.board;
  if (after.moves() != from.seen.moves() + 1 || !part_of(from.seen, after) || !part_of(after, t.at))
    return give_up(&t, "a board was not that after the move");
  if (told.end != ending_of(after))
    return give_up(&t, "a game ended in another way than by its rules");
  from.seen = after;
  // The mover hears of it, too.
  const auto reads = t.players[after.x_to_move() ? 0 : 1];
  if (reads != from.number || after != t.at) return;
  ++counts_.moves;
  counts_.latency.add(sockets_.heard_at() - t.since);
  t.read = true;
  move_is_known(t);
}

void http_load::stream_ended(reader& from) {
  from.reading = false;
  auto* const at = players_[from.number].at;
  if (at == nullptr) return;
  if (!from.over && !leaving_) return give_up(at, "a stream ended before its game");
  ++at->closed;
  move_is_known(*at);
}

}  // namespace gamehub::app::bench
