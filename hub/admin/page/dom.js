// Elements and tables. Text is always text: nothing that came from the hub is read as HTML.

export const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

// Writes a text where it has changed, so that screen readers do not repeat it.
export function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

function makeRow({key, cells, does = []}) {
  const row = make("tr", {"data-key": key});
  cells.forEach((_, i) => row.append(i === 0 ? make("th", {scope: "row", dir: "auto"}) : make("td", {dir: "auto"})));
  if (does.length > 0)
    row.append(make("td", {}, ...does.map(({text, label, act}) =>
      make("button", {type: "button", "aria-label": label, onclick: act}, text))));
  return row;
}

// Shows these rows: {key, cells, does}. A row whose key was there stays, and with it the focus.
export function showRows(body, rows, columns) {
  if (rows.length === 0)
    return body.replaceChildren(make("tr", {}, make("td", {class: "empty", colspan: columns}, "none")));
  const before = new Map([...body.children].map((row) => [row.dataset.key, row]));
  const now = rows.map((each) => {
    const row = before.get(String(each.key)) ?? makeRow(each);
    each.cells.forEach((text, i) => write(row.children[i], text ?? ""));
    return row;
  });
  for (const row of [...body.children]) if (!now.includes(row)) row.remove();
  now.forEach((row, i) => {
    if (body.children[i] !== row) body.insertBefore(row, body.children[i] ?? null);
  });
}

// Shows the description list [[name, text]…].
export function showNumbers(list, pairs) {
  if (list.children.length !== 2 * pairs.length)
    list.replaceChildren(...pairs.flatMap(([name]) => [make("dt", {}, name), make("dd")]));
  pairs.forEach(([, text], i) => write(list.children[2 * i + 1], text));
}

// Asks for a confirmation, and for a reason if `reason` says how: "optional" or "required". Resolves with the
// reason, or with nothing if it was cancelled.
export function ask({title, text, yes, reason}) {
  const [dialog, form, field] = [$("ask"), $("ask-form"), $("ask-reason")];
  write($("ask-title"), title);
  write($("ask-text"), text);
  write($("ask-yes"), yes);
  $("ask-why").hidden = !reason;
  field.value = "";
  field.required = reason === "required";
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      resolve(field.value.trim());
      dialog.close();
    };
    $("ask-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(undefined);
    dialog.showModal();
  });
}
