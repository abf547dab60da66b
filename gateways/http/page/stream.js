// Reads the updates of one game over one long request. After a failure it requests the updates after the last one, so
// that none is missed or repeated. A player's own stream is read on after the end of the game, for offers. Runs in the page or in the shared worker.

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

export class Stream {
  /**
   * @param {string} game
   * @param {string | undefined} secret
   * @param {(heard: Heard) => void} to
   * @param {typeof fetch} get
   * @param {boolean} offers
   */
  constructor(game, secret, to, get = (...args) => fetch(...args), offers = false) {
    this.game = game;
    this.secret = secret;
    this.to = to;
    this.get = get;
    this.last = 0;
    this.failures = 0;
    this.offers = offers;
    this.over = false;  // the game has ended
    this.ended = false;
    this.reading = false;
  }

  get path() {
    const query = [this.last ? `last_update_id=${this.last}` : "", this.offers ? "offers=true" : ""].filter(Boolean).join("&");
    return `/api/updates/${this.game}${query && "?"}${query}`;
  }
  get headers() {
    return this.secret ? {Authorization: `Bearer ${this.secret}`} : undefined;
  }

  start() {
    if (this.reading || this.ended) return;
    this.reading = true;
    this.run();
  }

  // Stops reading until start() is called.
  stop() {
    this.reading = false;
    clearTimeout(this.timer);
    this.request?.abort();
  }

  // Retries now, if a retry is scheduled.
  hurry() {
    if (this.reading && this.failures > 0) this.later(() => this.run(), 0);
  }

  /** @param {Update} update */
  take(update) {
    this.last = Math.max(this.last, update.update_id);
    if (update.type === "end") this.over = true;
    if (this.over && !this.offers) this.finish();
    this.to({update, heard: Date.now()});
  }

  /** @param {() => void} what @param {number} pause */
  later(what, pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(what, pause);
  }

  finish() {
    this.ended = true;
    this.stop();
  }

  async run() {
    const request = (this.request = new AbortController());
    try {
      await this.read(request);
      // The hub has no offers any more.
      if (this.over && this.reading && request === this.request) return this.endOffers();
    } catch {
      // The hub or the network is down, or the request was aborted: the same steps follow.
    }
    if (!this.reading || request !== this.request) return;
    this.to({live: false});
    this.later(() => this.run(), pauseAfter(this.failures++, Math.random()));
  }

  endOffers() {
    this.finish();
    this.to({done: true});
  }

  /** @param {AbortController} request */
  async read(request) {
    // A lost network often reports no error.
    const heard = () => this.later(() => request.abort(), quietMax);
    heard();
    this.to({asked: this.path});
    const response = await this.get(this.path, {headers: this.headers, signal: request.signal, cache: "no-store"});
    if (!response.ok || !response.body) return this.refused(response);
    this.failures = 0;
    this.to({live: true});
    for await (const line of linesOf(response.body, heard)) if (request === this.request) this.take(JSON.parse(line));
  }

  /** @param {Response} response */
  async refused(response) {
    const {error} = await response.json().catch(() => ({}));
    if (error?.code !== 102 || this.over) return;
    this.finish();
    this.to({gone: error});
  }
}
