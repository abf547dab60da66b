// The player's own game in the other views: it is followed until its end, so that the player is not away, and a line says
// whose turn it is and leads back.
import * as api from "./api.js";
import * as session from "./session.js";
import {Record} from "./record.js";
import {follow} from "./follow.js";
import {h, show, together} from "./dom.js";
import {tellTurn} from "./notices.js";
import {ui} from "./text.js";

// Follows the player's game without a sign of it, for the view of another game.
export function stayInGame() {
  const game = session.currentGame();
  if (!game) return {close() {}};
  // The end may be told at once.
  const reading = {over: false, stop() {}};
  const close = () => {
    reading.over = true;
    reading.stop();
  };
  reading.stop = follow(game, {update: ({type}) => void (type === "end" && close()), live() {}, gone: close, done() {}}).stop;
  if (reading.over) close();
  return {close};
}

export class WayBack {
  /** @param {string} title of the view */
  constructor(title) {
    this.title = title;
    this.text = "";
    this.drawing = together(() => this.show());
    this.element = h("p", {class: "back", hidden: true});
  }

  async start() {
    const game = session.currentGame();
    if (!game) return;
    const standing = await api.standing(game).catch((error) => {
      // The hub has forgotten the game: it is not asked for again.
      if (error.code === 102) session.plays(undefined);
      return undefined;
    });
    if (!standing?.player || standing.status === "ended" || this.closed) return;
    this.name = (await api.engines()).find(({engine}) => engine === standing.engine)?.title ?? standing.engine;
    if (this.closed) return;
    this.record = new Record(standing, 0);
    this.stream = follow(game, {
      update: (update, heard) => {
        this.record?.apply(update, heard);
        this.drawing.soon();
        // Offers are shown by the game's own view alone.
        if (update.type === "end") this.stream?.stop();
      },
      live() {},
      gone: () => this.close(),
      done() {},
    });
    this.show();
  }

  show() {
    const {record, title} = this;
    if (!record || this.closed) return;
    this.element.hidden = record.status === "ended";
    const mine = record.mayMove || (record.turn !== undefined && record.turn === record.me);
    const text = record.status === "waiting" ? ui.youWait : mine ? ui.inAGameYourTurn
      : ui.youAreInAGame;
    tellTurn(mine, mine ? this.name ?? "" : title);
    if (text === this.text) return;
    this.text = text;
    show(this.element, h("span", {}, text), h("a", {class: "button main small", href: `#/game/${record.id}`}, ui.backToIt));
  }

  close() {
    this.closed = true;
    this.drawing.stop();
    this.stream?.stop();
  }
}
