// While nobody sits opposite: the link for a friend, and the way out.
import {button, h, show} from "./dom.js";
import {complain} from "./notices.js";
import {tableOf} from "./session.js";

// After '#' a browser keeps it to itself.
const linkOf = (invitation) => `${location.origin}${location.pathname}#/invite/${invitation}`;

async function copy(field, done) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    done.textContent = "Copied";
  } catch {
    // Browsers let only pages of HTTPS and of this machine write there.
    if (!document.execCommand("copy"))
      complain("The link could not be copied. It is selected: copy it with your keyboard.");
  }
}

const room = (title, text, ...more) => h("section", {class: "waiting"}, h("h2", {}, title), h("p", {}, text), more);

export function waitingRoom(game, leave) {
  const {invitation, opponent} = tableOf(game);
  const way = h("div", {class: "go"}, button("Take it back", leave));
  if (opponent)
    return room(`Waiting for ${opponent}`, `The game begins when ${opponent} asks for a rematch, too.`, way);
  if (!invitation)
    return room("Your seat is kept",
                "The game begins as soon as somebody sits down opposite. You need not do anything.", way);
  const field = h("input", {type: "text", readonly: true, value: linkOf(invitation),
                            "aria-label": "The link for your friend", onfocus: () => field.select()});
  const copied = button("Copy", () => copy(field, copied), {class: "main"});
  return room("Send this link to a friend", "Whoever opens it first plays you. It works once.",
              h("div", {class: "link"}, field, copied), way);
}

// For who was sent such a link.
export function openInvitation(main, invitation, name, join) {
  const form = h("form", {class: "setup invited", onsubmit: (event) => {
    event.preventDefault();
    join({invitation});
  }}, h("h1", {}, "You are invited to a game"), h("p", {}, "Somebody waits for you at a table."), name,
    h("div", {class: "go"}, h("button", {type: "submit", class: "main"}, "Sit down")));
  show(main, form);
  return {title: "Invitation", close() {}};
}
