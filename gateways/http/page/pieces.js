// What lies on a board, and small pictures of whole games.
import {svg} from "./dom.js";
import {lookOf} from "./looks.js";

const shapes = {
  signs: {
    X: () => [svg("path", {d: "M28 28L72 72M72 28L28 72"})],
    O: () => [svg("circle", {cx: 50, cy: 50, r: 24})],
  },
  // Told apart without colour, too: the second side's have a ring.
  discs: {
    X: () => [svg("circle", {cx: 50, cy: 50, r: 41})],
    O: () => [svg("circle", {cx: 50, cy: 50, r: 41}), svg("circle", {class: "ring", cx: 50, cy: 50, r: 26})],
  },
  stones: {
    X: () => [svg("circle", {cx: 50, cy: 50, r: 42})],
    O: () => [svg("circle", {cx: 50, cy: 50, r: 42})],
  },
};

const first = (mark) => (mark === "X" ? "X" : "O");

export function piece(mark, kind = "signs") {
  const side = `side-${first(mark).toLowerCase()}`;
  return svg("svg", {class: `piece ${kind} ${side}`, viewBox: "0 0 100 100", "aria-hidden": "true"},
             shapes[kind][first(mark)]());
}

// What a typical corner of each game looks like: a letter a cell.
const samples = {
  tictactoe: ["X_O", "_X_", "O_X"],
  "connect-four": ["____", "_O__", "XXO_", "OXXO"],
  gomoku: ["____", "_XO_", "_OX_", "__X_"],
  othello: ["____", "_OX_", "_XX_", "____"],
};

function pictureOfBoard(rows, kind, board) {
  const size = 100 / rows.length;
  const at = (i) => i * size;
  const cells = rows.flatMap((row, r) => [...row].flatMap((mark, c) => {
    const out = [svg("rect", {class: "cell", x: at(c) + 2, y: at(r) + 2, width: size - 4, height: size - 4,
                              rx: size / 7})];
    if (mark !== "_") {
      const scale = (size / 100) * 0.78;
      const inset = size * 0.11;
      out.push(svg("g", {class: `piece ${kind} side-${mark.toLowerCase()}`,
                         transform: `translate(${at(c) + inset} ${at(r) + inset}) scale(${scale})`},
                   shapes[kind][mark]()));
    }
    return out;
  }));
  return svg("svg", {class: `picture ${board}`, viewBox: "0 0 100 100", "aria-hidden": "true"}, cells);
}

// Games without a board: heaps, hands, cards.
const pictures = {
  nim: () => [1, 2, 3].flatMap((count, row) => Array.from({length: count * 2 - 1}, (_, i) =>
    svg("circle", {class: row === 1 ? "dot two" : "dot", cx: 50 + (i - count + 1) * 17, cy: 26 + row * 25, r: 6.5}))),
  "rock-paper-scissors": () => [
    svg("circle", {class: "dot", cx: 50, cy: 28, r: 13}),
    svg("rect", {class: "dot two", x: 17, y: 56, width: 24, height: 26, rx: 3}),
    svg("path", {class: "stroke", d: "M62 56l20 26M82 56l-20 26"})],
  "kuhn-poker": () => [
    svg("rect", {class: "card", x: 20, y: 26, width: 34, height: 50, rx: 5, transform: "rotate(-9 37 51)"}),
    svg("rect", {class: "card", x: 44, y: 24, width: 34, height: 50, rx: 5, transform: "rotate(7 61 49)"}),
    svg("path", {class: "stroke", d: "M61 40l8 10-8 10-8-10z"})],
};

const usualPicture = () => [svg("rect", {class: "card", x: 26, y: 26, width: 48, height: 48, rx: 8}),
                            svg("circle", {class: "dot", cx: 50, cy: 50, r: 9})];

export function picture({engine, rows, columns}) {
  const look = lookOf(engine);
  if (rows * columns > 0) return pictureOfBoard(samples[engine] ?? ["___", "_X_", "__O"], look.pieces, look.board);
  return svg("svg", {class: "picture", viewBox: "0 0 100 100", "aria-hidden": "true"},
             (pictures[engine] ?? usualPicture)());
}
