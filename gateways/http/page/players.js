// The players with their sides, scores, clocks and presence.
import {clock, clockFace, untilChange} from "./clocks.js";
import {announce} from "./notices.js";
import {isEngine, say, shown, sideName} from "./words.js";
import {attribute, h, write} from "./dom.js";
import {markOf} from "./seats.js";
import {piece} from "./pieces.js";
import {scoreOf} from "./faces.js";
import {isSubstituted} from "./substitutes.js";
import {ui} from "./text.js";

const hurryBelow = 10_000;

/** @typedef {import("./record.js").Record} Record */

// Returns the mark of a seat that no person plays, by the hub's data and not by the name.
/** @param {Record} record @param {number} seat */
export function kindOf({kinds, players}, seat) {
  const kind = kinds?.[seat];
  if (kind === undefined) return isEngine(players[seat]) ? "engine" : "";
  return kind === "player" ? "" : kind;
}

export class Players {
  /** @param {Face} face @param {number} count */
  constructor(face, count) {
    this.face = face;
    this.warned = false;  // it was said of this turn that time runs out
    this.sides = Array.from({length: count}, (_, seat) => {
      const mark = markOf(seat);
      const name = h("span", {class: "player-name", dir: "auto"});
      const kind = h("small", {class: "kind", hidden: true});
      const note = h("small", {class: "note"});
      const score = h("strong", {class: "score", hidden: true});
      const what = h("span", {class: "unseen"}, ` ${face.score_label ?? ui.score}`);
      const time = h("span", {class: "clock", role: "timer", hidden: true});
      const element = h("li", {class: `player seat-${seat}`}, piece(seat, face),
                        h("span", {class: "player-who"}, name, h("span", {class: "notes"}, kind, note)),
                        h("span", {class: "scored"}, score, what), time);
      return {seat, mark, name, kind, note, score, what, time, element, moves: false};
    });
    this.element = h("ol", {class: "players", "aria-label": ui.players}, this.sides.map((each) => each.element));
  }

  /** @param {Record} record @param {Position} position */
  show(record, position) {
    const scores = scoreOf(this.face, {...position, score: position.score ?? record.score}, record.players.length);
    for (const side of this.sides) {
      const {seat, mark} = side;
      const name = record.players[seat];
      const kind = kindOf(record, seat);
      const over = record.status === "ended" || record.decided;
      side.moves = !over && (record.turn ? record.turn === mark : record.me === mark && record.mayMove);
      write(side.name, shown(name, record.kinds?.[seat]));
      attribute(side.name, "title", shown(name, record.kinds?.[seat]));
      write(side.kind, kind);
      side.kind.hidden = !kind;
      side.element.classList.toggle("to-move", side.moves);
      side.element.classList.toggle("won", over && record.winner === mark);
      side.element.classList.toggle("nobody", !name);
      side.element.classList.toggle("away", record.away.has(mark));
      side.element.classList.toggle("substituted", isSubstituted(record, mark));
      const score = scores?.[seat];
      side.what.hidden = side.score.hidden = score === undefined || score === null;
      write(side.score, `${score ?? ""}`.replace("-", "\u2212"));
      attribute(side.score, "title", this.face.score_label ?? ui.score);
    }
    this.tick(record);
  }

  /** @param {Record} record @param {string} mark @param {boolean} moves */
  noteOf(record, mark, moves) {
    const away = record.away.get(mark);
    if (away && record.status === "running") {
      const left = away.left === undefined ? "" : `${clock(away.left - (Date.now() - away.since))}`;
      return ui.awayKept(left);
    }
    const won = (record.status === "ended" || record.decided) && record.winner === mark;
    const notes = [record.me === mark && ui.me, this.face.marks && sideName(mark, this.face), won && ui.won].filter(Boolean);
    return notes.join(", ") || (moves ? ui.toMove : "");
  }

  // Repeats while a clock runs.
  /** @param {Record} record */
  tick(record) {
    clearTimeout(this.timer);
    let runs = record.away.size > 0 && record.status === "running";
    let next = 1000;
    for (const side of this.sides) {
      write(side.note, this.noteOf(record, side.mark, side.moves));
      const time = record.timeOf(side.seat);
      side.time.hidden = time === undefined;
      if (time === undefined) continue;
      const {left, periods} = time;
      const going = record.runs(side.seat) && !record.stopped;
      runs ||= going && left > 0;
      if (going && left > 0) next = Math.min(next, untilChange(left));
      const follow = periods > 0 ? ui.periodsFollow(periods) : "";
      write(side.time, `${clockFace(left, going)}${follow}`);
      attribute(side.time, "aria-label", ui.timeLeft(`${clock(left)}${follow}`, going));
      side.time.classList.toggle("hurry", going && left < hurryBelow);
      side.time.classList.toggle("still", !going);
      this.warn(record, side, left);
    }
    if (runs) this.timer = setTimeout(() => this.tick(record), Math.max(next, 20));
  }

  // Once a turn, also if the connection is cut in it.
  /** @param {Record} record @param {{seat: number, mark: string}} side @param {number} left */
  warn(record, {seat, mark}, left) {
    if (mark !== record.me) return;
    const hurry = record.runs(seat) && left <= hurryBelow;
    if (hurry && !this.warned) announce(say.hurry);
    this.warned = hurry;
  }

  close() {
    clearTimeout(this.timer);
  }
}

// The number of guests.
export class Guests {
  element = h("p", {class: "guests", hidden: true});

  /** @param {Record} record */
  show(record) {
    const count = record.guests.size;
    this.element.hidden = count === 0;
    this.element.title = [...record.guests].join(", ");
    write(this.element, ui.watch(count));
  }
}
