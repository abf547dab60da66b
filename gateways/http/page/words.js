// What the page says, where it is more than a label.

export const marks = ["X", "O"];

const sentence = (text) => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

// By the codes of the hub; 0 is for a hub that did not answer.
const sentences = {
  0: () => "The hub can't be reached just now. Your game is safe: try again in a moment.",
  101: () => "The hub does not know this player any more. A new game in the lobby starts afresh.",
  102: (e) => (e.path?.startsWith("/api/play") ? "That game can't be joined any more: it has begun or was taken back."
                                               : "There is no such game any more."),
  103: (e) => `That move can't be made: ${sentence(e.message).toLowerCase()}`,
  104: () => "That name is in use, or can't be one. Please choose another.",
  105: () => "That was too much at once. Wait a moment, then try again.",
  106: () => "The hub is full or about to go down. Try again in a little while.",
};

export const explain = (error) => (sentences[error.code] ?? ((e) => sentence(e.message)))(error);

// "row 2, column 3", counted from 1 as people do.
export const placeOf = (cell, columns) => `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;

export const isEngine = (name) => /^engine \(\w+\)$/.test(name ?? "");

export const levels = {random: "Easy", medium: "Medium", perfect: "Strong"};

const levelOf = (name) => name.slice(8, -1);

export const shown = (name) =>
  isEngine(name) ? `Engine, ${(levels[levelOf(name)] ?? levelOf(name)).toLowerCase()}` : name || "Nobody yet";

export function outcome(record) {
  const {winner} = record;
  if (winner === "D") return "A draw.";
  if (!winner) return "Nobody has won.";
  if (winner === record.me) return "You won.";
  const name = record.players[marks.indexOf(winner)];
  const who = isEngine(name) ? "The engine" : name;
  return record.me ? `${who} won.` : `${who} has won.`;
}

export function turn(record) {
  if (record.status === "waiting") return "Waiting for the other side.";
  if (record.status === "ended") return outcome(record);
  if (record.mayMove) return "Your turn.";
  if (!record.turn) return record.me ? "The other side is choosing." : "Both are choosing.";
  if (record.turn === record.me) return "Your turn.";
  const name = record.players[marks.indexOf(record.turn)];
  return isEngine(name) ? "The engine is thinking." : `${name} is to move.`;
}

export function clock(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
