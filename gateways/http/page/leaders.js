// The best bots of an engine, where bots are rated: each that is there can be played.
import * as api from "./api.js";
import {button, h, show} from "./dom.js";

const rowsMax = 5;

function row({rank, name, rating, deviation, wins, draws, losses, online}, challenge) {
  return h("li", {},
           h("span", {class: "what"}, h("strong", {}, `${rank}. ${name}`), " ",
             h("small", {}, `${Math.round(rating)} ± ${Math.round(2 * deviation)}`)),
           h("span", {class: "who"}, `${wins} won, ${draws} drawn, ${losses} lost`),
           online && button("Challenge", () => challenge(name), {class: "small", "aria-label": `Challenge ${name}`}));
}

export class Leaders {
  // `challenge` is called with the name of a bot.
  constructor(challenge) {
    this.challenge = challenge;
    this.list = h("ol", {});
    this.element = h("section", {class: "leaders", "aria-labelledby": "leaders", hidden: true},
                     h("h2", {id: "leaders"}, "Best bots"), this.list);
  }

  // Nothing is shown, and nothing said, where there are none.
  async show(engine) {
    this.engine = engine;
    const players = await api.leaders(engine, rowsMax).catch(() => []);
    if (engine !== this.engine) return;
    this.element.hidden = players.length === 0;
    show(this.list, players.map((each) => row(each, this.challenge)));
  }
}
