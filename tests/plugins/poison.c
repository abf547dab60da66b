/* A correct plugin until the test enables its fault: then it exits the program at the second move,
 * as a fault that only some states trigger. */
#define LAST_CELL_SPOILED
#define LAST_CELL_ID "poison"
#define LAST_CELL_ABI "../../engines/abi.h"
#include "last_cell.c"

static int this_program_serves(void) {
  char words[4096];
  FILE* line = fopen("/proc/self/cmdline", "r");
  if (line == NULL) return 0;
  size_t size = fread(words, 1, sizeof words, line);
  fclose(line);
  for (size_t i = 0; i + 6 <= size; ++i)
    if (memcmp(words + i, "\0serve", 6) == 0) return 1;
  return 0;
}

static gamehub_reason take_poison(gamehub_match* m, int32_t seat, int64_t cell) {
  if (taken(m) == 1 && getenv("LAST_CELL_POISON") != NULL && this_program_serves()) abort();
  return take_cell(m, seat, cell);
}

LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void);
LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void) {
  static gamehub_engine_abi table;
  table = last_cell;
  table.apply = take_poison;
  return &table;
}
