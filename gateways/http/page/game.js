// One game: played, watched, or looked at again once it is over. The record says how it stands; the parts
// on the page show that.
import * as api from "./api.js";
import * as session from "./session.js";
import {Actions} from "./actions.js";
import {Board} from "./board.js";
import {Chat} from "./chat.js";
import {Guests, Players} from "./players.js";
import {Moves, said} from "./moves.js";
import {Record} from "./record.js";
import {announce, linkState, trying} from "./notices.js";
import {button, h, show, write} from "./dom.js";
import {follow} from "./stream.js";
import {lookOf} from "./looks.js";
import {marks, outcome, turn} from "./words.js";
import {waitingRoom} from "./waiting.js";

class Game {
  constructor(standing, engine, {go, reopen}) {
    Object.assign(this, {go, reopen});
    // A game that waits has no position yet; its board is as large as the rules say, by all that is known here.
    const {rows, columns} = {...engine, ...standing.options, ...(standing.rows && standing)};
    this.record = new Record(standing, rows * columns);
    Object.assign(this, {rows, columns, title: engine.title});
    const {title} = engine;
    this.board = this.columns
      ? new Board({rows, columns}, lookOf(standing.engine, standing.options), title,
                  (cell) => this.play({position: cell}))
      : new Actions(title, (action) => this.play({action}));
    this.players = new Players(standing.engine, this.columns > 0);
    this.guests = new Guests();
    this.chat = new Chat((text) => this.say(text));
    this.moves = new Moves(this.columns, (position, latest) => this.board.show(this.record, position, latest));
    this.turn = h("p", {class: "turn"});
    this.reason = h("p", {class: "reason", hidden: true});
    this.ways = h("div", {class: "go"});
    this.below = h("div", {class: "below"});
    this.element = h("article", {class: `game ${this.columns ? "" : "no-board"}`, "aria-labelledby": "game-title",
                                 style: this.columns ? {"--ratio": columns / rows} : {}},
      h("div", {class: "table"},
        h("div", {class: "game-head"}, h("h1", {id: "game-title"}, title), this.guests.element),
        this.players.element, h("div", {class: "board-place"}, this.board.element), this.moves.bar),
      h("div", {class: "side"}, h("div", {class: "now"}, this.turn, this.reason, this.ways), this.below,
        this.moves.element, this.chat.element));
    this.stream = follow(standing.game_id, {
      update: (update) => this.hear(update),
      live: linkState,
      gone: () => this.vanish(),
    });
    this.show();
  }

  hear(update) {
    const before = this.record.positions.length;
    this.record.apply(update);
    if (update.type === "chat") announce(`${update.name} says: ${update.message}`);
    if (update.type === "end") this.speak();
    if (this.record.positions.length > before) this.speak();
    const {mayHaveToMove, status} = this.record;
    const changed = this.record.positions.length > before;
    if (update.type === "end" || (status === "running" && changed && (mayHaveToMove || !this.columns))) this.look();
    this.showSoon();
  }

  // The updates of a game that is long under way come all at once, and are drawn once.
  showSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.show();
    });
  }

  speak() {
    const moved = said(this.record.position, this.record, this.columns);
    const then = this.record.status === "ended" ? `${outcome(this.record)} ${this.record.reason ?? ""}` : turn(this.record);
    announce(`${this.record.status === "ended" ? "" : moved} ${then}`.trim());
  }

  // What this player may do, and how long there is for it. An answer that was overtaken counts for nothing.
  async look() {
    const asked = (this.looks = (this.looks ?? 0) + 1);
    const now = await trying(() => api.standing(this.record.id));
    if (!now || asked !== this.looks || this.closed) return;
    if (this.record.status === "ended" && now.status !== "ended") return;
    if (now.rows && (now.rows !== this.rows || now.columns !== this.columns)) return this.reopen();
    this.record.learn(now);
    this.speak();
    this.show();
  }

  async play(what) {
    const done = await trying(() => api.move(this.record.id, what));
    if (done === undefined) this.look();
  }

  say(text) {
    return trying(() => api.chat(this.record.id, text));
  }

  vanish() {
    linkState(true);
    show(this.ways, h("a", {class: "button main", href: "#/"}, "To the lobby"));
    this.record.status = "ended";
    this.board.show(this.record, this.record.position, false);
    write(this.turn, "The hub has no such game any more.");
    announce("The hub has no such game any more.");
    show(this.below);
  }

  show() {
    if (this.closed) return;
    const {record} = this;
    this.moves.show(record);
    this.board.show(record, record.positions[this.moves.at] ?? record.position, this.moves.follows);
    this.players.show(record);
    this.guests.show(record);
    this.chat.show(record);
    write(this.turn, turn(record));
    this.turn.classList.toggle("mine", record.mayMove);
    const {reason} = record;
    this.reason.hidden = !reason || reason === "the game is complete";
    write(this.reason, reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : "");
    this.chat.element.hidden = record.status === "waiting";
    this.showWays();
    document.title = record.mayMove ? `Your turn: ${this.title}` : `${this.title} · gamehub`;
  }

  showWays() {
    const {record} = this;
    const kind = `${record.status} ${record.me}`;
    if (kind === this.kind) return;
    this.kind = kind;
    show(this.below, record.status === "waiting" && record.me && waitingRoom(record.id, () => this.leave()));
    if (record.status === "waiting") return show(this.ways);
    const watching = record.status === "ended" ? "Look back with the slider." : "You are watching.";
    if (!record.me) return show(this.ways, h("p", {class: "quiet-note"}, watching));
    if (record.status === "running") return show(this.ways, button("Give up", () => this.giveUp()));
    show(this.ways, button("Rematch", () => this.rematch(), {class: "main"}),
         h("a", {class: "button", href: "#/"}, "Lobby"));
  }

  // Asked twice, because it can't be taken back.
  giveUp() {
    const sure = button("Yes, give up", () => this.leave(), {class: "danger"});
    const kind = this.kind;
    const stay = button("Play on", () => {
      this.kind = "";
      if (kind.startsWith("running")) this.showWays();
    });
    show(this.ways, sure, stay);
    stay.focus();
  }

  async leave() {
    const {status} = this.record;
    const done = await trying(() => api.quit(this.record.id));
    if (done && status === "waiting") this.go("#/");
  }

  async rematch() {
    const {id, players, me} = this.record;
    const seat = await trying(() => api.rematch(id, players[1 - marks.indexOf(me)]));
    if (seat) this.go(`#/game/${seat.game_id}`);
  }

  close() {
    this.closed = true;
    this.stream.stop();
    this.players.close();
    this.moves.close();
    cancelAnimationFrame(this.frame);
    linkState(true);
  }
}

// A hub that was away takes a player for a guest until it comes back, and guests see no private game.
async function standingOf(id) {
  const mine = session.secret() && session.currentGame() === id;
  const first = await api.standing(id).catch((error) => {
    if (!mine || error.code !== 102) throw error;
  });
  if (!mine || first?.player) return first;
  await api.connect();
  return api.standing(id);
}

export async function openGame(main, id, ways) {
  const [standing, engines] = await Promise.all([standingOf(id), api.engines()]);
  const known = engines.find((each) => each.engine === standing.engine);
  const game = new Game(standing, known ?? {title: standing.engine, rows: 0, columns: 0}, ways);
  show(main, game.element);
  return game;
}
