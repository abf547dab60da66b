// The view of the protocol, for authors of clients: requests, answers and updates, and requests as shell commands.
import {all, curl, kept, listen} from "./wirelog.js";
import {button, filled, h, show} from "./dom.js";
import {ui} from "./text.js";

/** @typedef {import("./wirelog.js").Entry} Entry */

/** @type {{[kind: string]: string}} */
const arrows = {request: "→", answer: "←", update: "⇠"};

/** @param {string} text @param {Element} at */
async function copy(text, at) {
  const area = h("textarea", {class: "unseen", "aria-hidden": "true", tabindex: "-1"});
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  at.textContent = ui.copied;
  setTimeout(() => (at.textContent = "curl"), 1_500);
}

/** @param {Entry} entry */
function titleOf({kind, method, path, status, body}) {
  if (kind === "update") return `${body.update_id ?? ""} ${body.type}`.trim();
  return kind === "answer" ? `${status} ${path}` : `${method} ${path}`;
}

/** @param {Date} at */
const timeOf = (at) => at.toTimeString().slice(0, 8);

/** @param {Entry} entry */
function item(entry) {
  const head = [h("span", {class: `arrow ${entry.kind}`, "aria-hidden": "true"}, arrows[entry.kind]),
                h("span", {class: "unseen"}, `${entry.kind} `), h("code", {}, titleOf(entry)),
                h("time", {class: "at"}, timeOf(entry.at))];
  const text = entry.body && JSON.stringify(entry.body, null, 1);
  const about = text
    ? h("details", {}, h("summary", {}, head), h("pre", {tabindex: "0"}, text))
    : h("div", {class: "bare"}, head);
  const at = entry.kind === "request" &&
    button("curl", (event) => copy(curl(entry), /** @type {Element} */ (event.currentTarget)),
           {class: "small", "aria-label": ui.copyAsCurl(titleOf(entry))});
  return h("li", {class: Number(entry.status) >= 400 ? "failed" : ""}, about, at);
}

// The view is made when it is opened.
/** @param {HTMLElement} element @param {HTMLElement} toggle */
export function wireView(element, toggle) {
  /** @type {(() => void) | undefined} */
  let stop;

  function open() {
    const list = h("ol", {class: "wire-list"}, all().map(item));
    const scroller = h("div", {class: "wire-scroll", tabindex: "0", role: "region",
                               "aria-label": ui.wireList}, list);
    show(element, h("div", {class: "wire-head"}, h("h2", {}, ui.wire), button(ui.close, close, {class: "quiet"})),
         h("p", {}, filled(ui.aboutWire, h("a", {href: "/api/openapi.json"}, ui.allOpenapi))), scroller);
    const end = () => (scroller.scrollTop = scroller.scrollHeight);
    stop = listen((entry) => {
      const atEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 40;
      list.append(item(entry));
      if (list.children.length > kept) list.firstElementChild?.remove();
      if (atEnd) end();
    });
    element.hidden = false;
    end();
  }

  function close() {
    stop?.();
    stop = undefined;
    element.hidden = true;
    toggle.setAttribute("aria-expanded", "false");
    toggle.focus();
  }

  toggle.addEventListener("click", () => {
    if (stop) return close();
    open();
    toggle.setAttribute("aria-expanded", "true");
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && stop && !document.querySelector("dialog[open]")) close();
  });
}
