// Reads the updates of several games, and what the operator says, over one long request. After a failure, or when a game
// is added, it requests the updates after the last one of each game, so that none is missed or repeated. Runs in the page
// or in the shared worker.

const quietMax = 40_000;  // the hub says something each 15 s
const pauseMax = 8_000;
const firstPauseMax = 2_000;  // while it is likely that the hub is started again
const firstOnes = 12;

// Exponential, with jitter.
/** @param {number} failures @param {number} chance a number from 0 to 1 */
export const pauseAfter = (failures, chance) =>
  Math.min(failures < firstOnes ? firstPauseMax : pauseMax, 400 * 2 ** failures) * (0.75 + chance / 2);

// Splits a text that arrives in pieces into lines.
export class Lines {
  rest = "";

  /** @param {string} piece */
  add(piece) {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.filter(Boolean);
  }
}

/** @param {ReadableStream<Uint8Array>} body @param {() => void} heard */
async function* linesOf(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = new Lines();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    heard();
    yield* lines.add(decoder.decode(value, {stream: true}));
  }
}

// One game of a stream. `over`: it has ended; `ended`: nothing more is read of it.
export class Followed {
  /** @param {string} game @param {boolean} own @param {(heard: Heard) => void} to */
  constructor(game, own, to) {
    this.game = game;
    this.own = own;
    this.to = to;
    this.last = 0;
    this.over = false;
    this.ended = false;
  }

  /** @param {Update} update */
  take(update) {
    this.last = Math.max(this.last, update.update_id);
    if (update.type === "end") this.over = true;
    if (this.over && !this.own) this.ended = true;
    this.to({update, heard: Date.now()});
  }

  // The hub sends nothing more, for this reason if there is one. Returns false if that is not final.
  /** @param {{code: number, message: string}} [error] */
  end(error) {
    if (!this.over && error?.code !== 102) return false;
    this.ended = true;
    this.to(this.over ? {done: true} : {gone: error});
    return true;
  }
}

// The games that are followed with one secret. A player's own game is read on after its end, for offers.
export class Stream {
  /** @param {string | undefined} secret @param {typeof fetch} get */
  constructor(secret, get = (...args) => fetch(...args)) {
    this.headers = secret ? {Authorization: `Bearer ${secret}`} : undefined;
    this.get = get;
    /** @type {Map<string, Followed>} */
    this.games = new Map();
    this.failures = 0;
    /** @type {AbortController | undefined} */
    this.request = undefined;
    /** @type {((heard: Heard) => void) | undefined} */
    this.notices = undefined;
  }

  get path() {
    const games = this.reading.map(({game, last}) => (last ? `${game}.${last}` : game)).join(",");
    const offers = this.reading.some(({own}) => own);
    return `/api/updates?${[games && `games=${games}`, offers && "offers=true", this.notices && "notices=true"].filter(Boolean).join("&")}`;
  }
  get reading() {
    return [...this.games.values()].filter(({ended}) => !ended);
  }
  // Notices are read without games, too.
  get wanted() {
    return this.reading.length > 0 || this.notices !== undefined;
  }

  // Sets who hears the notices; undefined: they are not read.
  /** @param {((heard: Heard) => void) | undefined} to */
  tellNotices(to) {
    if (this.notices === to) return;
    this.notices = to;
    this.change();
  }

  /** @param {Followed} game */
  add(game) {
    this.games.set(game.game, game);
    this.change();
  }

  /** @param {Followed} game */
  remove(game) {
    if (this.games.get(game.game) === game) this.games.delete(game.game);
    if (!game.ended) this.change();
  }

  // The present request ends when the next one, with all games, is answered: the player is not away meanwhile. Games
  // that are added together are requested together.
  change() {
    this.later(() => this.run(), 0);
  }

  // Retries now, if a retry is scheduled.
  hurry() {
    if (this.failures > 0) this.change();
  }

  /** @param {() => void} what @param {number} pause */
  later(what, pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(what, pause);
  }

  async run() {
    const before = this.request;
    const request = (this.request = this.wanted ? new AbortController() : undefined);
    if (!request) return before?.abort();
    try {
      await this.read(request, before);
    } catch {
      // The hub or the network is down, or the request was aborted: the same steps follow.
    }
    before?.abort();
    if (request !== this.request) return;
    this.request = undefined;
    if (!this.wanted) return;
    for (const each of this.reading) each.to({live: false});
    this.later(() => this.run(), pauseAfter(this.failures++, Math.random()));
  }

  /** @param {AbortController} request @param {AbortController | undefined} before */
  async read(request, before) {
    // A lost network often reports no error.
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let quiet;
    const heard = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => request.abort(), quietMax);
    };
    heard();
    const all = this.reading;
    const asked = this.path;
    // The number of the latest update in the response, by game.
    const latest = new Map(all.map(({game, last}) => [game, last]));
    for (const each of all) each.to({asked});
    if (all.length === 0) this.notices?.({asked});
    try {
      const response = await this.get(asked, {headers: this.headers, signal: request.signal, cache: "no-store"});
      if (!response.ok || !response.body) return;
      before?.abort();
      this.failures = 0;
      for (const each of all) each.to({live: true});
      for await (const line of linesOf(response.body, heard)) this.take(JSON.parse(line), latest);
    } finally {
      clearTimeout(quiet);
    }
  }

  // Two responses overlap, so updates that the first one had are left out of the second. What follows an update with the
  // same number is not numbered.
  /** @param {Update & {game: string, error?: {code: number, message: string}}} line @param {Map<string, number>} latest */
  take({game: id, error, ...update}, latest) {
    if (update.type === "notice") return this.hear(update);
    const game = this.games.get(id);
    if (!game || game.ended) return;
    if (error || update.type === "done") {
      if (!game.end(error)) this.later(() => this.run(), pauseAfter(this.failures++, Math.random()));
      return;
    }
    const known = latest.get(id) ?? 0;
    latest.set(id, Math.max(known, update.update_id));
    if (update.update_id > known ? update.update_id > game.last : known >= game.last) game.take(update);
  }

  /** @param {Update} update */
  hear({type, message = "", timestamp = "", milliseconds_left = 0}) {
    this.notices?.({notice: {type, message, timestamp, until: Date.now() + milliseconds_left}});
  }
}
