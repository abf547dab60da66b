// Error messages, announcements to screen readers, and the signal that it is the player's turn.
import {button, h, write} from "./dom.js";
import {explain, say} from "./words.js";
import {setting} from "./session.js";
import {ui} from "./text.js";

/** @param {string} id */
const region = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// Shows an error until it is closed or replaced.
/** @param {string} text */
export function complain(text) {
  const one = h("div", {class: "alert"}, h("p", {}, text));
  one.append(button(ui.close, () => one.remove(), {class: "quiet", "aria-label": ui.closeMessage}));
  region("alerts").replaceChildren(one);
}

export const hush = () => region("alerts").replaceChildren();

// Runs `what` and shows an ApiError as a sentence. Success removes the previous error.
/**
 * @template T
 * @param {() => Promise<T>} what
 * @param {(error: any) => void} [failed]
 * @returns {Promise<T | undefined>}
 */
export async function trying(what, failed = (error) => complain(explain(error))) {
  try {
    const done = await what();
    hush();
    return done;
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    failed(error);
    return undefined;
  }
}

/** @param {string} text */
export const announce = (text) => write(region("live"), text);

/** @param {boolean} live */
export function linkState(live) {
  const at = region("link");
  at.hidden = live;
  write(at, live ? "" : say.cut);
}

/** @type {AudioContext | undefined} */
let audio;

// Plays two short tones.
export function chime() {
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [i, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, start + i * 0.14);
    volume.gain.exponentialRampToValueAtTime(0.001, start + i * 0.14 + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start + i * 0.14);
    tone.stop(start + i * 0.14 + 0.26);
  }
}

// Says that another of the player's games is at its turn, while the page is open but not looked at.
/** @param {string} title @param {string} game */
export function notifyTurn(title, game) {
  if (setting("sound") === "on") chime();
  if (setting("notify") !== "on" || document.hasFocus() || Notification.permission !== "granted") return;
  const shown = new Notification(say.atTurn, {body: title, tag: `gamehub-${game}`});
  shown.onclick = () => {
    window.focus();
    location.hash = `#/game/${game}`;
  };
}

let wasMine = false;

// Marks the title while it is this player's turn, or to answer an offer. Sound and notification are off by default.
/** @param {boolean} mine @param {string} title @param {string} [what] */
export function tellTurn(mine, title, what = say.atTurn) {
  document.title = mine ? `\u25cf ${what}: ${title}` : `${title} · gamehub`;
  if (mine && !wasMine) {
    if (setting("sound") === "on") chime();
    if (setting("notify") === "on" && document.hidden && Notification.permission === "granted")
      new Notification(what, {body: title, tag: "gamehub"});
  }
  wasMine = mine;
}
