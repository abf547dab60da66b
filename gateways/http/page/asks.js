// The offers of a draw and of a takeback in a running game, from its updates. No elements, no network.

// Returns true if the update belongs to an offer in a running game. Only such offers have numbers.
/** @param {Update} update */
export const isAsk = ({type, what}) =>
  (type === "offer" || type === "answer") && (what === "draw" || what === "takeback");

export class Asks {
  /** @type {Map<string, Offer>} what is offered, by its kind */
  open = new Map();
  /** @type {Map<string, Update[]>} by what is offered: the answers of those of many players who have accepted it */
  accepted = new Map();
  /** @type {Offer | undefined} what became of the latest offer */ told;

  // Takes the offers of an answer of games/{game_id}.
  /** @param {Offer[]} offers */
  learn(offers) {
    this.open = new Map(offers.filter(({what}) => what !== "rematch").map((each) => [each.what ?? "", each]));
  }

  // Of more than two players, all have to accept. The updates say who has, also those that a standing includes.
  /** @param {Update} update */
  count(update) {
    const {what = "", type, answer} = update;
    if (type === "offer") this.accepted.delete(what);
    else if (answer === "accepted") this.accepted.set(what, [...this.acceptedOf(what), update]);
  }

  /** @param {string} what */
  acceptedOf = (what) => this.accepted.get(what) ?? [];

  // True if the offer waits for the answer of this player.
  /** @param {string} what @param {string | undefined} mark */
  awaits(what, mark) {
    const by = this.open.get(what)?.player;
    return by !== undefined && mark !== undefined && by !== mark && !this.acceptedOf(what).some(({player}) => player === mark);
  }

  // What follows the last of many answers ends the offer.
  /** @param {Update} update @param {number} players */
  apply(update, players) {
    const {what = "", type, answer} = update;
    if (type === "offer") this.open.set(what, update);
    else if (answer !== "accepted" || players <= 2) this.open.delete(what);
    this.told = type === "answer" ? update : undefined;
  }

  // What the move itself has answered stays to be read.
  /** @param {number} number */
  moved(number) {
    if (this.told?.cause !== "moved" || this.told.update_id !== number - 1) this.told = undefined;
  }

  takenBack() {
    this.open.delete("takeback");
    this.told = undefined;
  }

  end() {
    this.open.clear();
    this.told = undefined;
  }
}
