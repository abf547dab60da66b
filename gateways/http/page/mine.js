// The player's own games, the most urgent first: a list in the lobby, and a notification when another of them is at the
// player's turn. Only a player who has had a game of days is asked about.
import * as api from "./api.js";
import * as session from "./session.js";
import {clockText, leftText} from "./clocks.js";
import {button, h, isolated, show} from "./dom.js";
import {notifyTurn} from "./notices.js";
import {ui} from "./text.js";

const askEach = 30_000;

/** @type {OwnGame[]} */
let games = [];
/** @type {Set<string> | undefined} of the games in which the player is to move; none: not known yet */
let turns;
/** @type {Set<() => void>} */
const readers = new Set();

// The games have ended while nobody looked, and the hub has forgotten the player: what became of them is left.
/** @param {string[]} ids @returns {Promise<OwnGame[]>} */
async function lookBack(ids) {
  const found = [];
  for (const id of ids) {
    const game = await api.standing(id).catch(() => undefined);
    if (game?.status === "ended")
      found.push({game_id: id, engine: game.engine, status: game.status, winner: game.winner, your_turn: false,
                  opponents: game.players.map((name) => ({name}))});
  }
  return found;
}

async function refresh() {
  const ids = session.ownGames();
  if (!session.secret() || ids.length === 0) return;
  try {
    games = await api.ownGames();
    session.keepGames(games.filter(({status}) => status === "running").map(({game_id}) => game_id));
  } catch (/** @type {any} */ error) {
    if (error.code !== 101) return;
    games = await lookBack(ids);
    session.keepGames([]);
  }
  const now = games.filter((each) => each.your_turn).map(({game_id}) => game_id);
  const titles = new Map((await api.engines()).map(({engine, title}) => [engine, title]));
  for (const {game_id, engine} of games)
    if (turns && now.includes(game_id) && !turns.has(game_id) && !location.hash.endsWith(`/${game_id}`))
      notifyTurn(titles.get(engine) ?? engine, game_id);
  turns = new Set(now);
  for (const each of readers) each();
}

export function watchOwnGames() {
  refresh();
  setInterval(refresh, askEach);
  addEventListener("focus", refresh);
}

/** @param {OwnGame} game */
function state(game) {
  if (game.status === "ended") return ui.finished;
  if (game.status === "waiting") return ui.youWait;
  const left = game.milliseconds_left === undefined ? "" : leftText(game.milliseconds_left);
  return [game.your_turn ? ui.yourTurn : ui.othersTurn, left].filter(Boolean).join(", ");
}

export class OwnGames {
  /** @param {Map<string, string>} titles */
  constructor(titles) {
    this.titles = titles;
    this.list = h("ul", {});
    this.ask = button(ui.notifyMyTurn, () => this.allow(), {class: "quiet", hidden: true});
    this.element = h("section", {class: "own-games", "aria-labelledby": "own-games", hidden: true},
                     h("h2", {id: "own-games"}, ui.yourGames), this.list, this.ask);
    this.draw = () => this.show();
    readers.add(this.draw);
    this.show();
    refresh();
  }

  async allow() {
    if ((await Notification.requestPermission()) === "granted") session.keepSetting("notify", "on");
    this.show();
  }

  /** @param {OwnGame} game */
  line(game) {
    const title = this.titles.get(game.engine) ?? game.engine;
    return h("li", {class: game.your_turn ? "mine" : ""},
             h("span", {class: "what"}, h("strong", {}, title), h("small", {}, [state(game), clockText(game.clock_rule)].filter(Boolean).join(" · "))),
             h("span", {class: "who"}, game.opponents.flatMap(({name}, i) => [i > 0 && ", ", isolated(name)])),
             h("a", {class: `small button ${game.your_turn ? "main" : ""}`, href: `#/game/${game.game_id}`,
                     "aria-label": ui.goToGame(title, game.opponents.map(({name}) => name))}, ui.open));
  }

  show() {
    this.element.hidden = games.length === 0;
    this.ask.hidden = !("Notification" in window) || session.setting("notify") === "on" || Notification.permission === "denied";
    show(this.list, games.map((each) => this.line(each)));
  }

  close() {
    readers.delete(this.draw);
  }
}
