// Engines that each violate the contract once: node mutants.mjs NAME.
//
// tests/system/engine_mutants_test.cpp has the finding for each name. They are those of mutants.py
// but for what the SDK prevents. "none-board", "none-cards" and "none-hands" are the games before
// they are mutated.
import process from "node:process";

import { CHANCE, Game, Refused, range, run } from "./gamehub_engine.mjs";

const NAME = process.argv[2];

// Three in a line on nine cells.
class Board extends Game {
  static id = NAME;
  static title = "Mutant";
  static rows = 3;
  static columns = 3;
  static marks = "XO";
  static actionsMax = 9;
  static pliesMax = 9;

  setUp() {
    this.board = Array(9).fill(null);
    this.mover = 0;
    this.winner = null;
  }
  toMove() {
    return this.winner !== null || !this.board.includes(null) ? null : this.mover;
  }
  legalActions() {
    return range(0, 9).filter((at) => this.board[at] === null);
  }
  refusal() {
    return "space-not-empty";
  }
  apply(seat, action) {
    this.board[action] = seat;
    this.mover = 1 - seat;
    if (this.lineLength(this.board, action) >= 3) this.winner = seat;
  }
  scores() {
    return this.winner === null ? [0, 0] : this.winner === 0 ? [1, -1] : [-1, 1];
  }
  cell(viewer, number) {
    return this.board[number];
  }
}

// Chance deals each of two seats one of four cards, both bet or pass, the higher card wins.
class Cards extends Game {
  static id = NAME;
  static title = "Mutant";
  static actionsMax = 4;
  static pliesMax = 4;
  static perfectInformation = false;
  static hasChance = true;

  setUp() {
    this.cards = [];
    this.said = [];
  }
  toMove() {
    return this.cards.length < 2 ? CHANCE : this.said.length < 2 ? this.said.length : null;
  }
  chanceOutcomes() {
    return range(0, 4)
      .filter((card) => !this.cards.includes(card))
      .map((card) => [card, 1]);
  }
  legalActions() {
    return [0, 1];
  }
  apply(seat, action) {
    (seat === CHANCE ? this.cards : this.said).push(action);
  }
  audience(seat) {
    return seat === CHANCE ? [this.cards.length] : null;
  }
  scores() {
    return this.cards[0] > this.cards[1] ? [1, -1] : [-1, 1];
  }
  view(viewer) {
    const card = viewer >= 0 ? this.cards.slice(viewer, viewer + 1) : [];
    return { card, dealt: this.cards.length, said: this.said };
  }
}

// Both seats choose one of three at the same time, twice.
class Hands extends Game {
  static id = NAME;
  static title = "Mutant";
  static actionsMax = 3;
  static pliesMax = 4;
  static simultaneous = true;

  setUp() {
    this.chosen = [null, null];
    this.before = [];
  }
  toMove() {
    return [0, 1].filter((seat) => this.chosen[seat] === null && this.before.length < 2);
  }
  legalActions() {
    return [0, 1, 2];
  }
  apply(seat, action) {
    this.chosen[seat] = action;
    if (this.chosen.includes(null)) return;
    this.before.push(this.chosen);
    this.chosen = [null, null];
  }
  audience(seat) {
    return this.chosen[1 - seat] === null ? [] : null;
  }
  scores() {
    return [0, 0];
  }
  view(viewer) {
    const chosen = this.chosen.map((mine, seat) => (seat === viewer ? mine : null));
    return { chosen, waiting: this.toMove(), before: this.before };
  }
}

const shared = [];
const anyOf = (all) => all[Math.floor(Math.random() * all.length)];

