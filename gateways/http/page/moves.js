// The list of moves, and the controls to look at older positions: a slider, buttons and keys.
import {Autoplay} from "./replay.js";
import {attribute, button, h, write} from "./dom.js";
import {cellName, nameAt, placeOf, say, sideName} from "./words.js";
import {phrase} from "./faces.js";
import {piece} from "./pieces.js";
import {seatOf} from "./seats.js";
import {ui} from "./text.js";

/** @typedef {import("./record.js").Record} Record */

// Returns a move as text: the coordinates of its cell, or the engine's words.
/** @param {Position} position @param {Record} record @param {number} columns @param {Face} face */
export function moveName(position, record, columns, face) {
  // A draw of chance, or a choice that is hidden for now.
  if (!position.by && position.action) return phrase(record.engine, face, position.action);
  if (!position.by) return record.engine === "kuhn-poker" ? ui.dealt : ui.unseen;
  if (position.cell !== undefined && columns) return cellName(position.cell, columns, face.drops);
  return phrase(record.engine, face, position.action ?? (position.cell === undefined ? ui.move : ui.place(position.cell + 1)));
}

// Returns the text that announces a move.
/** @param {Position} position @param {Record} record @param {number} columns @param {Face} face */
export function said(position, record, columns, face) {
  if (!position.by) return "";
  const who = position.by === record.me ? ui.you : nameAt(record, position.by);
  const where = position.cell !== undefined && columns
    ? `${placeOf(position.cell, columns)}, ${cellName(position.cell, columns)}` : moveName(position, record, columns, face);
  return `${who}: ${where}.`;
}

export class Moves {
  /**
   * @param {number} columns
   * @param {Face} face
   * @param {(position: Position, latest: boolean) => void} look told which position to show, and whether it is the latest
   */
  constructor(columns, face, look) {
    this.columns = columns;
    this.face = face;
    this.look = look;
    this.at = 0;
    this.follows = true;
    /** @type {HTMLButtonElement[]} */
    this.items = [];
    this.list = h("ol", {class: "moves", "aria-label": ui.moves, tabindex: "0"});
    this.slider = h("input", {type: "range", min: 0, max: 0, value: 0, "aria-label": ui.moveToLookAt,
                              oninput: () => this.go(Number(this.slider.value))});
    /** @param {string} text @param {string} title @param {() => number} to */
    const step = (text, title, to) => button(text, () => this.go(to()), {class: "step", "aria-label": title});
    this.buttons = [step("«", ui.toBeginning, () => 0), step("‹", ui.moveBack, () => this.at - 1),
                    step("›", ui.moveOn, () => this.at + 1), step("»", ui.toLatestMove, () => this.last)];
    const [first, back, on, latest] = this.buttons;
    this.bar = h("div", {class: "time-line", role: "group", "aria-label": ui.lookBack},
                 first, back, this.slider, on, latest);
    this.auto = new Autoplay(this);
    this.bar.append(this.auto.element);
    this.where = h("span", {});
    this.now = button(ui.toTheLatest, () => this.go(this.last), {class: "small main"});
    this.banner = h("div", {class: "looking-back", hidden: true}, this.where, this.now);
    this.element = h("section", {class: "history", "aria-labelledby": "moves-title"},
                     h("h2", {id: "moves-title"}, ui.moves), this.list);
    /** @param {KeyboardEvent} event */
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
  }

  get last() {
    return this.count - 1;
  }
  get count() {
    return this.record?.positions.length ?? 0;
  }

  /** @param {Record} record */
  show(record) {
    this.record = record;
    // Moves were taken back.
    while (this.items.length > Math.max(0, this.count - 1)) this.items.pop()?.parentElement?.remove();
    if (this.at > this.last) this.follows = true;
    for (let i = this.items.length + 1; i < this.count; ++i) this.list.append(this.item(record, i));
    if (this.follows) this.at = Math.max(0, this.last);
    this.auto.element.hidden = record.status !== "ended";
    this.mark();
  }

  /** @param {Record} record @param {number} i */
  item(record, i) {
    const position = record.positions[i];
    const {by} = position;
    const who = by ? `${nameAt(record, by)}${this.face.marks ? ` (${sideName(by, this.face)})` : ""}` : "";
    const text = moveName(position, record, this.columns, this.face);
    const one = button([h("span", {class: "number"}, `${i}.`),
                        by ? piece(seatOf(by), this.face) : h("span", {class: "piece"}),
                        who && h("span", {class: "unseen"}, `${who}: `), h("span", {}, text)],
                       () => this.go(i), {title: ui.moveBy(i, who)});
    this.items.push(one);
    return h("li", {}, one);
  }

  /** @param {number} to */
  go(to) {
    this.at = Math.min(Math.max(0, to), Math.max(0, this.last));
    this.follows = this.at === this.last;
    this.mark();
    if (this.record) this.look(this.record.positions[this.at], this.follows);
  }

  mark() {
    const {at, last} = this;
    this.slider.max = String(Math.max(0, last));
    this.slider.value = String(at);
    attribute(this.slider, "aria-valuetext", at === 0 ? ui.theBeginning : ui.moveOf(at, last));
    this.bar.classList.toggle("behind", !this.follows);
    this.banner.hidden = this.follows;
    write(this.where, `${say.moveOf(at, last)}.`);
    write(this.now, this.record?.mayMove ? ui.backYourTurn : ui.backToLatest);
    this.bar.hidden = last < 1;
    // A list that is not shown can't be scrolled.
    this.element.hidden = last < 1;
    for (const [i, item] of this.items.entries()) {
      const here = i + 1 === at;
      if (here && item.getAttribute("aria-current") !== "step") this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
      attribute(item, "aria-current", here ? "step" : undefined);
    }
    const [first, back, on, latest] = this.buttons;
    first.disabled = back.disabled = at === 0;
    on.disabled = latest.disabled = at === last;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, [role=grid], dialog")) return;
    /** @type {{[key: string]: number}} */
    const keys = {ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last};
    const to = keys[event.key];
    if (to === undefined || this.count < 2) return;
    event.preventDefault();
    this.go(to);
  }

  close() {
    this.auto.stop();
    document.removeEventListener("keydown", this.keys);
  }
}
