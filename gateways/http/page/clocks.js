// Clocks that a player can choose, and what their texts and times say to people.
import {marks} from "./seats.js";
import {ui} from "./text.js";

// What the list offers of those that the hub allows. Any other is typed as text.
export const offered = ["move:30", "move:120", "sudden:300", "fischer:180+2", "fischer:600+5", "bronstein:300+3",
                        "byoyomi:600+5x30", "days:1", "days:3"];

/** @typedef {{kind: string, main: number, step: number, periods: number}} Rule times in seconds */

/** @param {string | undefined} text @returns {Rule | undefined} */
export function ruleOf(text = "") {
  const found = /^([a-z]+):([0-9.]+)(?:\+(?:([0-9]+)x)?([0-9.]+))?$/.exec(text);
  if (!found) return undefined;
  const [, kind, main, periods, step] = found;
  return {kind, main: Number(main), step: Number(step ?? 0), periods: Number(periods ?? 0)};
}

// True of a clock that the hub lets a player choose.
/** @param {string} text @param {ClockBounds} bounds */
export function isAllowed(text, bounds) {
  const rule = ruleOf(text);
  if (!rule) return bounds.none;
  const [main, step] = [rule.main * (rule.kind === "days" ? 86_400_000 : 1000), rule.step * 1000];
  const most = rule.kind === "days" || rule.kind === "move" ? bounds.move_milliseconds_max : bounds.game_milliseconds_max;
  return main <= most && step <= bounds.move_milliseconds_max &&
    Math.max(main, rule.kind === "byoyomi" ? step : main) >= bounds.milliseconds_min;
}

/** @param {ClockBounds} [bounds] */
export const allowed = (bounds) =>
  bounds ? [...offered, "none"].filter((each) => isAllowed(each, bounds)) : offered;

// True of a clock whose players need not be connected.
/** @param {string | undefined} text */
export const isOfDays = (text) => ruleOf(text)?.kind === "days";

// Describes the time that is left of a turn of days.
/** @param {number} milliseconds */
export function leftText(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return ui.left(hours > 0 ? `${ui.days(days)} ${hours} h` : ui.days(days));
  return ui.left(hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`);
}

/** @param {number} seconds */
function span(seconds) {
  for (const [unit, size] of /** @type {[string, number][]} */ ([["h", 3600], ["min", 60]]))
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${unit}`;
  return `${seconds} s`;
}

// Describes a clock in words, such as "3 min + 2 s". Returns any other text unchanged.
/** @param {string | undefined} text */
export function clockText(text = "") {
  if (text === "none") return ui.withoutClock;
  const rule = ruleOf(text);
  if (!rule) return text;
  switch (rule.kind) {
    case "move": return ui.aMove(span(rule.main));
    case "days": return ui.aMove(ui.days(rule.main));
    case "sudden": return ui.forAll(span(rule.main));
    case "fischer": return `${span(rule.main)} + ${span(rule.step)}`;
    case "bronstein": return ui.withDelay(span(rule.main), span(rule.step));
    case "byoyomi": return ui.byoYomi(span(rule.main), rule.periods, span(rule.step));
    default: return text;
  }
}

const tenthsBelow = 9_900;  // so that they are never ten seconds

/** @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// What a clock that runs shows: below ten seconds also the tenths.
/** @param {number} milliseconds @param {boolean} runs */
export function clockFace(milliseconds, runs) {
  if (!runs || milliseconds >= tenthsBelow) return clock(milliseconds);
  const tenths = Math.max(0, Math.ceil(milliseconds / 100));
  return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
}

// Returns after how many milliseconds it shows something else.
/** @param {number} milliseconds */
export const untilChange = (milliseconds) =>
  milliseconds < tenthsBelow ? milliseconds % 100 || 100
    : Math.min(milliseconds % 1000 || 1000, milliseconds - tenthsBelow + 1);

// The clocks of an answer. An older hub tells only what is left of the turn.
/** @param {Standing} standing @returns {Clock | undefined} */
export function clockOf({clock, turn, turn_milliseconds_left: left}) {
  if (clock || !left || !turn) return clock;
  return {milliseconds_left: marks.map((mark) => (mark === turn ? left : null)), runs: [turn]};
}

// Returns what remains of `left` after `spent`, and how many periods of `period` follow. All times are milliseconds.
/** @param {number | null | undefined} left @param {number} periods @param {number} period @param {number} spent */
export function after(left, periods, period, spent) {
  if (left === undefined || left === null) return undefined;
  let rest = left - spent;
  if (rest > 0 || periods === 0 || !(period > 0)) return {left: Math.max(0, rest), periods};
  const begun = Math.min(periods, 1 + Math.floor(-rest / period));
  rest += begun * period;
  return {left: Math.max(0, rest), periods: periods - begun};
}
