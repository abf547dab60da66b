// Last Stone: players take one, two or three of 15 stones; the player of the last one wins.
import { Game, range, run } from "./gamehub_engine.mjs";

export class LastStone extends Game {
  static id = "last-stone";
  static title = "Last Stone";
  static actionsMax = 3;
  static actionsEnd = 4; // an action is the number of stones: 1 to 3
  static pliesMax = 15;

  setUp() {
    this.stones = 15;
    this.mover = 0;
  }

  toMove() {
    return this.stones > 0 ? this.mover : null;
  }

  legalActions() {
    return range(1, Math.min(3, this.stones) + 1);
  }

  refusal(seat, action) {
    return action > 0 ? "too-few-stones" : "out-of-bounds";
  }

  apply(seat, action) {
    this.stones -= action;
    this.mover = 1 - seat;
  }

  scores() {
    return this.mover === 0 ? [-1, 1] : [1, -1];
  }

  view() {
    return { stones: this.stones };
  }
}

run(LastStone, import.meta.url);
