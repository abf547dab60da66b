// What a player of a running game offers the others: a draw or a takeback; and the win that it may claim from a player
// who is away, of many players its seat for an engine. One line of text and the buttons for what can be done now.
import * as api from "./api.js";
import {announce, trying} from "./notices.js";
import {button, h} from "./dom.js";
import {isEngine, offerOf, say} from "./words.js";
import {isSubstituted} from "./substitutes.js";
import {ui} from "./text.js";

const kinds = ["draw", "takeback"];

export class Offers {
  /** @param {import("./record.js").Record} record @param {boolean} takeback @param {() => void} changed */
  constructor(record, takeback, changed) {
    this.record = record;
    this.takeback = takeback;
    this.changed = changed;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.wait();
  }

  // The update has been applied to the record.
  /** @param {Update} update */
  onUpdate(update) {
    const {type, what = "", player} = update;
    const {record} = this;
    this.wait();
    if ((type === "offer" || type === "answer") && kinds.includes(what) && player !== record.me)
      announce(offerOf(record, update));
    if (type === "status" && update.taken_back) announce(say.takenBack(record, update));
  }

  // An offer of another player, which waits for an answer.
  get asked() {
    const {record} = this;
    return [...record.asks.open.keys()].find((what) => record.asks.awaits(what, record.me));
  }

  // The offers, and what became of the latest.
  get text() {
    const {record} = this;
    const {asks} = record;
    if (record.status !== "running") return "";
    const stands = [...asks.open].flatMap(([what, each]) => [each, ...asks.acceptedOf(what)]);
    return (stands.length > 0 ? stands : asks.told ? [asks.told] : []).map((each) => offerOf(record, each)).join(" ");
  }

  // The mark of a player from whom the win may be claimed now.
  get claimable() {
    const {record} = this;
    return [...record.away].find(([mark, {since, claim}]) =>
      mark !== record.me && claim !== undefined && Date.now() >= since + claim)?.[0];
  }

  // Changes whenever the buttons do.
  get kind() {
    return `${this.text} ${this.claimable} ${this.mayTakeBack} ${this.mayDraw} ${this.record.asks.open.size}`;
  }

  get mayTakeBack() {
    const {record} = this;
    return this.takeback && !isSubstituted(record, record.me) && record.positions.some(({by}) => by !== undefined && by === record.me);
  }

  get mayDraw() {
    const {players, kinds: seats} = this.record;
    return !players.some((name, seat) => isEngine(name, seats?.[seat]) || seats?.[seat] === "substitute");
  }

  // What is offered, with the buttons that answer it.
  answers() {
    const {record} = this;
    const ways = [...record.asks.open].flatMap(([what, {player}]) => (player === record.me
      ? [this.button(ui.withdraw[what], what, "withdrawn")]
      : record.asks.awaits(what, record.me)
        ? [this.button(ui.acceptIt[what], what, "accepted", "main"), this.button(ui.declineIt[what], what, "declined")] : []));
    return [this.text && h("p", {class: "offer"}, this.text),
            this.claimable && button(record.players.length > 2 ? ui.goOnWithout : ui.claim, () => trying(() => api.claim(record.id)), {class: "main"}), ...ways];
  }

  // The buttons for what can be offered.
  makes() {
    const {open} = this.record.asks;
    return [this.mayTakeBack && !open.has("takeback") && this.button(ui.offerIt.takeback, "takeback"),
            this.mayDraw && !open.has("draw") && this.button(ui.offerIt.draw, "draw")];
  }

  /** @param {string} text @param {string} what @param {string} [answer] @param {string} [look] */
  button(text, what, answer, look = "") {
    return button(text, () => trying(() => api.offer(this.record.id, what, answer)), {class: look});
  }

  // Shows the claim once its time has come.
  wait() {
    clearTimeout(this.timer);
    const times = [...this.record.away].filter(([mark]) => mark !== this.record.me)
      .map(([, {since, claim}]) => (claim === undefined ? -1 : since + claim - Date.now())).filter((left) => left > 0);
    if (times.length > 0) this.timer = setTimeout(() => this.changed(), Math.min(...times) + 50);
  }

  close() {
    clearTimeout(this.timer);
  }
}
