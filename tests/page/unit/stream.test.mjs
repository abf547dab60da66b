// The stream of the games that the tabs of a browser follow.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load} from "./page.mjs";

const {Followed, Lines, Stream, pauseAfter} = await load("stream");
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

// A hub: each request is answered with what is put into it; at once, unless the hub is slow.
class FakeHub {
  requests = [];
  slow = false;
  get = (path, {signal, headers} = {}) => new Promise((resolve, reject) => {
    const request = {path, headers, ended: false};
    const body = new ReadableStream({start: (to) => (request.to = to)});
    request.say = (...lines) => request.to.enqueue(new TextEncoder().encode(lines.map((each) => `${JSON.stringify(each)}\n`).join("")));
    signal?.addEventListener("abort", () => {
      request.ended = true;
      request.to.error(new Error("ended"));
      reject(new Error("ended"));
    });
    request.answer = () => resolve(new Response(body));
    if (!this.slow) request.answer();
    this.requests.push(request);
  });
  get open() {
    return this.requests.filter(({ended}) => !ended);
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
async function until(isSo) {
  for (let i = 0; i < 1000 && !isSo(); ++i) await settled();
  assert.ok(isSo());
}

// A stream of these games, what was heard of each, and its hub.
async function following(...games) {
  const hub = new FakeHub();
  const stream = new Stream("secret", hub.get);
  const all = games.map(({game, own = false}) => {
    const heard = [];
    const followed = new Followed(game, own, (each) => heard.push(each));
    stream.add(followed);
    return {followed, heard, ids: () => heard.filter(({update}) => update).map(({update}) => update.update_id)};
  });
  await until(() => hub.requests.length === 1);
  return {hub, stream, all};
}

const stop = (stream) => [...stream.games.values()].forEach((each) => stream.remove(each));

test("one request has all games, and one that breaks goes on after the last update of each", async () => {
  const {hub, stream, all: [five, six]} = await following({game: "5"}, {game: "6"});
  assert.equal(hub.requests[0].path, "/api/updates?games=5,6");
  assert.deepEqual(hub.requests[0].headers, {Authorization: "Bearer secret"});
  hub.requests[0].say({game: "5", type: "status", update_id: 4});
  await until(() => five.ids().length === 1);
  assert.deepEqual(six.ids(), []);
  hub.requests[0].to.close();
  await until(() => five.heard.at(-1).live === false && six.heard.at(-1).live === false);
  stream.hurry();
  await until(() => hub.requests.length === 2);
  assert.equal(hub.requests[1].path, "/api/updates?games=5.4,6");
  stop(stream);
  await until(() => hub.requests[1].ended);
});

test("a game that is added is requested with the others, whose request ends once that is answered", async () => {
  const {hub, stream, all: [five]} = await following({game: "5"});
  hub.requests[0].say({game: "5", type: "status", update_id: 1});
  await until(() => five.ids().length === 1);
  hub.slow = true;
  stream.add(new Followed("6", false, () => {}));
  await until(() => hub.requests.length === 2);
  assert.equal(hub.requests[1].path, "/api/updates?games=5.1,6");
  hub.requests[0].say({game: "5", type: "move", update_id: 2}, {game: "5", type: "state", update_id: 2});
  await until(() => five.ids().length === 3);
  assert.equal(hub.open.length, 2);
  hub.requests[1].answer();
  await until(() => hub.requests[0].ended);
  // What the first request had is left out, and what follows it is not.
  hub.requests[1].say({game: "5", type: "move", update_id: 2}, {game: "5", type: "state", update_id: 2},
                      {game: "5", type: "move", update_id: 3});
  await until(() => five.ids().includes(3));
  assert.deepEqual(five.ids(), [1, 2, 2, 2, 3]);
  assert.deepEqual(five.heard.filter(({update}) => update?.type === "move").map(({update}) => update.update_id), [2, 3]);
  stop(stream);
});

test("the end of a game ends the reading of it, and the last one the request", async () => {
  const {hub, stream, all: [five, six]} = await following({game: "5"}, {game: "6"});
  hub.requests[0].say({game: "5", type: "end", update_id: 9}, {game: "5", type: "done"},
                      {game: "6", type: "status", update_id: 1});
  await until(() => six.ids().length === 1);
  assert.equal(five.followed.ended, true);
  assert.equal(stream.path, "/api/updates?games=6.1");
  hub.requests[0].say({game: "6", type: "end", update_id: 2}, {game: "6", type: "done"});
  hub.requests[0].to.close();
  await until(() => stream.request === undefined);
  assert.equal(hub.requests.length, 1);
  assert.equal(six.heard.some(({live}) => live === false), false);
});

test("the player's own game is read after the end, until the hub has no more offers", async () => {
  const {hub, stream, all: [five]} = await following({game: "5", own: true});
  assert.equal(hub.requests[0].path, "/api/updates?games=5&offers=true");
  hub.requests[0].say({game: "5", type: "end", update_id: 9},
                      {game: "5", type: "offer", player: "O", update_id: 9});
  await until(() => five.heard.some(({update}) => update?.type === "offer"));
  assert.equal(stream.path, "/api/updates?games=5.9&offers=true");
  hub.requests[0].say({game: "5", type: "done"});
  await until(() => five.followed.ended);
  assert.equal(five.heard.at(-1).done, true);
  hub.requests[0].to.close();
  await until(() => stream.request === undefined);
});

test("a game that can't be read is gone, and one whose stream ends too early is requested again", async () => {
  const {hub, stream, all: [five, six]} = await following({game: "5"}, {game: "6"});
  const error = {code: 102, message: "no such game"};
  hub.requests[0].say({game: "5", error}, {game: "5", type: "done"}, {game: "6", type: "done"});
  await until(() => five.followed.ended);
  assert.deepEqual(five.heard.at(-1).gone, error);
  await until(() => stream.failures === 1);
  stream.hurry();
  await until(() => hub.requests.length === 2);
  assert.equal(hub.requests[1].path, "/api/updates?games=6");
  assert.equal(six.followed.ended, false);
  stop(stream);
});

test("tabs that show the same game share it, and a later one hears all of it", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const first = [];
  const second = [];
  const one = feed.follow({id: 1, follow: "5"}, (each) => first.push(each));
  await until(() => hub.requests.length === 1);
  hub.requests[0].say({game: "5", type: "status", update_id: 1}, {game: "5", type: "away", player: "O", update_id: 1},
                      {game: "5", type: "back", player: "O", update_id: 1});
  await until(() => first.filter(({update}) => update).length === 3);
  const two = feed.follow({id: 2, follow: "5"}, (each) => second.push(each));
  assert.deepEqual(second.filter(({update}) => update).map(({update}) => update.type), ["status"]);
  assert.equal(second[0].live, true);
  await settled();
  assert.equal(hub.requests.length, 1);
  one.stop();
  await settled();
  assert.equal(hub.open.length, 1);
  two.stop();
  await until(() => hub.open.length === 0);
});

test("the games of ten tabs are one request", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const places = [];
  for (let game = 1; game <= 10; ++game) places.push(feed.follow({id: game, follow: String(game)}, () => {}));
  await until(() => hub.open.length === 1);
  assert.equal(hub.requests[0].path, "/api/updates?games=1,2,3,4,5,6,7,8,9,10");
  // The player takes a seat at the third table.
  places.push(feed.follow({id: 11, follow: "3", own: true}, () => {}));
  await until(() => hub.requests.length === 2 && hub.open.length === 1);
  assert.ok(hub.requests[1].path.endsWith("&offers=true"));
  for (const each of places) each.stop();
  await until(() => hub.open.length === 0);
  assert.equal(feed.streams.size, 0);
});

