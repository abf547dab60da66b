// A game as this page knows it: what its updates add up to. No elements, no network.

export class Record {
  constructor(standing, cells) {
    this.blank = "_".repeat(cells);
    this.id = standing.game_id;
    this.engine = standing.engine;
    this.options = standing.options;
    this.positions = [];  // the beginning, then one for each change
    this.chat = [];
    this.guests = new Set();
    this.learn(standing);
  }

  // What the hub says of the game as it stands for this player.
  learn(standing) {
    this.status = standing.status;
    this.players = standing.players;
    this.me = standing.player;
    this.view = standing.view;
    this.actions = standing.actions ?? [];
    this.cells = standing.positions ?? [];
    this.turnTime = standing.turn_milliseconds;
    this.deadline = standing.turn_milliseconds_left && performance.now() + standing.turn_milliseconds_left;
    if (this.status === "ended") this.winner = standing.winner;
  }

  get position() {
    return this.positions.at(-1) ?? {board: this.blank};
  }
  get turn() {
    return this.status === "running" ? this.position.turn : undefined;
  }
  get mayMove() {
    return this.status === "running" && this.actions.length > 0;
  }
  // The engine asks the seats one by one, or all at once.
  get mayHaveToMove() {
    return this.status === "running" && this.me !== undefined && (!this.turn || this.turn === this.me);
  }

  apply(update) {
    switch (update.type) {
      case "status":
        this.players = [update.playerX, update.playerO];
        this.status = "running";
        return this.stand(update, undefined);
      case "move":
        return this.stand(update, update.player);
      case "connect":
        if (update.player === "G") this.guests.add(update.name);
        return;
      case "disconnect":
        this.guests.delete(update.name);
        return;
      case "chat":
        this.chat.push({name: update.name, message: update.message});
        return;
      case "end":
        this.status = "ended";
        this.reason = update.reason;
        this.actions = this.cells = [];
        this.deadline = undefined;
    }
  }

  stand({board, view, turn, winner, position, action}, by) {
    this.positions.push({board: board || this.blank, view, turn, winner, by, cell: position ?? undefined, action});
    if (winner) this.winner = winner;
    this.actions = this.cells = [];
    this.deadline = this.turnTime && performance.now() + this.turnTime;
  }
}

// The longest straight line of one mark through a cell, if it is long enough.
export function lineThrough(board, columns, cell, length) {
  const rows = board.length / columns;
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const mark = board[cell];
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
