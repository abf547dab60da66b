// A hub that is full, as a browser meets it.
import assert from "node:assert/strict";
import {createConnection} from "node:net";
import {test} from "node:test";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--connections-max", 6);

const opened = () => new Promise((resolve, reject) => {
  const socket = createConnection(hub.ports.http, "127.0.0.1", () => resolve(socket));
  socket.on("error", reject);
});

// Streams: connections that wait for a request make room.
const {game_id} = await (await fetch(`${hub.url}api/play`, {method: "POST", body: new URLSearchParams()})).json();
const follow = (socket) => new Promise((resolve) => socket.once("data", resolve)
  .write(`GET /api/updates/${game_id} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));

test("a browser at a full hub reads a sentence, and has the page once there is room (H9)", async () => {
  const others = await Promise.all(Array.from({length: 6}, opened));
  // The hub has accepted them all before the answer to the last one.
  for (const each of others) await follow(each);
  const one = await browser.person(hub);
  await one.page.getByRole("heading", {name: "Not just now"}).waitFor();
  await one.page.getByText("The hub is full.").waitFor();
  await one.page.getByText("loaded again in 5 seconds").waitFor();
  const program = await fetch(`${hub.url}api/engines`);
  assert.equal(program.status, 503);
  assert.equal((await program.json()).error.code, 106);
  for (const each of others) each.destroy();
  await one.page.getByRole("heading", {name: "Sit down and play"}).waitFor();
  one.faults.length = 0;
});

test("a client that says nothing to a full hub is refused in bounded time (H9)", async () => {
  const others = await Promise.all(Array.from({length: 6}, opened));
  for (const each of others) await follow(each);
  const silent = await opened();
  const answer = await new Promise((resolve) => silent.once("data", (bytes) => resolve(String(bytes))));
  assert.match(answer, /^HTTP\/1.1 503 /);
  assert.match(answer, /Retry-After: 5/);
  for (const each of [silent, ...others]) each.destroy();
});
