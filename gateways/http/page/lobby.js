// The lobby: the engines, the set-up of a game, and the lists.
import * as api from "./api.js";
import * as session from "./session.js";
import {Leaders} from "./leaders.js";
import {Lists, listAt} from "./lists.js";
import {operatorNote} from "./notice.js";
import {Setup, askToGiveUp, nameField, takeSeat} from "./setup.js";
import {OwnGames} from "./mine.js";
import {WayBack} from "./wayback.js";
import {h, show} from "./dom.js";
import {linkState, trying} from "./notices.js";
import {picture} from "./pieces.js";
import {ui} from "./text.js";

const refreshEach = 4_000;  // while it is looked at
const listed = {waiting: 20, running: 50, ended: 50};  // the most games of each list

/** @param {Element} main @param {(to: string) => void} go */
export async function openLobby(main, go) {
  const engines = await api.engines();
  const bounds = await api.clockBounds();
  const titles = new Map(engines.map((each) => [each.engine, each.title]));
  const place = h("div", {class: "setup-place"});
  let chosen = session.lastEngine() ?? "tictactoe";

  /** @param {object} wish */
  const sit = async (wish) => {
    const seat = await takeSeat(wish, askToGiveUp);
    if (seat) go(`#/game/${seat.game_id}`);
  };
  const lists = new Lists(titles, {game: session.currentGame, name: session.name},
                          (game) => trying(() => sit({game_id: game.game_id})));
  const leaders = new Leaders((name) => trying(() => sit({engine: chosen, opponent: `bot:${name}`})));
  lists.element.append(leaders.element);
  const back = new WayBack(ui.lobby);
  const own = new OwnGames(titles);

  /** @param {Engine} engine */
  const choose = (engine) => {
    chosen = engine.engine;
    leaders.show(chosen);
    session.keepEngine(chosen);
    show(place, new Setup(engine, sit, bounds).element);
  };
  const tiles = engines.map((engine) =>
    h("label", {class: "tile"},
      h("input", {type: "radio", name: "engine", value: engine.engine, checked: engine.engine === chosen,
                  onchange: () => choose(engine)}),
      picture(engine), h("span", {}, engine.title)));
  choose(engines.find((each) => each.engine === chosen) ?? engines[0]);

  show(main, h("div", {class: "lobby"},
    h("div", {class: "welcome"}, h("h1", {}, ui.sitDownAndPlay), nameField()),
    operatorNote, back.element, own.element, lists.open.element,
    h("div", {class: "pick-and-set"},
      h("fieldset", {class: "tiles"}, h("legend", {class: "unseen"}, ui.game), tiles), place),
    lists.element,
    h("nav", {class: "go", "aria-label": ui.more}, h("a", {href: "#/games"}, ui.allGames),
      session.name() && h("a", {href: listAt({player: session.name()})}, ui.yourGames),
      h("a", {href: "#/leaders"}, ui.leaderboard))));

  const timer = {id: 0, stopped: false};
  // A hidden lobby sends no requests.
  async function refresh() {
    clearTimeout(timer.id);
    if (document.hidden || timer.stopped) return;
    try {
      const pages = [];
      for (const [status, limit] of Object.entries(listed)) {
        if (timer.stopped) return;
        pages.push((await api.gamePage({status, limit})).games);
      }
      lists.show(pages[0], pages[1], pages[2]);
      linkState(true);
    } catch {
      linkState(false);
    }
    if (!timer.stopped) timer.id = window.setTimeout(refresh, refreshEach);
  }
  document.addEventListener("visibilitychange", refresh);
  refresh();
  back.start();
  return {
    title: ui.lobby,
    close() {
      timer.stopped = true;
      clearTimeout(timer.id);
      back.close();
      own.close();
      document.removeEventListener("visibilitychange", refresh);
    },
  };
}
