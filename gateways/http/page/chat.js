// What is said at the table: all who watch read it, the players write it.
import {h} from "./dom.js";
import {shown} from "./words.js";

const bytesMax = 500;

export class Chat {
  constructor(say) {
    this.count = 0;
    this.list = h("div", {class: "talk", "aria-label": "What was said", role: "log", tabindex: "0"});
    this.empty = h("p", {class: "empty"}, "Nobody has said anything.");
    this.field = h("input", {type: "text", "aria-label": "Say something", placeholder: "Say something",
                            maxlength: bytesMax, autocomplete: "off"});
    this.form = h("form", {class: "say", onsubmit: async (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && (await say(text))) this.field.value = "";
    }}, this.field, h("button", {type: "submit"}, "Send"));
    this.element = h("section", {class: "chat", "aria-labelledby": "chat-title"},
                     h("h2", {id: "chat-title"}, "Chat"), this.empty, this.list, this.form);
  }

  show(record) {
    this.form.hidden = !record.me || record.status !== "running";
    this.empty.hidden = record.chat.length > 0;
    this.list.hidden = record.chat.length === 0;
    if (record.chat.length === this.count) return;
    for (const {name, message} of record.chat.slice(this.count))
      this.list.append(h("p", {}, h("b", {}, shown(name)), " ", message));
    this.count = record.chat.length;
    this.list.scrollTop = this.list.scrollHeight;
  }
}
