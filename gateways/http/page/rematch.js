// What a player can do once the game has ended: offer a rematch, accept or decline one, or go to the lobby.
import * as api from "./api.js";
import * as session from "./session.js";
import {announce, trying} from "./notices.js";
import {button, h} from "./dom.js";
import {rematchOf} from "./words.js";
import {seatOf} from "./seats.js";
import {ui} from "./text.js";

export class Rematch {
  /** @param {import("./record.js").Record} record @param {(to: string) => void} go */
  constructor(record, go) {
    this.record = record;
    this.go = go;
    // True while the updates of the ended game tell of offers.
    this.hears = session.isOwn(record.id);
  }

  // The updates have been applied to the record.
  /** @param {Update} update */
  onUpdate({type, answer, player, game_id}) {
    const {record} = this;
    if (type === "answer" && answer === "accepted" && game_id) return this.go(`#/game/${game_id}`);
    if (type === "answer" || (type === "offer" && player !== record.me)) announce(rematchOf(record));
    // The seat that waited for the rematch was given back.
    if (type === "answer" && answer !== "accepted" && session.isOwn(record.id)) session.plays(record.id);
  }

  get text() {
    return rematchOf(this.record);
  }

  ways() {
    const {offersItself, offeredBy} = this.record;
    const ask = (/** @type {string} */ text) => button(text, () => this.ask(), {class: "main"});
    const ways = offersItself ? [button(ui.takeOfferBack, () => this.takeBack())]
      : offeredBy ? [ask(ui.accept), button(ui.decline, () => this.decline())]
      : [ask(ui.rematch)];
    return [this.text && h("p", {class: "offer"}, this.text), ...ways, h("a", {class: "button", href: "#/"}, ui.lobby)];
  }

  async ask() {
    const {id, players, me} = this.record;
    const seat = await trying(() => api.rematch(id, players.length === 2 ? players[1 - seatOf(me)] : ""));
    // The updates tell what becomes of the offer.
    if (seat && !(seat.status === "waiting" && this.hears)) this.go(`#/game/${seat.game_id}`);
  }

  decline() {
    return trying(() => api.decline(this.record.id));
  }

  takeBack() {
    return trying(() => api.quit(session.currentGame() ?? ""));
  }
}
