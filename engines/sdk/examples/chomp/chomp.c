/* Chomp: a bar of chocolate of 4 rows and 5 columns. The player to move takes a square and all
 * squares below it or right of it. The player who takes the square at the top left loses. A
 * complete engine in plain C. */
#include "engines/abi.h"
#include "engines/json.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 4, columns = 5, cells = rows * columns };

static const char marks[] = "XO";

/* The state consists of plain bytes, because the bytes of the object are saved. */
struct gamehub_match {
  uint8_t eaten_by[cells]; /* 0: still there, else the seat and 1 */
  uint8_t mover;
};

static int is_over(const gamehub_match* m) { return m->eaten_by[0] != 0; }

/* Returns whether the rules can continue from this state: each row has squares only at the left,
 * and at most as many as the row above. */
static int is_valid(const gamehub_match* m) {
  int length_above = columns;
  for (int row = 0; row < rows; ++row) {
    int length = 0;
    for (int column = 0; column < columns; ++column) {
      const uint8_t by = m->eaten_by[row * columns + column];
      if (by > 2 || (by == 0 && column != length)) return 0;
      if (by == 0) ++length;
    }
    if (length > length_above) return 0;
    length_above = length;
  }
  return m->mover < 2;
}

static const gamehub_match start = {{0}, 0};

static gamehub_match* copy_of(const gamehub_match* from, gamehub_reason* reason) {
  gamehub_match* m = malloc(sizeof *m);
  *reason = m == NULL ? "engine-failure" : NULL;
  if (m != NULL) *m = *from;
  return m;
}

static gamehub_match* create(const char* options, size_t size, int32_t players,
                             gamehub_reason* reason) {
  if (players != 0 && players != 2) {
    *reason = "wrong-number-of-players";
    return NULL;
  }
  if (size > 0 && !gamehub_json_is_empty_object(options, size)) {
    *reason = "unknown-option";
    return NULL;
  }
  return copy_of(&start, reason);
}

static gamehub_match* clone(const gamehub_match* match) {
  gamehub_reason ignored;
  return copy_of(match, &ignored);
}

static void destroy(gamehub_match* match) { free(match); }

static int32_t players(const gamehub_match* match) {
  (void)match;
  return 2;
}

static uint64_t to_move(const gamehub_match* match) {
  return is_over(match) ? 0 : UINT64_C(1) << match->mover;
}

static int may_move(const gamehub_match* match, int32_t seat) {
  return !is_over(match) && seat == match->mover;
}

static size_t legal_actions(const gamehub_match* match, int32_t seat, int64_t* out,
                            size_t capacity) {
  size_t count = 0;
  if (!may_move(match, seat)) return 0;
  for (int cell = 0; cell < cells; ++cell) {
    if (match->eaten_by[cell] != 0) continue;
    if (count < capacity) out[count] = cell;
    ++count;
  }
  return count;
}

static gamehub_reason apply(gamehub_match* match, int32_t seat, int64_t action) {
  if (is_over(match)) return "game-over";
  if (seat != match->mover) return "not-your-turn";
  if (action < 0 || action >= cells) return "out-of-bounds";
  if (match->eaten_by[action] != 0) return "space-not-empty";
  for (int64_t row = action / columns; row < rows; ++row)
    for (int64_t column = action % columns; column < columns; ++column) {
      uint8_t* by = &match->eaten_by[row * columns + column];
      if (*by == 0) *by = (uint8_t)(seat + 1);
    }
  match->mover = (uint8_t)(1 - seat);
  return NULL;
}

static size_t chance_outcomes(const gamehub_match* match, int64_t* actions, uint32_t* weights,
                              size_t capacity) {
  (void)match, (void)actions, (void)weights, (void)capacity;
  return 0;
}

static uint64_t audience(const gamehub_match* match, int32_t seat, int64_t action) {
  (void)match, (void)seat, (void)action;
  return GAMEHUB_EVERYONE;
}

static void scores(const gamehub_match* match, double* out) {
  out[0] = match->eaten_by[0] == 0 ? 0 : match->eaten_by[0] == 1 ? -1 : 1;
  out[1] = -out[0];
}

/* Copies text to a buffer of the caller, up to its capacity, and returns the full size. */
static size_t give(const char* text, size_t size, char* out, size_t capacity) {
  if (size <= capacity && size > 0) memcpy(out, text, size);
  return size;
}

/* An action as text is "row:column", from 0. */
static gamehub_reason action_from_text(const gamehub_match* match, int32_t seat, const char* text,
                                       size_t size, int64_t* action) {
  int64_t row = 0, column = 0;
  const char* colon = size == 0 ? NULL : memchr(text, ':', size);
  (void)match, (void)seat;
  if (colon == NULL) return "malformed";
  if (!gamehub_json_is_index(text, (size_t)(colon - text), rows, &row) ||
      !gamehub_json_is_index(colon + 1, size - (size_t)(colon - text) - 1, columns, &column))
    return "out-of-bounds";
  *action = row * columns + column;
  return NULL;
}

static gamehub_reason action_from_json(const gamehub_match* match, int32_t seat, const char* text,
                                       size_t size, int64_t* action) {
  int64_t row = 0, column = 0;
  (void)match, (void)seat;
  if (!gamehub_json_index(text, size, "row", rows, &row) ||
      !gamehub_json_index(text, size, "column", columns, &column))
    return "out-of-bounds";
  *action = row * columns + column;
  return NULL;
}

