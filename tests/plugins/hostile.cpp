// A plugin that is a correct TicTacToe until it gets a command: while the file that HOSTILE_ORDERS
// names contains a word, the engine misbehaves as the word says. So it passes every check, and
// misbehaves during games. The words are those of the table in tests/system/containment_test.cpp.
#define GAMEHUB_ENGINE_ENTRY healthy_engine
#include "engines/tictactoe/tictactoe.cpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

const gamehub_engine_abi& healthy() { return *healthy_engine(); }

std::string orders() {
  const char* file = std::getenv("HOSTILE_ORDERS");
  const int from = file == nullptr ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (from < 0) return {};
  char word[64];
  const auto size = read(from, word, sizeof word);
  close(from);
  return size < 0 ? std::string{} : std::string(word, static_cast<std::size_t>(size));
}

bool told_to(const char* word) { return orders() == word; }

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
  if (told_to("crash-in-create")) crash();
  if (told_to("spin-in-create")) spin();
  return healthy().create(options, size, players, why);
}

void destroy(gamehub_match* m) {
  if (told_to("crash-in-destroy")) crash();
  healthy().destroy(m);
}

gamehub_reason apply(gamehub_match* m, std::int32_t seat, std::int64_t a) {
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
  if (word == "reason-without-end") return word_without_end();
  if (word == "reason-of-garbage") return "\x1b[2J\n";
  return healthy().apply(m, seat, a);
}

std::uint64_t to_move(const gamehub_match* m) {
  return told_to("impossible-seat") ? std::uint64_t{1} << 40 : healthy().to_move(m);
}

std::size_t view_json(const gamehub_match* m, std::int32_t viewer, char* out,
                      std::size_t capacity) {
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
  const auto* cells = static_cast<const gamehub_cells*>(healthy().extension(GAMEHUB_CELLS));
  if (word == "crash-in-view") crash();
  const auto size = cells->glyphs(m, viewer, out, capacity);
  if (word == "garbage-on-the-board" && size <= capacity) out[0] = '\x01';
  return word == "short-board" ? size - 4 : size;
}

const void* extension(const char* id) {
  static gamehub_cells cells;
  const void* found = healthy().extension(id);
  if (std::strcmp(id, GAMEHUB_CELLS) != 0) return found;
  cells = *static_cast<const gamehub_cells*>(found);
  cells.glyphs = glyphs;
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
  return &table;
}
