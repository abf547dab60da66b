// Makes elements. Text from the hub is never parsed as HTML.

const namespace = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * @template {Element} T
 * @param {T} element
 * @param {{[name: string]: any}} properties
 * @param {(Child | Child[])[]} children
 * @returns {T}
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, to] of Object.entries(value)) styleOf(element).setProperty(key, to);
    else if (name === "value") Object.assign(element, {value});
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const each of children.flat())
    if (each !== undefined && each !== null && each !== false) element.append(typeof each === "number" ? String(each) : each);
  return element;
}

/** @param {any} element @returns {CSSStyleDeclaration} */
const styleOf = (element) => element.style;

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{[name: string]: any}} properties
 * @param {(Child | Child[])[]} children
 */
export const h = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);

/** @param {string} tag @param {{[name: string]: any}} properties @param {(Child | Child[])[]} children */
export const svg = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(namespace, tag), properties, children);

/** @param {Child | Child[]} text @param {(event: Event) => void} onclick */
export const button = (text, onclick, properties = {}) => h("button", {type: "button", onclick, ...properties}, text);

// Isolates a text whose direction may differ from that of the line.
/** @param {string} text */
export const isolated = (text, properties = {}) => h("bdi", properties, text);

// Splits a text at {} and puts the children there.
/** @param {string} text @param {Child[]} children @returns {Child[]} */
export const filled = (text, ...children) => text.split("{}").flatMap((part, i) => (i === 0 ? [part] : [children[i - 1], part]));

// Replaces the children unless they are the same, so that the focus is kept.
/** @param {Element} element @param {(Child | Child[])[]} children */
export function show(element, ...children) {
  const wanted = children.flat().filter((each) => each !== undefined && each !== null && each !== false && each !== "");
  if (wanted.length === element.childNodes.length && wanted.every((each, i) => each === element.childNodes[i])) return;
  element.replaceChildren(.../** @type {(Node | string)[]} */ (wanted));
}

// Writes a text if it has changed, so that screen readers announce it once.
/** @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const drawWithin = 200;

// Draws once for all calls of soon() that come together: before the next frame, or, in a hidden tab, which has no
// frames, a moment later.
/** @param {() => void} draw */
export function together(draw) {
  let frame = 0;
  let timer = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = 0;
  };
  const run = () => {
    stop();
    draw();
  };
  const soon = () => {
    if (timer) return;
    frame = requestAnimationFrame(run);
    timer = window.setTimeout(run, drawWithin);
  };
  return {soon, stop};
}

// Sets an attribute if it has changed; undefined removes it.
/** @param {Element} element @param {string} name @param {string | undefined} value */
export function attribute(element, name, value) {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
