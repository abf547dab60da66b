// The games that the tabs of a browser follow. Each game is read once for all tabs. A browser has few connections to a
// host, and requests need some, so at most `streamsMax` games have an open stream: the player's own first, then those in
// visible tabs. The other games are polled in turn.
import {Stream} from "./stream.js";

const streamsMax = 3;
const pollEach = 1_000;
const pollsPerNotice = 3;

const operator = "operator";

// One game, as one player or guest sees it, with its readers.
class Source {
  /** @param {string} game @param {string | undefined} secret @param {boolean} own @param {typeof fetch | undefined} get */
  constructor(game, secret, own, get) {
    this.readers = new Map();
    this.visible = new Set();
    /** @type {Heard[]} */
    this.told = [];
    this.own = own;
    this.asked = 0;  // when it was polled, by number
    this.stream = new Stream(game, secret, (heard) => this.tell(heard), get, own);
  }

  // Lower ranks get a stream first.
  get rank() {
    return (this.stream.over ? 4 : 0) + (this.own ? 0 : 2) + (this.visible.size > 0 ? 0 : 1);
  }

  /** @param {Heard} heard */
  tell(heard) {
    this.keep(heard);
    for (const to of this.readers.values()) to(heard);
  }

  // Stores what a later reader needs: numbered updates, and the latest of each unnumbered kind.
  /** @param {Heard} heard */
  keep(heard) {
    if (heard.asked) return;
    const {update} = heard;
    // A new stream begins with the players that are away.
    if (!update) this.told = this.told.filter((each) => each.update && each.update.type !== "away");
    const same = update && replaced[update.type];
    if (same) this.told = this.told.filter((each) => !each.update || !same(each.update, update));
    if (!update || !isDeparture(update)) this.told.push(heard);
  }

  // An operator's message is not repeated for a reader that has it.
  /** @param {string} message */
  tellNotice(message) {
    if (this.told.some(({update}) => update?.name === operator && update.message === message)) return;
    this.tell({update: {type: "chat", update_id: 0, name: operator, message}});
  }

  /** @param {number} id @param {(heard: Heard) => void} to */
  add(id, to) {
    for (const each of this.told) to(each);
    this.readers.set(id, to);
  }

  /** @param {number} id */
  remove(id) {
    this.readers.delete(id);
    this.visible.delete(id);
  }
}

/** @param {Update} a @param {Update} b */
const samePlayer = (a, b) => a.player === b.player && (a.type === "away" || a.type === "back");
/** @param {Update} a @param {Update} b */
const sameGuest = (a, b) => a.player === "G" && a.name === b.name && a.type === "connect" && b.player === "G";

/** @param {Update} a @param {Update} b */
const sameOffer = (a, b) => (a.type === "offer" || a.type === "answer") && a.what === b.what;

// Returns true if a newer update replaces an older one, by type.
/** @type {{[type: string]: (a: Update, b: Update) => boolean}} */
const replaced = {
  state: (a) => a.type === "state",
  away: samePlayer,
  back: samePlayer,
  connect: sameGuest,
  disconnect: sameGuest,
  offer: sameOffer,
  answer: sameOffer,
};

/** @param {Update} update */
const isDeparture = ({type, player}) => type === "back" || (type === "disconnect" && player === "G");

export class Feed {
  /** @param {typeof fetch} [get] */
  constructor(get) {
    this.get = get;
    /** @type {Map<string, Source>} */
    this.sources = new Map();
    /** @type {Map<number, Source>} */
    this.places = new Map();
    this.number = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Source[]} those without a stream */
    this.waiting = [];
    this.polls = 0;
  }

  // Follows a game until `stop` is called; `look` sets whether it is visible. A game in which the player has a seat
  // (`own`) has a separate stream, because players receive more than guests.
  /** @param {Follow} wish @param {(heard: Heard) => void} to */
  follow({follow: game = "", secret, own = false, visible = true}, to) {
    const id = ++this.number;
    const key = `${game} ${own} ${secret ?? ""}`;
    const source = this.sources.get(key) ?? new Source(game, secret, own, this.get);
    this.sources.set(key, source);
    source.add(id, to);
    /** @param {boolean} yes */
    const look = (yes) => {
      if (yes) source.visible.add(id);
      else source.visible.delete(id);
      if (yes) source.stream.hurry();
      this.settle();
    };
    const stop = () => {
      source.remove(id);
      if (source.readers.size === 0) {
        source.stream.stop();
        this.sources.delete(key);
      }
      this.settle();
    };
    look(visible);
    if (source.stream.last === 0 && this.waiting.includes(source)) this.ask(source).catch(() => {});
    return {look, stop};
  }

  // Assigns the streams by rank. Among equals, open streams stay open.
  settle() {
    const running = [...this.sources.values()].filter(({stream}) => !stream.ended);
    running.sort((a, b) => a.rank - b.rank || Number(b.stream.reading) - Number(a.stream.reading));
    for (const each of running.slice(streamsMax)) each.stream.stop();
    for (const each of running.slice(0, streamsMax)) each.stream.start();
    this.waiting = running.slice(streamsMax).filter(({stream}) => !stream.over);
    if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.poll(), pollEach);
  }

  // Polls the game whose last poll is the oldest.
  async poll() {
    const [source] = this.waiting.sort((a, b) => a.asked - b.asked);
    if (source) {
      source.asked = ++this.number;
      await this.ask(source).catch(() => {});
    }
    if (++this.polls % pollsPerNotice === 0) await this.askNotice().catch(() => {});
    this.timer = undefined;
    this.settle();
  }

  /** @param {Source} source */
  async ask({stream}) {
    const response = await (this.get ?? fetch)(`/api/games/${stream.game}`, {headers: stream.headers});
    if (!response.ok || stream.reading) return;
    const {history} = await response.json();
    for (const each of history) if (each.update_id > stream.last && !stream.reading) stream.take(each);
  }

  // Streams have what an operator says to all; games without one hear it from the list of games.
  async askNotice() {
    const response = await (this.get ?? fetch)("/api/games?limit=1");
    const {notice} = await response.json();
    if (notice) for (const each of this.waiting) each.tellNotice(notice.message);
  }

  hurry() {
    for (const {stream} of this.sources.values()) stream.hurry();
  }
}

// Serves one tab: each message is a Follow, each answer a Heard with its id.
/** @param {Feed} feed @param {(answer: Heard & {id: number}) => void} answer */
export function serve(feed, answer) {
  /** @type {Map<number, ReturnType<Feed["follow"]>>} */
  const places = new Map();
  return {
    /** @param {Follow} message */
    on(message) {
      const {id, follow, visible, stop} = message;
      if (follow) places.get(id)?.stop();
      if (follow) places.set(id, feed.follow(message, (heard) => answer({...heard, id})));
      else if (stop) places.get(id)?.stop();
      else if (visible !== undefined) places.get(id)?.look(visible);
      if (stop) places.delete(id);
    },
    close() {
      for (const each of places.values()) each.stop();
      places.clear();
    },
  };
}
