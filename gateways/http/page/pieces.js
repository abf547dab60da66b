// The pieces on a board, and small pictures of games.
import {faceOf} from "./faces.js";
import {svg} from "./dom.js";

/** @param {number} r */
const circle = (r, properties = {}) => svg("circle", {cx: 50, cy: 50, r, ...properties});

const crown = () => svg("path", {class: "sign-of-piece", d: "M32 62l-5-27 13 10 10-15 10 15 13-10-5 27z"});
const strike = () => svg("path", {class: "sign-of-piece", d: "M22 22L78 78M78 22L22 78"});

// By the name of a shape. Sides differ in shape, not in colour alone.
/** @type {{[shape: string]: {kind: string, draw: () => Element[]}}} */
const shapes = {
  cross: {kind: "signs", draw: () => [svg("path", {d: "M28 28L72 72M72 28L28 72"})]},
  ring: {kind: "signs", draw: () => [circle(24)]},
  disc: {kind: "discs", draw: () => [circle(41)]},
  "ringed-disc": {kind: "discs", draw: () => [circle(41), circle(26, {class: "inner"})]},
  "black-stone": {kind: "stones black", draw: () => [circle(42)]},
  "white-stone": {kind: "stones white", draw: () => [circle(42), circle(30, {class: "only-forced"})]},
  "black-king": {kind: "stones black", draw: () => [circle(42), crown()]},
  "white-king": {kind: "stones white", draw: () => [circle(42), crown()]},
  "struck-disc": {kind: "discs struck", draw: () => [circle(41), strike()]},
  "struck-ringed-disc": {kind: "discs struck", draw: () => [circle(41), circle(26, {class: "inner"}), strike()]},
};

// Other words of engines for the same shapes.
/** @type {[RegExp, string[]][]} */
const alike = [
  [/cross|\bx\b/, ["cross", "cross"]],
  [/disc|token|chip|counter/, ["disc", "ringed-disc"]],
  [/white|light/, ["white-stone", "white-stone"]],
  [/stone|black|dark|piece/, ["black-stone", "white-stone"]],
];

/** @param {string | undefined} name @param {number} seat */
function shapeOf(name, seat) {
  if (name && shapes[name]) return shapes[name];
  const found = alike.find(([words]) => words.test(name ?? ""));
  return shapes[found ? found[1][seat === 0 ? 0 : 1] : seat === 0 ? "cross" : "ring"];
}

// A piece that is no seat's has its letter.
export const lettered = (/** @type {string} */ letter, kind = "") =>
  svg("svg", {class: `piece numbered ${kind}`, viewBox: "0 0 100 100", "aria-hidden": "true"},
      [circle(40, {class: "rim"}), svg("text", {x: 50, y: 66, "text-anchor": "middle"}, [letter])]);

/** @param {number} seat @param {Face} face */
export function piece(seat, face) {
  // From the third seat on the number, unless the engine has a piece.
  if (seat > 1 && !shapes[face.pieces?.[seat] ?? ""]) return lettered(String(seat + 1), `seat-${seat}`);
  const {kind, draw} = shapeOf(face.pieces?.[seat], seat);
  return svg("svg", {class: `piece ${kind} seat-${seat}`, viewBox: "0 0 100 100", "aria-hidden": "true"}, draw());
}

// A part of a board for the picture of a game, one letter per cell.
/** @type {{[engine: string]: string[]}} */
const samples = {
  tictactoe: ["X_O", "_X_", "O_X"],
  "connect-four": ["____", "_O__", "XXO_", "OXXO"],
  gomoku: ["____", "_XO_", "_OX_", "__X_"],
  othello: ["____", "_OX_", "_XX_", "____"],
};

/** @param {string[]} rows @param {Face} face */
function pictureOfBoard(rows, face) {
  const size = 100 / rows.length;
  /** @param {number} i */
  const at = (i) => i * size;
  const cells = rows.flatMap((row, r) => [...row].flatMap((mark, c) => {
    const out = [svg("rect", {class: "cell", x: at(c) + 2, y: at(r) + 2, width: size - 4, height: size - 4,
                              rx: size / 7})];
    if (mark !== "_") {
      const seat = mark === "X" ? 0 : 1;
      const {kind, draw} = shapeOf(face.pieces?.[seat], seat);
      const inset = size * 0.11;
      out.push(svg("g", {class: `piece ${kind} seat-${seat}`,
                         transform: `translate(${at(c) + inset} ${at(r) + inset}) scale(${(size / 100) * 0.78})`}, draw()));
    }
    return out;
  }));
  return svg("svg", {class: `picture ${face.board}`, viewBox: "0 0 100 100", "aria-hidden": "true"}, cells);
}

