// Every bound of the hub in one place: the defaults, which settings move, and the hard maxima,
// which nothing moves. The assertions say what would break if a number were wrong.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Bytes of one line on a wire of lines.
inline constexpr std::size_t line_bytes_max = 64 * 1024;

// What a loop reads from one connection at once; also what a codec may keep unread while its
// connection is paused.
inline constexpr std::size_t read_bytes_max = 16 * 1024;

// What may wait for a client that does not read. Beyond it the client is dropped.
inline constexpr std::size_t outbox_bytes_max = 256 * 1024;

// Intents of one connection that may be unanswered; then it is not read from.
inline constexpr std::uint32_t intents_in_flight_max = 32;

// The longest a refusal can be: a line's move, escaped once more for its envelope, and words.
inline constexpr std::size_t refusal_bytes_max = 2 * line_bytes_max + 256;

// A client that reads must never look like a slow one because of a single answer.
static_assert(outbox_bytes_max > refusal_bytes_max);
// A connection must be able to hold one line that came in many reads.
static_assert(line_bytes_max >= read_bytes_max);

// A player's name, in bytes of UTF-8.
inline constexpr std::size_t name_bytes_max = 64;

// Of games over one connection (turns' max_games).
inline constexpr std::uint32_t games_per_player_max = 1'000;

// Engines that one player may wait for at once.
inline constexpr std::size_t seeks_per_player_max = 32;

// Games of one player that the house opens at once: it has time for all, so they begin in one go.
inline constexpr std::uint32_t house_games_max = 16;

