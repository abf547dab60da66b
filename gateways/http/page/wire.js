// The wire of this page as it goes by, for people who write clients: each request, answer and update, and the
// requests as lines for a shell.
import {button, h, show} from "./dom.js";
import {all, curl, listen} from "./wirelog.js";

const arrows = {request: "→", answer: "←", update: "⇠"};

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
  at.textContent = "Copied";
  setTimeout(() => (at.textContent = "curl"), 1_500);
}

function titleOf({kind, method, path, status, body}) {
  if (kind === "update") return `${body.update_id} ${body.type}`;
  return kind === "answer" ? `${status} ${path}` : `${method} ${path}`;
}

function item(entry) {
  const head = [h("span", {class: `arrow ${entry.kind}`, "aria-hidden": "true"}, arrows[entry.kind]),
                h("span", {class: "unseen"}, `${entry.kind} `), h("code", {}, titleOf(entry))];
  const text = entry.body && JSON.stringify(entry.body, null, 1);
  const about = text
    ? h("details", {}, h("summary", {}, head), h("pre", {tabindex: "0"}, text))
    : h("div", {class: "bare"}, head);
  const at = entry.kind === "request" &&
    button("curl", () => copy(curl(entry), at), {class: "small", "aria-label": `Copy as curl: ${titleOf(entry)}`});
  return h("li", {class: entry.status >= 400 ? "failed" : ""}, about, at);
}

const kept = 200;

// The view is made when it is opened, and follows while it is.
export function wireView(element, toggle) {
  let stop;

  function open() {
    const list = h("ol", {class: "wire-list"}, all().map(item));
    const scroller = h("div", {class: "wire-scroll", tabindex: "0", role: "region",
                               "aria-label": "Requests, answers and updates"}, list);
    show(element, h("div", {class: "wire-head"}, h("h2", {}, "Wire"), button("Close", close, {class: "quiet"})),
         h("p", {}, "What this page and the hub say to each other. The same is open to your program: ",
           h("a", {href: "/api/openapi.json"}, "all of it, as OpenAPI"), ". $CLIENT_ID stands for your secret."), scroller);
    const follow = () => (scroller.scrollTop = scroller.scrollHeight);
    stop = listen((entry) => {
      const atEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 40;
      list.append(item(entry));
      if (list.children.length > kept) list.firstChild.remove();
      if (atEnd) follow();
    });
    element.hidden = false;
    follow();
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
}
