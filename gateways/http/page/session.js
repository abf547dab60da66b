// Who plays here. A browser is one player: it stays that player through a reload, in a second tab and on
// another day, as long as the hub remembers. The secret goes to the hub alone, and into no address.

const memory = new Map();  // where a browser keeps nothing

function read(key) {
  try {
    return localStorage.getItem(`gamehub.${key}`) ?? undefined;
  } catch {
    return memory.get(key);
  }
}

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

export function met(answer) {
  if (answer.client_id) keep("secret", answer.client_id);
  if (answer.name) keep("name", answer.name);
}

// A new name is a new player: the hub knows the old one by its secret.
export function rename(to) {
  if (to === name()) return;
  keep("name", to || undefined);
  keep("secret", undefined);
}

export const plays = (game) => keep("game", game);

// What only this browser knows of the table at which it waits last: the invitation to it, or for whom it waits.
export function waitsAt(game, {invitation, opponent}) {
  keep("table", JSON.stringify({game, invitation, opponent}));
}

export function tableOf(game) {
  const table = JSON.parse(read("table") ?? "{}");
  return table.game === game ? table : {};
}

export const headers = () => (secret() ? {Authorization: `Bearer ${secret()}`} : {});

export const lastEngine = () => read("engine");
export const keepEngine = (engine) => keep("engine", engine);
