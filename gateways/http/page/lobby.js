// The lobby: what can be played, who waits, what is going on.
import * as api from "./api.js";
import * as session from "./session.js";
import {Leaders} from "./leaders.js";
import {Lists} from "./lists.js";
import {Setup, askToGiveUp, nameField, takeSeat} from "./setup.js";
import {h, show} from "./dom.js";
import {picture} from "./pieces.js";
import {linkState, trying} from "./notices.js";

const refreshEach = 4_000;  // while it is looked at

export async function openLobby(main, go) {
  const engines = await api.engines();
  const place = h("div", {class: "setup-place"});
  const back = h("p", {class: "back", hidden: true});
  let chosen = session.lastEngine() ?? "tictactoe";

  const sit = async (wish) => {
    const seat = await takeSeat(wish, askToGiveUp);
    if (seat) go(`#/game/${seat.game_id}`);
  };
  const lists = new Lists(new Map(engines.map((each) => [each.engine, each.title])), session.currentGame,
                          (game) => trying(() => sit({engine: game.engine, options: game.options,
                                                      opponent: game.players.find(Boolean)})));

  const leaders = new Leaders((name) => trying(() => sit({engine: chosen, opponent: `bot:${name}`})));
  lists.element.append(leaders.element);

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
    h("div", {class: "welcome"}, h("h1", {}, "Sit down and play"), nameField()),
    back,
    h("div", {class: "pick-and-set"},
      h("fieldset", {class: "tiles"}, h("legend", {class: "unseen"}, "Game"), tiles), place),
    lists.element));

  const timer = {};
  async function refresh() {
    clearTimeout(timer.id);
    if (document.hidden || timer.stopped) return;
    try {
      const [waiting, latest] = await Promise.all([api.games({status: "waiting", limit: 20}), api.games({limit: 50})]);
      lists.show(waiting, latest);
      showWayBack(back, latest);
      linkState(true);
    } catch {
      linkState(false);
    }
    if (!timer.stopped) timer.id = setTimeout(refresh, refreshEach);
  }
  document.addEventListener("visibilitychange", refresh);
  refresh();
  return {
    title: "Lobby",
    close() {
      timer.stopped = true;
      clearTimeout(timer.id);
      document.removeEventListener("visibilitychange", refresh);
    },
  };
}

// To the game that this player is in.
function showWayBack(at, latest) {
  const game = latest.find((each) => each.game_id === session.currentGame() && each.status !== "ended");
  at.hidden = !game;
  if (!game) return;
  show(at, h("span", {}, "You are in a game."),
       h("a", {class: "button main small", href: `#/game/${game.game_id}`}, "Back to it"));
}
