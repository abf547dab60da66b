// The appearance of games: the engine's `face`, with defaults for the engines of this repository. An unknown engine
// without a face has the usual appearance; its legal moves come from the hub.
import {label} from "./words.js";

/** @type {{[engine: string]: Face}} */
const builtIn = {
  tictactoe: {
    line: 3, blurb: "Three in a row. Quick, and never quite over.",
    rules: ["X begins. The players take turns, and each puts a mark into a free cell.",
            "Three of your marks in a row, a column or a diagonal win. A full board without such a line is a draw."],
  },
  "connect-four": {
    board: "rack", pieces: ["disc", "ringed-disc"], marks: ["Red", "Blue"], line: 4, drops: true,
    blurb: "Drop discs, line up four.",
    rules: ["Red begins. A disc that is dropped into a column falls to its lowest free place.",
            "Four of your discs in a row, a column or a diagonal win. A full rack without such a line is a draw."],
  },
  gomoku: {
    board: "lines", pieces: ["black-stone", "white-stone"], marks: ["Black", "White"], line: 5,
    blurb: "Five stones in a row on an open board.",
    rules: ["Black begins. The players take turns, and each puts a stone on a free crossing. Stones do not move.",
            "Five or more of your stones in a row, a column or a diagonal win, or as many as the rules of the table say.",
            "A full board without such a line is a draw."],
  },
  othello: {
    board: "felt", pieces: ["black-stone", "white-stone"], marks: ["Black", "White"], score_label: "discs",
    blurb: "Outflank, turn over, own the corners.",
    rules: ["Black begins. Put a disc so that it and another one of yours enclose discs of the other side in a straight line.",
            "All discs that are enclosed turn to your colour. A move that turns none is not allowed.",
            "Who has no move passes. When neither has one, the side with more discs wins."],
  },
  nim: {
    blurb: "Take from the heaps. The last one counts.",
    rules: ["The players take turns. Choose a heap, and take as many objects from it as you like, at least one.",
            "Who takes the last object of all wins; with the rule \u201clast loses\u201d that player loses."],
  },
  "rock-paper-scissors": {
    blurb: "Both choose at once.",
    rules: ["Both players choose rock, paper or scissors. Neither sees the other's choice before both have chosen.",
            "Rock beats scissors, scissors beat paper, paper beats rock. The same choice is a draw."],
  },
  "kuhn-poker": {
    blurb: "Three cards, one bet, a straight face.",
    rules: ["There are three cards: jack, queen and king. Each player puts one chip into the pot and gets one card, unseen by the other.",
            "Each in turn passes, or bets one more chip. After a bet, who passes gives up the pot, and who bets too calls.",
            "If both pass, or a bet is called, the higher card wins the pot."],
  },
};

const usual = {board: "squares", pieces: ["cross", "ring"]};

// Returns the face of an engine with its defaults, for one game's options.
/** @param {{engine: string, face?: Face}} engine @param {{[name: string]: any}} [options] */
export function faceOf({engine, face}, options = {}) {
  const looks = {...usual, ...builtIn[engine], ...face};
  return options.in_a_row ? {...looks, line: options.in_a_row} : looks;
}

/** @typedef {ReturnType<typeof faceOf>} Looks */

// Words for actions that a face does not name.
/** @type {{[engine: string]: (action: string) => string}} */
const phrases = {
  nim: (action) => {
    const [heap, count] = action.split(":").map(Number);
    return `Take ${count} from heap ${heap + 1}`;
  },
};

/** @param {string} engine @param {Face} face @param {string} action */
export function phrase(engine, face, action) {
  const given = face.actions?.[action];
  if (given) return given;
  const own = phrases[engine]?.(action);
  return own && !own.includes("NaN") ? own : label(action);
}

// Returns the score by seat: the hub's, else the number of marks if the face has a label for it.
/** @param {Face} face @param {Position} position @param {number} seats @returns {(number | null)[] | undefined} */
export function scoreOf(face, {score, board}, seats) {
  if (score) return score;
  if (!face.score_label || !board) return undefined;
  const count = (/** @type {string} */ mark) => [...board].filter((each) => each === mark).length;
  return ["X", "O"].slice(0, seats).map(count);
}
