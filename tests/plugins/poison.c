/* A correct plugin until a file beside it enables its fault: then it exits the program at the
 * second move, as a fault that only some states trigger. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#define LAST_CELL_SPOILED
#define LAST_CELL_ID "poison"
#define LAST_CELL_ABI "../../engines/abi.h"
#include "last_cell.c"

/* A library gets the arguments of the program when it is loaded. */
static int serves;
__attribute__((constructor)) static void note_arguments(int count, char** arguments) {
  for (int i = 0; i < count; ++i)
    if (arguments[i] != NULL && strncmp(arguments[i], "serve", 5) == 0) serves = 1;
}

/* True if the file `poisoned` is beside this one. */
static int is_poisoned(void) {
  Dl_info here;
  char path[4096];
  if (dladdr(&serves, &here) == 0 || strlen(here.dli_fname) >= sizeof path - 9) return 0;
  strcpy(path, here.dli_fname);
  strcpy(strrchr(path, '/') + 1, "poisoned");
  return access(path, F_OK) == 0;
}

static gamehub_reason take_poison(gamehub_match* m, int32_t seat, int64_t cell) {
  if (taken(m) == 1 && serves && is_poisoned()) abort();
  return take_cell(m, seat, cell);
}

LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void);
LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void) {
  static gamehub_engine_abi table;
  table = last_cell;
  table.apply = take_poison;
  return &table;
}
