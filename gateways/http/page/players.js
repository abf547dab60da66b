// Who sits where, whose turn it is, and how long there is for it.
import {h, write} from "./dom.js";
import {lookOf} from "./looks.js";
import {piece} from "./pieces.js";
import {clock, marks, shown} from "./words.js";

const hurryBelow = 10_000;

export class Players {
  constructor(engine, hasBoard) {
    const kind = hasBoard ? lookOf(engine).pieces : "signs";
    this.sides = marks.map((mark) => {
      const name = h("span", {class: "player-name"});
      const note = h("small", {});
      const time = h("time", {class: "clock", hidden: true});
      const element = h("li", {class: `player side-${mark.toLowerCase()}`}, piece(mark, kind),
                        h("span", {class: "player-who"}, name, note), time);
      return {mark, name, note, time, element};
    });
    this.element = h("ol", {class: "players", "aria-label": "Players"}, this.sides.map((each) => each.element));
  }

  show(record) {
    for (const [i, side] of this.sides.entries()) {
      const name = record.players[i];
      const moves = record.turn ? record.turn === side.mark : record.me === side.mark && record.mayMove;
      const won = record.status === "ended" && record.winner === side.mark;
      write(side.name, shown(name));
      const notes = [record.me === side.mark && "you", won && "won"].filter(Boolean);
      write(side.note, notes.join(", ") || (moves ? "to move" : ""));
      side.element.classList.toggle("to-move", moves);
      side.element.classList.toggle("won", won);
      side.element.classList.toggle("nobody", !name);
      side.moves = moves;
    }
    this.tick(record);
  }

  // Runs while a clock does, and not otherwise.
  tick(record) {
    clearTimeout(this.timer);
    const left = record.deadline && record.status === "running" ? record.deadline - performance.now() : undefined;
    for (const side of this.sides) {
      side.time.hidden = left === undefined || !side.moves;
      if (side.time.hidden) continue;
      write(side.time, clock(left));
      side.time.setAttribute("aria-label", `${clock(left)} left for this turn`);
      side.time.classList.toggle("hurry", left < hurryBelow);
    }
    if (left > 0) this.timer = setTimeout(() => this.tick(record), left % 1000 || 1000);
  }

  close() {
    clearTimeout(this.timer);
  }
}

// How many watch.
export class Guests {
  constructor() {
    this.element = h("p", {class: "guests", hidden: true});
  }
  show(record) {
    const count = record.guests.size;
    this.element.hidden = count === 0;
    this.element.title = [...record.guests].join(", ");
    write(this.element, count === 1 ? "1 is watching" : `${count} are watching`);
  }
}
