// Games of three or more: the seats that an engine plays on for who left, the way back, and the places at the end.
import * as api from "./api.js";
import {button, h, isolated, show} from "./dom.js";
import {announce} from "./notices.js";
import {markOf, seatOf} from "./seats.js";
import {scoreOf} from "./faces.js";
import {say, shown, substitution} from "./words.js";
import {ui} from "./text.js";

/** @typedef {import("./record.js").Record} Record */

/** @param {Record} record @param {string | undefined} mark */
export const isSubstituted = ({kinds}, mark) => kinds?.[seatOf(mark)] === "substitute";

// An engine plays for this player, who may take the seat again: its time ran out for the first time.
/** @param {Record} record */
export function mayReturn(record) {
  const mine = record.me === undefined ? undefined : record.substitutes.get(record.me);
  return record.status === "running" && isSubstituted(record, record.me) && mine?.cause === "clock" && mine.times === 1;
}

// The game goes on without this player.
/** @param {Record} record */
export const isOut = (record) => record.status === "running" && isSubstituted(record, record.me) && !mayReturn(record);

// Announces that an engine plays on for a player, or that the player is back.
/** @param {Record} record @param {Update} update @param {string} who */
export function tellChange(record, {type, player, cause = ""}, who) {
  if (type === "return") announce(say.playsAgain(who));
  if (type === "substitute") announce(player === record.me && mayReturn(record) ? say.playedForYou : substitution(who, cause));
}

// The way back or out. Any request to move takes the seat again, also one that is refused because it is not this player's
// turn.
/** @param {Record} record */
export function wayBack(record) {
  const back = () => api.move(record.id, {action: "back"}).catch(() => undefined);
  if (mayReturn(record)) return [h("p", {class: "offer"}, say.playedForYou), button(ui.takeSeatAgain, back, {class: "main"})];
  return isOut(record) ? [h("a", {class: "button", href: "#/"}, ui.lobby)] : [];
}

// Shows the places of an ended game of three or more.
/** @param {Element} place @param {Record} record @param {Face} face */
export function showResult(place, record, face) {
  const {ranks} = record;
  if (record.status !== "ended" || !ranks || ranks.length === 0) return;
  const scores = scoreOf(face, {...record.position, score: record.score}, ranks.length);
  const order = ranks.map((_, seat) => seat).sort((a, b) => ranks[a] - ranks[b]);
  show(place, h("table", {class: "result"}, h("caption", {class: "unseen"}, ui.result),
    h("thead", {}, h("tr", {}, [ui.rank, ui.rankedPlayer, face.score_label ?? ui.score].map((each) => h("th", {scope: "col"}, each)))),
    h("tbody", {}, order.map((seat) => h("tr", {class: record.me === markOf(seat) ? "mine" : ""}, h("td", {}, String(ranks[seat])),
      h("th", {scope: "row"}, isolated(shown(record.players[seat], record.kinds?.[seat])),
        record.forfeits.includes(markOf(seat)) && h("small", {class: "kind"}, ui.leftEarly)),
      h("td", {}, `${scores?.[seat] ?? "–"}`))))));
}