test("a tab that is gone leaves nothing behind", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const answers = [];
  const tab = serve(feed, (answer) => answers.push(answer));
  tab.on({id: 1, follow: "5", visible: true});
  await until(() => hub.open.length === 1);
  hub.requests[0].say({game: "5", type: "status", update_id: 1});
  await until(() => answers.some(({id, update}) => id === 1 && update));
  tab.close();
  await until(() => hub.open.length === 0);
  assert.equal(feed.sources.size, 0);
});

const notice = (message) => ({type: "notice", message, timestamp: "2026-01-02T03:04:05Z", milliseconds_left: 300_000});

test("tabs without a game hear the operator over one request, and a later tab hears the latest notice (M12)", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const heard = [[], [], []];
  const tabs = heard.map((to) => serve(feed, ({id, notice: said}) => said && to.push(`${id} ${said.message}`)));
  tabs[0].open();
  tabs[1].open();
  await until(() => hub.open.length === 1);
  assert.equal(hub.requests[0].path, "/api/updates?notices=true");
  assert.equal(hub.requests[0].headers, undefined);
  hub.requests[0].say(notice("One"), notice("Two"));
  await until(() => heard[1].length === 2);
  tabs[2].open();
  assert.deepEqual(heard, [["0 One", "0 Two"], ["0 One", "0 Two"], ["0 Two"]]);
  await settled();
  assert.equal(hub.requests.length, 1);
  for (const each of tabs) each.close();
  await until(() => hub.open.length === 0);
  assert.equal(feed.streams.size, 0);
});

test("games and notices are one request, which goes on after the end of the last game (M12)", async () => {
  const hub = new FakeHub();
  const feed = new Feed(hub.get);
  const heard = [];
  const tab = serve(feed, (each) => heard.push(each));
  const said = () => heard.filter((each) => each.notice).map((each) => each.notice.message);
  tab.open();
  await until(() => hub.open.length === 1);
  // The player has a secret now: the request without it ends.
  tab.on({id: 1, follow: "5", secret: "secret"});
  await until(() => hub.requests.length === 2 && hub.open.length === 1);
  assert.equal(hub.requests[1].path, "/api/updates?games=5&notices=true");
  hub.requests[1].say({game: "5", type: "end", update_id: 9}, {game: "5", type: "done"}, notice("Later"));
  await until(() => said().length === 1);
  await settled();
  assert.equal(hub.requests.length, 2);
  assert.equal(heard.some(({live}) => live === false), false);
  // A break of the connection is followed by a request for the notices alone.
  hub.requests[1].to.close();
  await until(() => feed.streams.get("secret").failures === 1);
  feed.hurry();
  await until(() => hub.requests.length === 3);
  assert.equal(hub.requests[2].path, "/api/updates?notices=true");
  tab.on({id: 1, stop: true});
  await settled();
  hub.requests[2].say(notice("Last"));
  await until(() => said().includes("Last"));
  assert.equal(hub.requests.length, 3);
  tab.close();
  await until(() => hub.requests[2].ended);
});
