// The lobby's lists of waiting, running and ended games.
import {clockText} from "./clocks.js";
import {button, filled, h, isolated, show} from "./dom.js";
import {kindOf} from "./players.js";
import {markOf} from "./seats.js";
import {ago, optionsText, resultOf, say, shown} from "./words.js";
import {ui} from "./text.js";

/** @param {Summary} game @param {number} seat */
const nameIn = (game, seat) => shown(game.players[seat], game.kinds?.[seat]);

// The content and the links of a list, to detect changes.
/** @param {Summary[]} games */
export const keyOf = (games) => JSON.stringify(games.map((each) =>
  [each.game_id, each.engine, each.options, each.status, each.players, each.kinds, each.winner, each.reserved_for,
   each.clock_rule]));

// People before programs; the newest first among each.
/** @param {Summary[]} games */
export const peopleFirst = (games) => {
  const hasPeople = (/** @type {Summary} */ {kinds}) => !kinds || kinds.includes("player");
  return [...games.filter(hasPeople), ...games.filter((each) => !hasPeople(each))];
};

// Returns false if the seat is reserved for another player.
/** @param {Summary} game @param {string | undefined} name */
export const isFor = (game, name) => !game.reserved_for || game.reserved_for === name;

/** @param {Summary} game @param {string} title */
function describe(game, title) {
  const more = [optionsText(game.options), clockText(game.clock_rule), resultOf(game), ago(game.opened)].filter(Boolean).join(" · ");
  return h("span", {class: "what"}, h("strong", {}, title), more && h("small", {}, more));
}

/** @param {Summary} game @param {number} seat */
function named(game, seat) {
  const won = game.status === "ended" && game.winner === markOf(seat);
  const kind = kindOf(/** @type {any} */ (game), seat);
  return h("span", {class: won ? "won" : ""}, isolated(nameIn(game, seat)), kind && h("small", {class: "kind"}, kind),
           won && h("span", {class: "unseen"}, ` (${ui.won})`));
}

/** @param {Summary} game */
const versus = (game) =>
  h("span", {class: "who"}, game.players.flatMap((_, seat) => [seat > 0 && h("i", {}, " – "), named(game, seat)]));

/** @param {Summary} game @param {string} title @param {(game: Summary) => void} join @param {string | undefined} me */
function openSeat(game, title, join, me) {
  const seat = game.players.findIndex(Boolean);
  const host = nameIn(game, seat);
  const mine = isFor(game, me);
  return h("li", {}, describe(game, title),
           game.players.length > 2 && h("small", {class: "kind"}, ui.seatsTaken(game.players.filter(Boolean).length, game.players.length)),
           h("span", {class: "who"}, mine ? filled(ui.waits, isolated(host)) : filled(ui.waitsFor, isolated(host), isolated(game.reserved_for ?? ""))),
           mine && button(ui.join, () => join(game), {class: "small main", "aria-label": ui.joinIn(host, title)}));
}

/** @param {Summary} game @param {string} title @param {string} word */
const link = (game, title, word) =>
  h("li", {}, describe(game, title), versus(game),
    h("a", {class: "small button", href: `#/game/${game.game_id}`,
            "aria-label": ui.gameOfAll(word, title, game.players.map((_, i) => nameIn(game, i)))}, word));

// The address of the list of some games.
/** @param {{[name: string]: string | undefined}} wanted */
export const listAt = (wanted) =>
  `#/games?${new URLSearchParams(Object.entries(wanted).flatMap(([key, value]) => (value ? [[key, value]] : [])))}`;

// A line of a list of games of all states.
/** @param {Summary} game @param {string} title @param {string | undefined} me @param {() => void} join */
export const lineOf = (game, title, me, join) =>
  game.status === "waiting" ? openSeat(game, title, join, me)
    : link(game, title, game.status === "ended" ? ui.replay : ui.watchIt);

class Section {
  /** @param {string} title @param {string} empty */
  constructor(title, empty) {
    const id = title.toLowerCase().replaceAll(" ", "-");
    this.key = "";
    this.list = h("ul", {});
    this.note = h("p", {class: "empty"}, empty);
    this.element = h("section", {class: id, "aria-labelledby": id}, h("h2", {id}, title), this.list, this.note);
  }

  /** @param {Summary[]} games @param {(game: Summary) => HTMLElement} make @param {string} [me] */
  put(games, make, me = "") {
    // Each minute, because the lines say how long ago it was.
    const key = `${me} ${Math.floor(Date.now() / 60_000)} ${keyOf(games)}`;
    if (this.key === key) return;
    this.key = key;
    // Keeps the focus on the same line.
    const held = [...this.list.querySelectorAll("a, button")].findIndex((each) => each === document.activeElement);
    show(this.list, games.map(make));
    this.note.hidden = games.length > 0;
    if (held >= 0) this.list.querySelectorAll(/** @type {"a"} */ ("a, button"))[Math.min(held, games.length - 1)]?.focus();
  }
}

export class Lists {
  /**
   * @param {Map<string, string>} titles
   * @param {{game: () => string | undefined, name: () => string | undefined}} mine
   * @param {(game: Summary) => void} join
   */
  constructor(titles, mine, join) {
    this.titles = titles;
    this.mine = mine;
    this.join = join;
    this.open = new Section(ui.openSeats, say.nobodyWaits);
    this.running = new Section(ui.beingPlayed, say.noneRuns);
    this.ended = new Section(ui.finished, say.noneEnded);
    this.element = h("div", {class: "lists"}, this.running.element, this.ended.element);
  }

  /** @param {Summary} game */
  titleOf({engine}) {
    return this.titles.get(engine) ?? engine;
  }

  /** @param {Summary[]} waiting @param {Summary[]} running @param {Summary[]} ended */
  show(waiting, running, ended) {
    const others = waiting.filter((game) => game.game_id !== this.mine.game());
    this.open.put(others, (game) => openSeat(game, this.titleOf(game), this.join, this.mine.name()), this.mine.name());
    this.running.put(peopleFirst(running).slice(0, 8), (game) => link(game, this.titleOf(game), ui.watchIt));
    this.ended.put(peopleFirst(ended).slice(0, 6), (game) => link(game, this.titleOf(game), ui.replay));
  }
}
