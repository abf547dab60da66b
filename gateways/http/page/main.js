// Selects the view by the fragment of the address.
import * as session from "./session.js";
import {WayBack, stayInGame} from "./wayback.js";
import {askToGiveUp, nameField, takeSeat} from "./setup.js";
import {complain, hush, trying} from "./notices.js";
import {explain, say} from "./words.js";
import {h, show} from "./dom.js";
import {openGame} from "./game.js";
import {openGames, openLeaders} from "./games.js";
import {openInvitation} from "./waiting.js";
import {openLobby} from "./lobby.js";
import {watchOwnGames} from "./mine.js";
import {hearOperator, operatorNote} from "./notice.js";
import {flipBoards, openSettings} from "./settings.js";
import {wireView} from "./wire.js";
import {ui} from "./text.js";

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const main = part("main");
/** @type {{close(): void, title?: string, record?: object} | undefined} */
let view;
/** @type {{close(): void} | undefined} */
let back;
let turn = 0;

/** @param {string} to */
const go = (to) => void (location.hash = to);

/** @param {object} wish */
async function join(wish) {
  const seat = await trying(() => takeSeat(wish, askToGiveUp));
  // Removes the used invitation from the browser's history.
  if (seat) location.replace(`#/game/${seat.game_id}`);
}

/** @returns {Promise<{close(): void, title?: string, record?: object}>} */
function open() {
  const [path, query] = location.hash.split("?");
  const [, kind, what] = path.split("/");
  if (kind === "games") return openGames(main, new URLSearchParams(query), go);
  if (kind === "leaders") return openLeaders(main, new URLSearchParams(query), go);
  if (kind === "game" && /^\d+$/.test(what ?? "")) return openGame(main, what, {go, reopen: route});
  if (kind === "invite" && what) return openInvitation(main, what, nameField(), join);
  return openLobby(main, go);
}

// Retries if the hub can't be reached or is full.
/** @param {{code: number, message: string}} error */
function failed(error) {
  const passing = error.code === 0 || error.code === 106 || error.code === 105;
  show(main, operatorNote, h("section", {class: "failed-view"}, h("h1", {}, passing ? ui.hubAway : ui.notHere),
               h("p", {}, explain(error)),
               h("div", {class: "go"}, h("a", {class: "button main", href: "#/"}, ui.toTheLobby))));
  if (!passing) keepSeat({title: ui.notHere});
  if (passing) setTimeout(() => view || route(), 3_000);
}

// Leads back to the own game from views that do not. In the view of another game the player is just there.
/** @param {{title?: string, record?: any}} opened */
function keepSeat({title = "", record}) {
  if (title === ui.lobby || (record && session.isOwn(record.id))) return;
  if (record) return void (back = stayInGame());
  const line = new WayBack(title);
  back = line;
  main.prepend(line.element);
  line.start();
}

async function route() {
  const mine = ++turn;
  view?.close();
  back?.close();
  view = back = undefined;
  hush();
  try {
    const opened = await open();
    // Another view was selected meanwhile.
    if (mine !== turn) return opened.close();
    view = opened;
    if (!opened.record && opened.title !== ui.lobby) document.title = `${opened.title} · gamehub`;
    keepSeat(opened);
  } catch (/** @type {any} */ error) {
    if (error.code === undefined) throw error;
    if (mine === turn) failed(error);
  }
}

addEventListener("hashchange", async () => {
  await route();
  main.focus({preventScroll: true});
  scrollTo(0, 0);
});

// The same player may take another seat in another tab.
addEventListener("storage", (event) => {
  if (event.key === "gamehub.game" && event.newValue && location.hash.startsWith("#/game/"))
    complain(say.elsewhere);
});

addEventListener("unhandledrejection", () => complain(say.broken));

wireView(part("wire"), part("wire-toggle"));
part("settings").addEventListener("click", openSettings);
part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
part("unready").remove();
flipBoards();
// The view does not wait for the worker.
route().then(hearOperator).then(watchOwnGames);
