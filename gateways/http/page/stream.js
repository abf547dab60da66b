// Follows the updates of one game over one request that stays open. When that breaks, because the network or
// the hub was away, it asks again for what came after the last update, so that nothing is missed or told twice.
import {errorFrom} from "./api.js";
import * as session from "./session.js";
import * as wirelog from "./wirelog.js";

const quietMax = 40_000;  // the hub says something each 15 s
const pauseMax = 8_000;

async function* linesOf(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    heard();
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean);
  }
}

// `to` hears update(u), live(yes) and gone(error); the last is final.
export function follow(game, to) {
  let last = 0;
  let failures = 0;
  let stopped = false;
  let request;
  let timer;

  const later = (what, pause) => {
    clearTimeout(timer);
    timer = setTimeout(what, pause);
  };
  // A network that is gone often says nothing at all.
  const heard = () => later(() => request.abort(), quietMax);

  function stop() {
    stopped = true;
    clearTimeout(timer);
    request?.abort();
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
  }

  async function read() {
    request = new AbortController();
    heard();
    const path = `/api/updates/${game}${last ? `?last_update_id=${last}` : ""}`;
    wirelog.asked("GET", path);
    const response = await fetch(path, {headers: session.headers(), signal: request.signal, cache: "no-store"});
    if (!response.ok) throw await errorFrom(response, path);
    failures = 0;
    to.live(true);
    for await (const line of linesOf(response.body, heard)) {
      const update = JSON.parse(line);
      last = Math.max(last, update.update_id);
      wirelog.told(path, update);
      if (update.type === "end") stop();
      to.update(update);
    }
  }

  async function run() {
    try {
      await read();
    } catch (error) {
      if (!stopped && error.code === 102) {
        stop();
        return to.gone(error);
      }
    }
    if (stopped) return;
    to.live(false);
    // Not all at the same time, where a hub comes back to very many.
    later(run, Math.min(pauseMax, 400 * 2 ** failures++) * (0.75 + Math.random() / 2));
  }

  function hurry() {
    if (failures > 0 && !document.hidden) later(run, 0);
  }

  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  run();
  return {stop};
}
