// A board of cells: a grid of buttons with arrow keys. The legal moves come from the hub. Where pieces fall, each cell
// of a column stands for its lowest free cell.
import {Bubble} from "./bubble.js";
import {cellName, columnName, nameAt, placeOf, say, sideName} from "./words.js";
import {attribute, h, show} from "./dom.js";
import {lineThrough} from "./lines.js";
import {lettered, piece} from "./pieces.js";
import {markOf, pieceOf, seatOf} from "./seats.js";
import {ui} from "./text.js";

/** @type {{[key: string]: number[]}} */
const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
const smallestTap = 24;  // CSS pixels, by WCAG 2.5.8

// Returns why a click plays nothing now.
/** @param {import("./record.js").Record} record @param {boolean} latest */
export function hintFor(record, latest) {
  if (record.status === "waiting") return say.waits;
  if (record.status === "ended" || record.decided) return say.over;
  if (!record.me) return say.watching;
  if (!latest) return say.lookingBack;
  if (record.sent) return say.onItsWay;
  return record.turn && record.turn !== record.me ? say.notYours : say.cantPlay;
}

// The width of a board by its height. A hexagon is 1.1547 times as high as wide, and a quarter of it is in the next row.
/** @param {number} rows @param {number} columns @param {Face} face */
export const ratioOf = (rows, columns, face) => face.board !== "hexagons" ? columns / rows
  : (columns + (rows - 1) / 2) / ((0.75 * rows + 0.25) * 1.1547);

export class Board {
  /**
   * @param {{rows: number, columns: number, letters?: string}} size with the engine's letters of the seats
   * @param {import("./faces.js").Looks} face
   * @param {string} title
   * @param {(cell: number) => void} play called with a cell that can be played
   */
  constructor({rows, columns, letters = ""}, face, title, play) {
    this.rows = rows;
    this.columns = columns;
    this.letters = letters;
    this.face = face;
    this.shifted = face.board === "hexagons";  // each row half a cell to the right of the one above
    this.play = play;
    /** @type {Map<number, number>} */
    this.playable = new Map();
    this.shownBoard = "_".repeat(rows * columns);
    this.hint = say.over;
    this.cells = Array.from({length: rows * columns}, (_, cell) => this.makeCell(cell));
    const lines = Array.from({length: rows}, (_, r) =>
      h("div", {class: "row", role: "row"}, this.cells.slice(r * columns, (r + 1) * columns)));
    this.grid = h("div", {
      class: `board ${this.shifted ? "squares " : ""}${face.board}`, role: "grid", "aria-label": ui.boardOf(title),
      "aria-rowcount": rows, "aria-colcount": columns,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(event),
    }, lines);
    this.bubble = new Bubble();
    const names = Array.from({length: columns}, (_, c) => h("span", {}, columnName(c)));
    const numbers = face.drops ? [] : Array.from({length: rows}, (_, r) => h("span", {}, String(r + 1)));
    this.element = h("div", {class: "framed", style: {"--rows": rows, "--columns": columns}},
      h("div", {class: "files", "aria-hidden": "true"}, names),
      numbers.length > 0 && h("div", {class: "ranks", "aria-hidden": "true"}, numbers), this.grid, this.bubble.element);
    this.cells[Math.floor(rows / 2) * columns + Math.floor(columns / 2)].tabIndex = 0;
  }

  /** @param {number} cell */
  makeCell(cell) {
    return h("button", {type: "button", class: "cell", role: "gridcell", tabindex: "-1",
                        style: {"--drop": Math.floor(cell / this.columns) + 1},
                        onclick: (/** @type {MouseEvent} */ event) => this.choose(cell, event.detail > 0),
                        onfocus: (/** @type {FocusEvent} */ event) => this.hold(event.target)});
  }

