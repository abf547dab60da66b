// Games without a board: the view, and the legal actions as buttons. Known views are drawn; any other is a list of its
// members.
import {Bubble} from "./bubble.js";
import {button, h, isolated, show} from "./dom.js";
import {hintFor} from "./board.js";
import {label, say, shown, valueText} from "./words.js";
import {phrase} from "./faces.js";
import {pointsBoard} from "./points.js";
import {seatOf} from "./seats.js";
import {sign} from "./pieces.js";
import {ui} from "./text.js";

const severalMax = 6;
const buttonsMax = 40;
const tokensMax = 40;

/** @typedef {import("./record.js").Record} Record */
/** @typedef {{record: Record, play: (action: string) => void, refuse: (at: Element) => void, actions: string[], view: any}} Stand */

/** @param {Record} record @param {number} seat */
const owner = (record, seat) => isolated(shown(record.players[seat], record.kinds?.[seat]), {class: "owner"});

/** @param {string | null} card */
const cardOf = (card) => h("span", {class: card ? "playing-card" : "playing-card back"},
  card ? [h("b", {"aria-hidden": "true"}, card.charAt(0).toUpperCase()), h("span", {}, card)] : h("span", {class: "unseen"}, ui.hidden));

// The known views, by engine. A view of another form is shown as a list.
/** @type {{[engine: string]: (stand: Stand) => Element | undefined}} */
const drawn = {
  "kuhn-poker": ({record, view}) => Array.isArray(view.cards) ? h("div", {class: "felt-table"},
    h("ol", {class: "hands"}, view.cards.map((/** @type {string | null} */ card, /** @type {number} */ seat) =>
      h("li", {}, owner(record, seat), cardOf(card)))),
    h("p", {class: "pot"}, h("b", {}, String(view.pot)), ui.inThePot),
    h("p", {class: "so-far"}, view.actions?.length > 0 ? view.actions.map(label).join(" · ") : ui.noBet))
    : undefined,
  "rock-paper-scissors": ({record, view}) => Array.isArray(view.choices) ? h("ol", {class: "hands"},
    view.choices.map((/** @type {string | null} */ choice, /** @type {number} */ seat) => h("li", {}, owner(record, seat),
      h("span", {class: "choice-sign"}, choice ? [sign(choice), h("span", {}, label(choice))]
        : h("span", {class: "empty"}, view.chosen?.[seat] ? ui.hasChosen : ui.isChoosing)))))
    : undefined,
  nim: ({view, ...stand}) => Array.isArray(view.heaps) && view.heaps.every((/** @type {number} */ n) => n <= tokensMax)
    ? h("div", {}, h("ol", {class: "heaps"}, view.heaps.map((/** @type {number} */ count, /** @type {number} */ heap) =>
        h("li", {}, h("span", {class: "unseen"}, ui.heap(heap + 1, count)), tokens(heap, count, stand)))),
        h("p", {class: "empty"}, ui.lastOne(view.last === "loses")))
    : undefined,
};

// A token takes itself and those after it. Screen readers use the buttons below instead.
/** @param {number} heap @param {number} count @param {Omit<Stand, "view">} stand */
function tokens(heap, count, {actions, play, refuse}) {
  return h("span", {class: "dots", "aria-hidden": "true"}, Array.from({length: count}, (_, i) => {
    const action = `${heap}:${count - i}`;
    const open = actions.includes(action);
    const token = h("button", {type: "button", tabindex: "-1", class: open ? "token open" : "token",
                               onclick: () => (open ? play(action) : refuse(token))});
    return token;
  }));
}

// A member is a text in every position, whatever its values are.
/** @param {any} view @returns {Element} */
const listOf = (view) =>
  h("dl", {class: "account"}, Object.entries(view).filter(([key]) => key !== "winner").flatMap(([key, value]) =>
    [h("dt", {}, label(key)), h("dd", {}, valueText(value))]));

