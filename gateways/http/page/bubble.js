// A text beside the place of a click that did nothing. It is announced, too.
import {announce} from "./notices.js";
import {h} from "./dom.js";

const shownFor = 4_000;

export class Bubble {
  element = h("p", {class: "bubble", hidden: true, "aria-hidden": "true"});
  timer = 0;

  // The place is in parts of the container's width and height; the text is above it, or `under` it.
  /** @param {number} x @param {number} y @param {boolean} under @param {string} text */
  tell(x, y, under, text) {
    const {element} = this;
    element.textContent = text;
    element.hidden = false;
    element.style.setProperty("--at-x", String(x));
    element.style.setProperty("--at-y", String(y));
    element.classList.toggle("under", under);
    announce(text);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hide(), shownFor);
  }

  hide() {
    this.element.hidden = true;
  }
}
