// How the page speaks up: errors for everybody, and what happens for those who can't see the board.
import {button, h, write} from "./dom.js";
import {explain} from "./words.js";

const shownFor = 8_000;
const region = (id) => document.getElementById(id);

export function complain(text) {
  const one = h("div", {class: "alert"}, h("p", {}, text));
  one.append(button("Close", () => one.remove(), {class: "quiet", "aria-label": "Close this message"}));
  region("alerts").replaceChildren(one);
  setTimeout(() => one.remove(), shownFor);
}

export const hush = () => region("alerts").replaceChildren();

// Runs what may fail, and says so in a sentence if it does.
export async function trying(what) {
  try {
    return await what();
  } catch (error) {
    if (error.code === undefined) throw error;
    complain(explain(error));
    return undefined;
  }
}

export const announce = (text) => write(region("live"), text);

export function linkState(live) {
  const at = region("link");
  at.hidden = live;
  write(at, live ? "" : "Connection lost. Trying again …");
}
