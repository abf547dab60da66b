// A plugin that is a correct TicTacToe until it gets a command: while the file `orders` beside it
// contains a word, the engine misbehaves as the word says. So it passes every check, and misbehaves
// during games. The words are those of the tables in tests/system/containment_test.cpp. Without the
// extension player if there is a file `no-player` beside it; with `draws` chance draws before each
// move; with `checked-well` no command counts while the hub checks the plugin.
#define GAMEHUB_ENGINE_ENTRY healthy_engine
#include "engines/tictactoe/tictactoe.cpp"
#include "tests/plugins/beside.hpp"
#include "tests/plugins/escapes.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace gamehub::engines::tictactoe {
namespace {

// With a draw before each move, which changes nothing.
class drawn_game : public game {
 public:
  static constexpr description about{.id = "drawn",
                                     .title = "Drawn",
                                     .has_chance = true,
                                     .actions_max = cells,
                                     .plies_max = 2 * cells,
                                     .actions_end = cells};

  seats to_move() const noexcept {
    const auto mover = game::to_move();
    return mover != 0 && drawn_ == moved_ ? only(chance) : mover;
  }
  void legal_actions(int seat, action_list& out) const {
    if (seat == chance)
      out.add(0);
    else
      game::legal_actions(seat, out);
  }
  reason apply(int seat, action a) noexcept {
    if (seat == chance) return a == 0 ? (++drawn_, nullptr) : reasons::out_of_bounds;
    const auto why = game::apply(seat, a);
    if (why == nullptr) ++moved_;
    return why;
  }
  bool valid() const { return game::valid() && (drawn_ == moved_ || drawn_ == moved_ + 1); }

 private:
  std::uint16_t moved_ = 0, drawn_ = 0;
};

}  // namespace
}  // namespace gamehub::engines::tictactoe

