// Requests to the hub. What goes wrong is an ApiError, with the hub's code or 0 where it did not answer.
import * as session from "./session.js";
import * as wirelog from "./wirelog.js";

export class ApiError extends Error {
  constructor(code, message, path) {
    super(message);
    Object.assign(this, {code, path});
  }
}

export async function errorFrom(response, path) {
  const said = await response.json().catch(() => ({}));
  wirelog.answered("", path, response.status, said);
  return new ApiError(said.error?.code ?? 106, said.error?.message ?? "the hub did not answer", path);
}

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
  if (!response.ok) throw await errorFrom(response, path);
  const answer = await response.json();
  wirelog.answered(method, path, response.status, answer);
  return answer;
}

let known;

// They do not change while the hub is up, and hardly ever else.
export const engines = async () => (known ??= (await ask("GET", "/api/engines")).engines);

export const games = async (query) => (await ask("GET", `/api/games?${new URLSearchParams(query)}`)).games;

export const leaders = async (engine, limit) =>
  (await ask("GET", `/api/leaderboard?${new URLSearchParams({engine, limit})}`)).players;

export const standing = (game) => ask("GET", `/api/games/${game}?history=false`);

// The session of this browser's player, which a hub that was away knows again from now on.
export const connect = () => ask("POST", "/api/connect", {name: session.name()});

// A place at a table. The hub makes the session that this needs, or finds the one there was.
export async function play(wish) {
  const seat = await ask("POST", "/api/play", {...wish, name: session.name()});
  session.met(seat);
  session.plays(seat.game_id);
  session.waitsAt(seat.game_id, seat);
  return seat;
}

export async function rematch(game, opponent) {
  const seat = await ask("POST", "/api/rematch", {game_id: game});
  session.plays(seat.game_id);
  session.waitsAt(seat.game_id, {opponent});
  return seat;
}

export const move = (game, what) => ask("POST", "/api/move", {game_id: game, ...what});
export const chat = (game, message) => ask("POST", "/api/chat", {game_id: game, message});
export const quit = (game) => ask("POST", "/api/quit", {game_id: game});
