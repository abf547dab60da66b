// The lobby: the engines, the set-up of a game, and the lists.
import * as api from "./api.js";
import * as session from "./session.js";
import {Leaders} from "./leaders.js";
import {Lists} from "./lists.js";
import {Notice} from "./notice.js";
import {Record} from "./record.js";
import {Setup, askToGiveUp, nameField, takeSeat} from "./setup.js";
import {follow} from "./follow.js";
import {h, show, together} from "./dom.js";
import {linkState, tellTurn, trying} from "./notices.js";
import {listAt} from "./games.js";
import {picture} from "./pieces.js";
import {ui} from "./text.js";

const refreshEach = 4_000;  // while it is looked at

/** @param {Element} main @param {(to: string) => void} go */
export async function openLobby(main, go) {
  const engines = await api.engines();
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
  const back = new WayBack(titles);
  const notice = new Notice();

  /** @param {Engine} engine */
  const choose = (engine) => {
    chosen = engine.engine;
    leaders.show(chosen);
    session.keepEngine(chosen);
    show(place, new Setup(engine, sit).element);
  };
  const tiles = engines.map((engine) =>
    h("label", {class: "tile"},
      h("input", {type: "radio", name: "engine", value: engine.engine, checked: engine.engine === chosen,
                  onchange: () => choose(engine)}),
      picture(engine), h("span", {}, engine.title)));
  choose(engines.find((each) => each.engine === chosen) ?? engines[0]);

  show(main, h("div", {class: "lobby"},
    h("div", {class: "welcome"}, h("h1", {}, ui.sitDownAndPlay), nameField()),
    notice.element, back.element, lists.open.element,
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
      const waiting = await api.gamePage({status: "waiting", limit: 20});
      notice.hear(waiting.notice);
      const running = await api.gamePage({status: "running", limit: 50});
      lists.show(waiting.games, running.games, (await api.gamePage({status: "ended", limit: 50})).games);
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
      document.removeEventListener("visibilitychange", refresh);
    },
  };
}

// The link to the player's own game. The lobby follows that game to show whose turn it is.
class WayBack {
  /** @param {Map<string, string>} titles */
  constructor(titles) {
    this.titles = titles;
    this.text = "";
    this.drawing = together(() => this.show());
    this.element = h("p", {class: "back", hidden: true});
  }

  async start() {
    const game = session.currentGame();
    if (!game) return;
    const standing = await api.standing(game).catch((error) => {
      // The hub has forgotten the game: it is not asked for again.
      if (error.code === 102) session.plays(undefined);
      return undefined;
    });
    if (!standing?.player || standing.status === "ended" || this.closed) return;
    this.record = new Record(standing, 0);
    this.stream = follow(game, {
      update: (update, heard) => {
        this.record?.apply(update, heard);
        this.drawing.soon();
        // The lobby shows no offers.
        if (update.type === "end") this.stream?.stop();
      },
      live() {},
      gone: () => this.close(),
      done() {},
    });
    this.show();
  }

  show() {
    const {record} = this;
    if (!record || this.closed) return;
    this.element.hidden = record.status === "ended";
    const mine = record.mayMove || (record.turn !== undefined && record.turn === record.me);
    const text = record.status === "waiting" ? ui.youWait : mine ? ui.inAGameYourTurn
      : ui.youAreInAGame;
    tellTurn(mine, mine ? this.titles.get(record.engine) ?? record.engine : ui.lobby);
    if (text === this.text) return;
    this.text = text;
    show(this.element, h("span", {}, text), h("a", {class: "button main small", href: `#/game/${record.id}`}, ui.backToIt));
  }

  close() {
    this.closed = true;
    this.drawing.stop();
    this.stream?.stop();
  }
}
