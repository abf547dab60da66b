// What an operator says to all, apart from the chat: one element, which each view shows at its place.
import {announce} from "./notices.js";
import {h} from "./dom.js";
import {listen} from "./follow.js";
import {ui} from "./text.js";

export const operatorNote = h("div", {class: "operator", role: "note", "aria-label": ui.fromOperator, hidden: true});

const sameWithin = 2_000;
let shown = {message: "", until: 0};
let timer = 0;

// Shows a notice as long as the hub has it. Each stream begins with the one that the hub has.
/** @param {Notice} notice */
function show({message, until}) {
  const left = until - Date.now();
  if (left <= 0 || (message === shown.message && Math.abs(until - shown.until) < sameWithin)) return;
  shown = {message, until};
  operatorNote.replaceChildren(h("b", {}, ui.operator), " ", h("span", {dir: "auto"}, message));
  operatorNote.hidden = false;
  announce(`${ui.operator} ${message}`);
  clearTimeout(timer);
  timer = window.setTimeout(() => (operatorNote.hidden = true), left);
}

export const hearOperator = () => listen(show);
