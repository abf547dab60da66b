// The games that the tabs of a browser follow, and what the operator says to all. A browser has few connections to a host,
// and requests need some, so all of it is read over one stream, each game once.
import {Followed, Stream} from "./stream.js";

// One game, as one player or guest sees it, with its readers.
class Source {
  /** @param {string} game @param {boolean} own @param {Stream} stream */
  constructor(game, own, stream) {
    this.readers = new Map();
    /** @type {Heard[]} */
    this.told = [];
    this.stream = stream;
    this.game = new Followed(game, own, (heard) => this.tell(heard));
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

  /** @param {number} id @param {(heard: Heard) => void} to */
  add(id, to) {
    for (const each of this.told) to(each);
    this.readers.set(id, to);
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
    /** @type {Map<string, Stream>} by secret, of which a browser has one */
    this.streams = new Map();
    /** @type {Map<string, Source>} */
    this.sources = new Map();
    this.number = 0;
    /** @type {Set<(heard: Heard) => void>} */
    this.listeners = new Set();
    /** @type {Heard | undefined} the latest notice */
    this.said = undefined;
  }

  // Reports the operator's notices, and the latest one at once, until the returned function is called.
  /** @param {(heard: Heard) => void} to */
  listen(to) {
    this.listeners.add(to);
    if (this.said) to(this.said);
    this.settle();
    return () => {
      this.listeners.delete(to);
      this.settle();
    };
  }

  tell = (/** @type {Heard} */ heard) => {
    if (heard.notice) this.said = heard;
    for (const to of this.listeners) to(heard);
  };

  // Each stream has the notices; one without games is kept only for them.
  settle() {
    const listens = this.listeners.size > 0;
    if (listens && this.streams.size === 0) this.streams.set("", new Stream(undefined, this.get));
    for (const [secret, stream] of this.streams) {
      const needed = stream.games.size > 0 || (listens && this.streams.size === 1);
      if (!needed) this.streams.delete(secret);
      stream.tellNotices(needed && listens ? this.tell : undefined);
    }
  }

  // Follows a game until `stop` is called. A game in which the player has a seat (`own`) is read on after its end.
  /** @param {Follow} wish @param {(heard: Heard) => void} to */
  follow({follow: game = "", secret = "", own = false}, to) {
    const id = ++this.number;
    const key = `${game} ${secret}`;
    const stream = this.streams.get(secret) ?? new Stream(secret || undefined, this.get);
    this.streams.set(secret, stream);
    const source = this.sources.get(key) ?? new Source(game, own, stream);
    const news = source.readers.size === 0 || own && !source.game.own;
    source.game.own ||= own;
    if (news) stream.add(source.game);
    this.sources.set(key, source);
    source.add(id, to);
    this.settle();
    const stop = () => {
      if (!source.readers.delete(id) || source.readers.size > 0) return;
      stream.remove(source.game);
      this.sources.delete(key);
      this.settle();
    };
    return {stop, look: () => stream.hurry()};
  }

  hurry() {
    for (const stream of this.streams.values()) stream.hurry();
  }
}

// Serves one tab: each message is a Follow, each answer a Heard with its id.
/** @param {Feed} feed @param {(answer: Heard & {id: number}) => void} answer */
export function serve(feed, answer) {
  /** @type {Map<number, ReturnType<Feed["follow"]>>} */
  const places = new Map();
  /** @type {(() => void) | undefined} */
  let deaf;
  return {
    // The tab is there: it hears the notices.
    open() {
      deaf ??= feed.listen((heard) => answer({...heard, id: 0}));
    },
    /** @param {Follow} message */
    on(message) {
      const {id, follow, visible, stop} = message;
      if (follow) places.get(id)?.stop();
      if (follow) places.set(id, feed.follow(message, (heard) => answer({...heard, id})));
      else if (stop) places.get(id)?.stop();
      else if (visible) places.get(id)?.look();
      if (stop) places.delete(id);
    },
    close() {
      for (const each of places.values()) each.stop();
      places.clear();
      deaf?.();
      deaf = undefined;
    },
  };
}
