// The stream of a game, and the streams that the tabs of a browser share.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load} from "./page.mjs";

const {Lines, Stream, pauseAfter} = await load("stream");
const {Feed, serve} = await load("feed");

test("lines are cut where they end, in whatever pieces they come", () => {
  const lines = new Lines();
  assert.deepEqual(lines.add('{"a":'), []);
  assert.deepEqual(lines.add('1}\n\n{"b"'), ['{"a":1}']);
  assert.deepEqual(lines.add(":2}\n"), ['{"b":2}']);
});

test("pauses grow up to a bound, and are not the same for all", () => {
  assert.equal(pauseAfter(0, 0.5), 400);
  assert.ok(pauseAfter(30, 1) <= 10_000);
  assert.notEqual(pauseAfter(3, 0), pauseAfter(3, 1));
});

// A hub: each request is answered with what is put into it.
class FakeHub {
  requests = [];
  get = (path, {signal, headers} = {}) => new Promise((resolve, reject) => {
    const request = {path, headers, ended: false};
    const body = new ReadableStream({start: (to) => (request.to = to)});
    request.say = (update) => request.to.enqueue(new TextEncoder().encode(`${JSON.stringify(update)}\n`));
    signal?.addEventListener("abort", () => {
      request.ended = true;
      request.to.error(new Error("ended"));
      reject(new Error("ended"));
    });
    request.answer = (json) => resolve(new Response(JSON.stringify(json)));
    request.refuse = (code) => resolve(new Response(JSON.stringify({error: {code, message: ""}}), {status: 404}));
    if (path.startsWith("/api/updates/")) resolve(new Response(body));
    this.requests.push(request);
  });
  get open() {
    return this.requests.filter(({path, ended}) => path.startsWith("/api/updates/") && !ended);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
async function until(isSo) {
  for (let i = 0; i < 100 && !isSo(); ++i) await settled();
  assert.ok(isSo());
}

test("a stream that breaks goes on after the last update", async () => {
  const hub = new FakeHub();
  const heard = [];
  const stream = new Stream("5", "secret", (each) => heard.push(each), hub.get);
  stream.start();
  await until(() => hub.requests.length === 1);
  hub.requests[0].say({type: "status", update_id: 4});
  await until(() => heard.some(({update}) => update));
  assert.equal(stream.path, "/api/updates/5?last_update_id=4");
  assert.deepEqual(hub.requests[0].headers, {Authorization: "Bearer secret"});
  hub.requests[0].to.close();
  await until(() => heard.at(-1).live === false);
  stream.hurry();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await until(() => hub.requests.length === 2);
  assert.equal(hub.requests[1].path, "/api/updates/5?last_update_id=4");
  stream.stop();
});

test("the end of a game ends its stream", async () => {
  const hub = new FakeHub();
  const stream = new Stream("5", undefined, () => {}, hub.get);
  stream.start();
  await until(() => hub.requests.length === 1);
  hub.requests[0].say({type: "end", update_id: 9});
  await until(() => stream.ended);
  stream.start();
  await settled();
  assert.equal(hub.requests.length, 1);
});

test("the player's own stream is read after the end, until the hub has no more offers", async () => {
  const hub = new FakeHub();
  const heard = [];
  const stream = new Stream("5", "secret", (each) => heard.push(each), hub.get, true);
  stream.start();
  await until(() => hub.requests.length === 1);
  assert.equal(hub.requests[0].path, "/api/updates/5?offers=true");
  hub.requests[0].say({type: "end", update_id: 9});
  hub.requests[0].say({type: "offer", player: "O", update_id: 9});
  await until(() => heard.some(({update}) => update?.type === "offer"));
  assert.equal(stream.path, "/api/updates/5?last_update_id=9&offers=true");
  hub.requests[0].to.close();
  await until(() => stream.ended);
  assert.equal(heard.at(-1).done, true);
  assert.equal(heard.some(({live}) => live === false), false);
});

test("tabs that show the same game share one stream, and a later one hears all of it", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const first = [];
  const second = [];
  const one = feed.follow({id: 1, follow: "5"}, (each) => first.push(each));
  await until(() => hub.requests.length === 1);
  hub.requests[0].say({type: "status", update_id: 1});
  hub.requests[0].say({type: "away", player: "O", update_id: 1});
  hub.requests[0].say({type: "back", player: "O", update_id: 1});
  await until(() => first.filter(({update}) => update).length === 3);
  const two = feed.follow({id: 2, follow: "5"}, (each) => second.push(each));
  assert.deepEqual(second.filter(({update}) => update).map(({update}) => update.type), ["status"]);
  assert.equal(second.at(-1).live ?? second[0].live, true);
  assert.equal(hub.requests.length, 1);
  one.stop();
  assert.equal(hub.open.length, 1);
  two.stop();
  assert.equal(hub.open.length, 0);
});

test("of many games at most three have a stream: the player's own first, then those that are looked at", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const places = [];
  for (let game = 1; game <= 5; ++game) places.push(feed.follow({id: game, follow: String(game), visible: false}, () => {}));
  places.push(feed.follow({id: 6, follow: "6", own: true, visible: false}, () => {}));
  places[4].look(true);
  await settled();
  const paths = hub.open.map(({path}) => path.match(/\d+/)[0]);
  assert.equal(paths.length, 3);
  assert.ok(paths.includes("6") && paths.includes("5"));
  for (const each of places) each.stop();
  assert.equal(hub.open.length, 0);
  clearTimeout(feed.timer);
});

