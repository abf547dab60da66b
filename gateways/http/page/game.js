// The view of one game: connects the record to the parts of the page.
import * as api from "./api.js";
import * as session from "./session.js";
import {Board, ratioOf} from "./board.js";
import {Chat} from "./chat.js";
import {Guests, Players} from "./players.js";
import {Moves, said} from "./moves.js";
import {Offers} from "./offers.js";
import {Record} from "./record.js";
import {Rematch} from "./rematch.js";
import {Table} from "./table.js";
import {Typed} from "./typed.js";
import {announce, linkState, tellTurn, trying} from "./notices.js";
import {operatorNote} from "./notice.js";
import {faceOf, scoreOf} from "./faces.js";
import {button, h, show, together, write} from "./dom.js";
import {follow} from "./follow.js";
import {nameAt, outcome, reasonOf, say, turn} from "./words.js";
import {openTable, waitingRoom} from "./waiting.js";
import {rulesOf, takeSeat, askToGiveUp} from "./setup.js";
import {replayWays} from "./replay.js";
import {isOut, mayReturn, showResult, tellChange, wayBack} from "./substitutes.js";
import {ui} from "./text.js";

/** @typedef {{go: (to: string) => void, reopen: () => void}} Ways */

class Game {
  /** @param {Standing} standing @param {Engine} engine @param {Ways} ways */
  constructor(standing, engine, {go, reopen}) {
    this.go = go;
    this.reopen = reopen;
    // A standing without a board: the options and the engine give its size, if the engine has boards.
    const {rows, columns} = {...engine, ...(engine.columns ? standing.options : {}), ...(standing.rows ? {rows: standing.rows, columns: standing.columns ?? 0} : {})};
    this.rows = rows;
    this.columns = columns;
    this.record = new Record(standing, rows * columns);
    const {title} = engine;
    this.title = title;
    /** @type {string | undefined} */
    this.kind = undefined;
    this.drawing = together(() => this.show());
    this.face = faceOf(engine, standing.options);
    this.board = columns ? new Board({rows, columns, letters: engine.marks}, this.face, title, (cell) => this.play({position: cell}))
                         : new Table(title, this.face, (action) => this.play({action}));
    this.players = new Players(this.face, Math.max(2, standing.players.length));
    this.guests = new Guests();
    this.chat = new Chat((text) => trying(() => api.chat(this.record.id, text)));
    this.moves = new Moves(columns, this.face, () => this.showBoard());
    this.typed = new Typed(this.record, () => said(this.record.position, this.record, columns, this.face), (name) => this.board.type(name));
    this.turn = h("p", {class: "turn"});
    this.reason = h("p", {class: "reason", hidden: true});
    this.ways = h("div", {class: "go"});
    this.end = h("div", {class: "go end"});
    this.below = h("div", {class: "below"});
    this.element = h("article", {class: `game ${columns ? "" : "no-board"}`, "aria-labelledby": "game-title",
                                 style: columns ? {"--ratio": ratioOf(rows, columns, this.face)} : {}},
      h("div", {class: "table"},
        h("div", {class: "game-head"}, h("h1", {id: "game-title"}, title), this.guests.element),
        this.players.element, h("div", {class: "now"}, this.turn, this.reason, this.ways), this.chat.latest,
        h("div", {class: "board-place"}, this.moves.banner, this.board.element), this.moves.bar),
      h("div", {class: "side"}, operatorNote, this.below, rulesOf(this.face), this.typed.element, this.moves.element, this.chat.element,
        this.end));
    this.rematch = new Rematch(this.record, go);
    this.offers = new Offers(this.record, engine.takeback ?? false, () => this.showWays());
    this.stream = follow(standing.game_id, {
      update: (update, heard) => this.hear(update, heard),
      live: (yes) => this.link(yes),
      gone: () => this.vanish(),
      done: () => (this.rematch.hears = false),
    });
    this.show();
  }

