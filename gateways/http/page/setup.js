// The form for a game of one engine: options, opponent and side.
import * as api from "./api.js";
import * as session from "./session.js";
import {Options} from "./options.js";
import {allowed, clockText, isOfDays} from "./clocks.js";
import {button, h, show} from "./dom.js";
import {complain, hush, trying} from "./notices.js";
import {explain, faultOfName, levels, sideName} from "./words.js";
import {faceOf} from "./faces.js";
import {marks, opponentsOf} from "./seats.js";
import {ui} from "./text.js";

/** @param {string} name @param {string} value @param {string} text */
const choice = (name, value, text, checked = false) =>
  h("label", {class: "pick"}, h("input", {type: "radio", name, value, checked}), h("span", {}, text));

/** @param {Engine} engine */
const people = ({players = 2}) =>
  h("fieldset", {}, h("legend", {}, ui.againstPeople), choice("opponent", "any", ui.whoeverComes, true),
    choice("opponent", "link", ui.friendByLink), players === 2 && choice("opponent", "named", ui.byName),
    players === 2 && h("div", {class: "by-name"},
      h("input", {name: "named", type: "text", maxlength: 64, autocomplete: "off", dir: "auto",
                  "aria-label": ui.nameOfOther, placeholder: ui.nameOfSomebody}),
      h("p", {class: "quiet-note"}, ui.thisNameAlone)));

// In a game of three or more the engine can take some of the seats.
/** @param {Engine} engine */
const shared = ({players = 2, levels, options}) => {
  const most = options.properties?.players?.maximum ?? players;
  return players > 2 && levels.length > 0 &&
    h("fieldset", {class: "options"}, h("legend", {}, ui.againstPeopleAndEngine),
      h("label", {for: "engine-seats"}, h("span", {}, ui.seatsOfEngine),
        h("select", {id: "engine-seats", name: "engines"},
          Array.from({length: most}, (_, count) => h("option", {value: count}, String(count))))));
};

/** @param {Engine} engine */
const againstEngine = (engine) =>
  engine.levels.length > 0 && h("fieldset", {}, h("legend", {}, ui.orTheEngine),
    engine.levels.map((level) => choice("opponent", `engine:${level}`, levels[level] ?? level)));

/** @param {Engine} engine @param {Face} face */
const sides = (engine, face) => (engine.players ?? 2) === 2 &&
  h("fieldset", {}, h("legend", {}, ui.side), choice("seat", "", ui.any, true),
    marks.map((mark, seat) => choice("seat", mark, sideTitle(engine, face, mark, ui.orders[seat]))));

/** @param {Engine} engine @param {Face} face @param {string} mark @param {string} order */
function sideTitle(engine, face, mark, order) {
  if (face.marks) return `${sideName(mark, face)}, ${order}`;
  return engine.marks ? `${mark}, ${order}` : order.charAt(0).toUpperCase() + order.slice(1);
}

// A clock of the list, or one that is typed as text.
/** @param {ClockBounds} [bounds] */
const clocks = (bounds) =>
  h("fieldset", {class: "options clocks"}, h("legend", {}, ui.clock),
    h("select", {name: "clock", "aria-label": ui.clock},
      h("option", {value: ""}, ui.usualClock), allowed(bounds).map((each) => h("option", {value: each}, clockText(each))),
      h("option", {value: "other"}, ui.otherClock)),
    h("input", {name: "other-clock", type: "text", maxlength: 64, autocomplete: "off", spellcheck: "false",
                "aria-label": ui.otherClock, placeholder: "fischer:300+10"}));

// The rules of a game, if they are known.
/** @param {Face} face */
export const rulesOf = (face) =>
  face.rules && face.rules.length > 0 &&
  h("details", {class: "rules"}, h("summary", {}, ui.howItIsPlayed), face.rules.map((each) => h("p", {}, each)));

export class Setup {
  /** @param {Engine} engine @param {(wish: object) => Promise<void>} sit @param {ClockBounds} [bounds] */
  constructor(engine, sit, bounds) {
    const face = faceOf(engine);
    this.engine = engine;
    this.sit = sit;
    this.options = new Options(engine.options);
    this.play = h("button", {type: "submit", class: "main"}, ui.play);
    this.fault = h("p", {class: "fault", role: "alert", hidden: true});
    const about = h("div", {class: "setup-head"}, h("h2", {}, engine.title), h("p", {}, face.blurb ?? ""));
    this.element = h("form", {class: "setup", "aria-label": ui.gameOf(engine.title),
                              onsubmit: (/** @type {Event} */ event) => this.submit(event)},
                     about, rulesOf(face), people(engine), shared(engine), againstEngine(engine), this.options.element, clocks(bounds), sides(engine, face), this.fault,
                     h("div", {class: "go play-bar"}, this.play));
  }

