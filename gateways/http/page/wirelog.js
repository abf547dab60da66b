// What this page and the hub say to each other, as it goes by: the latest of it, for the view of the wire.

const kept = 200;
const entries = [];
const listeners = new Set();
let number = 0;

function add(entry) {
  entries.push({...entry, number: ++number, at: new Date()});
  if (entries.length > kept) entries.shift();
  for (const each of listeners) each(entries.at(-1));
}

export const asked = (method, path, body) => add({kind: "request", method, path, body});
export const answered = (method, path, status, body) => add({kind: "answer", method, path, status, body});
export const told = (path, update) => add({kind: "update", path, body: update});

export const all = () => entries;

export function listen(to) {
  listeners.add(to);
  return () => listeners.delete(to);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The request for a shell. The secret is left to a variable: what is copied may be shown to others.
export function curl({method, path, body}) {
  const streams = path.startsWith("/api/updates/");
  const parts = [`curl ${streams ? "-N " : ""}${quoted(location.origin + path)}`];
  parts.push('  -H "Authorization: Bearer $CLIENT_ID"');
  if (method === "POST") parts.push(`  --json ${quoted(JSON.stringify(body ?? {}))}`);
  return parts.join(" \\\n");
}
