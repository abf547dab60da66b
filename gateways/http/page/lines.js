// Lines of marks on a board.

// The longest straight line of one mark through a cell, if it is long enough.
/** @param {string} board @param {number} columns @param {number} cell @param {number} length @returns {number[]} */
export function lineThrough(board, columns, cell, length) {
  const rows = board.length / columns;
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const mark = board[cell];
  /** @param {number} down @param {number} right */
  const walk = (down, right) => {
    const found = [];
    for (let r = row + down, c = column + right; r >= 0 && r < rows && c >= 0 && c < columns; r += down, c += right) {
      if (board[r * columns + c] !== mark) break;
      found.push(r * columns + c);
    }
    return found;
  };
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    const line = [cell, ...walk(down, right), ...walk(-down, -right)];
    if (line.length >= length) return line;
  }
  return [];
}
