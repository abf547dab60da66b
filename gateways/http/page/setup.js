// Setting up a game of one engine: its rules, whom to play, and on which side.
import * as api from "./api.js";
import * as session from "./session.js";
import {button, h, show} from "./dom.js";
import {Options} from "./options.js";
import {levels} from "./words.js";
import {lookOf} from "./looks.js";
import {trying} from "./notices.js";

const choice = (name, value, text, checked, more = {}) =>
  h("label", {class: "pick"}, h("input", {type: "radio", name, value, checked, ...more}), h("span", {}, text));

const people = () =>
  h("fieldset", {}, h("legend", {}, "Against people"), choice("opponent", "any", "Whoever comes", true),
    choice("opponent", "link", "A friend, by link"), choice("opponent", "named", "By name"),
    h("input", {class: "by-name", name: "named", type: "text", maxlength: 64, autocomplete: "off",
                "aria-label": "Name of the other player or bot", placeholder: "Name of a player or bot"}));

const house = (engine) =>
  engine.levels.length > 0 && h("fieldset", {}, h("legend", {}, "Or the engine"),
    engine.levels.map((level) => choice("opponent", `engine:${level}`, levels[level] ?? level)));

const sides = (engine) =>
  h("fieldset", {}, h("legend", {}, "Side"), choice("seat", "", "Any", true),
    choice("seat", "X", engine.marks ? "X, first" : "First"),
    choice("seat", "O", engine.marks ? "O, second" : "Second"));

export class Setup {
  constructor(engine, sit) {
    this.engine = engine;
    this.sit = sit;
    this.options = new Options(engine.options);
    this.play = h("button", {type: "submit", class: "main"}, "Play");
    const about = h("div", {class: "setup-head"}, h("h2", {}, engine.title),
                    h("p", {}, lookOf(engine.engine).blurb ?? ""));
    this.element = h("form", {class: "setup", "aria-label": `A game of ${engine.title}`,
                              onsubmit: (event) => this.submit(event)},
                     about, people(), house(engine), this.options.element, sides(engine),
                     h("div", {class: "go"}, this.play));
  }

  wish() {
    const given = new FormData(this.element);
    const kind = given.get("opponent");
    const opponent = kind === "named" ? given.get("named").trim() || undefined : kind;
    return {
      engine: this.engine.engine,
      options: this.options.value(),
      seat: given.get("seat") || undefined,
      ...(kind === "link" ? {private: true} : {opponent}),
    };
  }

  async submit(event) {
    event.preventDefault();
    this.play.disabled = true;
    await trying(() => this.sit(this.wish()));
    this.play.disabled = false;
  }
}

// The name under which others see this player. A new one is a new player.
export function nameField() {
  const field = h("input", {id: "name", type: "text", maxlength: 40, autocomplete: "nickname", placeholder: "a guest",
                            value: session.name() ?? "", onchange: () => session.rename(field.value.trim())});
  return h("label", {class: "name", for: "name"}, h("span", {}, "You are"), field);
}

// Takes a seat, and asks first where that gives a running game up. Another seat that waits is given back.
export async function takeSeat(wish, ask) {
  const current = session.currentGame();
  const now = current && (await api.standing(current).catch(() => undefined));
  if (now?.player && now.status === "running" && !(await ask())) return undefined;
  if (now?.player && now.status === "waiting") await api.quit(current);
  return api.play(wish);
}

export function askToGiveUp() {
  return new Promise((resolve) => {
    const dialog = h("dialog", {"aria-labelledby": "give-up", onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    }});
    show(dialog, h("h2", {id: "give-up"}, "You are in a game"),
         h("p", {}, "One game at a time: a new one gives up the one that you are playing."),
         h("div", {class: "go"}, button("Stay in it", () => dialog.close("no"), {class: "main"}),
           button("Give it up", () => dialog.close("yes"))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