namespace {

using gamehub::tests::has_file;
using gamehub::tests::is_check;
using gamehub::tests::text_of;

const gamehub_engine_abi& healthy() {
  static const bool draws = has_file("draws");
  using drawn = gamehub::engines::tictactoe::drawn_game;
  return draws ? gamehub::engines::abi_adapter<drawn>::table : *healthy_engine();
}

std::string orders() {
  static const bool checked_well = has_file("checked-well") && is_check();
  return checked_well ? std::string{} : text_of("orders");
}

bool told_to(const char* word) { return orders() == word; }

// True on a thread that began a match, and so is no thread of a search.
thread_local bool begins_matches = false;

// The matches that this process has begun.
std::atomic<int> begun = 0;

// Throws if the command is "throw FUNCTION" or "number FUNCTION"; on a thread of a search also if
// it is "throw in-search FUNCTION" or "number in-search FUNCTION"; once the process has begun N
// matches, N below ten, also if it is "throw from-N FUNCTION" or "number from-N FUNCTION".
void throw_if_told(const char* function) {
  const auto word = orders();
  const auto told_to = [&](const std::string& how) {
    const auto from = how + " from-";
    return word == how + ' ' + function ||
           (!begins_matches && word == how + " in-search " + function) ||
           (word.starts_with(from) && word.substr(from.size() + 1) == std::string{' '} + function &&
            begun >= word[from.size()] - '0');
  };
  if (told_to("throw")) throw std::runtime_error{"told to throw"};
  if (told_to("number")) throw 42;
}

// Makes a function of the table throw if it is told to, else do what the healthy engine does.
template <auto Member, auto Table, auto Name, class Result, class... Args>
void make_throw(Result (*&function)(Args...)) {
  function = [](Args... args) -> Result {
    throw_if_told(Name());
    return (Table().*Member)(args...);
  };
}
#define THROWS(table, type, source, name) \
  make_throw<&type::name, source, [] { return #name; }>((table).name)

const gamehub_cells& healthy_cells() {
  return *static_cast<const gamehub_cells*>(healthy().extension(GAMEHUB_CELLS));
}

const gamehub_player& healthy_player() {
  return *static_cast<const gamehub_player*>(healthy().extension(GAMEHUB_PLAYER));
}

void crash() { std::raise(SIGSEGV); }

[[noreturn]] void spin() {
  volatile bool on = true;
  while (on) continue;
  std::abort();
}

// In C: malloc returns null, and no exception is thrown.
void take_all_memory() {
  constexpr std::size_t much = 1 << 20;
  while (void* some = std::malloc(much)) std::memset(some, 1, much);
}

void take_all_memory_by_new() {
  constexpr std::size_t much = 1 << 20;
  for (;;) std::memset(new char[much], 1, much);
}

int overflow(int depth) {
  volatile char page[4096];
  page[depth % 4096] = static_cast<char>(depth);
  return overflow(depth + 1) + page[0];
}

// Less than the capacity of a pipe, because the hub's output may have no reader.
void write_much() {
  const std::string line(99, 'x');
  for (int i = 0; i < 500; ++i) std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// A process that uses the CPU after its parent has ended.
void multiply() {
  if (fork() == 0) spin();
}

void close_everything() {
  for (int i = 0; i < 1024; ++i) close(i);
}

// Without a terminating zero; the next page is not readable.
gamehub_reason word_without_end() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<char*>(
      mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memset(pages, 'a', size);
  mprotect(pages + size, size, PROT_NONE);
  return pages;
}

gamehub_match* create(const char* options, std::size_t size, std::int32_t players,
                      gamehub_reason* why) {
  begins_matches = true;
  ++begun;
  throw_if_told("create");
  if (told_to("crash-in-create")) crash();
  if (told_to("spin-in-create")) spin();
  return healthy().create(options, size, players, why);
}

void destroy(gamehub_match* m) {
  if (told_to("crash-in-destroy")) crash();
  healthy().destroy(m);
  throw_if_told("destroy");  // at the end, so that the match is not leaked
}

gamehub_reason apply(gamehub_match* m, std::int32_t seat, std::int64_t a) {
  throw_if_told("apply");
  const auto word = orders();
  if (word == "crash-in-apply") crash();
  if (word == "abort-in-apply") std::abort();
  if (word == "spin-in-apply") spin();
  if (word == "sleep-in-apply") pause();
  if (word == "throw-in-apply") throw std::runtime_error{"no"};
  if (word == "throw-a-number") throw 42;
  if (word == "leak") take_all_memory();
  if (word == "leak-by-new") take_all_memory_by_new();
  if (word == "overflow-the-stack") std::printf("%d", overflow(0));
  if (word == "exit") std::exit(0);
  if (word == "close-everything") close_everything();
  if (word == "write-to-output") write_much();
  if (word == "fork") multiply();
  if (word == "kill-the-parent") kill(getppid(), SIGKILL);
  // In the hub's log.
  if (const auto result = gamehub::tests::try_escape(word, getppid()); !result.empty()) {
    std::printf("%s: %s\n", word.c_str(), result.c_str());
    std::fflush(stdout);
  }
  if (word == "reason-without-end") return word_without_end();
  if (word == "reason-of-garbage") return "\x1b[2J\n";
  return healthy().apply(m, seat, a);
}

std::uint64_t to_move(const gamehub_match* m) {
  throw_if_told("to_move");
  return told_to("impossible-seat") ? std::uint64_t{1} << 40 : healthy().to_move(m);
}

std::size_t view_json(const gamehub_match* m, std::int32_t viewer, char* out,
                      std::size_t capacity) {
  throw_if_told("view_json");
  const auto word = orders();
  if (word == "crash-in-view") crash();
  if (word == "endless-view") return SIZE_MAX / 2;
  if (word == "huge-view") return std::size_t{1} << 34;
  if (word != "garbage-in-view") return healthy().view_json(m, viewer, out, capacity);
  const std::string garbage = "{\"a\":1}\n{\"type\":\"close\"}";
  if (garbage.size() <= capacity) std::memcpy(out, garbage.data(), garbage.size());
  return garbage.size();
}

std::size_t glyphs(const gamehub_match* m, std::int32_t viewer, char* out, std::size_t capacity) {
  const auto word = orders();
  throw_if_told("glyphs");
  const auto* cells = &healthy_cells();
  if (word == "crash-in-view") crash();
  const auto size = cells->glyphs(m, viewer, out, capacity);
  if (word == "garbage-on-the-board" && size <= capacity) out[0] = '\x01';
  return word == "short-board" ? size - 4 : size;
}

std::size_t score(const gamehub_match* m, double* out, std::size_t capacity) {
  throw_if_told("score");
  const auto count = static_cast<std::size_t>(healthy().players(m));
  for (std::size_t i = 0; i < std::min(count, capacity); ++i) out[i] = 0;
  return count;
}

std::size_t summary(const gamehub_match*, char*, std::size_t) {
  throw_if_told("summary");
  return 0;
}

const void* extension(const char* id) {
  static gamehub_cells cells;
  static const gamehub_score score_table{sizeof score_table, 0, score};
  static const gamehub_summary summary_table{sizeof summary_table, 0, summary};
  if (std::strcmp(id, GAMEHUB_SCORE) == 0) return &score_table;
  if (std::strcmp(id, GAMEHUB_SUMMARY) == 0) return &summary_table;
  if (std::strcmp(id, GAMEHUB_PLAYER) == 0) {
    if (has_file("no-player")) return nullptr;
    static gamehub_player player = healthy_player();
    make_throw<&gamehub_player::choose_in_style, healthy_player, [] { return "choose"; }>(
        player.choose_in_style);
    return &player;
  }
  if (std::strcmp(id, GAMEHUB_CELLS) != 0) return healthy().extension(id);
  cells = healthy_cells();
  cells.glyphs = glyphs;
  THROWS(cells, gamehub_cells, healthy_cells, size);
  THROWS(cells, gamehub_cells, healthy_cells, action_at);
  THROWS(cells, gamehub_cells, healthy_cells, cell_of);
  return &cells;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const gamehub_engine_abi* gamehub_engine(void) {
  static gamehub_engine_abi table = healthy();
  table.id = "hostile";
  table.title = "Hostile";
  table.create = create;
  table.destroy = destroy;
  table.apply = apply;
  table.to_move = to_move;
  table.view_json = view_json;
  table.extension = extension;
  THROWS(table, gamehub_engine_abi, healthy, clone);
  THROWS(table, gamehub_engine_abi, healthy, players);
  THROWS(table, gamehub_engine_abi, healthy, legal_actions);
  THROWS(table, gamehub_engine_abi, healthy, audience);
  THROWS(table, gamehub_engine_abi, healthy, scores);
  THROWS(table, gamehub_engine_abi, healthy, chance_outcomes);
  THROWS(table, gamehub_engine_abi, healthy, action_from_text);
  THROWS(table, gamehub_engine_abi, healthy, action_from_json);
  THROWS(table, gamehub_engine_abi, healthy, action_to_text);
  THROWS(table, gamehub_engine_abi, healthy, action_to_json);
  THROWS(table, gamehub_engine_abi, healthy, save);
  THROWS(table, gamehub_engine_abi, healthy, load);
  THROWS(table, gamehub_engine_abi, healthy, hash);
  return &table;
}