// The base, members that replace its own, and static ones.
const MUTANTS = {
  "none-board": [Board, {}],
  "none-cards": [Cards, {}],
  "none-hands": [Hands, {}],

  "play-of-another": [Board, {}],

  // The state is not only that of the match.
  "random-apply": [Board, {
    apply(seat) {
      Board.prototype.apply.call(this, seat, anyOf(this.legalActions()));
    },
  }],
  "clock": [Board, {
    apply(seat, action) {
      Board.prototype.apply.call(this, seat, action);
      this.at = String(process.hrtime.bigint());
    },
  }],
  "shared-state": [Board, {
    apply(seat, action) {
      shared.push(action);
      Board.prototype.apply.call(this, seat, action);
      if (shared.length % 50 === 49) this.winner = 0;
    },
  }],
  "other-process": [Board, {
    setUp() {
      Board.prototype.setUp.call(this);
      this.process = process.pid;
    },
  }],
  "view-changes-state": [Board, {
    view(viewer) {
      this.seen = (this.seen ?? 0) + 1;
      return Board.prototype.view.call(this, viewer);
    },
  }],
  "state-is-no-json": [Board, {
    setUp() {
      Board.prototype.setUp.call(this);
      this.board = new Set([1, 2]);
    },
  }],
  "hash-unchanged": [Board, {
    apply() {
      this.moves = 0;
    },
  }],

  // What is legal.
  "refuses-legal": [Board, {
    apply(seat, action) {
      if (action === 8) throw new Refused("space-not-empty");
      Board.prototype.apply.call(this, seat, action);
    },
  }],
  "twice": [Board, {
    legalActions() {
      const all = Board.prototype.legalActions.call(this);
      return [...all, ...all];
    },
  }],
  "none-legal": [Board, {
    legalActions() {
      return Board.prototype.legalActions.call(this).slice(3);
    },
  }],
  "actions-max": [Board, {}, { actionsMax: 8 }],
  "plies-max": [Board, {}, { pliesMax: 6 }],
  "state-bytes-max": [Board, {}, { stateBytesMax: 30 }],
  "reason-is-no-word": [Board, { refusal: () => "Space not empty!" }],

  // Who is to move.
  "seat-that-is-not-there": [Board, {
    toMove() {
      return this.board[4] !== null ? 2 : Board.prototype.toMove.call(this);
    },
  }],
  "never-ends": [Board, {
    toMove() {
      return this.mover;
    },
  }],
  "never-begins": [Board, { toMove: () => null }],
  "both": [Board, {
    toMove() {
      return Board.prototype.toMove.call(this) === null ? null : [0, 1];
    },
  }],
  "at-random": [Board, {
    toMove() {
      return Board.prototype.toMove.call(this) === null ? null : anyOf([0, 1]);
    },
  }],

  // Hidden information, and draws of chance.
  "leaks-card": [Cards, {
    view(viewer) {
      return Cards.prototype.view.call(this, viewer === 1 ? 0 : viewer);
    },
  }],
  "leaks-to-spectators": [Cards, {
    view(viewer) {
      const sum = this.cards.reduce((a, b) => a + b, 0);
      return { ...Cards.prototype.view.call(this, viewer), sum };
    },
  }],
  "tells-everyone": [Cards, { audience: () => null }],
  "leaks-by-actions": [Cards, {
    legalActions(seat) {
      return this.cards[1 - seat] < 2 ? [0, 1] : [0];
    },
  }],
  "leaks-choice": [Hands, {
    view() {
      return { chosen: this.chosen, before: this.before };
    },
  }],
  "secret-in-the-open": [Board, { audience: () => [] }],
  "no-weight": [Cards, {
    chanceOutcomes() {
      return Cards.prototype.chanceOutcomes.call(this).map(([card]) => [card, card]);
    },
  }],
  "no-draws": [Cards, { chanceOutcomes: () => [] }],

  // Views and scores.
  "no-object": [Board, {
    view() {
      return this.board;
    },
  }],
  "mark-of-no-seat": [Board, {
    cell(viewer, number) {
      return number === 8 ? 2 : this.board[number];
    },
  }],
  "too-many": [Board, { scores: () => [0, 0, 0] }],
  "no-number": [Board, { scores: () => [NaN, 0] }],
  "scores-change": [Board, {
    scores() {
      shared.push(0);
      return [shared.length % 2, 0];
    },
  }],

  // Calls that do not return a result in time.
  "slow": [Board, {
    apply(seat, action) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      Board.prototype.apply.call(this, seat, action);
    },
  }],
  "hangs": [Board, {
    apply() {
      for (;;);
    },
  }],
  "exits": [Board, { apply: () => process.exit(3) }],
  "recurses": [Board, {
    view(viewer) {
      return this.view(viewer);
    },
  }],
  "prints": [Board, {
    apply(seat, action) {
      console.log("hello");
      Board.prototype.apply.call(this, seat, action);
    },
  }],
}; // prettier-ignore

// The SDK gets each request `play` for the other seat: its play is another than its single requests.
function playsForAnother() {
  const { stdin } = process;
  const on = stdin.on.bind(stdin);
  const changed = (bytes) => {
    const released = bytes.readUInt32LE(5);
    if (bytes[4] === 5) bytes[4 + 1 + (4 + 8 * released) + 8 + 4 + 8 + 4 + 4 + 1] ^= 1;
    return bytes;
  };
  stdin.on = (event, take) => on(event, event === "data" ? (bytes) => take(changed(bytes)) : take);
}

// An exception in each function.
function boom() {
  throw new TypeError("boom");
}
const withDashes = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
for (const member of ["setUp", "toMove", "legalActions", "apply", "scores", "view", "cell", "refusal", "audience"])
  MUTANTS[`throws-in-${withDashes(member)}`] = [Board, { [member]: boom }];
MUTANTS["throws-in-chance-outcomes"] = [Cards, { chanceOutcomes: boom }];

if (NAME === "--list") {
  console.log(Object.keys(MUTANTS).join("\n"));
} else {
  if (NAME === "play-of-another") playsForAnother();
  const [base, members, constants] = MUTANTS[NAME];
  const Mutant = class extends base {};
  Object.assign(Mutant.prototype, members);
  run(Object.assign(Mutant, constants), import.meta.url);
}
