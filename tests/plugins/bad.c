/* Plugins that a hub must refuse or survive, each a Last Cell that violates one rule. -DWHICH=name
 * selects the rule; the names are those of the table in tests/system/plugins_bad_test.cpp. */
#define LAST_CELL_SPOILED
#ifndef LAST_CELL_ID
#define LAST_CELL_ID "bad"
#endif
#define LAST_CELL_ABI "../../engines/abi.h"
#include "last_cell.c"

#include <poll.h>
#include <unistd.h>

enum {
  no_symbol,
  null_table,
  wrong_magic,
  short_table,
  null_function,
  half_board,
  icon_with_script,
  face_too_long,
  id_with_blank,
  id_without_end,
  title_without_end,
  title_with_control,
  impossible_players,
  impossible_board,
  plies_too_few,
  actions_too_few,
  state_too_small,
  endless_view,
  growing_view,
  forgets_a_move,
  crashes_in_entry,
  crashes_in_create,
  crashes_in_apply,
  spins_in_create,
  spins_in_apply,
  sleeps_in_apply,
  eats_memory,
  exits_in_constructor,
  exits_in_apply,
  twin_of_built_in,
  /* Not refused: a busy machine takes as long to load a file. */
  loads_slowly,
};

static gamehub_match* crash_in_create(const char* options, size_t size, int32_t players,
                                      gamehub_reason* why) {
  (void)options, (void)size, (void)players, (void)why;
  abort();
}

static gamehub_match* spin_in_create(const char* options, size_t size, int32_t players,
                                     gamehub_reason* why) {
  for (volatile int forever = 1; forever;) {
  }
  return new_match(options, size, players, why);
}

static gamehub_reason crash_in_apply(gamehub_match* m, int32_t seat, int64_t cell) {
  volatile int* nowhere = NULL;
  if (taken(m) == 2) *nowhere = 1;
  return take_cell(m, seat, cell);
}

static gamehub_reason spin_in_apply(gamehub_match* m, int32_t seat, int64_t cell) {
  for (volatile int forever = taken(m) == 2; forever;) {
  }
  return take_cell(m, seat, cell);
}

static gamehub_reason sleep_in_apply(gamehub_match* m, int32_t seat, int64_t cell) {
  while (taken(m) == 2) pause();
  return take_cell(m, seat, cell);
}

static gamehub_reason eat_memory(gamehub_match* m, int32_t seat, int64_t cell) {
  const size_t much = (size_t)16 << 20;
  /* Volatile, so that the compiler cannot remove it. */
  static char* volatile eaten;
  eaten = (char*)malloc(much);
  memset(eaten, 1, 4096);
  return take_cell(m, seat, cell);
}

static gamehub_reason exit_in_apply(gamehub_match* m, int32_t seat, int64_t cell) {
  if (taken(m) == 3) exit(0);
  return take_cell(m, seat, cell);
}

static gamehub_reason forget_a_move(gamehub_match* m, int32_t seat, int64_t cell) {
  gamehub_reason why = take_cell(m, seat, cell);
  if (why == NULL && cell == 3) m->cells[3] = '-';
  return why;
}

static size_t view_without_end(const gamehub_match* m, int32_t viewer, char* out, size_t capacity) {
  (void)m, (void)viewer, (void)out, (void)capacity;
  return SIZE_MAX / 2;
}

static size_t view_that_grows(const gamehub_match* m, int32_t viewer, char* out, size_t capacity) {
  (void)m, (void)viewer, (void)out;
  return capacity + 1;
}

static void huge_board(const gamehub_match* m, int32_t* rows, int32_t* columns) {
  (void)m;
  *rows = INT32_MAX;
  *columns = INT32_MAX;
}

static const void* extension_huge_board(const char* id) {
  static gamehub_cells cells;
  if (strcmp(id, GAMEHUB_CELLS) != 0) return extension(id);
  cells = *(const gamehub_cells*)extension(id);
  cells.size = huge_board;
  return &cells;
}

static const void* extension_half_board(const char* id) {
  static gamehub_cells cells;
  if (strcmp(id, GAMEHUB_CELLS) != 0) return extension(id);
  cells = *(const gamehub_cells*)extension(id);
  cells.glyphs = NULL;
  return &cells;
}

static const void* extension_icon_with_script(const char* id) {
  static const gamehub_face face = {
      sizeof(gamehub_face), 0,
      "{\"icon\":\"<svg xmlns=\\\"http://www.w3.org/2000/svg\\\" viewBox=\\\"0 0 1 1\\\">"
      "<script>alert(1)</script></svg>\"}"};
  return strcmp(id, GAMEHUB_FACE) == 0 ? &face : extension(id);
}

/* A whole page, so that no terminating zero follows. */
static char no_end[1 << 16];

static const void* extension_face_too_long(const char* id) {
  static const gamehub_face face = {sizeof(gamehub_face), 0, no_end};
  return strcmp(id, GAMEHUB_FACE) == 0 ? &face : extension(id);
}

static void spoil(gamehub_engine_abi* to) {
  memset(no_end, 'a', sizeof no_end);
  switch (WHICH) {
    case wrong_magic: to->magic = 0x1234; break;
    case short_table: to->struct_size = 64; break;
    case null_function: to->view_json = NULL; break;
    case half_board: to->extension = extension_half_board; break;
    case icon_with_script: to->extension = extension_icon_with_script; break;
    case face_too_long: to->extension = extension_face_too_long; break;
    case id_with_blank: to->id = "last cell"; break;
    case id_without_end: to->id = no_end; break;
    case title_without_end: to->title = no_end; break;
    case title_with_control: to->title = "Last\nCell"; break;
    case impossible_players: to->players_max = 63; break;
    case impossible_board: to->extension = extension_huge_board; break;
    case plies_too_few: to->plies_max = CELLS - 1; break;
    case actions_too_few: to->actions_max = CELLS - 1; break;
    case state_too_small: to->state_bytes_max = CELLS - 1; break;
    case endless_view: to->view_json = view_without_end; break;
    case growing_view: to->view_json = view_that_grows; break;
    case forgets_a_move: to->apply = forget_a_move; break;
    case crashes_in_entry: abort();
    case crashes_in_create: to->create = crash_in_create; break;
    case crashes_in_apply: to->apply = crash_in_apply; break;
    case spins_in_create: to->create = spin_in_create; break;
    case spins_in_apply: to->apply = spin_in_apply; break;
    case sleeps_in_apply: to->apply = sleep_in_apply; break;
    case eats_memory: to->apply = eat_memory; break;
    case exits_in_apply: to->apply = exit_in_apply; break;
    default: break;
  }
}

__attribute__((constructor)) static void when_loaded(void) {
  if (WHICH == exits_in_constructor) _exit(0);
  if (WHICH == loads_slowly) poll(NULL, 0, 2200);
}

/* The plugin without an entry function is built with ENTRY set to another name. */
#ifndef ENTRY
#define ENTRY gamehub_engine
#endif
LAST_CELL_EXPORT const gamehub_engine_abi* ENTRY(void);
LAST_CELL_EXPORT const gamehub_engine_abi* ENTRY(void) {
  static gamehub_engine_abi table;
  table = last_cell;
  spoil(&table);
  return WHICH == null_table ? NULL : &table;
}
