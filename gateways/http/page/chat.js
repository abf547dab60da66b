// The chat of a game: players write, all readers see it.
import {h, isolated} from "./dom.js";
import {kindOf} from "./players.js";
import {seatOf} from "./seats.js";
import {ui} from "./text.js";

const bytesMax = 500;

/** @typedef {import("./record.js").Record} Record */

// Engines and bots do not answer.
/** @param {Record} record */
const answers = (record) =>
  record.players.some((name, seat) => name && seat !== seatOf(record.me) && !kindOf(record, seat));

export class Chat {
  /** @param {(text: string) => Promise<unknown>} say */
  constructor(say) {
    this.count = 0;
    this.list = h("div", {class: "talk", "aria-label": ui.whatWasSaid, role: "log", tabindex: "0"});
    this.empty = h("p", {class: "empty"}, ui.nothingSaid);
    this.field = h("input", {type: "text", "aria-label": ui.saySomething, placeholder: ui.saySomething, dir: "auto",
                             maxlength: bytesMax, autocomplete: "off"});
    this.form = h("form", {class: "say", onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && (await say(text))) this.field.value = "";
    }}, this.field, h("button", {type: "submit"}, ui.send));
    this.element = h("section", {class: "chat", "aria-labelledby": "chat-title"},
                     h("h2", {id: "chat-title"}, ui.chat), this.empty, this.list, this.form);
    // On a small screen the chat is below the board; the latest message is above it, too.
    this.latest = h("p", {class: "latest-said", "aria-hidden": "true"});
  }

  /** @param {Record} record */
  show(record) {
    const said = record.chat;
    this.form.hidden = !record.me || record.status !== "running";
    this.empty.hidden = said.length > 0;
    this.list.hidden = said.length === 0;
    this.element.hidden = record.status === "waiting" || (said.length === 0 && !answers(record));
    if (said.length === this.count) return;
    for (const each of said.slice(this.count))
      this.list.append(h("p", {}, h("b", {}, isolated(each.name)), " ", isolated(each.message, {dir: "auto"})));
    const last = said.at(-1);
    if (last) this.latest.replaceChildren(h("b", {}, isolated(last.name)), " ", isolated(last.message, {dir: "auto"}));
    this.count = said.length;
    this.list.scrollTop = this.list.scrollHeight;
  }
}
