// Follows games for this tab, and the operator's notices, through the shared worker, or in the page if the browser has no
// shared workers.
import * as session from "./session.js";
import * as wirelog from "./wirelog.js";
import {Feed, serve} from "./feed.js";

const aliveEach = 30_000;

/** @typedef {{update(update: Update, heard: number): void, live(yes: boolean): void, gone(): void, done(): void}} Reader */

/** @type {Map<number, {to: Reader, game: string}>} */
const readers = new Map();
let number = 0;

/** @type {(notice: Notice) => void} */
let onNotice = () => {};

/** @param {Heard & {id: number}} answer */
function hear({id, asked, update, heard, live, gone, done, notice}) {
  if (asked) wirelog.asked("GET", asked);
  if (notice) wirelog.told("/api/updates", notice);
  if (notice) onNotice(notice);
  const reader = readers.get(id);
  if (!reader) return;
  if (update) wirelog.told(`/api/updates/${reader.game}`, update);
  if (update) reader.to.update(update, heard ?? Date.now());
  if (live !== undefined) reader.to.live(live);
  if (gone) reader.to.gone();
  if (done) reader.to.done();
}

/** @type {((message: object) => void) | undefined} */
let say;

function here() {
  const feed = new Feed();
  const tab = serve(feed, hear);
  tab.open();
  return (/** @type {any} */ message) => {
    if (message.id) tab.on(message);
    else if (message.hurry) feed.hurry();
  };
}

function shared() {
  const url = new URL("worker.js", import.meta.url).href;
  const policy = window.trustedTypes?.createPolicy("gamehub", {createScriptURL: () => url});
  const worker = new SharedWorker(policy?.createScriptURL("") ?? url, {type: "module", name: "gamehub"});
  const again = () => [...readers].forEach(([id, {game}]) => follows(id, game));
  worker.port.onmessage = ({data}) => (data.lost ? again() : hear(data));
  // If the worker can't be loaded, the page reads the games.
  worker.onerror = () => {
    say = here();
    again();
  };
  addEventListener("pagehide", () => worker.port.postMessage({bye: true}));
  addEventListener("pageshow", ({persisted}) => persisted && worker.port.postMessage({alive: true}));
  setInterval(() => worker.port.postMessage({alive: true}), aliveEach);
  return (/** @type {object} */ message) => worker.port.postMessage(message);
}

/** @param {object} message */
function tell(message) {
  say ??= "SharedWorker" in window ? shared() : here();
  say(message);
}

/** @param {number} id @param {string} game */
const follows = (id, game) =>
  tell({id, follow: game, secret: session.secret(), own: session.isOwn(game), visible: !document.hidden});

addEventListener("online", () => tell({hurry: true}));
document.addEventListener("visibilitychange", () => {
  for (const id of readers.keys()) tell({id, visible: !document.hidden});
});

// Calls `to` with each notice of the operator.
/** @param {(notice: Notice) => void} to */
export function listen(to) {
  onNotice = to;
  tell({alive: true});
}

// Calls update(update, heard), live(yes), gone() and done() of `to`; gone is final, and after done nothing is offered.
/** @param {string} game @param {Reader} to */
export function follow(game, to) {
  const id = ++number;
  readers.set(id, {to, game});
  follows(id, game);
  return {
    stop() {
      readers.delete(id);
      tell({id, stop: true});
    },
  };
}