  /** @param {boolean} live */
  link(live) {
    const was = this.record.stopped;
    this.record.linked(live, Date.now());
    linkState(live);
    // A hub whose updates have no legal moves and clocks is asked for them.
    if (live && was && !this.record.fresh) this.look();
    this.players.show(this.record, this.position);
  }

  /** @param {Update} update @param {number} heard */
  hear(update, heard) {
    const {record} = this;
    const before = record.positions.length;
    const wasAway = new Map(record.away);
    record.apply(update, heard);
    if (record.positions.length > before || update.type === "end") this.speak();
    this.speakOf(update, wasAway);
    this.rematch.onUpdate(update);
    this.offers.onUpdate(update);
    const {mayHaveToMove, fresh} = record;
    // A hub whose updates have no legal moves is asked for them.
    if (mayHaveToMove && !fresh) this.lookSoon();
    if (update.type === "end" && record.winner === undefined) this.look();
    this.drawing.soon();
  }

  /** @param {Update} update @param {Map<string, unknown>} wasAway */
  speakOf(update, wasAway) {
    const {type, name = "", player = "", message = "", old_name = ""} = update;
    const who = name || nameAt(this.record, player);
    if (type === "chat") announce(say.says(name, message));
    if (type === "away" && player !== this.record.me) announce(say.away(who, ""));
    if (type === "back" && player !== this.record.me && wasAway.has(player)) announce(say.back(who));
    tellChange(this.record, update, who);
    if (type === "rename") announce(say.renamed(old_name, name));
  }

