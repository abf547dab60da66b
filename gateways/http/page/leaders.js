// The best bots of an engine. Those online can be challenged.
import * as api from "./api.js";
import {button, h, isolated, show} from "./dom.js";
import {ui} from "./text.js";

/** @param {Leader} leader @param {string} engine @param {(name: string) => void} challenge */
function row({rank, name, rating, deviation, wins, draws, losses, online}, engine, challenge) {
  return h("li", {},
           h("span", {class: "what"}, h("strong", {}, `${rank}. `,
                 h("a", {href: `#/games?${new URLSearchParams({engine, player: name})}`}, isolated(name))), " ",
             h("small", {}, `${Math.round(rating)} ± ${Math.round(2 * deviation)}`)),
           h("span", {class: "who"}, ui.results(wins, draws, losses)),
           online && button(ui.challenge, () => challenge(name), {class: "small", "aria-label": `${ui.challenge} ${name}`}));
}

export class Leaders {
  /** @param {(name: string) => void} challenge called with the name of a bot */
  constructor(challenge, rowsMax = 5) {
    this.challenge = challenge;
    this.rowsMax = rowsMax;
    this.list = h("ol", {});
    this.element = h("section", {class: "leaders", "aria-labelledby": "leaders", hidden: true},
                     h("h2", {id: "leaders"}, ui.bestBots), this.list);
  }

  // Hidden if there are none.
  /** @param {string} engine */
  async show(engine) {
    this.engine = engine;
    const players = await api.leaders(engine, this.rowsMax).catch(() => []);
    if (engine !== this.engine) return;
    this.element.hidden = players.length === 0;
    show(this.list, players.map((each) => row(each, engine, this.challenge)));
  }
}