test("a game without a stream is polled, and misses nothing", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const heard = [];
  const places = [1, 2, 3].map((game) => feed.follow({id: game, follow: String(game)}, () => {}));
  const last = feed.follow({id: 4, follow: "4", visible: false}, ({update}) => update && heard.push(update.update_id));
  clearTimeout(feed.timer);
  const polled = feed.poll();
  const [first, second] = hub.requests.filter(({path}) => path === "/api/games/4");
  first.answer({history: [{type: "status", update_id: 1}]});
  await until(() => heard.length === 1);
  second.answer({history: [{type: "status", update_id: 1}, {type: "move", update_id: 2}]});
  await polled;
  assert.deepEqual(heard, [1, 2]);
  for (const each of [...places, last]) each.stop();
  clearTimeout(feed.timer);
});

test("a game without a stream hears the operator, once (M12)", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const streamed = [];
  const heard = [];
  const places = [1, 2, 3].map((game) => feed.follow({id: game, follow: String(game)}, ({update}) => update && streamed.push(update)));
  const last = feed.follow({id: 4, follow: "4", visible: false}, ({update}) => update && heard.push(update));
  clearTimeout(feed.timer);
  const answered = new Set();
  const notice = {message: "Back in five minutes", timestamp: "2026-01-01T00:00:00Z"};
  for (let i = 0; i < 6; ++i) {
    let over = false;
    const polled = feed.poll().then(() => (over = true));
    await until(() => {
      for (const each of hub.requests.filter((one) => !answered.has(one) && one.path.startsWith("/api/games"))) {
        answered.add(each);
        each.answer(each.path === "/api/games/4" ? {history: []} : {games: [], notice});
      }
      return over;
    });
    await polled;
    clearTimeout(feed.timer);
  }
  assert.equal(hub.requests.filter(({path}) => path === "/api/games?limit=1").length, 2);
  assert.deepEqual(heard.map(({name, message}) => [name, message]), [["operator", notice.message]]);
  assert.deepEqual(streamed, []);
  for (const each of [...places, last]) each.stop();
  clearTimeout(feed.timer);
});

test("a tab that is gone leaves nothing behind", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const answers = [];
  const tab = serve(feed, (answer) => answers.push(answer));
  tab.on({id: 1, follow: "5", visible: true});
  await until(() => hub.open.length === 1);
  hub.requests[0].say({type: "status", update_id: 1});
  await until(() => answers.some(({id, update}) => id === 1 && update));
  tab.close();
  assert.equal(hub.open.length, 0);
  assert.equal(feed.sources.size, 0);
});
