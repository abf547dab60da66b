// How a game looks, by its engine. One that is not named here looks usual, and can be played all the same:
// what may be done comes from the hub. `line` is the length of the row that wins, to be pointed out.
const usual = {board: "squares", pieces: "signs"};

const looks = {
  tictactoe: {...usual, line: 3, blurb: "Three in a row. Quick, and never quite over."},
  "connect-four": {board: "rack", pieces: "discs", line: 4, drops: true, blurb: "Drop discs, line up four."},
  gomoku: {board: "lines", pieces: "stones", line: 5, blurb: "Five stones in a row on an open board."},
  othello: {board: "felt", pieces: "stones", blurb: "Outflank, turn over, own the corners."},
  nim: {blurb: "Take from the heaps. The last one counts."},
  "rock-paper-scissors": {blurb: "Both choose at once."},
  "kuhn-poker": {blurb: "Three cards, one bet, a straight face."},
};

// An action in the engine's words, as a person would say it.
const phrases = {
  nim: (action) => {
    const [heap, count] = action.split(":").map(Number);
    return `Take ${count} from heap ${heap + 1}`;
  },
};

export function lookOf(engine, options = {}) {
  const look = {...usual, ...looks[engine]};
  return options.in_a_row ? {...look, line: options.in_a_row} : look;
}

export function phrase(engine, action) {
  const own = phrases[engine]?.(action);
  return own && !own.includes("NaN") ? own : action.charAt(0).toUpperCase() + action.slice(1).replaceAll(/[-_]/g, " ");
}
