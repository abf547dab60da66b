// Requests to the hub. A failure is an ApiError with the hub's code, or 0 if there was no answer.
import * as session from "./session.js";
import {isOfDays} from "./clocks.js";
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

const waitMax = 1_000;  // for the request of another tab

// The tabs of a browser share few connections to a host, so a request waits for the one of any tab that is in flight,
// where the browser has locks: in pages of HTTPS and of this machine.
/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
function inTurn(method, path, body) {
  if (!navigator.locks) return ask(method, path, body);
  return new Promise((resolve, reject) => {
    navigator.locks.request("gamehub", () => {
      const answer = ask(method, path, body).then(resolve, reject);
      return Promise.race([answer, new Promise((late) => setTimeout(late, waitMax))]);
    }).catch(reject);
  });
}

/** @param {string} path @param {object} [body] */
const send = (path, body) => inTurn("POST", path, body);

// A tab has one GET request in flight.
/** @type {Promise<unknown>} */
let before = Promise.resolve();

/** @param {string} path @returns {Promise<any>} */
function read(path) {
  const answer = before.then(() => inTurn("GET", path));
  before = answer.catch(() => {});
  return answer;
}

/** @type {any} */
let known;

// Cached: it does not change while the hub runs.
/** @returns {Promise<{engines: Engine[], clocks?: ClockBounds}>} */
const offered = async () => (known ??= await read("/api/engines"));
export const engines = async () => (await offered()).engines;
// Which clocks the hub lets players choose; undefined: an older hub does not say so.
export const clockBounds = async () => (await offered()).clocks;

/** @returns {Promise<OwnGame[]>} */
export const ownGames = async () => (await read("/api/me/games")).games;

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
  session.met(await send("/api/connect", {name: session.name()}));
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
  const seat = await send("/api/play", {...wish, name: session.name()});
  session.met(seat);
  session.plays(seat.game_id);
  if (isOfDays(seat.clock_rule)) session.keepGames([...session.ownGames(), seat.game_id]);
  session.waitsAt(seat.game_id, seat.invitation ? {invitation: seat.invitation} : {});
  return seat;
}

/** @param {string} game @param {string} opponent */
export async function rematch(game, opponent) {
  const seat = await send("/api/rematch", {game_id: game});
  session.plays(seat.game_id);
  session.waitsAt(seat.game_id, {opponent, rematch: game});
  return seat;
}

/** @param {string} game */
export const decline = (game) => send("/api/decline", {game_id: game});

// Changes the player's name. A hub without this request answers with error 100.
/** @param {string} to */
export async function rename(to) {
  session.met(await send("/api/rename", {name: to}).then((answer) => ({...answer, name: answer.name ?? to})));
}

/** @param {string} game @param {object} what */
export const move = (game, what) => send("/api/move", {game_id: game, ...what});
/** @param {string} game @param {string} message */
export const chat = (game, message) => send("/api/chat", {game_id: game, message});
/** @param {string} game @param {string} what @param {string} [answer] */
export const offer = (game, what, answer) => send("/api/offer", {game_id: game, what, ...(answer && {answer})});
/** @param {string} game */
export const claim = (game) => send("/api/claim", {game_id: game});
/** @param {string} game */
export const quit = (game) => send("/api/quit", {game_id: game});
