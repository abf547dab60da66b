// The list of all games, by game, state and player, page by page; and the bots of each game by their rating.
import * as api from "./api.js";
import * as session from "./session.js";
import {Leaders} from "./leaders.js";
import {operatorNote} from "./notice.js";
import {askToGiveUp, takeSeat} from "./setup.js";
import {button, h, show} from "./dom.js";
import {lineOf, listAt} from "./lists.js";
import {trying} from "./notices.js";
import {say} from "./words.js";
import {ui} from "./text.js";

const perPage = 50;
const leadersMax = 100;

/** @param {object} wish @param {(to: string) => void} go */
const sit = (wish, go) => trying(async () => {
  const seat = await takeSeat(wish, askToGiveUp);
  if (seat) go(`#/game/${seat.game_id}`);
});

/** @param {string} label @param {string} name @param {string[][]} choices value and text @param {string} chosen */
const select = (label, name, choices, chosen) =>
  h("label", {}, h("span", {}, label), h("select", {name}, choices.map(([value, text]) =>
    h("option", {value, selected: value === chosen}, text))));

/** @param {Element} main @param {URLSearchParams} query @param {(to: string) => void} go */
export async function openGames(main, query, go) {
  const engines = await api.engines();
  const titles = new Map(engines.map((each) => [each.engine, each.title]));
  const wanted = {engine: query.get("engine") ?? "", status: query.get("status") ?? "", player: query.get("player") ?? ""};
  const form = h("form", {class: "find", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    go(listAt(Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value).trim()]))));
  }},
    select(ui.game, "engine", [["", ui.all], ...titles], wanted.engine),
    select(ui.state, "status", [["", ui.all], ["waiting", ui.openSeats], ["running", ui.beingPlayed], ["ended", ui.finished]],
           wanted.status),
    h("label", {}, h("span", {}, ui.player), h("input", {name: "player", value: wanted.player, maxlength: 64, dir: "auto"})),
    h("button", {type: "submit", class: "main"}, ui.find));
  const list = h("ul", {});
  const note = h("p", {class: "empty", hidden: true}, say.noSuchGames);
  const more = button(ui.more, () => trying(load), {hidden: true});
  let next = "";

  async function load() {
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
    const page = await api.gamePage({...given, limit: perPage, ...(next && {after: next})});
    list.append(...page.games.map((game) => lineOf(game, titles.get(game.engine) ?? game.engine, session.name(),
                                                   () => sit({game_id: game.game_id}, go))));
    next = page.next ?? "";
    more.hidden = !next;
    note.hidden = Boolean(next) || list.children.length > 0;
  }
  await load();
  const name = session.name();
  show(main, h("div", {class: "lobby"}, operatorNote, h("h1", {}, ui.games), form,
               name && h("p", {}, h("a", {href: listAt({player: name})}, ui.yourGames)),
               h("div", {class: "lists"}, h("section", {class: "all-games", "aria-label": ui.games}, list, note)),
               h("div", {class: "go"}, more)));
  return {title: ui.games, close() {}};
}

/** @param {Element} main @param {URLSearchParams} query @param {(to: string) => void} go */
export async function openLeaders(main, query, go) {
  const engines = await api.engines();
  const chosen = query.get("engine") ?? session.lastEngine() ?? engines[0].engine;
  const leaders = new Leaders((name) => sit({engine: chosen, opponent: `bot:${name}`}, go), leadersMax);
  const field = select(ui.game, "engine", engines.map((each) => [each.engine, each.title]), chosen);
  field.addEventListener("change", () =>
    go(`#/leaders?${new URLSearchParams({engine: /** @type {HTMLSelectElement} */ (field.lastChild).value})}`));
  await leaders.show(chosen);
  show(main, h("div", {class: "lobby"}, operatorNote, h("h1", {}, ui.bestBots), h("form", {class: "find"}, field),
               h("div", {class: "lists"}, leaders.element),
               leaders.element.hidden && h("p", {class: "empty"}, say.noBots)));
  return {title: ui.bestBots, close() {}};
}
