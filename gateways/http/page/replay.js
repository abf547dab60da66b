// What can be done with an ended game: playing its moves by themselves, and keeping it as a file.
import * as api from "./api.js";
import {button, h, write} from "./dom.js";
import {trying} from "./notices.js";
import {ui} from "./text.js";

const paces = [2_000, 1_000, 500, 200];  // milliseconds a move

export class Autoplay {
  /** @param {{at: number, last: number, go(to: number): void}} moves */
  constructor(moves) {
    this.moves = moves;
    this.timer = 0;
    this.start = button("\u25b6", () => (this.timer ? this.stop() : this.run()), {class: "step", "aria-label": ui.playMoves});
    this.pace = h("select", {"aria-label": ui.pace}, paces.map((each) =>
      h("option", {value: each, selected: each === 1_000}, ui.secondsAMove(each / 1_000))));
    this.element = h("span", {class: "autoplay", hidden: true}, this.start, this.pace);
  }

  run() {
    if (this.moves.at >= this.moves.last) this.moves.go(0);
    const step = () => {
      this.moves.go(this.moves.at + 1);
      if (this.moves.at >= this.moves.last) return this.stop();
      this.timer = window.setTimeout(step, Number(this.pace.value));
    };
    this.timer = window.setTimeout(step, Number(this.pace.value));
    this.tell();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.tell();
  }

  tell() {
    write(this.start, this.timer ? "\u275a\u275a" : "\u25b6");
    this.start.setAttribute("aria-label", this.timer ? ui.pauseMoves : ui.playMoves);
  }
}

/** @param {string} name @param {object} content */
function save(name, content) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(content, null, 1)}\n`], {type: "application/json"}));
  h("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// The game as a file. The link is one that shows the game where it is shared.
/** @param {import("./record.js").Record} record */
export const replayWays = ({id}) => {
  const copy = button(ui.copyLink, async () => {
    await navigator.clipboard.writeText(new URL(`/game/${id}`, location.href).href);
    write(copy, ui.copied);
  });
  return [button(ui.download, () => trying(async () => save(`game-${id}.json`, await api.replay(id)))),
          "clipboard" in navigator && copy];
};
