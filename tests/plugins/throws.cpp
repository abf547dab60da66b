// A plugin in C++ whose exception crosses the ABI, which is forbidden: Last Cell, whose third move
// throws.
#define LAST_CELL_SPOILED
#define LAST_CELL_ID "throws"
#define LAST_CELL_ABI "../../engines/abi.h"
#include "last_cell.c"

#include <stdexcept>

namespace {

gamehub_reason throw_in_apply(gamehub_match* m, int32_t seat, int64_t cell) {
  if (taken(m) == 2) throw std::runtime_error{"thrown across the border"};
  return take_cell(m, seat, cell);
}

}  // namespace

LAST_CELL_EXPORT const gamehub_engine_abi* gamehub_engine(void) {
  static gamehub_engine_abi table = last_cell;
  table.apply = throw_in_apply;
  return &table;
}