  wish() {
    const given = new FormData(this.element);
    const kind = String(given.get("opponent"));
    const options = this.options.value();
    const alone = kind.startsWith("engine");  // the engine has all other seats
    const opponents = alone ? undefined
      : opponentsOf(options?.players ?? this.engine.players ?? 2, Number(given.get("engines") ?? 0));
    const opponent = kind === "named" ? String(given.get("named")).trim() : kind;
    const clock = String(given.get("clock") ?? "");
    return {
      engine: this.engine.engine,
      options,
      clock: (clock === "other" ? String(given.get("other-clock")).trim() : clock) || undefined,
      seat: given.get("seat") || undefined,
      private: kind === "link" || undefined,
      opponent: kind === "link" || opponents ? undefined : opponent,
      opponents,
    };
  }

  // Checks that need no request.
  /** @param {{opponent?: string}} wish */
  faultOf({opponent}) {
    if (opponent === "") return ui.whom;
    if (opponent && opponent === session.name()) return ui.ownName;
    return undefined;
  }

  /** @param {string | undefined} text */
  blame(text) {
    this.fault.hidden = !text;
    this.fault.textContent = text ?? "";
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    const wish = this.wish();
    const fault = this.faultOf(wish);
    this.blame(fault);
    if (fault) return;
    this.play.disabled = true;
    await trying(() => this.sit(wish));
    this.play.disabled = false;
  }
}

// The field for the player's name.
export function nameField() {
  const field = h("input", {id: "name", type: "text", maxlength: 64, autocomplete: "nickname", placeholder: ui.aGuest,
                            dir: "auto", value: session.name() ?? "", onchange: () => rename(field)});
  return h("label", {class: "name", for: "name"}, h("span", {}, ui.youAre), field);
}

/** @param {HTMLInputElement} field */
async function rename(field) {
  const name = field.value.trim();
  const fault = faultOfName(name);
  if (fault) return complain(fault);
  if (name === (session.name() ?? "")) return hush();
  if (!session.secret()) return session.wishName(name);
  if (!name) return (field.value = session.name() ?? "");
  try {
    await api.rename(name);
    hush();
  } catch (/** @type {any} */ error) {
    // The next session has the same secret.
    if (error.code === 101) return session.wishName(name);
    // Error 100: the hub has no such path.
    complain(error.code === 100 ? ui.keepsName : explain(error));
    field.value = session.name() ?? "";
  }
}

// The state of the player's game, if a seat in another one would end it: it waits or runs. A game of days is kept.
const kept = "kept";

/** @param {string | undefined} wanted @returns {Promise<string | undefined>} */
async function heldSeat(wanted) {
  const current = session.currentGame();
  const now = current && current !== wanted && (await api.standing(current).catch(() => undefined));
  if (!now || !now.player || now.status === "ended") return undefined;
  return now.status === "running" && isOfDays(now.clock_rule) ? kept : now.status;
}

// Takes a seat; asks first if that gives up a seat that waits or resigns a running game. The game that waits may begin
// during the question: then it asks again.
/** @param {{game_id?: string, invitation?: string}} wish @param {(status: string) => Promise<boolean>} ask */
export async function takeSeat(wish, ask) {
  /** @type {string | undefined} */
  let asked;
  let held = await heldSeat(wish.game_id);
  for (; held && held !== kept && held !== asked; held = await heldSeat(wish.game_id)) {
    if (!(await ask(held))) return undefined;
    asked = held;
  }
  // The hub gives the old seat up once the new one is certain.
  return api.play({...wish, keep: held === kept || undefined, new_game: !wish.game_id && !wish.invitation || undefined});
}

/** @param {string} status of the game of the seat @returns {Promise<boolean>} */
export function askToGiveUp(status) {
  const waits = status === "waiting";
  return new Promise((resolve) => {
    const dialog = h("dialog", {"aria-labelledby": "give-up", onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    }});
    show(dialog, h("h2", {id: "give-up"}, waits ? ui.atATable : ui.inAGame),
         h("p", {}, waits ? ui.oneSeatAtATime : ui.oneAtATime),
         h("div", {class: "go"}, button(waits ? ui.waitOn : ui.stayInIt, () => dialog.close("no"), {class: "main"}),
           button(ui.giveItUp, () => dialog.close("yes"))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
