// Moves that are typed by their names, and questions that are answered in words: without a look at the board.
import {clock} from "./clocks.js";
import {nameAt, within} from "./words.js";
import {h, write} from "./dom.js";
import {markOf} from "./seats.js";
import {ui} from "./text.js";

/** @typedef {import("./record.js").Record} Record */

/** @param {Record} record */
function clocks(record) {
  const known = record.players.flatMap((_, seat) => {
    const time = record.timeOf(seat);
    if (!time) return [];
    const follow = time.periods > 0 ? ui.periodsFollow(time.periods) : "";
    return [`${within(nameAt(record, markOf(seat)))}: ${clock(time.left)}${follow}.`];
  });
  return known.join(" ") || ui.noClock;
}

export class Typed {
  /**
   * @param {Record} record
   * @param {() => string} last the latest move as a sentence
   * @param {(name: string) => string} play plays a move, or returns why not
   */
  constructor(record, last, play) {
    this.record = record;
    this.last = last;
    this.play = play;
    this.field = h("input", {type: "text", "aria-label": ui.typeMove, placeholder: ui.typeMove, autocomplete: "off",
                             autocapitalize: "none", spellcheck: "false"});
    this.answer = h("output", {});
    this.element = h("form", {class: "say typed", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.take(this.field.value.trim().toLowerCase());
    }}, this.field, h("button", {type: "submit"}, ui.enter), this.answer);
  }

  /** @param {string} text */
  take(text) {
    if (!text) return;
    write(this.answer, text === ui.askLast ? this.last() || ui.noMoveYet : text === ui.askClock ? clocks(this.record) : this.play(text));
    this.field.value = "";
  }

  show() {
    this.element.hidden = this.record.status !== "running" || !this.record.me;
  }
}
