// The latest requests, answers and updates, for the view of the protocol.

/** @typedef {{kind: string, method?: string, path: string, status?: number, body?: any, at: Date}} Entry */

export const kept = 200;
/** @type {Entry[]} */
const entries = [];
/** @type {Set<(entry: Entry) => void>} */
const listeners = new Set();

/** @param {Omit<Entry, "at">} entry */
function add(entry) {
  const whole = {...entry, at: new Date()};
  entries.push(whole);
  if (entries.length > kept) entries.shift();
  for (const each of listeners) each(whole);
}

/** @param {string} method @param {string} path @param {object} [body] */
export const asked = (method, path, body) => add({kind: "request", method, path, body});
/** @param {string} method @param {string} path @param {number} status @param {object} body */
export const answered = (method, path, status, body) => add({kind: "answer", method, path, status, body});
/** @param {string} path @param {Update | Notice} update */
export const told = (path, update) => add({kind: "update", path, body: update});

export const all = () => entries;

/** @param {(entry: Entry) => void} to */
export function listen(to) {
  listeners.add(to);
  return () => void listeners.delete(to);
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// Returns the request as a shell command. The secret is a variable, because copies may be shared.
/** @param {{method?: string, path: string, body?: any}} request */
export function curl({method, path, body}) {
  const streams = /^\/api\/updates[/?]/.test(path);
  const parts = [`curl ${streams ? "-N " : ""}${quoted(location.origin + path)}`];
  parts.push('  -H "Authorization: Bearer $CLIENT_ID"');
  if (method === "POST") parts.push(`  --json ${quoted(JSON.stringify(body ?? {}))}`);
  return parts.join(" \\\n");
}
