/* Last Cell built with a header of a future version: the table has more functions; a flag and an
 * extension are new. With -DLATER_MAJOR it is for another major version, which is incompatible. */
#define LAST_CELL_ABI "../../engines/abi.h"
#define LAST_CELL_SPOILED
#include "last_cell.c"

/* The functions that a future release appends. */
struct grown {
  gamehub_engine_abi known;
  size_t (*hint)(const gamehub_match* match, int32_t seat, char* out, size_t capacity);
  uint64_t appended[16];
};

struct grown_player {
  gamehub_player known;
  uint64_t appended[4];
};

static const void* grown_extension(const char* id) {
  static struct grown_player player;
  if (strcmp(id, "telepathy") == 0) return "appended, too";
  if (strcmp(id, GAMEHUB_PLAYER) != 0) return extension(id);
  player.known = *(const gamehub_player*)extension(id);
  player.known.struct_size = sizeof player;
  player.known.choose_in_style = NULL;
  return &player;
}

LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void);
LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void) {
  static struct grown table;
  table.known = last_cell;
  table.known.struct_size = sizeof table;
  table.known.flags |= UINT32_C(1) << 31;
  table.known.extension = grown_extension;
#ifdef LATER_MAJOR
  table.known.abi_major = GAMEHUB_ABI_MAJOR + 1;
  table.known.abi_minor = 0;
#else
  table.known.abi_minor = 9;
#endif
  return &table.known;
}
