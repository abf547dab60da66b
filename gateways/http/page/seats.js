// The seats of a game, and the marks that stand for them in the protocol.

export const marks = ["X", "O"];

// The seat of a mark: X, O, then 3, 4 and so on.
/** @param {string | undefined | null} mark */
export const seatOf = (mark) => (mark === "X" ? 0 : mark === "O" ? 1 : Number(mark) - 1);

// The mark of a seat.
/** @param {number} seat */
export const markOf = (seat) => marks[seat] ?? String(seat + 1);
