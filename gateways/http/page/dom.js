// Making elements. Text is always text: nothing that came over the wire is read as HTML.

const namespace = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, to] of Object.entries(value)) element.style.setProperty(key, to);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((each) => each !== undefined && each !== null && each !== false));
  return element;
}

export const h = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);

export const svg = (tag, properties = {}, ...children) =>
  fill(document.createElementNS(namespace, tag), properties, children);

export const button = (text, onclick, properties = {}) => h("button", {type: "button", onclick, ...properties}, text);

// Puts these children there, and leaves alone what is the same already, so that focus stays where it is.
export function show(element, ...children) {
  const wanted = children.flat().filter(Boolean);
  if (wanted.length === element.childNodes.length && wanted.every((each, i) => each === element.childNodes[i])) return;
  element.replaceChildren(...wanted);
}

// Writes a text where it has changed, so that readers of screens are not told of it twice.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
