/* Last Cell, in plain C: two players fill a board of 2 x 2 in turn; the player who fills the last
 * cell wins. It is the oldest released plugin: compiled against the original header of ABI 1.0, and
 * no current one. The other plugins of this folder are built from it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef LAST_CELL_ABI
#define LAST_CELL_ABI "abi_1_0.h"
#endif
#include LAST_CELL_ABI

#ifndef LAST_CELL_ID
#define LAST_CELL_ID "last-cell"
#endif
#ifndef LAST_CELL_RELEASE
#define LAST_CELL_RELEASE 0
#endif

#define SIDE 2
#define CELLS 4

struct gamehub_match {
  char cells[CELLS];
};

static int taken(const gamehub_match* m) {
  int n = 0;
  for (int i = 0; i < CELLS; ++i) n += m->cells[i] != '-';
  return n;
}

static size_t put_out(const char* from, size_t size, char* to, size_t capacity) {
  if (size <= capacity) memcpy(to, from, size);
  return size;
}

static gamehub_match* new_match(const char* options, size_t size, int32_t players,
                                gamehub_reason* why) {
  int none = size == 0 || (size == 2 && memcmp(options, "{}", 2) == 0);
  if (!none) {
    *why = "malformed";
    return NULL;
  }
  if (players != 0 && players != 2) {
    *why = "out-of-bounds";
    return NULL;
  }
  gamehub_match* m = (gamehub_match*)malloc(sizeof *m);
  if (m == NULL)
    *why = "engine-failure";
  else
    memset(m->cells, '-', CELLS);
  return m;
}

static gamehub_match* copy_match(const gamehub_match* m) {
  gamehub_match* copy = (gamehub_match*)malloc(sizeof *copy);
  if (copy != NULL) *copy = *m;
  return copy;
}

static void drop_match(gamehub_match* m) { free(m); }

static int32_t two_players(const gamehub_match* m) {
  (void)m;
  return 2;
}

static uint64_t to_move(const gamehub_match* m) {
  return taken(m) == CELLS ? 0 : UINT64_C(1) << (taken(m) % 2);
}

static int may_move(const gamehub_match* m, int32_t seat) {
  return seat >= 0 && seat < 2 && to_move(m) == UINT64_C(1) << seat;
}

static size_t legal_actions(const gamehub_match* m, int32_t seat, int64_t* out, size_t capacity) {
  size_t n = 0;
  if (!may_move(m, seat)) return 0;
  for (int i = 0; i < CELLS; ++i)
    if (m->cells[i] == '-') {
      if (n < capacity) out[n] = i;
      ++n;
    }
  return n;
}

static gamehub_reason take_cell(gamehub_match* m, int32_t seat, int64_t cell) {
  if (to_move(m) == 0) return "game-over";
  if (!may_move(m, seat)) return "not-your-turn";
  if (cell < 0 || cell >= CELLS) return "out-of-bounds";
  if (m->cells[cell] != '-') return "space-not-empty";
  m->cells[cell] = seat == 0 ? 'X' : 'O';
  return NULL;
}

static size_t no_chance(const gamehub_match* m, int64_t* actions, uint32_t* weights,
                        size_t capacity) {
  (void)m, (void)actions, (void)weights, (void)capacity;
  return 0;
}

static uint64_t everyone(const gamehub_match* m, int32_t seat, int64_t action) {
  (void)m, (void)seat, (void)action;
  return GAMEHUB_EVERYONE;
}

static void scores(const gamehub_match* m, double* out) {
  (void)m;
  out[0] = -1;
  out[1] = 1;
}

/* Input has no terminating NUL. Returns false if it is too long to be valid. */
static int as_text(const char* text, size_t size, char* out, size_t capacity) {
  if (size >= capacity || (size > 0 && memchr(text, 0, size) != NULL)) return 0;
  if (size > 0) memcpy(out, text, size);
  out[size] = 0;
  return 1;
}

static gamehub_reason action_from_text(const gamehub_match* m, int32_t seat, const char* text,
                                       size_t size, int64_t* action) {
  (void)m, (void)seat;
  if (size != 1 || text[0] < '0' || text[0] > '9') return "malformed";
  if (text[0] >= '0' + CELLS) return "out-of-bounds";
  *action = text[0] - '0';
  return NULL;
}

static gamehub_reason action_from_json(const gamehub_match* m, int32_t seat, const char* text,
                                       size_t size, int64_t* action) {
  char copy[64];
  int row = -1, column = -1, end = 0;
  (void)m, (void)seat;
  if (!as_text(text, size, copy, sizeof copy)) return "malformed";
  if (sscanf(copy, " {\"type\":\"move\",\"row\":%1d,\"column\":%1d}%n", &row, &column, &end) != 2 ||
      end == 0 || copy[end] != 0)
    return "malformed";
  if (row < 0 || row >= SIDE || column < 0 || column >= SIDE) return "out-of-bounds";
  *action = row * SIDE + column;
  return NULL;
}

