// The state of a game from its updates. No elements, no network.
import {after, clockOf, ruleOf} from "./clocks.js";
import {Asks, isAsk} from "./asks.js";
import {seatOf} from "./seats.js";

// Updates with a number of their own; the others repeat the number of the last one.
const numbered = new Set(["status", "move", "chat", "substitute", "return", "end"]);
/** @param {Update} update */
const isNumbered = (update) => numbered.has(update.type) || isAsk(update);

export class Record {
  /** @type {Position[]} the beginning, then one for each change */
  positions = [];
  /** @type {{name: string, message: string}[]} */
  chat = [];
  /** @type {Set<string>} */
  guests = new Set();
  /** @type {Map<string, {since: number, left: number | undefined, claim?: number}>} by mark: whose connection is cut */
  away = new Map();
  /** @type {Map<string, string>} by mark: the names of those who offer a rematch, and of those who have accepted it */
  offers = new Map();
  accepts = new Map();
  /** @type {Update | undefined} what became of the latest offer */ answer;
  asks = new Asks();
  /** @type {string | undefined} */ reason;
  /** @type {string | undefined} */ code;
  /** @type {string | null | undefined} */ winner;
  /** @type {{left: (number | null)[], runs: string[], periods: number[], at: number} | undefined} */ clock;
  /** @type {string | undefined} */ summary;
  /** @type {(number | null)[] | undefined} */ score;
  /** @type {string[] | undefined} */ kinds;
  /** @type {Map<string, {cause: string, times: number}>} by mark: why an engine plays the seat on, and how often it did */
  substitutes = new Map();
  /** @type {number[] | undefined} by seat, of an ended game of three or more */ ranks;
  /** @type {string[]} */ forfeits = [];
  last = 0;
  applied = 0;       // the number of the last numbered update
  known = 0;         // the number of the last update that a standing includes
  fresh = false;     // the legal moves are those of the latest position
  sent = false;      // a move is on its way
  stopped = 0;       // when the connection was cut; a clock shows no time after it

  /** @param {Standing} standing @param {number} cells */
  constructor(standing, cells, now = Date.now()) {
    this.blank = "_".repeat(cells);
    this.id = standing.game_id;
    this.engine = standing.engine;
    this.options = standing.options;
    this.period = 1000 * (ruleOf(standing.clock_rule)?.step ?? 0);
    this.players = standing.players;
    this.status = standing.status;
    this.me = standing.player;
    this.view = undefined;
    this.start = {board: standing.board || this.blank, view: standing.view, summary: standing.summary};
    /** @type {string[]} */
    this.actions = [];
    /** @type {number[]} */
    this.cells = [];
    this.learn(standing, now);
  }

  // Takes an answer of games/{game_id}.
  /** @param {Standing} standing */
  learn(standing, now = Date.now()) {
    // The updates are newer than this answer.
    if (standing.last_update_id < this.last) return;
    if (standing.status === "ended") this.winner = standing.winner;
    this.ranks = standing.ranks ?? this.ranks;
    this.forfeits = standing.forfeits ?? this.forfeits;
    if (this.status === "ended") return;
    this.known = standing.last_update_id;
    this.status = standing.status;
    this.players = standing.players;
    this.kinds = standing.kinds;
    this.me = standing.player;
    this.view = standing.view;
    this.reservedFor = standing.reserved_for;
    this.actions = standing.actions ?? [];
    this.cells = standing.positions ?? [];
    this.fresh = true;
    this.score = standing.score ?? this.score;
    this.summary = standing.summary ?? this.summary;
    if (standing.away) this.away.clear();
    for (const each of standing.away ?? []) this.leaves(each, now);
    this.asks.learn(standing.offers ?? []);
    const clock = clockOf(standing);
    if (clock) this.setClock(clock, now);
  }

  /** @param {Away | Update} who @param {number} now */
  leaves({player = "", milliseconds_left, claim_milliseconds}, now) {
    const claim = claim_milliseconds === undefined ? {} : {claim: claim_milliseconds};
    this.away.set(player, {since: now, left: milliseconds_left, ...claim});
  }

  /** @param {Clock} clock @param {number} at when this was heard */
  setClock({milliseconds_left, runs, periods = []}, at) {
    this.clock = {left: milliseconds_left, runs, periods, at};
  }

  // Stops the shown clocks while the connection is cut, because the hub may be down and its clocks stopped.
  /** @param {boolean} live @param {number} now */
  linked(live, now) {
    if (!live && !this.stopped) this.stopped = now;
    // The new stream begins with the players that are away.
    if (live && this.stopped) this.away.clear();
    if (live && this.clock && this.stopped) this.clock.at += now - this.stopped;
    if (live) this.stopped = 0;
  }

  // Returns the milliseconds left of a seat, and how many periods follow; undefined if they are not known.
  /** @param {number} seat */
  timeOf(seat, now = Date.now()) {
    if (this.status !== "running" || !this.clock) return undefined;
    const spent = this.runs(seat) ? Math.max(0, (this.stopped || now) - this.clock.at) : 0;
    return after(this.clock.left[seat], this.clock.periods[seat] ?? 0, this.period, spent);
  }

  /** @param {number} seat */
  runs(seat) {
    return this.status === "running" && (this.clock?.runs ?? []).some((mark) => seatOf(mark) === seat);
  }

