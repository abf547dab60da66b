// Games in the lobby: those with an open seat, those that are being played, and those that are over.
import {button, h, show} from "./dom.js";
import {marks, shown} from "./words.js";

const optionsText = (options) =>
  Object.entries(options ?? {}).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", ");

function describe(game, title) {
  const more = optionsText(game.options);
  return h("span", {class: "what"}, h("strong", {}, title), more && h("small", {}, more));
}

const versus = (game) => {
  const names = game.players.map((name, i) => {
    const won = game.status === "ended" && game.winner === marks[i];
    return h("span", {class: won ? "won" : ""}, shown(name), won && h("span", {class: "unseen"}, " (won)"));
  });
  return h("span", {class: "who"}, names[0], h("i", {}, " – "), names[1] ?? "");
};

function openSeat(game, title, join) {
  const host = shown(game.players.find(Boolean));
  return h("li", {}, describe(game, title), h("span", {class: "who"}, host, " waits"),
           button("Join", () => join(game), {class: "small main", "aria-label": `Join ${host} in ${title}`}));
}

const link = (game, title, word) =>
  h("li", {}, describe(game, title), versus(game),
    h("a", {class: "small button", href: `#/game/${game.game_id}`,
            "aria-label": `${word} ${title}: ${game.players.map(shown).join(" against ")}`}, word));

export class Lists {
  constructor(titles, mine, join) {
    Object.assign(this, {titles, mine, join});
    this.open = this.section("Open seats", "Nobody waits just now. Sit down first: somebody will come.");
    this.running = this.section("Being played", "No game is running.");
    this.ended = this.section("Finished", "No game has ended yet.");
    this.element = h("div", {class: "lists"}, this.open.element, this.running.element, this.ended.element);
  }

  section(title, empty) {
    const list = h("ul", {});
    const note = h("p", {class: "empty"}, empty);
    const id = title.toLowerCase().replaceAll(" ", "-");
    return {list, note, element: h("section", {class: id, "aria-labelledby": id}, h("h2", {id}, title), list, note)};
  }

  put(into, items) {
    const text = items.map((each) => each.textContent).join("\n");
    if (into.text === text) return;
    into.text = text;
    // Who was about to press a button of the list still is.
    const held = [...into.list.querySelectorAll("a, button")].indexOf(document.activeElement);
    show(into.list, items);
    into.note.hidden = items.length > 0;
    if (held >= 0) into.list.querySelectorAll("a, button")[Math.min(held, items.length - 1)]?.focus();
  }

  show(waiting, latest) {
    const titled = (make) => (game) => make(game, this.titles.get(game.engine) ?? game.engine);
    const others = waiting.filter((game) => game.game_id !== this.mine());
    this.put(this.open, others.map(titled((game, title) => openSeat(game, title, this.join))));
    const some = (status, count, word) => latest.filter((game) => game.status === status).slice(0, count)
      .map(titled((game, title) => link(game, title, word)));
    this.put(this.running, some("running", 8, "Watch"));
    this.put(this.ended, some("ended", 6, "Replay"));
  }
}
