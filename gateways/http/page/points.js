// The board of Backgammon: its 24 points, the bar, and what is borne off, from the member `checkers` of the view
// (engines/README.md). The viewer's points 1 to 6 are at the lower right.
import {h, svg} from "./dom.js";
import {piece} from "./pieces.js";

const pitch = 20;  // of two points, in units of the drawing
const side = 18;   // of a checker
const step = 16.5; // of two checkers on a point
const stackMax = 5;
const height = 200;
const barAt = 6 * pitch, offAt = 13 * pitch;

/** @param {any} view @returns {{[place: string]: number}[] | undefined} */
function checkersOf(view) {
  const all = view?.checkers;
  const isSide = (/** @type {any} */ each) => each !== null && typeof each === "object" && !Array.isArray(each);
  return Array.isArray(all) && all.length === 2 && all.every(isSide) ? all : undefined;
}

// The place of a point by its viewer's number: the points 13 to 24 are above, 12 to 1 below.
/** @param {number} point */
function placeOf(point) {
  const above = point > 12;
  const at = above ? point - 13 : 12 - point;
  return {x: at * pitch + (at < 6 ? 0 : pitch), above};
}

/** @param {number} point */
function triangle(point) {
  const {x, above} = placeOf(point);
  const [edge, tip] = above ? [12, 90] : [height - 12, height - 90];
  return svg("path", {class: point % 2 ? "point odd" : "point", d: `M${x + 1} ${edge}H${x + pitch - 1}L${x + pitch / 2} ${tip}z`});
}

/** @param {number} x @param {number} y @param {string | number} text @param {string} kind */
const label = (x, y, text, kind) => svg("text", {class: kind, x: x + pitch / 2, y, "text-anchor": "middle"}, [String(text)]);

// A column of checkers from the edge. The last one of many has their number.
/** @param {number} x @param {boolean} above @param {number} count @param {number} seat @param {Face} face */
function stack(x, above, count, seat, face) {
  const tops = Array.from({length: Math.min(count, stackMax)}, (_, i) => above ? 13 + i * step : height - 13 - side - i * step);
  const checkers = tops.map((y) => {
    const it = piece(seat, face);
    const place = {x: x + 1, y, width: side, height: side};
    for (const [name, value] of Object.entries(place)) it.setAttribute(name, String(value));
    return it;
  });
  return [...checkers, count > stackMax && label(x, tops[stackMax - 1] + side / 2 + 3, count, "count")];
}

// Returns the drawing, or undefined for a view of another form.
/** @param {any} view @param {number} viewer the seat whose numbers the points have @param {Face} face */
export function pointsBoard(view, viewer, face) {
  const sides = checkersOf(view);
  if (!sides) return undefined;
  const [own, other] = [sides[viewer], sides[1 - viewer]];
  const points = Array.from({length: 24}, (_, i) => i + 1);
  const onPoint = (/** @type {number} */ point) => {
    const {x, above} = placeOf(point);
    return [label(x, above ? 9 : height - 4, point, "number"), stack(x, above, own[point] ?? 0, viewer, face),
            stack(x, above, other[25 - point] ?? 0, 1 - viewer, face)].flat();
  };
  const aside = [stack(barAt, false, own.bar ?? 0, viewer, face), stack(barAt, true, other.bar ?? 0, 1 - viewer, face),
                 stack(offAt, false, own.off ?? 0, viewer, face), stack(offAt, true, other.off ?? 0, 1 - viewer, face)];
  return h("div", {class: "points-place"},
    svg("svg", {class: "points", viewBox: `0 0 ${14 * pitch} ${height}`, "aria-hidden": "true"},
      svg("rect", {class: "bar", x: barAt, y: 0, width: pitch, height}), svg("rect", {class: "bar", x: offAt, y: 0, width: pitch, height}),
      points.map(triangle), points.flatMap(onPoint), aside.flat()));
}