// Threads on which the house thinks, time for one of its moves, and moves that may wait for a
// thread; beyond that the house plays at random.
inline constexpr int think_threads_max = 256;
inline constexpr milliseconds think_default{500};
inline constexpr milliseconds think_max{60'000};
inline constexpr std::size_t thoughts_waiting_max = 1'024;

// Connections and games of the whole hub: the defaults and the most that settings allow.
inline constexpr std::uint32_t connections_default = 20'000;
inline constexpr std::uint32_t connections_max = 1'000'000;
inline constexpr std::uint32_t games_default = 100'000;
inline constexpr std::uint32_t games_max = 1'000'000;

// From one address, which loopback is exempt from unless asked for.
inline constexpr std::uint32_t connections_per_address_default = 256;

inline constexpr int loops_max = 256;

// Engines of all versions, built in and plugins. Loops count by engine in blocks of this size.
inline constexpr std::size_t engines_max = 128;
// Plugins that are tried at once, each in a process of its own.
inline constexpr std::size_t plugin_trials_at_once = 4;

// A turn of a player, by default; zero in the settings is no clock.
inline constexpr seconds turn_default{120};
inline constexpr seconds turn_max{7 * 24 * 3600};

// A client that has asked for nothing, and one that neither plays nor waits.
inline constexpr seconds handshake_default{30};
inline constexpr seconds idle_default{600};

// How long a player without attachments keeps its games, where its wire can come back.
inline constexpr seconds grace_max{24 * 3600};

// After a restart, for the players of a game to come back; it ends without a result if they don't.
inline constexpr seconds rejoin_default{120};
inline constexpr seconds rejoin_max{24 * 3600};

// Games whose replay is announced, made and reported safe at once; one that takes the hub down is
// among so many suspects.
inline constexpr std::size_t replays_at_once = 1'024;
// A game that was replayed when the hub went down so many times is not replayed again.
inline constexpr int replay_suspicions_max = 2;

// The same two players are not paired again for this long, unless nobody else came.
inline constexpr milliseconds rematch_pause{1'000};

// What a client that was told to go gets to read the last words, before its socket is closed.
inline constexpr milliseconds linger_max{2'000};
inline constexpr std::size_t linger_bytes_max = 256 * 1024;

// Running games get this long to end after SIGTERM.
inline constexpr seconds drain_default{30};
inline constexpr seconds drain_max{3600};

// After the drain, for the last words to reach the clients.
inline constexpr seconds farewell_max{5};
static_assert(farewell_max > linger_max);

// One turn of a loop: handlers, then actors, each with a bound, so that neither starves the
// other and a flush is never far.
inline constexpr int handlers_per_turn_max = 128;
inline constexpr int actors_per_turn_max = 1'024;
inline constexpr std::size_t messages_per_resume_max = 64;

// A loop that has been in one turn for so long is not alive.
inline constexpr seconds stuck_after{10};

// A call into an engine, after which the watchdog says so.
inline constexpr milliseconds engine_slow_default{1'000};
inline constexpr milliseconds engine_slow_max{600'000};

// A move that was so long under way is written down, if not too many are.
inline constexpr milliseconds slow_move_default{250};
inline constexpr milliseconds slow_move_max{600'000};
inline constexpr int slow_moves_logged_a_second_max = 10;

// A call to an isolated engine, after which its process is ended; its memory; and its start.
inline constexpr milliseconds isolate_call_default{1'000};
inline constexpr milliseconds isolate_call_max{5'000};
inline constexpr std::uint64_t isolate_memory_mib_default = 512;
inline constexpr std::uint64_t isolate_memory_mib_min = 64;
inline constexpr std::uint64_t isolate_memory_mib_max = 1024 * 1024;
inline constexpr int isolate_files_max = 64;
inline constexpr seconds isolate_start{10};
// A loop that waits for an engine for as long as it may is alive.
static_assert(isolate_call_max < stuck_after);

// Pause of a listener that ran out of descriptors.
inline constexpr milliseconds accept_pause{100};

// Of a datagram so many bytes are read; and what its socket asks the kernel to keep for it, which
// is some thousand small ones: the kernel counts about 800 bytes for each.
inline constexpr std::size_t datagram_bytes_max = 16;
inline constexpr int datagram_buffer_bytes = 4 * 1024 * 1024;
// What one turn of a loop reads, in batches of one system call, before it answers.
inline constexpr int datagram_batches_per_turn_max = 8;
// How often the kernel is asked what it had no room for.
inline constexpr milliseconds datagram_drops_looked_at{1'000};

// Ended games that the memory journal keeps.
inline constexpr std::size_t memory_journal_ended_kept = 1'024;

// Records that a journal may have pending before loops stop reading, how few it must have before
// they go on, and how often they ask.
inline constexpr std::size_t journal_pending_max = 100'000;
inline constexpr std::size_t journal_pending_low = journal_pending_max / 2;
inline constexpr milliseconds journal_pause{20};

// Updates of a game that a loop keeps for those who watch there, while somebody does and for some
// time after; who is further behind gets them from the log.
inline constexpr std::size_t updates_kept_max = 1'024;
inline constexpr seconds unwatched_kept{30};

// What a player says at a table, and how often in one game.
inline constexpr std::size_t chat_bytes_max = 500;
inline constexpr std::uint16_t chats_per_game_max = 1'000;

// Requests of HTTP in a second, of one address and of one client.
inline constexpr std::uint32_t http_address_rate_default = 200;
inline constexpr std::uint32_t http_client_rate_default = 50;
inline constexpr std::uint32_t http_rate_max = 1'000'000;

// Guests of one game who are told of: by default, and the most that settings allow.
inline constexpr std::uint32_t guests_listed_default = 50;
inline constexpr std::uint32_t guests_listed_max = 500;

// Two versions of bots that have played do not meet again for so long, by default and at most; and
// games of one bot at once, in the arena.
inline constexpr seconds arena_repeat_default{3'600};
inline constexpr seconds arena_repeat_max{30 * 24 * 3'600};
inline constexpr std::uint32_t arena_games_per_bot_max = 32;

// What an operator may say when ending a game.
inline constexpr std::size_t end_note_bytes_max = 200;

// Bans and mutes. Each address that comes is held against all of them.
inline constexpr std::size_t sanctions_max = 1'000;

}  // namespace gamehub::limits
