// Games without a board: how they stand, from the engine's own account of the position, and what can be
// done, as buttons in the engine's words. Knows no game: an account is any JSON.
import {button, h, show} from "./dom.js";
import {phrase} from "./looks.js";
import {shown} from "./words.js";

const countsAsDots = 24;
const severalMax = 6;
const buttonsMax = 40;

const label = (key) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");

const dots = (count) =>
  h("span", {class: "dots"}, h("span", {class: "unseen"}, String(count)),
    Array.from({length: count}, () => h("i", {"aria-hidden": "true"})));

const isCounts = (value) =>
  Array.isArray(value) && value.length > 1 && value.every((n) => Number.isInteger(n) && n >= 0 && n <= countsAsDots);

function word(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? label(value) : String(value);
}

// A list as long as there are players is usually one for each.
function valueOf(value, players) {
  if (isCounts(value)) return h("ol", {class: "heaps"}, value.map((n) => h("li", {}, dots(n))));
  if (Array.isArray(value) && value.length === players.length)
    return h("ul", {class: "by-player"}, value.map((each, i) => h("li", {}, h("span", {}, shown(players[i])), word(each))));
  if (Array.isArray(value)) return value.map(word).join(" · ");
  if (value !== null && typeof value === "object") return listOf(value, players);
  return word(value);
}

// Who has won is said elsewhere, by name.
const listOf = (view, players) =>
  h("dl", {class: "account"}, Object.entries(view).filter(([key]) => key !== "winner")
    .flatMap(([key, value]) => [h("dt", {}, label(key)), h("dd", {}, valueOf(value, players))]));

export class Actions {
  constructor(title, play) {
    this.play = play;
    this.account = h("div", {class: "table-top"});
    this.choices = h("div", {class: "choices", role: "group", "aria-label": `What you can do in ${title}`});
    this.element = h("div", {class: "words"}, this.account, this.choices);
  }

  show(record, position, latest) {
    const view = latest ? record.view ?? position.view : position.view;
    const text = JSON.stringify(view ?? "");
    if (text !== this.shown)
      show(this.account, view ? listOf(view, record.players) : h("p", {class: "empty"}, "The table is set."));
    this.shown = text;
    this.offer(record.engine, latest ? record.actions : []);
  }

  offer(engine, actions) {
    const text = actions.join("\n");
    if (text === this.offered) return;
    this.offered = text;
    this.choices.classList.toggle("many", actions.length > severalMax);
    if (actions.length <= buttonsMax)
      return show(this.choices, actions.map((each) =>
        button(phrase(engine, each), () => this.play(each), {class: "choice", "data-action": each})));
    const select = h("select", {"aria-label": "Your move"},
                     actions.map((each) => h("option", {value: each}, phrase(engine, each))));
    show(this.choices, select, button("Play it", () => this.play(select.value), {class: "main"}));
  }
}