const rock = "M22 62c-3-14 5-26 17-29 12-4 26 0 32 9 6 10 4 23-5 28-12 7-41 7-44-8z";
const sheet = "M30 22h30l12 12v44H30z M60 22v12h12 M38 48h26 M38 58h26 M38 68h16";
const scissors = "M30 26l36 42 M70 26L34 68 M28 66a8 8 0 1 0 12 10 8 8 0 1 0-12-10 M60 76a8 8 0 1 0 12-10 8 8 0 1 0-12 10";
/** @type {{[choice: string]: string}} */
const hands = {rock, paper: sheet, scissors};

// The sign of a choice; undefined if there is none.
/** @param {string} choice */
export const sign = (choice) =>
  hands[choice] && svg("svg", {class: "sign", viewBox: "0 0 100 100", "aria-hidden": "true"}, svg("path", {d: hands[choice]}));

// Games without a board: heaps, hands, cards.
/** @type {{[engine: string]: () => Element[]}} */
const pictures = {
  nim: () => [1, 2, 3].flatMap((count, row) => Array.from({length: count * 2 - 1}, (_, i) =>
    svg("circle", {class: row === 1 ? "dot two" : "dot", cx: 50 + (i - count + 1) * 17, cy: 26 + row * 25, r: 6.5}))),
  "rock-paper-scissors": () => [["rock", "translate(26 -6) scale(.5)"], ["paper", "translate(-2 44) scale(.52)"],
                                ["scissors", "translate(50 44) scale(.52)"]]
    .map(([hand, transform]) => svg("path", {class: `stroke thick ${hand}`, d: hands[hand], transform})),
  "kuhn-poker": () => [
    svg("rect", {class: "card", x: 20, y: 26, width: 34, height: 50, rx: 5, transform: "rotate(-9 37 51)"}),
    svg("rect", {class: "card", x: 44, y: 24, width: 34, height: 50, rx: 5, transform: "rotate(7 61 49)"}),
    svg("path", {class: "stroke", d: "M61 40l8 10-8 10-8-10z"})],
};

const usualPicture = () => [svg("rect", {class: "card", x: 26, y: 26, width: 48, height: 48, rx: 8}),
                            svg("circle", {class: "dot", cx: 50, cy: 50, r: 9})];

const drawn = new Set(["svg", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"]);
const given = new Set(["viewBox", "d", "cx", "cy", "r", "rx", "ry", "x", "y", "x1", "y1", "x2", "y2", "width", "height",
                       "points", "transform", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
                       "fill-rule", "opacity"]);

// Copies shapes only, because an engine supplies the icon: no script, style, text or link.
/** @param {Element} from @returns {Element | undefined} */
function copied(from) {
  if (!drawn.has(from.localName)) return undefined;
  const properties = Object.fromEntries([...from.attributes].filter(({name, value}) =>
    given.has(name) && !value.includes("url(")).map(({name, value}) => [name, value]));
  return svg(from.localName, properties, [...from.children].map(copied));
}

// A policy is made once.
/** @type {any} */
let policy;

/** @param {string} text @returns {Element | undefined} */
function iconOf(text) {
  policy ??= window.trustedTypes?.createPolicy("gamehub-icon", {createHTML: (/** @type {string} */ icon) => icon});
  const root = new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "image/svg+xml").documentElement;
  const icon = root.localName === "svg" ? copied(root) : undefined;
  icon?.setAttribute("class", "picture");
  icon?.setAttribute("aria-hidden", "true");
  return icon;
}

/** @type {Map<string, Element | undefined>} */
const icons = new Map();

/** @param {Engine} engine */
export function picture({engine, rows, columns, face}) {
  const looks = faceOf({engine, face});
  if (rows * columns > 0 && samples[engine]) return pictureOfBoard(samples[engine], looks);
  if (pictures[engine]) return svg("svg", {class: "picture", viewBox: "0 0 100 100", "aria-hidden": "true"}, pictures[engine]());
  if (looks.icon && !icons.has(looks.icon)) icons.set(looks.icon, iconOf(looks.icon));
  const icon = icons.get(looks.icon ?? "");
  if (icon) return /** @type {Element} */ (icon.cloneNode(true));
  if (rows * columns > 0) return pictureOfBoard(["___", "_X_", "__O"], looks);
  return svg("svg", {class: "picture", viewBox: "0 0 100 100", "aria-hidden": "true"}, usualPicture());
}
