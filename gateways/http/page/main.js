// Which view there is, by what stands after '#' in the address.
import {askToGiveUp, nameField, takeSeat} from "./setup.js";
import {complain, hush, trying} from "./notices.js";
import {explain} from "./words.js";
import {h, show} from "./dom.js";
import {openGame} from "./game.js";
import {openInvitation} from "./waiting.js";
import {openLobby} from "./lobby.js";
import {wireView} from "./wire.js";

const main = document.getElementById("main");
let view;
let turn = 0;

const go = (to) => (location.hash = to);

async function join(wish) {
  const seat = await trying(() => takeSeat(wish, askToGiveUp));
  // The invitation is used up, and no business of the browser's history.
  if (seat) location.replace(`#/game/${seat.game_id}`);
}

function open() {
  const [, kind, what] = location.hash.split("/");
  if (kind === "game" && /^\d+$/.test(what ?? "")) return openGame(main, what, {go, reopen: route});
  if (kind === "invite" && what) return openInvitation(main, what, nameField(), join);
  return openLobby(main, go);
}

// The hub may be away when the page is opened: it is asked again.
function failed(error) {
  const title = error.code === 0 ? "The hub is away" : "Not here";
  show(main, h("section", {class: "failed-view"}, h("h1", {}, title), h("p", {}, explain(error)),
               h("div", {class: "go"}, h("a", {class: "button main", href: "#/"}, "To the lobby"))));
  if (error.code === 0) setTimeout(() => view || route(), 3_000);
}

async function route() {
  const mine = ++turn;
  view?.close();
  view = undefined;
  hush();
  try {
    const opened = await open();
    // Somebody has gone on meanwhile.
    if (mine !== turn) return opened.close();
    view = opened;
    if (!opened.record) document.title = `${opened.title} · gamehub`;
  } catch (error) {
    if (error.code === undefined) throw error;
    if (mine === turn) failed(error);
  }
}

addEventListener("hashchange", async () => {
  await route();
  main.focus({preventScroll: true});
  scrollTo(0, 0);
});

// Another tab is the same player: it may have sat down elsewhere.
addEventListener("storage", (event) => {
  if (event.key === "gamehub.game" && event.newValue && location.hash.startsWith("#/game/"))
    complain("You have sat down at another table, in another tab.");
});

addEventListener("unhandledrejection", () =>
  complain("Something went wrong in this page. Reload it to go on: your game is kept."));

wireView(document.getElementById("wire"), document.getElementById("wire-toggle"));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
route();
