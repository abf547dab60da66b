// The limits of the hub's domain: defaults, which settings change, and hard maxima, which nothing
// changes. The assertions name what breaks if a number is wrong. Constants; any thread. Unless a
// comment names another source, a value is a choice of the project. Protocols keep limits of their
// own beside their code.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gamehub::limits {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Bytes of one line of a line-based protocol.
inline constexpr std::size_t line_bytes_max = 64 * 1024;

// Bytes that a loop reads from one connection at once. A codec may also keep this many bytes unread
// while its connection is paused.
inline constexpr std::size_t read_bytes_max = 16 * 1024;

// Output bytes queued for a client that does not read. Beyond this the client is disconnected.
inline constexpr std::size_t outbox_bytes_max = 256 * 1024;

// Output from which one iteration of a loop sends that of one client only, behind all shorter ones:
// to a client that does not read, the system takes up to a millisecond for it.
inline constexpr std::size_t long_outbox_bytes = 16 * 1024;

// Times of one iteration of a loop for HTTP requests, most of which take 0.02 ms, and for parts of
// long work. Further ones wait for the next iterations. A move waits for three iterations: before
// it is read, for its commit, and for the opponent's answer.
inline constexpr std::chrono::microseconds request_time_of_iteration{100};
inline constexpr std::chrono::microseconds part_time_of_iteration{100};

// Unanswered intents of one connection. At this number the connection is not read any more.
inline constexpr std::uint32_t intents_in_flight_max = 32;

// Refusals in a row after which a connection is slowed down: from then on it has one unanswered
// intent at a time, and is not read for this pause after each refusal. An intent that is carried
// out ends it. A client that tries moves at random is far below: 361 cells are the largest board.
inline constexpr std::uint16_t refusals_in_row_max = 1'000;
inline constexpr milliseconds refusal_pause{500};

// Bytes of the list of legal actions that a prompt or a refusal has, before it is escaped.
inline constexpr std::size_t action_list_bytes_max = 24 * 1024;

// The longest refusal: the move of one line, escaped once more for its envelope, and the text.
inline constexpr std::size_t refusal_bytes_max = 2 * line_bytes_max + 256;

// One answer alone must never make a client look slow. Each byte of a list may be escaped.
static_assert(outbox_bytes_max > refusal_bytes_max + 2 * action_list_bytes_max);
// A connection must be able to hold one line that arrives in several reads.
static_assert(line_bytes_max >= read_bytes_max);

// A player's name, in bytes of UTF-8.
inline constexpr std::size_t name_bytes_max = 64;

// Renames of one player in this time, and the names that it may have had: all of them count for
// bans and mutes.
inline constexpr std::size_t renames_max = 3;
inline constexpr seconds renames_in{60};
inline constexpr std::uint32_t renames_per_player_max = 100;
inline constexpr std::size_t names_per_player_max = 16;
// How long a name that its player gave up is reserved, so that no other player is taken for it.
inline constexpr seconds old_name_kept{600};

// Rematches that one player offers in this time, and draws and takebacks that it offers in one game
// in this time and altogether.
inline constexpr std::size_t offers_max = 5;
inline constexpr seconds offers_in{60};
inline constexpr std::size_t offers_per_game_max = 50;

// Seats of used invitations that the lobby remembers, the latest ones.
inline constexpr std::size_t used_invitations_max = 4'096;

// The text of a move or a chat message that crosses a link of a cluster: a link keeps 4 MiB for all
// clients between two hubs, and 32 intents of one connection may be under way.
inline constexpr std::size_t crossing_text_bytes_max = 4 * 1024;

// How often a player moves to another hub of a cluster while its client is connected to the same
// one: each hub that it has left passes its messages on. The first moves are made at once. Where
// many players seek at the same time, those whom another one meets first move again.
inline constexpr std::uint32_t player_moves_max = 8, player_moves_at_once_max = 3;

// How long a client whose player's hub has ended waits for the hub that takes its games over.
inline constexpr std::chrono::seconds return_time_max{10};

// Games of one player over one connection (the member max_games of the protocol turns).
inline constexpr std::uint32_t games_per_player_max = 1'000;

// Games of days of one player who takes a seat beside those that it has (seek::keeps).
inline constexpr std::size_t games_kept_max = 32;

// Engines for which one player may queue at the same time.
inline constexpr std::size_t seeks_per_player_max = 32;