/** @param {any} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export class Table {
  /** @param {string} title @param {Face} face @param {(action: string) => void} play */
  constructor(title, face, play) {
    this.face = face;
    this.act = play;
    this.shown = "";
    this.offered = "";
    this.engine = "";
    this.account = h("div", {class: "table-top"});
    this.hint = h("p", {class: "empty", hidden: true});
    this.choices = h("div", {class: "choices", role: "group", "aria-label": ui.canDo(title)});
    this.bubble = new Bubble();
    this.why = "";
    this.element = h("div", {class: "words"}, this.account, this.hint, this.choices, this.bubble.element);
  }

  // Tells beside an element why a click on it plays nothing.
  /** @param {Element} at */
  refuse(at) {
    const all = this.element.getBoundingClientRect();
    const {left, width, top} = at.getBoundingClientRect();
    this.bubble.tell((left + width / 2 - all.left) / all.width, (top - all.top) / all.height, false, this.why);
  }

  // Plays an action by the engine's word or the page's; returns why not.
  /** @param {string} name */
  type(name) {
    if (!this.offered) return this.why;
    const words = (/** @type {string} */ each) => [each, phrase(this.engine, this.face, each)].map((text) => text.toLowerCase());
    const action = this.offered.split("\n").find((each) => words(each).includes(name));
    if (action === undefined) return ui.noSuchMove;
    this.act(action);
    return "";
  }

  /** @param {Record} record @param {Position} position @param {boolean} latest */
  show(record, position, latest) {
    const view = (latest ? record.view : undefined) ?? position.view;
    const actions = latest && record.mayMove ? record.actions : [];
    this.why = hintFor(record, latest);
    const text = JSON.stringify([view, actions, record.players, position.summary]);
    if (text !== this.shown) show(this.account, this.draw({record, actions, view, play: this.act, refuse: (at) => this.refuse(at)}, position));
    this.shown = text;
    this.hint.textContent = latest ? "" : say.lookingBack;
    this.hint.hidden = latest || !record.mayMove;
    this.offer(record.engine, actions);
  }

  /** @param {Stand} stand @param {Position} position */
  draw(stand, position) {
    const {view, record} = stand;
    const points = this.face.board === "points" ? pointsBoard(view, seatOf(record.me ?? "X") === 1 ? 1 : 0, this.face) : undefined;
    const seen = points ? h("div", {}, points, h("div", {class: "unseen"}, listOf(view)))
      : isObject(view) ? drawn[record.engine]?.(stand) ?? listOf(view)
      : h("p", {class: "empty"}, view === undefined ? ui.tableSet : valueText(view));
    return [seen, position.summary && h("p", {class: "summary"}, position.summary)];
  }

  /** @param {string} engine @param {string[]} actions */
  offer(engine, actions) {
    const text = actions.join("\n");
    if (text === this.offered) return;
    this.offered = text;
    this.engine = engine;
    this.choices.classList.toggle("many", actions.length > severalMax);
    /** @param {string} action */
    const words = (action) => phrase(engine, this.face, action);
    /** @param {string} action */
    const one = (action) => button([sign(action), words(action)], () => this.act(action), {class: "choice", "data-action": action});
    if (actions.length > buttonsMax) {
      const select = h("select", {"aria-label": ui.yourMove}, actions.map((each) => h("option", {value: each}, words(each))));
      return show(this.choices, select, button(ui.playIt, () => this.act(select.value), {class: "main"}));
    }
    const groups = (this.face.groups ?? []).map((each) => ({...each, actions: each.actions.filter((a) => actions.includes(a))}))
      .filter((each) => each.actions.length > 0);
    const grouped = new Set(groups.flatMap((each) => each.actions));
    show(this.choices, ...groups.map((each) => h("fieldset", {class: "group"}, h("legend", {}, each.title), each.actions.map(one))),
         ...actions.filter((each) => !grouped.has(each)).map(one));
  }
}
