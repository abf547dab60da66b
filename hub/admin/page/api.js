// Requests to the admin port. The token is kept for this tab and until it is closed, and sent to this hub only.

const place = "gamehub operator token";

export const hasToken = () => sessionStorage.getItem(place) !== null;
export const useToken = (token) => sessionStorage.setItem(place, token);
export const forgetToken = () => sessionStorage.removeItem(place);

// The hub answered with an error, or not at all (status 0).
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function sentenceIn(text) {
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text;
  }
}

async function request(method, path, body) {
  const headers = {};
  if (hasToken()) headers.Authorization = `Bearer ${sessionStorage.getItem(place)}`;
  if (body) headers["Content-Type"] = "application/json";
  let response, text;
  try {
    response = await fetch(path, {method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit"});
    text = await response.text();
  } catch {
    throw new Refused(0, "The hub does not answer.");
  }
  if (!response.ok) throw new Refused(response.status, sentenceIn(text).trim());
  return text;
}

export const status = async () => JSON.parse(await request("GET", "status.json"));
export const bots = async () => JSON.parse(await request("GET", "arena"));
export const list = async (what, query = {}) => JSON.parse(await request("POST", what, query));

export const order = (what, body) => request("POST", what, body);
export const endGame = (game, reason) => request("POST", `games/${game}/end?reason=${encodeURIComponent(reason)}`);
export const drain = () => request("POST", "drain");
