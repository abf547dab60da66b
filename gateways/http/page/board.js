// A board of cells, for any engine that has one: a grid of buttons, of which the arrow keys walk. What can
// be played is what the hub says; where pieces fall, any cell of a column stands for it.
import {announce} from "./notices.js";
import {h} from "./dom.js";
import {lineThrough} from "./record.js";
import {piece} from "./pieces.js";
import {placeOf, shown, marks} from "./words.js";

const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

export class Board {
  // `play` is called with a cell that can be played.
  constructor({rows, columns}, look, title, play) {
    Object.assign(this, {rows, columns, look, play, playable: new Map(), shownBoard: "_".repeat(rows * columns)});
    this.cells = Array.from({length: rows * columns}, (_, cell) => this.makeCell(cell));
    const lines = Array.from({length: rows}, (_, r) =>
      h("div", {class: "row", role: "row"}, this.cells.slice(r * columns, (r + 1) * columns)));
    this.element = h("div", {
      class: `board ${look.board}`, role: "grid", "aria-label": `Board of ${title}`,
      "aria-rowcount": rows, "aria-colcount": columns,
      style: {"--rows": rows, "--columns": columns}, onkeydown: (event) => this.walk(event),
    }, lines);
    this.cells[Math.floor(rows / 2) * columns + Math.floor(columns / 2)].tabIndex = 0;
  }

  makeCell(cell) {
    return h("button", {type: "button", class: "cell", role: "gridcell", tabindex: "-1",
                        style: {"--drop": Math.floor(cell / this.columns) + 1},
                        onclick: () => this.choose(cell), onfocus: (event) => this.hold(event.target)});
  }

  hold(button) {
    for (const each of this.cells) each.tabIndex = each === button ? 0 : -1;
  }

  walk(event) {
    const at = this.cells.indexOf(event.target);
    const step = steps[event.key];
    if (at < 0 || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const row = Math.floor(at / this.columns) + step[0];
    const column = (at % this.columns) + step[1];
    if (row < 0 || row >= this.rows || column < 0 || column >= this.columns) return;
    this.cells[row * this.columns + column].focus();
  }

  choose(cell) {
    const target = this.playable.get(cell);
    if (target === undefined) return announce(this.hint);
    this.cells[target].classList.add("pending");
    this.play(target);
  }

  // Where a click on each cell leads.
  targets(cells) {
    const out = new Map(cells.map((cell) => [cell, cell]));
    if (this.look.drops)
      for (const cell of cells)
        for (let at = cell % this.columns; at < this.cells.length; at += this.columns) out.set(at, cell);
    return out;
  }

  // A position of a record; the latest of a running game can be played on.
  show(record, position, latest) {
    this.playable = this.targets(latest ? record.cells : []);
    this.hint = record.status === "running" ? "That can't be played now." : "The game is over.";
    const {board, cell: moved, winner} = position;
    const at = moved ?? this.changed(board, position.by);
    const won = winner && winner !== "D" && at !== undefined && this.look.line
      ? lineThrough(board, this.columns, at, this.look.line) : [];
    this.element.classList.toggle("open", this.playable.size > 0);
    this.element.dataset.side = record.me ?? "";
    for (const [cell, button] of this.cells.entries()) this.draw(button, cell, board[cell], {
      last: cell === at, won: won.includes(cell), players: record.players,
      playable: latest && record.cells.includes(cell), open: this.playable.has(cell),
    });
    this.shownBoard = board;
  }

  // Where a piece fell that the update did not place.
  changed(board, by) {
    if (!by) return undefined;
    const found = [...board].findIndex((mark, cell) => mark === by && this.shownBoard[cell] === "_");
    return found < 0 ? undefined : found;
  }

  draw(button, cell, mark, {last, won, playable, open, players}) {
    if ((button.dataset.mark ?? "_") !== mark) {
      button.classList.toggle("turned", (button.dataset.mark ?? "_") !== "_" && mark !== "_");
      button.replaceChildren(...(mark === "_" ? [] : [piece(mark, this.look.pieces)]));
      button.dataset.mark = mark;
    }
    button.classList.remove("pending");
    for (const [name, yes] of Object.entries({last, won, playable, open})) button.classList.toggle(name, yes);
    button.setAttribute("aria-disabled", String(!open));
    const what = mark === "_" ? (playable ? "free" : "empty") : `${mark}, ${shown(players[marks.indexOf(mark)])}`;
    const label = `${placeOf(cell, this.columns)}: ${what}${won ? ", wins" : last ? ", the last move" : ""}`;
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  }
}
