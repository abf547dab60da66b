// The sentences of the page. Another language needs another table of the same functions.
import {marks, pieceOf, seatOf} from "./seats.js";

/** @param {string} text */
export const sentence = (text) => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) || whole === "" ? whole : `${whole}.`;
};

/** @param {string} text */
export const label = (text) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll(/[-_]/g, " ");

// Isolates a name of right-to-left letters within a sentence.
/** @param {string} name */
export const within = (name) =>
  (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(name) ? `\u2068${name}\u2069` : name);

/** @typedef {{code: number, message: string, path?: string, cause?: unknown}} Failure */

// Sentences for the engines' faults of options.
/** @type {{[name: string]: string}} */
const optionFaults = {
  "line-too-long": "That many in a row do not fit on this board: make the board larger, or the row shorter.",
};

/** @param {Failure} failure */
function badRequest({message}) {
  const fault = Object.keys(optionFaults).find((each) => message.includes(each));
  if (fault) return optionFaults[fault];
  if (/option/.test(message)) return `These rules do not go together: ${sentence(message.split(": ").at(-1) ?? "")}`;
  return sentence(message);
}

// By the hub's word for the cause.
/** @type {{[cause: string]: string}} */
const nameFaults = {
  "name-taken": "That name is in use, or looks like one that is. Please choose another.",
  "name-too-long": "That name is too long: at most 64 bytes, which are 32 letters of many scripts.",
  "name-spaces": "A name has no space at its ends, and not two in a row.",
  "name-hidden-characters": "That name has letters that can't be seen.",
  "name-compatibility-form": "That name has letters in a form for old computers, such as full-width ones.",
  "name-mixed-scripts": "That name mixes letters of several scripts.",
  "name-reserved": "That name is one of the hub's own. Please choose another.",
  "name-banned": "The operator of this hub does not allow that name.",
};

/** @param {Failure} failure */
function refusedName({message, cause}) {
  const known = nameFaults[String(cause)];
  if (known) return known;
  if (/somebody else|looks like|in use|taken/.test(message) && !/bytes/.test(message))
    return nameFaults["name-taken"];
  return "That can't be a name: at most 64 bytes of letters of one script, and none of the hub's own names.";
}

// By the codes of the hub; 0 is for a hub that did not answer.
/** @type {{[code: number]: (failure: Failure) => string}} */
const sentences = {
  0: () => "The hub can't be reached just now. Your game is safe: try again in a moment.",
  100: badRequest,
  101: () => "The hub does not know this player any more. A new game in the lobby starts afresh.",
  102: ({path}) => (path?.startsWith("/api/play") ? "That game can't be joined any more: it has begun or was taken back."
                                                  : "The hub has no such game."),
  103: ({message}) => `That move can't be made: ${message}${/[.!?]$/.test(message) ? "" : "."}`,
  104: refusedName,
  105: () => "That was too much at once. Wait a moment, then try again.",
  106: ({message}) => (/not online/.test(message) ? "Who you asked for is not here just now."
                                                  : "The hub is full or about to go down. Try again in a little while."),
  109: ({message}) => sentence(message),
  111: () => "That seat is taken, or kept for somebody else.",
};

/** @param {Failure} error */
export const explain = (error) => (sentences[error.code] ?? ((e) => sentence(e.message)))(error);