static size_t action_to_text(const gamehub_match* match, int64_t action, char* out,
                             size_t capacity) {
  char text[16];
  (void)match;
  const int size =
      snprintf(text, sizeof text, "%d:%d", (int)(action / columns % rows), (int)(action % columns));
  return give(text, (size_t)size, out, capacity);
}

static size_t action_to_json(const gamehub_match* match, int64_t action, char* out,
                             size_t capacity) {
  char text[64];
  (void)match;
  const int size = snprintf(text, sizeof text, "{\"type\":\"move\",\"row\":%d,\"column\":%d}",
                            (int)(action / columns % rows), (int)(action % columns));
  return give(text, (size_t)size, out, capacity);
}

static char mark_at(const gamehub_match* match, int cell) {
  return match->eaten_by[cell] == 0 ? GAMEHUB_BLANK : marks[match->eaten_by[cell] - 1];
}

/* Writes the board as rows of marks, and the winner. */
static size_t view_json(const gamehub_match* match, int32_t viewer, char* out, size_t capacity) {
  char text[8 * cells + 64];
  size_t size = (size_t)snprintf(text, sizeof text, "{\"board\":[");
  (void)viewer;
  for (int cell = 0; cell < cells; ++cell) {
    const char* before = cell == 0 ? "[" : cell % columns == 0 ? "],[" : ",";
    const char mark = mark_at(match, cell);
    if (mark == GAMEHUB_BLANK)
      size += (size_t)snprintf(text + size, sizeof text - size, "%snull", before);
    else
      size += (size_t)snprintf(text + size, sizeof text - size, "%s\"%c\"", before, mark);
  }
  if (is_over(match))
    size += (size_t)snprintf(text + size, sizeof text - size, "]],\"winner\":\"%c\"}",
                             marks[2 - match->eaten_by[0]]);
  else
    size += (size_t)snprintf(text + size, sizeof text - size, "]],\"winner\":null}");
  return give(text, size, out, capacity);
}

static size_t save(const gamehub_match* match, char* out, size_t capacity) {
  return give((const char*)match, sizeof *match, out, capacity);
}

static gamehub_match* load(const char* bytes, size_t size, gamehub_reason* reason) {
  gamehub_match state;
  *reason = "malformed";
  if (size != sizeof state) return NULL;
  memcpy(&state, bytes, size);
  return is_valid(&state) ? copy_of(&state, reason) : NULL;
}

/* FNV-1a over the saved bytes. */
static uint64_t hash(const gamehub_match* match) {
  const unsigned char* bytes = (const unsigned char*)match;
  uint64_t out = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof *match; ++i) out = (out ^ bytes[i]) * UINT64_C(0x100000001b3);
  return out;
}

static void board_size(const gamehub_match* match, int32_t* rows_out, int32_t* columns_out) {
  (void)match;
  *rows_out = rows;
  *columns_out = columns;
}

static size_t glyphs(const gamehub_match* match, int32_t viewer, char* out, size_t capacity) {
  char text[cells];
  (void)viewer;
  for (int cell = 0; cell < cells; ++cell) text[cell] = mark_at(match, cell);
  return give(text, cells, out, capacity);
}

static gamehub_reason action_at(const gamehub_match* match, int32_t seat, int64_t cell,
                                int64_t* action) {
  (void)match, (void)seat;
  if (cell < 0 || cell >= cells) return "out-of-bounds";
  *action = cell;
  return NULL;
}

static int64_t cell_of(const gamehub_match* match, int64_t action) {
  (void)match;
  return action;
}

static const void* extension(const char* id) {
  static const gamehub_cells board = {
      .struct_size = sizeof(gamehub_cells),
      .marks = marks,
      .size = board_size,
      .glyphs = glyphs,
      .action_at = action_at,
      .cell_of = cell_of,
  };
  return strcmp(id, GAMEHUB_CELLS) == 0 ? &board : NULL;
}

GAMEHUB_EXPORT const gamehub_engine_abi* gamehub_engine(void);

const gamehub_engine_abi* gamehub_engine(void) {
  static const gamehub_engine_abi engine = {
      .magic = GAMEHUB_ENGINE_MAGIC,
      .abi_major = GAMEHUB_ABI_MAJOR,
      .abi_minor = GAMEHUB_ABI_MINOR,
      .struct_size = sizeof(gamehub_engine_abi),
      .flags = GAMEHUB_PERFECT_INFORMATION,
      .id = "chomp",
      .title = "Chomp",
      .version_major = 1,
      .players_min = 2,
      .players_max = 2,
      .actions_max = cells,
      .plies_max = cells,
      .state_bytes_max = sizeof(struct gamehub_match),
      .create = create,
      .clone = clone,
      .destroy = destroy,
      .players = players,
      .to_move = to_move,
      .legal_actions = legal_actions,
      .apply = apply,
      .chance_outcomes = chance_outcomes,
      .audience = audience,
      .scores = scores,
      .action_from_text = action_from_text,
      .action_from_json = action_from_json,
      .action_to_text = action_to_text,
      .action_to_json = action_to_json,
      .view_json = view_json,
      .save = save,
      .load = load,
      .hash = hash,
      .extension = extension,
  };
  return &engine;
}
