// Requests to the hub. A failure is an ApiError with the hub's code, or 0 if there was no answer.
import * as session from "./session.js";
import * as wirelog from "./wirelog.js";

export class ApiError extends Error {
  /** @param {number} code @param {string} message @param {string} path @param {string} [cause] */
  constructor(code, message, path, cause) {
    super(message, {cause});
    this.code = code;
    this.path = path;
  }
}

/** @param {string} method @param {string} path @param {object} [body] */
async function ask(method, path, body) {
  wirelog.asked(method, path, body);
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: {...session.headers(), ...(body && {"Content-Type": "application/json"})},
      body: body && JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "no answer", path);
  }
  const answer = await response.json().catch(() => ({}));
  wirelog.answered(method, path, response.status, answer);
  if (!response.ok) throw new ApiError(answer.error?.code ?? 106, answer.error?.message ?? "no answer", path,
                                       answer.error?.cause);
  return answer;
}

// The tabs of a browser share few connections to a host, so a tab has one GET request in flight.
/** @type {Promise<unknown>} */
let before = Promise.resolve();

/** @param {string} path @returns {Promise<any>} */
function read(path) {
  const answer = before.then(() => ask("GET", path));
  before = answer.catch(() => {});
  return answer;
}

/** @type {Engine[] | undefined} */
let known;

// Cached: the list does not change while the hub runs.
/** @returns {Promise<Engine[]>} */
export const engines = async () => (known ??= (await read("/api/engines")).engines);

/** @param {{[name: string]: string | number}} query @returns {Promise<GamePage>} */
export const gamePage = (query) => read(`/api/games?${new URLSearchParams(textual(query))}`);

/** @param {string} game @returns {Promise<object>} */
export const replay = (game) => read(`/api/replays/${game}`);

/** @param {string} engine @param {number} limit @returns {Promise<Leader[]>} */
export const leaders = async (engine, limit) =>
  (await read(`/api/leaderboard?${new URLSearchParams(textual({engine, limit}))}`)).players;

/** @param {string} game @returns {Promise<Standing>} */
export const standing = (game) => read(`/api/games/${game}?history=false`);

/** @param {string} secret @returns {Promise<Invitation>} */
export const invitation = (secret) => read(`/api/invitation?${new URLSearchParams({invitation: secret})}`);

/** @param {{[name: string]: string | number}} query */
const textual = (query) => Object.entries(query).map(([key, value]) => [key, String(value)]);

// Opens or resumes the session of this browser's player.
export async function connect() {
  session.met(await ask("POST", "/api/connect", {name: session.name()}));
}

// The standing of a game that may be this player's. After a restart the hub treats a player as a guest until it connects,
// and guests see no private game.
/** @param {string} id */
export async function ownStanding(id) {
  const mine = session.secret() && session.isOwn(id);
  const first = await standing(id).catch((error) => {
    if (!mine || !(error instanceof ApiError) || error.code !== 102) throw error;
    return undefined;
  });
  if (first && (!mine || first.player)) return first;
  await connect();
  return standing(id);
}

// Takes a seat. The session is opened first, so that a refused seat leaves the name with its player.
/** @param {object} wish */
export async function play(wish) {
  if (!session.secret()) await connect();
  const seat = await ask("POST", "/api/play", {...wish, name: session.name()});
  session.met(seat);
  session.plays(seat.game_id);
  session.waitsAt(seat.game_id, seat.invitation ? {invitation: seat.invitation} : {});
  return seat;
}

/** @param {string} game @param {string} opponent */
export async function rematch(game, opponent) {
  const seat = await ask("POST", "/api/rematch", {game_id: game});
  session.plays(seat.game_id);
  session.waitsAt(seat.game_id, {opponent, rematch: game});
  return seat;
}

/** @param {string} game */
export const decline = (game) => ask("POST", "/api/decline", {game_id: game});

// Changes the player's name. A hub without this request answers with error 100.
/** @param {string} to */
export async function rename(to) {
  session.met(await ask("POST", "/api/rename", {name: to}).then((answer) => ({...answer, name: answer.name ?? to})));
}

/** @param {string} game @param {object} what */
export const move = (game, what) => ask("POST", "/api/move", {game_id: game, ...what});
/** @param {string} game @param {string} message */
export const chat = (game, message) => ask("POST", "/api/chat", {game_id: game, message});
/** @param {string} game @param {string} what @param {string} [answer] */
export const offer = (game, what, answer) => ask("POST", "/api/offer", {game_id: game, what, ...(answer && {answer})});
/** @param {string} game */
export const claim = (game) => ask("POST", "/api/claim", {game_id: game});
/** @param {string} game */
export const quit = (game) => ask("POST", "/api/quit", {game_id: game});
