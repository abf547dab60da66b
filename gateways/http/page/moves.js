// The moves so far, and the way back through them: a slider, buttons, and keys.
import {button, h} from "./dom.js";
import {phrase} from "./looks.js";
import {marks, placeOf, shown} from "./words.js";

const nameOf = (position, record, columns) => {
  if (!position.by) return "Chosen, unseen";
  if (position.cell !== undefined) return columns ? placeOf(position.cell, columns) : `place ${position.cell + 1}`;
  return phrase(record.engine, position.action ?? "move");
};

export class Moves {
  // `look` is told which position to show, and whether it is the latest.
  constructor(columns, look) {
    Object.assign(this, {columns, look, at: 0, follows: true, items: []});
    this.list = h("ol", {class: "moves", "aria-label": "Moves", tabindex: "0"});
    this.slider = h("input", {type: "range", min: 0, max: 0, value: 0, "aria-label": "Move to look at",
                              oninput: () => this.go(Number(this.slider.value))});
    const step = (text, label, to) => button(text, () => this.go(to()), {class: "step", "aria-label": label});
    this.buttons = [step("«", "To the beginning", () => 0), step("‹", "One move back", () => this.at - 1),
                    step("›", "One move on", () => this.at + 1), step("»", "To the latest move", () => this.last)];
    const [first, back, on, latest] = this.buttons;
    this.bar = h("div", {class: "time-line", role: "group", "aria-label": "Look back"},
                 first, back, this.slider, on, latest);
    this.element = h("section", {class: "history", "aria-labelledby": "moves-title"},
                     h("h2", {id: "moves-title"}, "Moves"), this.list);
    this.keys = (event) => this.press(event);
    document.addEventListener("keydown", this.keys);
  }

  get last() {
    return this.count - 1;
  }
  get count() {
    return this.record?.positions.length ?? 0;
  }

  show(record) {
    this.record = record;
    for (let i = this.items.length + 1; i < this.count; ++i) this.list.append(this.item(record.positions[i], i));
    if (this.follows) this.at = Math.max(0, this.last);
    this.mark();
  }

  item(position, i) {
    const who = position.by && nameAt(this.record, position.by);
    const one = button([h("b", {class: position.by ? `side-${position.by.toLowerCase()}` : ""}, position.by ?? "·"),
                        h("span", {}, nameOf(position, this.record, this.columns))],
                       () => this.go(i), {title: who ? `Move ${i}, ${who}` : `Move ${i}`});
    this.items.push(one);
    return h("li", {}, one);
  }

  go(to) {
    this.at = Math.min(Math.max(0, to), Math.max(0, this.last));
    this.follows = this.at === this.last;
    this.mark();
    this.look(this.record.positions[this.at], this.follows);
  }

  mark() {
    this.slider.max = Math.max(0, this.last);
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", this.at === 0 ? "the beginning" : `move ${this.at} of ${this.last}`);
    for (const [i, item] of this.items.entries()) {
      const here = i + 1 === this.at;
      if (here === (item.getAttribute("aria-current") === "step")) continue;
      if (here) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (here) this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
    this.bar.classList.toggle("behind", !this.follows);
    this.bar.hidden = this.last < 1;
    this.element.hidden = this.last < 1;
    const [first, back, on, latest] = this.buttons;
    first.disabled = back.disabled = this.at === 0;
    on.disabled = latest.disabled = this.at === this.last;
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, [role=grid], dialog")) return;
    const to = {ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last}[event.key];
    if (to === undefined || this.count < 2) return;
    event.preventDefault();
    this.go(to);
  }

  close() {
    document.removeEventListener("keydown", this.keys);
  }
}

const nameAt = (record, mark) => shown(record.players[marks.indexOf(mark)]);

// A move as it is announced.
export function said(position, record, columns) {
  if (!position.by) return "";
  const who = position.by === record.me ? "You" : nameAt(record, position.by);
  return `${who}: ${nameOf(position, record, columns)}.`;
}
