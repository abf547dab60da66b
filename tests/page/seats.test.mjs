// A table of four: a browser, a program of JSON turns, one of a WebSocket, and one of HTTP; one of them leaves.
import assert from "node:assert/strict";
import {test} from "node:test";
import {playFirst, playFirstByHttp, playFirstBySocket} from "./clients.mjs";
import {Hub} from "./hub.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600, "--claim-seconds", 1);

// Plays the first thing that is offered, whenever it is this person's turn, until the game has ended.
async function playsToTheEnd(person) {
  const choice = person.page.locator("[data-action]:not([disabled])").first();
  for (;;) {
    await choice.or(person.page.locator("table.result")).first().waitFor();
    if (await person.page.locator("table.result").count()) return;
    const was = await person.page.locator(".turn").textContent();
    if (was === "Your turn.") await choice.click();
    else await person.page.waitForTimeout(20);
  }
}

test("four play at one table, one leaves, an engine plays on, and the page has the places", async () => {
  const kind = "dots-and-boxes";
  const options = {players: 4, rows: 2, columns: 2};
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.sitsAtABigTable("Dots and Boxes", {Players: 4, Rows: 2, Columns: 2});
  await ann.says("1 of 4 players are here");
  const game = new URL(ann.page.url()).hash.split("/").at(-1);
  const turns = playFirst(hub.ports.turns, {name: "turns", game: kind, options});
  await ann.until(async () => (await hub.ask(`games/${game}`)).status === "waiting", "the table waits");
  const socket = playFirstBySocket(hub.ports.http, {name: "socket", game: kind, options, leavesAfter: 1});
  const curl = playFirstByHttp(hub, "curl", game);
  await ann.page.locator(".player", {hasText: "curl"}).waitFor();
  assert.equal(await ann.page.locator(".player").count(), 4);
  const end = playsToTheEnd(ann);
  await ann.page.locator(".player.substituted", {hasText: "socket"}).waitFor();
  await ann.isForEverybody("a table of four");
  await end;
  const result = ann.page.locator("table.result");
  assert.equal(await result.locator("tbody tr").count(), 4);
  assert.match(await result.locator("tbody tr").last().textContent(), /socket.*left early/);
  const told = await Promise.all([turns, socket, curl]);
  assert.equal(told[0].ranks.length, 4);
  assert.equal(told[1].reason, "left");
  assert.equal(told[2].status, "ended");
  assert.deepEqual(told[2].ranks, told[0].ranks);
  await ann.picture("four-ended");
});

test("the engine takes the last seats of a table, and others the seats that are left", async () => {
  const ann = await browser.person(hub, {name: "Eva"});
  await ann.sitsAtABigTable("Dots and Boxes", {Players: 4, Rows: 2, Columns: 2}, 2);
  const game = new URL(ann.page.url()).hash.split("/").at(-1);
  const waits = await hub.ask(`games/${game}`);
  assert.equal(waits.status, "waiting");
  assert.deepEqual(waits.kinds, ["player", "", "engine", "engine"]);
  const curl = playFirstByHttp(hub, "program", game);
  await ann.page.locator(".player", {hasText: "program"}).waitFor();
  await playsToTheEnd(ann);
  assert.equal((await curl).ranks.length, 4);
  // Alone with engines the game begins at once.
  await ann.sitsAtABigTable("Dots and Boxes", {Players: 3}, 2);
  await ann.page.locator(".player", {hasText: "engine"}).nth(1).waitFor();
  assert.equal((await hub.ask(`games/${new URL(ann.page.url()).hash.split("/").at(-1)}`)).status, "running");
});

const press = (one, name) => one.page.getByRole("button", {name, exact: true}).click();
const reads = (one, text) => one.page.locator(".offer", {hasText: text}).waitFor();

async function three(at, ...names) {
  const [first, ...others] = await Promise.all(names.map((name) => browser.person(at, {name})));
  await first.sitsAtABigTable("Dots and Boxes", {Players: 3, Rows: 2, Columns: 2});
  for (const [i, each] of others.entries()) {
    await each.joins(names[0]);
    if (i + 1 < others.length) await first.says(`${i + 2} of ${names.length} players are here`);
  }
  await first.says("Your turn");
  return [first, ...others];
}

test("a draw of three stands until all have accepted it, who has is asked no more, and a rematch seats all again", async () => {
  const [ann, ben, cleo] = await three(hub, "Anna", "Benno", "Cleo");
  await press(ann, "Offer a draw");
  await reads(ben, "Anna offers a draw");
  await press(ben, "Accept the draw");
  await reads(ann, "You offer a draw. Benno has accepted the draw.");
  await reads(cleo, "Anna offers a draw. Benno has accepted the draw.");
  await reads(ben, "You have accepted the draw.");
  await ben.page.reload();
  await reads(ben, "You have accepted the draw.");
  assert.equal(await ben.page.getByRole("button", {name: "Accept the draw"}).count(), 0);
  await cleo.isForEverybody("a draw of three");
  await cleo.picture("draw-of-three");
  await press(cleo, "Accept the draw");
  for (const each of [ann, ben, cleo]) await each.says("A draw");
  const ended = ann.page.url();
  const preview = await (await fetch(ended.replace("#/", ""))).text();
  assert.match(preview, /og:title" content="Dots and Boxes: Anna – Benno – Cleo"/);
  await press(cleo, "Rematch");
  await reads(ann, "Cleo offers a rematch.");
  await press(ann, "Accept");
  await reads(ben, "Cleo offers a rematch. Anna has accepted it.");
  await reads(ann, "Cleo offers a rematch. You have accepted it.");
  await press(ben, "Decline");
  await reads(ann, "Benno does not want a rematch.");
  await press(ann, "Rematch");
  for (const each of [ben, cleo]) await press(each, "Accept");
  for (const each of [ann, ben, cleo]) await each.until(async () => each.page.url() !== ended, "the next game");
  assert.deepEqual([ben.page.url(), cleo.page.url()], [ann.page.url(), ann.page.url()]);
  for (const each of [ann, ben, cleo]) await each.page.locator(".player", {hasText: "Cleo"}).waitFor();
  await ann.picture("rematch-of-three");
});

test("of three, who ran out of time takes the seat again, and nobody offers a draw meanwhile", async () => {
  // The others run out of time, too: there are two more turns to look at the page and to come back.
  const quick = await Hub.start("--turn-seconds", 8);
  try {
    const [ann, ben] = await three(quick, "Ada", "Bert", "Cyd");
    await ben.page.locator(".player.substituted", {hasText: "Ada"}).waitFor();
    assert.equal(await ben.page.getByRole("button", {name: "Offer a draw"}).count(), 0);
    assert.equal(await ann.page.getByRole("button", {name: "Take a move back"}).count(), 0);
    await ann.isForEverybody("the way back");
    await ann.picture("way-back");
    await press(ann, "Play again yourself");
    await ann.page.locator(".player:not(.substituted)", {hasText: "Ada"}).waitFor();
    // A move that is refused takes the seat again.
    ann.faults = ann.faults.filter((each) => !/409.*api\/move$/.test(each));
  } finally {
    await quick.stop();
  }
});

test("of three, one is away, and the others go on without it", async () => {
  const [dora, emil, fay] = await three(hub, "Dora", "Emil", "Fay");
  await fay.page.close();
  await press(emil, "Go on without who is away");
  await dora.page.locator(".player.substituted", {hasText: "Fay"}).waitFor();
  await dora.says("Your turn");
});
