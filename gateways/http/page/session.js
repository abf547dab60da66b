// The player of this browser, stored in the browser: the same after a reload and in each tab, as long as the hub keeps
// the session. The secret is sent to the hub only and is in no address.

const memory = new Map();  // where a browser keeps nothing

/** @param {string} key @returns {string | undefined} */
function read(key) {
  try {
    return localStorage.getItem(`gamehub.${key}`) ?? undefined;
  } catch {
    return memory.get(key);
  }
}

/** @param {string} key @param {string | undefined} value */
function keep(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`gamehub.${key}`);
    else localStorage.setItem(`gamehub.${key}`, value);
  } catch {
    memory.set(key, value);
  }
}

export const secret = () => read("secret");
export const name = () => read("name");
export const currentGame = () => read("game");

/** @param {{client_id?: string, name?: string}} answer */
export function met(answer) {
  if (answer.client_id) keep("secret", answer.client_id);
  if (answer.name) keep("name", answer.name);
}

// The name for the first session; undefined leaves it to the hub.
/** @param {string | undefined} to */
export const wishName = (to) => keep("name", to || undefined);

/** @param {string | undefined} game */
export const plays = (game) => keep("game", game);

/** @typedef {{invitation?: string, opponent?: string, rematch?: string}} Waits */

// Stores what only this browser knows of the game in which it waits: the invitation, or the opponent and the ended game
// of a rematch.
/** @param {string} game @param {Waits} about */
export function waitsAt(game, {invitation, opponent, rematch}) {
  keep("table", JSON.stringify({game, invitation, opponent, rematch}));
}

/** @param {string} game @returns {Waits} */
export function tableOf(game) {
  const table = JSON.parse(read("table") ?? "{}");
  return table.game === game ? table : {};
}

// The running games of days of this browser's player, as the hub said last.
/** @returns {string[]} */
export const ownGames = () => JSON.parse(read("games") ?? "[]");
/** @param {string[]} games */
export const keepGames = (games) => keep("games", games.length > 0 ? JSON.stringify(games) : undefined);

// True of the player's running games, and of the one whose rematch it waits for.
/** @param {string} game */
export const isOwn = (game) =>
  game === currentGame() || ownGames().includes(game) || game === tableOf(currentGame() ?? "").rematch;

/** @param {string} invitation */
export const isMine = (invitation) => JSON.parse(read("table") ?? "{}").invitation === invitation;

/** @returns {{[name: string]: string}} */
export const headers = () => {
  const known = secret();
  return known ? {Authorization: `Bearer ${known}`} : {};
};

export const lastEngine = () => read("engine");
/** @param {string} engine */
export const keepEngine = (engine) => keep("engine", engine);

// The settings of this browser.
/** @param {string} what */
export const setting = (what) => read(what);
/** @param {string} what @param {string | undefined} value */
export const keepSetting = (what, value) => keep(what, value);