// Returns the fault of a typed name that needs no request to the hub, or undefined.
/** @param {string} name */
export function faultOfName(name) {
  if (new TextEncoder().encode(name).length > 64) return nameFaults["name-too-long"];
  if (/\p{Cf}|\p{Cc}/u.test(name)) return nameFaults["name-hidden-characters"];
  return undefined;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** @param {number} column */
export const columnName = (column) => letters[column] ?? String(column + 1);

// "c1": the column by its letter, the row by its number from the top. Where pieces fall, the column is enough.
/** @param {number} cell @param {number} columns */
export const cellName = (cell, columns, drops = false) =>
  columnName(cell % columns) + (drops ? "" : String(Math.floor(cell / columns) + 1));

/** @param {number} cell @param {number} columns */
export const placeOf = (cell, columns) => `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;

/** @param {string | undefined} name */
export const isEngine = (name, kind = "") => (kind ? kind === "engine" : /^engine( \(\w+\))?$/.test(name ?? ""));

/** @type {{[level: string]: string}} */
export const levels = {random: "Easy", medium: "Medium", perfect: "Strong"};

/** @param {string} name */
const levelOf = (name) => /\((\w+)\)/.exec(name)?.[1] ?? "";

/** @param {string | undefined} name */
export function shown(name, kind = "") {
  if (!name) return "Nobody yet";
  if (!isEngine(name, kind)) return name;
  const level = levelOf(name);
  return level ? `Engine, ${(levels[level] ?? level).toLowerCase()}` : "Engine";
}

// Returns the face's word for a side or for a piece on the board, or its mark.
/** @param {string | undefined} mark @param {Face} face */
export const sideName = (mark, face) => face.marks?.[pieceOf(mark)] ?? mark ?? "";

/** @param {import("./record.js").Record} record @param {string | null | undefined} mark */
export const nameAt = (record, mark) => shown(record.players[seatOf(mark)], record.kinds?.[seatOf(mark)]);

/** @param {import("./record.js").Record} record @param {string | null | undefined} mark */
function whoIs(record, mark) {
  const seat = seatOf(mark);
  return isEngine(record.players[seat], record.kinds?.[seat]) ? "The engine" : within(record.players[seat] || "Nobody");
}

/** @param {import("./record.js").Record} record */
export function outcome(record) {
  const {winner} = record;
  if (winner === "D") return "A draw.";
  if (!winner) return "Nobody has won.";
  if (winner === record.me) return "You won.";
  return `${whoIs(record, winner)} ${record.me ? "won" : "has won"}.`;
}

// Returns the reason of an end, unless the rules ended the game.
/** @param {import("./record.js").Record} record */
export function reasonOf({code, reason}) {
  if (code === "rules" || code === "draw" || !reason || reason === "the game is complete") return "";
  return sentence(reason);
}

/** @param {import("./record.js").Record} record */
export function turn(record) {
  if (record.status === "waiting" && record.players.length > 2)
    return `${record.players.filter(Boolean).length} of ${record.players.length} players are here.`;
  if (record.status === "waiting") return record.me ? "Waiting for the other side." : "This table waits for a player.";
  if (record.status === "ended" || record.decided) return outcome(record);
  if (record.sent) return "Your move is on its way.";
  if (record.me && record.kinds?.[seatOf(record.me)] === "substitute") return "An engine plays on for you.";
  if (record.mayMove || (record.turn && record.turn === record.me)) return "Your turn.";
  if (!record.turn && record.players.length > 2) return "The players are choosing.";
  if (!record.turn) return record.me ? "The other side is choosing." : "Both are choosing.";
  return isEngine(record.players[seatOf(record.turn)], record.kinds?.[seatOf(record.turn)])
    ? "The engine is thinking." : `${whoIs(record, record.turn)} is to move.`;
}

// Returns the options of a game as text.
/** @param {{[name: string]: any} | undefined} options */
export const optionsText = (options) =>
  Object.entries(options ?? {}).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", ");

// Returns a value of a view as text. Values within others are in brackets.
/** @param {any} value @returns {string} */
export function valueText(value, nested = false) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") {
    const parts = Array.isArray(value) ? value.map((each) => valueText(each, true))
      : Object.entries(value).map(([key, each]) => `${label(key)}: ${valueText(each, true)}`);
    const text = parts.join(Array.isArray(value) ? " · " : ", ") || "none";
    return nested && parts.length > 0 ? `(${text})` : text;
  }
  return typeof value === "string" ? label(value) : String(value);
}

export const both = marks;

/** @type {{[code: string]: string}} */
const results = {draw: "a draw", left: "given up", clock: "out of time", operator: "ended by the operator",
                 drained: "broken off", failed: "broken off", interrupted: "broken off"};

// Returns how an ended game ended, where that is more than a win.
/** @param {{code?: string}} game */
export const resultOf = ({code = ""}) => results[code] ?? "";

// Returns how long ago a moment of the hub was.
/** @param {string | undefined} moment in UTC */
export function ago(moment, now = Date.now()) {
  const at = Date.parse(`${moment?.replace("Z", "")}Z`);
  if (Number.isNaN(at)) return "";
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : new Date(at).toLocaleDateString();
}

// Returns how a rematch stands, as a sentence.
/** @param {import("./record.js").Record} record */
export function rematchOf(record) {
  const {answer, me, offeredBy, players} = record;
  const two = players.length === 2;
  const accepted = [...record.accepts].map(([mark, name]) => say.acceptsRematch(name, mark === me));
  if (offeredBy) return [say.offersRematch(record.offers.get(offeredBy) ?? "", two), ...accepted].join(" ");
  if (record.offersItself) return [say.rematchOffered(two ? players[1 - seatOf(me)] ?? "" : ""), ...accepted].join(" ");
  if (!answer || answer.player === me || !me) return "";
  const {name = "", cause = ""} = answer;
  if (cause === "left") return say.hasLeft(name);
  if (cause === "elsewhere") return say.satElsewhere(name);
  if (answer.answer === "declined") return say.declinesRematch(name);
  return answer.answer === "withdrawn" ? say.takesOfferBack(name) : "";
}

// Returns how an offer of a draw or a takeback stands, or what became of it, as a sentence.
/** @param {import("./record.js").Record} record @param {Offer} offer */
export function offerOf(record, {what = "", player, name = "", answer, cause}) {
  const who = player === record.me ? "You" : within(name);
  const have = player === record.me ? "have" : "has";
  const thing = what === "draw" ? "a draw" : "to take the latest move back";
  if (!answer) return `${who} ${player === record.me ? "offer" : "offers"} ${thing}.`.replace("offers to", "asks to").replace("offer to", "ask to");
  const noun = what === "draw" ? "the draw" : "the takeback";
  if (answer === "accepted") return `${who} ${have} accepted ${noun}.`;
  if (cause === "moved") return what === "draw" ? `${who} ${have} moved: ${noun} is declined.` : `A move was made: ${noun} is over.`;
  return `${who} ${have} ${answer === "declined" ? "declined" : "withdrawn"} ${noun}.`;
}

/** @type {{[cause: string]: (name: string) => string}} */
const substituted = {
  quit: (name) => `${name} has left: an engine plays on.`,
  disconnected: (name) => `${name} has disconnected: an engine plays on.`,
  banned: (name) => `${name} was banned: an engine plays on.`,
  clock: (name) => `${name} ran out of time: an engine plays on.`,
  "bot-error": (name) => `${name} made an error: an engine plays on.`,
};

// Returns why an engine plays on for a player, as a sentence.
/** @param {string} name @param {string} cause */
export const substitution = (name, cause) => (substituted[cause] ?? substituted.quit)(within(name));

// Sentences with one use each.
export const say = {
  atTurn: "Your turn",
  cantPlay: "That can't be played now.",
  notYours: "It is not your turn.",
  watching: "You are watching.",
  over: "The game is over.",
  waits: "The game has not begun.",
  lookingBack: "You look at an older move. Go to the latest to play.",
  onItsWay: "Your move is on its way.",
  cut: "Connection lost. Trying again …",
  gone: "The hub has no such game any more.",
  elsewhere: "You have sat down at another table, in another tab.",
  broken: "Something went wrong in this page. Reload it to go on: your game is kept.",
  nobodyWaits: "Nobody waits just now. Sit down first: somebody will come.",
  noneRuns: "No game is running.",
  noSuchGames: "There are no such games.",
  noBots: "No bot plays this game yet.",
  noneEnded: "No game has ended yet.",
  lookBack: "Look back with the slider.",
  playedForYou: "Your time ran out: an engine plays for you.",
  /** @param {string} name */
  playsAgain: (name) => `${within(name)} plays again.`,
  hurry: "Ten seconds left.",
  /** @param {string} cell */
  again: (cell) => `Tap ${cell} again to play there.`,
  /** @param {number} at @param {number} last */
  moveOf: (at, last) => (at === 0 ? `The beginning of ${last} moves` : `Move ${at} of ${last}`),
  /** @param {string} name @param {string} time */
  away: (name, time) => `${within(name)} has lost the connection${time ? `; the seat is kept ${time}` : ""}.`,
  /** @param {string} name */
  back: (name) => `${within(name)} is back.`,
  /** @param {string} name @param {string} message */
  says: (name, message) => `${within(name)} says: ${message}`,
  /** @param {string} name @param {boolean} two */
  offersRematch: (name, two) => `${within(name)} offers ${two ? "you " : ""}a rematch.`,
  /** @param {string} name empty: many players */
  rematchOffered: (name) => `You have offered ${name ? `${within(name)} ` : ""}a rematch.`,
  /** @param {string} name @param {boolean} mine */
  acceptsRematch: (name, mine) => (mine ? "You have accepted it." : `${within(name)} has accepted it.`),
  /** @param {string} name */
  declinesRematch: (name) => `${within(name)} does not want a rematch.`,
  /** @param {string} name */
  takesOfferBack: (name) => `${within(name)} has taken the offer of a rematch back.`,
  /** @param {string} name */
  hasLeft: (name) => `${within(name)} has left.`,
  /** @param {string} name */
  satElsewhere: (name) => `${within(name)} has sat down at another table.`,
  rematchOver: "The rematch does not take place.",
  /** @param {import("./record.js").Record} record @param {Update} update */
  takenBack: (record, {player, name = ""}) =>
    `${player === record.me ? "Your move is" : `The move of ${within(name)} is`} taken back. ${turn(record)}`,
  /** @param {string} old @param {string} now */
  renamed: (old, now) => `${within(old)} is called ${within(now)} now.`,
};
