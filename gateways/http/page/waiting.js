// A waiting game: the link for a friend, the way out, the Join button for others, and invitations.
import {clockText} from "./clocks.js";
import * as api from "./api.js";
import * as session from "./session.js";
import {ApiError} from "./api.js";
import {operatorNote} from "./notice.js";
import {button, filled, h, isolated, show} from "./dom.js";
import {complain} from "./notices.js";
import {faceOf} from "./faces.js";
import {isFor} from "./lists.js";
import {label, optionsText, sideName} from "./words.js";
import {nameField, rulesOf} from "./setup.js";
import {ui} from "./text.js";

/** @typedef {import("./dom.js").Child} Child */

// A browser does not send the fragment to a server.
/** @param {string} invitation */
const linkOf = (invitation) => `${location.origin}${location.pathname}#/invite/${invitation}`;

/** @param {HTMLInputElement} field @param {Element} done */
async function copy(field, done) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    done.textContent = ui.copied;
  } catch {
    // Browsers let only pages of HTTPS and of this machine write there.
    if (!document.execCommand("copy"))
      complain(ui.cantCopy);
  }
}

/** @param {Child | Child[]} title @param {Child[]} text @param {Child[]} more */
const room = (title, text, ...more) => h("section", {class: "waiting"}, h("h2", {}, title), h("p", {}, text), more);

/** @param {string} invitation */
function linkField(invitation) {
  const field = h("input", {type: "text", readonly: true, value: linkOf(invitation),
                            "aria-label": ui.linkForFriend, onfocus: () => field.select()});
  const copied = button(ui.copy, () => copy(field, copied), {class: "main"});
  return h("div", {class: "link"}, field, copied);
}

// Shown to the waiting player.
/** @param {import("./record.js").Record} record @param {() => void} leave */
export function waitingRoom(record, leave) {
  const {invitation, opponent, rematch} = session.tableOf(record.id);
  const way = h("div", {class: "go"}, button(ui.stopWaiting, leave));
  if (rematch && opponent)
    return room(filled(ui.waitingFor, isolated(opponent)),
                filled(ui.rematchToo, isolated(opponent)), way);
  const several = record.players.length > 2;
  if (invitation)
    return room(ui.sendLink, [several ? ui.worksForAll : ui.worksOnce], linkField(invitation), way);
  if (record.reservedFor)
    return room(filled(ui.waitingFor, isolated(record.reservedFor)),
                filled(ui.keptFor, isolated(record.reservedFor)), way);
  return room(ui.seatKept,
              [several ? ui.beginsWhenFull : ui.beginsAsSoon], way);
}

// Shown to all others at the address of a waiting game.
/** @param {import("./record.js").Record} record @param {() => void} join */
export function openTable(record, join) {
  const host = record.players.find(Boolean) ?? "";
  if (!isFor(/** @type {any} */ ({reserved_for: record.reservedFor}), session.name()))
    return room(filled(ui.tableWaitsFor, isolated(record.reservedFor ?? "")),
                filled(ui.keepsSeat, isolated(host)));
  return room(filled(ui.waitsForSomebody, isolated(host)), [ui.sitDownAndBegins], nameField(),
              h("div", {class: "go"}, button(ui.join, join, {class: "main"})));
}

/** @param {string} secret @returns {Promise<Invitation | undefined>} undefined: this hub does not tell */
const preview = (secret) => api.invitation(secret).catch((error) => {
  if (error instanceof ApiError && error.code === 102) return {engine: "", status: "gone"};
  if (error instanceof ApiError && error.code === 100) return undefined;
  throw error;
});

/** @param {Invitation} about @param {Engine[]} engines */
function describe({engine, options, side, host, clock_rule}, engines) {
  const known = engines.find((each) => each.engine === engine);
  const face = known && faceOf(known, options);
  const rules = optionsText(options);
  const seat = side && face && (face.marks ? sideName(side, face) : known?.marks ? side : side === "X" ? "first" : "second");
  return [h("dl", {class: "account"},
            h("dt", {}, ui.game), h("dd", {}, known?.title ?? label(engine), rules && ` (${rules})`),
            clock_rule && [h("dt", {}, ui.clock), h("dd", {}, clockText(clock_rule))].flat(),
            host && [h("dt", {}, ui.against), h("dd", {}, isolated(host))].flat(),
            seat && [h("dt", {}, ui.youPlay), h("dd", {}, seat)].flat()),
          face && rulesOf(face)];
}

const gone = () => h("section", {class: "setup invited"}, h("h1", {}, ui.invitationOver),
  h("p", {}, ui.askForNewLink),
  h("div", {class: "go"}, h("a", {class: "button main", href: "#/"}, ui.toTheLobby)));

/** @param {string} invitation @param {string | undefined} game */
const own = (invitation, game) => h("section", {class: "setup invited"}, h("h1", {}, ui.ownInvitation),
  h("p", {}, ui.sendThisLink), linkField(invitation),
  game && h("div", {class: "go"}, h("a", {class: "button", href: `#/game/${game}`}, ui.toYourTable)));

// Shown at an invitation's link. Only the button uses the invitation.
/** @param {Element} main @param {string} invitation @param {Element} name @param {(wish: object) => void} join */
export async function openInvitation(main, invitation, name, join) {
  const about = await preview(invitation);
  if (about?.yours || session.isMine(invitation)) show(main, operatorNote, own(invitation, about?.game_id ?? session.currentGame()));
  else if (about && about.status !== "waiting") show(main, operatorNote, gone());
  else show(main, operatorNote, h("form", {class: "setup invited", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    join({invitation});
  }}, h("h1", {}, ui.invited),
       about ? describe(about, await api.engines()).flat() : h("p", {}, ui.somebodyWaits), name,
       h("div", {class: "go"}, h("button", {type: "submit", class: "main"}, ui.sitDown))));
  return {title: ui.invitation, close() {}};
}