  /** @returns {Position} */
  get position() {
    return this.positions.at(-1) ?? this.start;
  }
  get turn() {
    return this.status === "running" ? this.position.turn : undefined;
  }
  get mayMove() {
    return this.status === "running" && this.actions.length > 0 && !this.sent;
  }
  // An engine prompts one seat, or all seats at once (no `turn`).
  get mayHaveToMove() {
    return this.status === "running" && this.me !== undefined && !this.decided && (!this.turn || this.turn === this.me);
  }
  // The deciding move has arrived; `end` follows.
  get decided() {
    return Boolean(this.position.winner);
  }

  /** @param {Update} update @param {number} now when it was heard */
  apply(update, now = Date.now()) {
    // A stream that is opened again repeats them.
    if (isNumbered(update) && update.update_id <= this.applied) return;
    if (isNumbered(update)) this.applied = update.update_id;
    this.last = Math.max(this.last, update.update_id);
    if (update.players) this.players = update.players;
    this.note(update, now);
    if (update.clock && this.status !== "ended") this.setClock(update.clock, now);
  }

  /** @param {Update} update @param {number} now */
  note(update, now) {
    const {type, player = "", name = ""} = update;
    switch (type) {
      case "status":
        this.players = this.players.map((each, i) => [update.playerX, update.playerO][i] ?? each);
        this.status = "running";
        return update.taken_back ? this.takeBack(update, update.taken_back) : this.stand(update, undefined);
      case "move":
        this.asks.moved(update.update_id);
        return this.stand(update, player);
      case "state":
        return this.take(update);
      case "connect":
        if (player === "G") this.guests.add(name);
        this.away.delete(player);
        return;
      case "disconnect":
        this.guests.delete(name);
        return;
      case "away":
        return this.leaves(update, now);
      case "back":
        return void this.away.delete(player);
      case "substitute":
        this.substitutes.set(player, {cause: update.cause ?? "", times: (this.substitutes.get(player)?.times ?? 0) + 1});
        this.away.delete(player);
        return this.setKind(player, "substitute");
      case "return":
        return this.setKind(player, "player");
      case "rename":
        this.players = this.players.map((each, i) => (i === seatOf(player) || each === update.old_name ? name : each));
        return;
      case "chat":
        this.chat.push({name, message: update.message ?? ""});
        return;
      case "offer":
        if (isAsk(update)) return this.ask(update);
        this.offers = new Map([[player, name]]);
        this.accepts.clear();
        this.answer = undefined;
        return;
      case "answer":
        if (isAsk(update)) return this.ask(update);
        this.close(update);
        return;
      case "end":
        this.end(update);
    }
  }

  /** @param {Update} update */
  ask(update) {
    this.asks.count(update);
    if (update.update_id > this.known) this.asks.apply(update, this.players.length);
  }

  // The moves from this update on are taken back.
  /** @param {Update} update @param {number} from */
  takeBack(update, from) {
    this.positions = this.positions.filter(({number = 0}) => number < from);
    this.sent = false;
    if (update.update_id <= this.known) return;
    this.asks.takenBack();
    this.renew(update);
  }

  /** @param {string} mark @param {string} kind */
  setKind(mark, kind) {
    const kinds = this.players.map((_, i) => this.kinds?.[i] ?? "player");
    this.kinds = kinds.map((each, i) => (i === seatOf(mark) ? kind : each));
  }

  // Of more than two players, the offer stands until all have accepted it.
  /** @param {Update} update */
  close(update) {
    const {answer, player = "", name = "", game_id} = update;
    if (answer === "accepted" && !game_id) return void this.accepts.set(player, name);
    this.offers.clear();
    this.answer = update;
  }

  // The mark of another player who offers a rematch.
  get offeredBy() {
    return [...this.offers.keys()].find((mark) => mark !== this.me);
  }
  // True if the player offers it, or has accepted it.
  get offersItself() {
    return this.me !== undefined && (this.offers.has(this.me) || (this.offers.size > 0 && this.accepts.has(this.me)));
  }

  /** @param {Update} update */
  end({reason, code, winner, ranks, forfeits}) {
    this.ranks = ranks;
    this.forfeits = forfeits ?? [];
    this.status = "ended";
    this.reason = reason;
    this.code = code;
    if (winner !== undefined) this.winner = winner;
    this.actions = this.cells = [];
    this.clock = undefined;
    this.sent = false;
    this.away.clear();
    this.asks.end();
  }

  // Takes the legal moves and the view of the player's own stream.
  /** @param {Update} update */
  take({view, actions, positions, score, summary}) {
    if (view !== undefined) {
      this.view = view;
      if (this.positions.length > 0) this.position.view = view;
    }
    this.score = score ?? this.score;
    this.summary = summary ?? this.summary;
    if (!actions || this.status !== "running") return;
    this.actions = actions;
    this.cells = positions ?? [];
    this.fresh = true;
    this.sent = false;
  }

  /** @param {Update} update @param {string | undefined} by */
  stand(update, by) {
    const {board, view, turn, winner, position, action, score, summary} = update;
    this.positions.push({board: board || this.blank, view, turn, winner, by, cell: position ?? undefined, action, score, summary,
                         number: update.update_id});
    if (winner) this.winner = winner;
    if (by === undefined || by === this.me) this.sent = false;
    // The standing includes this update.
    if (update.update_id > this.known) this.renew(update);
  }

  // What held for the position before holds no more.
  /** @param {Update} update */
  renew(update) {
    this.actions = this.cells = [];
    this.fresh = Boolean(update.winner);
    this.view = undefined;
    this.score = update.score;
    this.summary = update.summary;
    // The clock of the previous move does not apply to this one.
    if (!update.clock) this.clock = undefined;
    this.take(update);
  }
}