// Games against an engine that one player may open at once. An engine opponent is always free, so
// all of them begin immediately.
inline constexpr std::uint32_t engine_games_max = 16;

// The further seats of a table that a player may give to engines and bots: all of the largest.
inline constexpr std::size_t fillers_max = 61;

// Engine search: threads, time for one move, and moves queued for a thread. If the queue is full,
// the engine opponent plays a random move.
inline constexpr int think_threads_max = 256;
inline constexpr milliseconds think_default{500};
inline constexpr milliseconds think_max{60'000};
inline constexpr std::size_t thoughts_waiting_max = 1'024;

// Connections and games of the whole hub: the defaults and the maxima of the settings. The maxima
// let a quarter of them, the part of unproven addresses over UDP, be 1,000,000 games.
inline constexpr std::uint32_t connections_default = 20'000;
inline constexpr std::uint32_t connections_max = 4'000'000;
// The part of them for UDP, as a divisor: addresses of other protocols can't be forged.
inline constexpr std::uint32_t udp_connections_share = 4;
// Games that UDP addresses which may be forged begin on one loop in a second: far above the players
// of one hub, and 4 % of the processor time of a loop.
inline constexpr std::uint32_t udp_guest_rate_default = 1'000;
inline constexpr std::uint32_t udp_guest_rate_max = 1'000'000;
inline constexpr std::uint32_t games_default = 100'000;
inline constexpr std::uint32_t games_max = 4'000'000;
// The part of the games whose players may be away as long as the clock says, as a divisor. They
// last for weeks, so that without a bound few clients could take all places of other games.
inline constexpr std::uint32_t lasting_games_share = 5;

// What one address holds at once, and causes in a second. Loopback is exempt unless a setting
// includes it. A school or an office is one address: a connection each, and a game each.
inline constexpr std::uint32_t connections_per_address_default = 256;
inline constexpr std::uint32_t sessions_per_address_default = 256;
inline constexpr std::uint32_t seats_per_address_default = 256;
// 64 clients that have stopped to read in the middle of a long answer.
inline constexpr std::uint32_t unsent_kib_per_address_default = 4 * 1024;
inline constexpr std::uint32_t arrivals_per_address_default = 20;
inline constexpr std::uint32_t games_per_address_default = 10;
inline constexpr std::uint32_t guesses_per_address_default = 5;
inline constexpr std::uint32_t messages_per_address_default = 2'000;
// The messages of a connection that are counted together.
inline constexpr std::uint32_t messages_charged_at_once = 32;
inline constexpr std::uint32_t address_rate_max = 1'000'000;
// The seconds of a rate that an address may use at once.
inline constexpr std::uint32_t arrivals_burst_seconds = 15;
inline constexpr std::uint32_t address_games_burst_seconds = 10;
inline constexpr std::uint32_t guesses_burst_seconds = 4;
inline constexpr std::uint32_t requests_burst_seconds = 2;
inline constexpr std::uint32_t messages_burst_seconds = 2;
// All connections of one address may be opened at once.
static_assert(arrivals_per_address_default * arrivals_burst_seconds >=
              connections_per_address_default);
// Addresses whose rates are remembered, those that used most of them first.
inline constexpr std::size_t address_buckets = 16'384;
// Log lines about addresses that reach a limit, or violate a protocol: one of an address and cause
// in this time, and in a second.
inline constexpr seconds address_logged_each{60};
inline constexpr std::uint32_t addresses_logged_a_second_max = 10;

inline constexpr int loops_max = 256;

// Engines of all versions, built-in and plugins. The metric cells of a loop are arrays of this
// size.
inline constexpr std::size_t engines_max = 128;
// Plugins that are probed in parallel, each in its own process.
inline constexpr std::size_t plugin_trials_at_once = 4;

// Time for one turn of a player. Zero in the settings: no turn clock.
inline constexpr seconds turn_default{120};
inline constexpr seconds turn_max{7 * 24 * 3600};

// Time until a client is disconnected that sent no request yet, and one that neither plays nor
// waits for a game.
inline constexpr seconds handshake_default{30};
inline constexpr seconds idle_default{600};

// How long a player without a connection keeps its games, if its protocol can reconnect.
// As long as a turn may last, so that an absent player need not lose before its time is up.
inline constexpr seconds grace_max = turn_max;

// How long a player is away before another one may claim the win. Zero in the settings: never.
inline constexpr seconds claim_default{30};
inline constexpr seconds claim_max = turn_max;

// How long a player is without a connection before the others hear of it, and the least time
// between two such reports: who connects and disconnects all the time is not reported.
inline constexpr milliseconds absence_reported_after{1'000};
static_assert(absence_reported_after < seconds{5});

// Time for the players of a game to reconnect after a restart. After it the game ends without a
// result.
inline constexpr seconds rejoin_default{120};
inline constexpr seconds rejoin_max = turn_max;

// After which players who are away, and games of days in which nothing is due, leave memory; zero:
// never.
inline constexpr seconds sleep_after_default{60};
inline constexpr seconds sleep_after_max = std::chrono::days{1};

// Games whose replay is announced together. If a replay crashes the hub, this many games are under
// suspicion.
inline constexpr std::size_t replays_at_once = 1'024;
// Games of one loop that were asleep and are read into memory before they are replayed: enough that
// the announcements of several share a transaction of the journal.
inline constexpr std::size_t wakes_at_once = 16;
// A game that can't be tried in another process is not replayed again if this many hubs ended
// during its replay.
inline constexpr int replay_suspicions_max = 2;

// A client that never asks again, but is seated again after each game, is not seated for this time
// after its first game: it may be about to leave. If it stays, it plays on without a pause.
inline constexpr milliseconds stay_pause{500};

// The same two players are not paired again within this time, unless no other player joins.
inline constexpr milliseconds rematch_pause{1'000};

// Time and bytes for a client to read its last messages before the hub closes the socket.
inline constexpr milliseconds linger_max{2'000};
inline constexpr std::size_t linger_bytes_max = 256 * 1024;

// Time for running games to end after SIGTERM.
inline constexpr seconds drain_default{30};
inline constexpr seconds drain_max{3600};

// Time after the drain for the last messages to reach the clients.
inline constexpr seconds farewell_max{5};
static_assert(farewell_max > linger_max);

// One iteration of a loop runs handlers, then actors. Both are bounded, so that neither starves the
// other and the flush at the end of the iteration comes soon.
inline constexpr int handlers_per_turn_max = 128;
inline constexpr int actors_per_turn_max = 1'024;
inline constexpr std::size_t messages_per_resume_max = 64;
// What one client may cause in large numbers is spread over iterations: its players leave more
// games than these by tasks of which each iteration runs some.
inline constexpr std::size_t games_left_at_once_max = 4;
inline constexpr int deferred_per_turn_max = 16;

// A loop that is in one iteration for this long fails /healthz.
inline constexpr seconds stuck_after{10};

// Duration of an engine call from which the watchdog reports it.
inline constexpr milliseconds engine_slow_default{1'000};
inline constexpr milliseconds engine_slow_max{600'000};

// Duration of a move from which it is logged, and the most such log lines in one second.
inline constexpr milliseconds slow_move_default{250};
inline constexpr milliseconds slow_move_max{600'000};
inline constexpr int slow_moves_logged_a_second_max = 10;
inline constexpr int faults_logged_a_second_max = 10;

// Isolated engines: the time for one call, after which the process is killed; its memory; its open
// files; and the time to start.
inline constexpr milliseconds isolate_call_default{1'000};
inline constexpr milliseconds isolate_call_max{5'000};
inline constexpr std::uint64_t isolate_memory_mib_default = 512;
inline constexpr std::uint64_t isolate_memory_mib_min = 64;
inline constexpr std::uint64_t isolate_memory_mib_max = 1024 * 1024;
inline constexpr int isolate_files_max = 64;
// Processes of one engine, each with a thread for its games; and those of all engines that run at
// once, each version with its own.
inline constexpr std::size_t engine_processes_max = 8;
inline constexpr std::size_t all_engine_processes_max = 64;
// The time after which a process is ended if a thread of it uses a core between calls: half of a
// core is free, and half of this time in addition. A call may use two cores, because some runtimes
// compile and collect garbage beside it, and a search of the engine's player all of them. A process
// lives for less than restart_backoff::long_life then, so that it pauses ever longer.
inline constexpr seconds engine_cpu_window{10};
inline constexpr int engine_cpu_beside_calls_divisor = 2;
inline constexpr int engine_cores_of_a_call = 2;
// Time after the last match in a process of an engine that has a newer version. Then the process is
// stopped. A takeover of games starts the process some seconds before it restores them.
inline constexpr seconds engine_unused_max{60};
inline constexpr seconds isolate_start{10};
// A loop that waits the maximum time for an isolated engine must not fail /healthz.
static_assert(isolate_call_max < stuck_after);

// Pause of a listener when the process has no free descriptor.
inline constexpr milliseconds accept_pause{100};

// Bytes that are read of one datagram, and the receive buffer that the socket requests. The kernel
// accounts about 800 bytes for each small datagram, so the buffer holds about 5,000 of them.
inline constexpr std::size_t datagram_bytes_max = 16;
inline constexpr int datagram_buffer_bytes = 4 * 1024 * 1024;
// Batches (one system call each) that one iteration of a loop reads before it answers.
inline constexpr int datagram_batches_per_turn_max = 8;
// New players over datagrams in one iteration, so that the others do not wait for a flood of them.
inline constexpr int datagram_players_per_turn_max = 8;
// Interval at which the hub reads the kernel's count of dropped datagrams.
inline constexpr milliseconds datagram_drops_looked_at{1'000};

// Ended games that the memory journal keeps.
inline constexpr std::size_t memory_journal_ended_kept = 1'024;

// Pending records of the journal: loops stop reading at the maximum, resume at the low mark, and
// check at this interval.
inline constexpr std::size_t journal_pending_max = 100'000;
inline constexpr std::size_t journal_pending_low = journal_pending_max / 2;
inline constexpr milliseconds journal_pause{20};

// Updates of a game that a loop keeps for its spectators, and the time for which it keeps them
// after the last spectator left. A spectator that is further behind reads from the log.
inline constexpr std::size_t updates_kept_max = 1'024;
inline constexpr seconds unwatched_kept{30};

// Chat: bytes of one message, and messages of one player in one game.
inline constexpr std::size_t chat_bytes_max = 500;
inline constexpr std::uint16_t chats_per_game_max = 1'000;

// HTTP requests per second of one address and of one client.
inline constexpr std::uint32_t http_address_rate_default = 200;
inline constexpr std::uint32_t http_client_rate_default = 50;
inline constexpr std::uint32_t http_rate_max = 1'000'000;

// Spectators of one game that its guest list names: the default and the maximum of the setting.
inline constexpr std::uint32_t guests_listed_default = 50;
inline constexpr std::uint32_t guests_listed_max = 500;

// Bot league: the time until the same two bot versions play again, and the parallel games of one
// bot.
inline constexpr seconds arena_repeat_default{3'600};
inline constexpr seconds arena_repeat_max{30 * 24 * 3'600};
inline constexpr std::uint32_t arena_games_per_bot_max = 32;

// Bytes of an operator's reason for ending a game.
inline constexpr std::size_t end_note_bytes_max = 200;

// Bans and mutes. Each new address is compared with all of them.
inline constexpr std::size_t sanctions_max = 1'000;

// Orders of operators that wait for the database of a cluster.
inline constexpr std::size_t sanction_changes_max = 16;

// For one call of a bot, from the first packet to the last byte of the answer: by default, and as
// settings have it.
inline constexpr seconds bot_move_default{5};
inline constexpr seconds bot_move_min{1};
inline constexpr seconds bot_move_max{60};

// Games of one bot at once, people's included: by default, and the most that settings allow. It is
// called for one move at a time, so that each of its opponents may wait for all its other moves.
inline constexpr std::uint32_t bot_games_default = 4;
inline constexpr std::uint32_t bot_games_max = 64;

// Webhooks of players: of the hub, by default and the most that settings allow.
inline constexpr std::uint32_t webhooks_default = 10'000;
inline constexpr std::uint32_t webhooks_most = 1'000'000;

// The time of a call of a webhook.
inline constexpr seconds webhook_call_default{5};
inline constexpr seconds webhook_call_min{1};
inline constexpr seconds webhook_call_max{30};

// How long a player is away at its turn before the call.
inline constexpr seconds webhook_delay_default{10};
inline constexpr seconds webhook_delay_max = std::chrono::hours{24};

// After a failed call a webhook gets none for a while: this time after the first one, then twice as
// long after each, at most webhook_pause_max. After webhook_failures_default in a row, which is two
// to three days with the defaults, it is off.
inline constexpr seconds webhook_pause_default{30};
inline constexpr seconds webhook_pause_min{1};
inline constexpr seconds webhook_pause_max = std::chrono::hours{6};
inline constexpr std::uint32_t webhook_failures_default = 20;
inline constexpr std::uint32_t webhook_failures_most = 100;

}  // namespace gamehub::limits