  /** @param {EventTarget | null} button */
  hold(button) {
    for (const each of this.cells) each.tabIndex = each === button ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const at = this.cells.findIndex((each) => each === event.target);
    const step = steps[event.key];
    if (at < 0 || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const way = this.flipped ? -1 : 1;
    const row = Math.floor(at / this.columns) + way * step[0];
    const column = (at % this.columns) + way * step[1];
    if (row < 0 || row >= this.rows || column < 0 || column >= this.columns) return;
    this.cells[row * this.columns + column].focus();
  }

  // The other side's view. Where pieces fall, down is down.
  get flipped() {
    return !this.face.drops && document.documentElement.hasAttribute("data-flip");
  }

  // A cell below the minimum size of a pointer target needs a second tap.
  /** @param {number} cell @param {boolean} pointed */
  choose(cell, pointed) {
    const target = this.playable.get(cell);
    if (target === undefined) return this.tell(cell, this.hint);
    const width = this.cells[target].getBoundingClientRect().width;
    if (pointed && width < smallestTap && this.aimed !== target) return this.aim(target);
    this.aim(undefined);
    this.cells[target].classList.add("pending");
    if (this.me && !this.cells[target].dataset.mark) show(this.cells[target], piece(seatOf(this.me), this.face));
    this.play(target);
  }

  // Plays a cell by its name in the list of moves; returns why not.
  /** @param {string} name */
  type(name) {
    const isNamed = (/** @type {number} */ cell) =>
      [cellName(cell, this.columns), cellName(cell, this.columns, this.face.drops)].includes(name);
    const cell = this.cells.findIndex((_, each) => isNamed(each));
    if (cell < 0) return ui.noSuchMove;
    if (!this.playable.has(cell)) return this.hint;
    this.choose(cell, false);
    return "";
  }

  /** @param {number | undefined} cell */
  aim(cell) {
    if (this.aimed !== undefined) this.cells[this.aimed].classList.remove("aimed");
    this.aimed = cell;
    this.bubble.hide();
    if (cell === undefined) return;
    this.cells[cell].classList.add("aimed");
    this.tell(cell, say.again(cellName(cell, this.columns, this.face.drops)));
  }

  // Shows a text beside the cell and announces it.
  /** @param {number} cell @param {string} text */
  tell(cell, text) {
    const at = this.flipped ? this.cells.length - 1 - cell : cell;
    const row = Math.floor(at / this.columns);
    const under = row < 2;
    const [aside, all] = this.shifted ? [row / 2, this.columns + (this.rows - 1) / 2] : [0, this.columns];
    this.bubble.tell(((at % this.columns) + aside + 0.5) / all, (under ? row + 1 : row) / this.rows, under, text);
  }

  // Maps each cell to the legal move that a click on it plays.
  /** @param {number[]} cells */
  targets(cells) {
    const out = new Map(cells.map((cell) => [cell, cell]));
    if (this.face.drops)
      for (const cell of cells)
        for (let at = cell % this.columns; at < this.cells.length; at += this.columns) out.set(at, cell);
    return out;
  }

  // Shows a position of a record. Only the latest accepts moves.
  /** @param {import("./record.js").Record} record @param {Position} position @param {boolean} latest */
  show(record, position, latest) {
    const open = latest && record.mayMove ? record.cells : [];
    this.playable = this.targets(open);
    this.hint = hintFor(record, latest);
    this.me = record.me;
    const {board, cell: moved, winner} = position;
    const at = moved ?? this.changed(board, position.by);
    const won = winner && winner !== "D" && at !== undefined && this.face.line
      ? lineThrough(board, this.columns, at, this.face.line) : [];
    if (this.aimed !== undefined && !this.playable.has(this.aimed)) this.aim(undefined);
    this.grid.classList.toggle("open", this.playable.size > 0);
    for (const [cell, button] of this.cells.entries()) this.draw(button, cell, board[cell], record, {
      last: cell === at, won: won.includes(cell), playable: open.includes(cell), open: this.playable.has(cell),
    });
    this.shownBoard = board;
  }

  // Finds the cell of a move whose update names none.
  /** @param {string} board @param {string | undefined} by */
  changed(board, by) {
    if (!by) return undefined;
    const found = [...board].findIndex((letter, cell) => this.markAt(letter) === by && this.shownBoard[cell] === "_");
    return found < 0 ? undefined : found;
  }

  // The mark of a letter on the board: from the third seat on the letters are the engine's.
  /** @param {string} letter */
  markAt(letter) {
    const seat = this.letters.indexOf(letter);
    return seat > 1 ? markOf(seat) : letter;
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {number} cell
   * @param {string} letter
   * @param {import("./record.js").Record} record
   * @param {{last: boolean, won: boolean, playable: boolean, open: boolean}} how
   */
  draw(button, cell, letter, record, how) {
    const {last, won, playable, open} = how;
    const mark = this.markAt(letter);
    // A letter may be no seat's, such as that of a closed cell.
    const isOfSeat = Number.isInteger(seatOf(mark));
    // The player's own move stays grey until its update arrives. It can't be played once more meanwhile.
    const pending = button.classList.contains("pending");
    if (pending && record.sent && mark === "_") {
      button.classList.remove("playable", "open");
      attribute(button, "aria-disabled", "true");
      return;
    }
    if ((button.dataset.mark ?? "_") !== mark || pending) {
      button.classList.toggle("turned", (button.dataset.mark ?? "_") !== "_" && mark !== "_");
      show(button, mark !== "_" && (isOfSeat ? piece(pieceOf(mark), this.face) : lettered(letter)));
      if (mark === "_") delete button.dataset.mark;
      else button.dataset.mark = mark;
    }
    button.classList.remove("pending");
    for (const [name, yes] of Object.entries(how)) button.classList.toggle(name, yes);
    attribute(button, "aria-disabled", String(!open));
    const side = sideName(mark, this.face);
    const free = playable ? ui.free : ui.empty;
    const what = mark === "_" ? free : isOfSeat ? `${side}, ${nameAt(record, mark)}` : letter;
    const name = cellName(cell, this.columns);
    attribute(button, "aria-label",
                 `${placeOf(cell, this.columns)}: ${what}${won ? ui.wins : last ? ui.lastMove : ""} (${name})`);
  }
}