static size_t action_to_text(const gamehub_match* m, int64_t action, char* out, size_t capacity) {
  char text = (char)('0' + action);
  (void)m;
  return put_out(&text, 1, out, capacity);
}

static size_t action_to_json(const gamehub_match* m, int64_t action, char* out, size_t capacity) {
  char text[64];
  int size = snprintf(text, sizeof text, "{\"type\":\"move\",\"row\":%d,\"column\":%d}",
                      (int)(action / SIDE), (int)(action % SIDE));
  (void)m;
  return put_out(text, (size_t)size, out, capacity);
}

static size_t view_json(const gamehub_match* m, int32_t viewer, char* out, size_t capacity) {
  char text[128];
  char cells[CELLS][5];
  (void)viewer;
  for (int i = 0; i < CELLS; ++i)
    strcpy(cells[i], m->cells[i] == 'X' ? "\"X\"" : m->cells[i] == 'O' ? "\"O\"" : "null");
  int size = snprintf(
      text, sizeof text, "{\"board\":[[%s,%s],[%s,%s]],\"winner\":%s,\"release\":%d}", cells[0],
      cells[1], cells[2], cells[3], to_move(m) == 0 ? "\"O\"" : "null", LAST_CELL_RELEASE);
  return put_out(text, (size_t)size, out, capacity);
}

static size_t save(const gamehub_match* m, char* out, size_t capacity) {
  return put_out(m->cells, CELLS, out, capacity);
}

static gamehub_match* load(const char* bytes, size_t size, gamehub_reason* why) {
  gamehub_match read;
  int ahead = 0;
  *why = "malformed";
  if (size != CELLS) return NULL;
  memcpy(read.cells, bytes, CELLS);
  for (int i = 0; i < CELLS; ++i) {
    if (read.cells[i] != 'X' && read.cells[i] != 'O' && read.cells[i] != '-') return NULL;
    ahead += (read.cells[i] == 'X') - (read.cells[i] == 'O');
  }
  if (ahead != 0 && ahead != 1) return NULL;
  *why = NULL;
  return copy_match(&read);
}

static uint64_t hash(const gamehub_match* m) {
  uint64_t n = 0;
  for (int i = 0; i < CELLS; ++i) n = n * 31 + (uint64_t)m->cells[i];
  return n;
}

static void size_of_board(const gamehub_match* m, int32_t* rows, int32_t* columns) {
  (void)m;
  *rows = SIDE;
  *columns = SIDE;
}

static size_t glyphs(const gamehub_match* m, int32_t viewer, char* out, size_t capacity) {
  (void)viewer;
  return put_out(m->cells, CELLS, out, capacity);
}

static gamehub_reason action_at(const gamehub_match* m, int32_t seat, int64_t cell,
                                int64_t* action) {
  (void)m, (void)seat;
  if (cell < 0 || cell >= CELLS) return "out-of-bounds";
  *action = cell;
  return NULL;
}

static int64_t cell_of(const gamehub_match* m, int64_t action) {
  (void)m;
  return action >= 0 && action < CELLS ? action : -1;
}

static gamehub_reason choose(const gamehub_match* m, int32_t seat, uint64_t budget,
                             int64_t* action) {
  (void)budget;
  return legal_actions(m, seat, action, 1) == 0 ? "not-your-turn" : NULL;
}

static const void* extension(const char* id) {
  static const gamehub_cells cells = {
      sizeof(gamehub_cells), 0, "XO", size_of_board, glyphs, action_at, cell_of,
  };
  /* The size in 1.0: members of later versions are absent, with any header. */
  static const gamehub_player player = {
      .struct_size = offsetof(gamehub_player, choose) + sizeof(void (*)(void)),
      .immediate = 1,
      .choose = choose,
  };
  if (strcmp(id, GAMEHUB_CELLS) == 0) return &cells;
  if (strcmp(id, GAMEHUB_PLAYER) == 0) return &player;
  return NULL;
}

static const gamehub_engine_abi last_cell = {
    GAMEHUB_ENGINE_MAGIC,
    GAMEHUB_ABI_MAJOR,
    GAMEHUB_ABI_MINOR,
    sizeof(gamehub_engine_abi),
    GAMEHUB_PERFECT_INFORMATION,
    LAST_CELL_ID,
    "Last Cell",
    NULL,
    1,
    LAST_CELL_RELEASE,
    0,
    0,
    2,
    2,
    CELLS,
    CELLS,
    CELLS,
    new_match,
    copy_match,
    drop_match,
    two_players,
    to_move,
    legal_actions,
    take_cell,
    no_chance,
    everyone,
    scores,
    action_from_text,
    action_from_json,
    action_to_text,
    action_to_json,
    view_json,
    save,
    load,
    hash,
    extension,
};

#ifdef __cplusplus
#define LAST_CELL_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define LAST_CELL_EXPORT __attribute__((visibility("default")))
#endif

#ifndef LAST_CELL_SPOILED
LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void);
LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void) { return &last_cell; }
#endif
