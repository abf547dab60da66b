// The seats of a game, and the marks that stand for them in the protocol.

export const marks = ["X", "O"];

// The seat of a mark: X, O, then 3, 4 and so on. On a board a small letter is another piece of the same seat.
/** @param {string | undefined | null} mark */
export const seatOf = (mark) => (mark === "X" || mark === "x" ? 0 : mark === "O" || mark === "o" ? 1 : Number(mark) - 1);

// Where a face has the shape and the name of a piece on a board: those of the small letters follow the two seats.
/** @param {string | undefined | null} mark */
export const pieceOf = (mark) => (mark === "x" ? 2 : mark === "o" ? 3 : seatOf(mark));

// The further seats of a game of three or more as /api/play has them: the last ones are the engine's. Undefined: none is.
/** @param {number} players @param {number} engines @returns {string[] | undefined} */
export function opponentsOf(players, engines) {
  const taken = players > 2 ? Math.min(engines, players - 1) : 0;
  return taken > 0 ? [...Array(players - 1 - taken).fill("any"), ...Array(taken).fill("engine")] : undefined;
}

// The mark of a seat.
/** @param {number} seat */
export const markOf = (seat) => marks[seat] ?? String(seat + 1);