  // An update `state` with the legal moves may follow.
  lookSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.record.mayHaveToMove && !this.record.fresh && this.look(), 30);
  }

  // Announces a move and whose turn it is. The move that decides the game is announced with the result.
  speak() {
    const {record} = this;
    if (record.decided && record.status !== "ended") return;
    const moved = said(record.position, record, this.columns, this.face);
    const then = record.status === "ended" ? [outcome(record), this.scoreText(), reasonOf(record)].filter(Boolean).join(" ") : turn(record);
    announce(`${record.status === "ended" && !record.decided ? "" : moved} ${then}`.trim());
  }

  scoreText() {
    const scores = scoreOf(this.face, {...this.record.position, score: this.record.score}, this.record.players.length);
    return scores && scores.every((each) => each !== null) && this.face.score_label ? ui.scores(scores, this.face.score_label) : "";
  }

  // Requests the legal moves and the clock. Only the answer to the latest request counts. After an error `quietly`: an
  // answer takes no shown error away.
  async look(quietly = false) {
    const asked = (this.looks = (this.looks ?? 0) + 1);
    const ask = () => api.standing(this.record.id);
    const now = await (quietly ? ask().catch(() => undefined) : trying(ask));
    if (!now || asked !== this.looks || this.closed) return;
    if (now.rows && (now.rows !== this.rows || now.columns !== this.columns)) return this.reopen();
    this.record.learn(now);
    if (this.record.status === "ended") this.speak();
    this.show();
  }

  /** @param {object} what */
  async play(what) {
    const {record} = this;
    if (record.sent) return;
    record.sent = true;
    this.show();
    // So it counts once, also if a hub that ends leaves it without an answer.
    const seen = Math.max(record.last, record.known);
    const done = await trying(() => api.move(record.id, {...what, last_update_id: seen}));
    if (done !== undefined) return;
    record.sent = false;
    this.show();
    this.look(true);
  }

  vanish() {
    linkState(true);
    show(this.ways, h("a", {class: "button main", href: "#/"}, ui.toTheLobby));
    this.record.status = "ended";
    this.kind = "gone";
    this.board.show(this.record, this.record.position, false);
    const text = session.tableOf(this.record.id).rematch ? say.rematchOver : say.gone;
    write(this.turn, text);
    announce(text);
    show(this.below);
    show(this.end);
    this.closed = true;
  }

  // The position that is shown; of a waiting game its initial position.
  /** @returns {Position} */
  get position() {
    const {record, moves} = this;
    return record.positions[moves.at] ?? record.position;
  }

  showBoard() {
    this.board.show(this.record, this.position, this.moves.follows);
    this.players.show(this.record, this.position);
    this.turn.classList.toggle("mine", this.mine && this.moves.follows);
  }

  // True if this player is to move and no move is in flight.
  get mine() {
    const {record} = this;
    return !record.decided && !record.sent && (record.mayMove || (record.turn !== undefined && record.turn === record.me));
  }

  show() {
    if (this.closed) return;
    const {record} = this;
    this.moves.show(record);
    this.showBoard();
    this.guests.show(record);
    this.chat.show(record);
    this.typed.show();
    write(this.turn, turn(record));
    const reason = record.status === "ended" ? reasonOf(record) : this.absence;
    this.reason.hidden = !reason;
    write(this.reason, reason);
    this.showWays();
    const offered = record.offeredBy !== undefined && !record.offersItself;
    const asked = record.status === "running" && this.offers.asked !== undefined;
    tellTurn(this.mine || offered || asked, this.title, offered ? ui.rematchOffered : asked ? ui.answerOffer : undefined);
  }

  // The other players whose connection is cut, as a sentence.
  get absence() {
    const {record} = this;
    const others = [...record.away.keys()].filter((mark) => mark !== record.me);
    return record.status === "running" ? others.map((mark) => say.away(nameAt(record, mark), "")).join(" ") : "";
  }

  showWays() {
    const {record} = this;
    const kind = `${record.status} ${record.me} ${mayReturn(record)} ${isOut(record)} ${this.rematch.text} ${this.offers.kind}`;
    if (kind === this.kind) return;
    this.kind = kind;
    const waits = record.status === "waiting";
    show(this.below, waits && (record.me ? waitingRoom(record, () => this.leave()) : openTable(record, () => this.join())));
    show(this.ways);
    show(this.end);
    showResult(this.below, record, this.face);
    if (waits) return;
    if (record.status === "ended") show(this.end, ...replayWays(record));
    if (!record.me) return show(this.ways, h("p", {class: "quiet-note"}, record.status === "ended" ? say.lookBack : say.watching));
    if (isOut(record)) return show(this.ways, wayBack(record));
    if (record.status === "running") {
      show(this.ways, wayBack(record), this.offers.answers());
      return show(this.end, this.offers.makes(), button(ui.giveUp, () => this.giveUp()));
    }
    show(this.ways, this.rematch.ways());
  }

  // Asks for a confirmation, because it can't be undone.
  giveUp() {
    const sure = button(ui.yesGiveUp, () => this.leave(), {class: "danger"});
    const stay = button(ui.playOn, () => {
      this.kind = "";
      this.showWays();
    });
    show(this.end, sure, stay);
    stay.focus();
  }

  async leave() {
    const {status} = this.record;
    const done = await trying(() => api.quit(this.record.id));
    if (!done || status !== "waiting") return;
    session.plays(undefined);
    this.go("#/");
  }

  async join() {
    const seat = await trying(() => takeSeat({game_id: this.record.id}, askToGiveUp));
    if (seat) this.reopen();
    else if (!this.closed) this.look();
  }

  close() {
    this.closed = true;
    this.stream.stop();
    this.players.close();
    this.moves.close();
    this.offers.close();
    clearTimeout(this.timer);
    this.drawing.stop();
    linkState(true);
  }
}

/** @param {Element} main @param {string} id @param {Ways} ways */
export async function openGame(main, id, ways) {
  const standing = await api.ownStanding(id);
  const engines = await api.engines();
  const known = engines.find((each) => each.engine === standing.engine);
  const unknown = {engine: standing.engine, title: standing.engine, rows: 0, columns: 0, options: {}, levels: []};
  const game = new Game(standing, known ?? unknown, ways);
  show(main, game.element);
  // The list of moves can be scrolled only once it is in the document.
  game.show();
  return game;
}
