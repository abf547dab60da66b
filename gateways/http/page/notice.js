// What an operator says to all, in the views that read no game: the list of games has it for some minutes.
import * as api from "./api.js";
import {announce} from "./notices.js";
import {h} from "./dom.js";
import {ui} from "./text.js";

const pollEach = 4_000;

// A message of the operator, apart from the chat.
export const operatorNote = () => h("div", {class: "operator", role: "note", "aria-label": ui.fromOperator, hidden: true});

/** @param {HTMLElement} note @param {string} message */
export function tellIn(note, message) {
  note.hidden = false;
  note.replaceChildren(h("b", {}, ui.operator), " ", h("span", {dir: "auto"}, message));
}

let announced = "";

export class Notice {
  constructor() {
    this.element = operatorNote();
    this.shown = "";
    this.timer = 0;
  }

  /** @param {{message: string, timestamp: string} | undefined} notice */
  hear(notice) {
    if (!notice) this.element.hidden = true;
    if (!notice || notice.timestamp === this.shown) return;
    this.shown = notice.timestamp;
    tellIn(this.element, notice.message);
    if (announced !== notice.timestamp) announce(`${ui.operator} ${notice.message}`);
    announced = notice.timestamp;
  }

  // Asks as long as the view is looked at.
  poll() {
    this.timer = window.setTimeout(async () => {
      if (!document.hidden) this.hear((await api.gamePage({limit: 1}).catch(() => undefined))?.notice);
      if (this.timer) this.poll();
    }, pollEach);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
