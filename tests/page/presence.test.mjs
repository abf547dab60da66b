// Clocks, who is away, what may be played, and the operator's word: as the hub has them, on every page.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {patience} from "./hub.mjs";
import {setup} from "./setup.mjs";

const folder = await mkdtemp(path.join(tmpdir(), "gamehub-presence-"));
const token = path.join(folder, "token");
await writeFile(token, "a-token-for-the-operator\n");
const {hub, browser} = await setup("--turn-seconds", 60, "--rejoin-seconds", 600, "--admin-token-file", token);
after(() => rm(folder, {recursive: true, force: true}));

async function table(names) {
  const first = await browser.person(hub, {name: names[0]});
  await first.sits("Tic-Tac-Toe", {side: /X, first/});
  const second = await browser.person(hub, {name: names[1]});
  await second.joins(names[0]);
  await first.says("Your turn");
  return [first, second, first.page.url().split("/").at(-1)];
}

const secondsOf = (text) => text.split(":").reduce((sum, each) => sum * 60 + Number(each), 0);
const shownTo = async (one, seat) => secondsOf(await one.page.locator(".clock").nth(seat).innerText());

async function agree(people, game) {
  const {clock} = await hub.ask(`games/${game}?history=false`);
  for (const [seat, left] of clock.milliseconds_left.entries())
    for (const one of people) {
      const shown = await shownTo(one, seat);
      assert.ok(Math.abs(shown - left / 1000) <= 1.5, `seat ${seat}: ${shown} s, the hub ${left} ms`);
    }
}

test("the clocks of mover, opponent and guest are the hub's, fresh, after a reload and after an outage (B6)", async () => {
  const [ann, ben, game] = await table(["Ann", "Ben"]);
  await ann.plays(1, 1);
  await ben.says("Your turn");
  const guest = await browser.person(hub, {at: `#/game/${game}`});
  await guest.says("Ben is to move");
  await ann.page.waitForTimeout(2_500);
  await ann.page.reload();
  await ann.says("Ben is to move");
  await ann.page.locator(".clock").nth(1).waitFor();
  await agree([ann, ben, guest], game);

  for (const each of [ann, ben, guest]) each.hubWasAway = true;
  await hub.kill();
  await ben.page.getByRole("status").getByText("Connection lost").waitFor();
  const cut = await shownTo(ben, 1);
  await ben.page.waitForTimeout(1_500);
  assert.equal(await shownTo(ben, 1), cut);
  await hub.up();
  for (const each of [ann, ben, guest]) await each.page.getByText("Connection lost").waitFor({state: "hidden"});
  await ben.plays(2, 2);
  await ann.says("Your turn");
  await agree([ann, ben, guest], game);
});

test("an opponent whose connection is cut is shown as away with the time of the seat, and as back (H2)", async () => {
  const [ann, ben, game] = await table(["Cat", "Dan"]);
  const url = ben.page.url();
  const soon = {timeout: patience / 4};  // five seconds
  await ben.page.goto("about:blank");
  await ann.page.locator(".reason").getByText("Dan has lost the connection.").waitFor(soon);
  await ann.page.locator(".player.away .note").getByText(/away, seat kept \d+:\d\d/).waitFor(soon);
  await ann.picture("away-desktop-light");
  await ben.page.goto(url);
  await ann.page.locator(".reason").getByText("Dan has lost the connection.").waitFor({state: "hidden", ...soon});
  await ann.plays(1, 1);
  await ben.sees(1, 1, /X, Cat/);
  assert.ok(game);
});

test("an open seat whose browser is gone leaves the lobby (H2)", async () => {
  const gone = await browser.person(hub, {name: "Gone"});
  await gone.sits("Nim");
  const one = await browser.person(hub);
  const join = one.page.getByRole("button", {name: "Join Gone in Nim"});
  await join.waitFor();
  await gone.page.close();
  await join.waitFor({state: "detached", timeout: patience * 3 / 4});  // 15 seconds
});

test("no request lies between the opponent's move and the first click (M9)", async () => {
  const [ann, ben] = await table(["Eli", "Fay"]);
  const asked = [];
  ben.page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await ann.plays(1, 1);
  await ben.plays(2, 2);
  assert.deepEqual(asked, ["POST /api/move"]);
});

test("the second of two quick clicks is no error (M9)", async () => {
  const [ann, ben] = await table(["Gus", "Hal"]);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await ann.page.route("**/api/move", async (route) => {
    await held;
    await route.continue();
  });
  await ann.cell(1, 1).and(ann.page.locator("[aria-disabled=false]")).click();
  await ann.page.locator(".cell.pending .piece").waitFor();
  await ann.cell(2, 2).click({force: true});
  await ann.page.locator(".bubble").getByText("Your move is on its way.").waitFor();
  release();
  await ann.sees(1, 1, /X, Gus/);
  await ben.says("Your turn");
  assert.equal(await ann.page.getByRole("alert").getByRole("paragraph").count(), 0);
});

test("the operator's word is apart from the chat (M12)", async () => {
  const [ann, ben] = await table(["Ida", "Jan"]);
  const inLobby = await browser.person(hub, {at: "#/"});
  const inList = await browser.person(hub, {at: "#/games"});
  await inList.page.getByRole("heading", {name: "Games"}).waitFor();
  const ofLeaders = await browser.person(hub, {at: "#/leaders"});
  await ofLeaders.page.getByRole("heading", {name: "Best bots"}).waitFor();
  const said = Date.now();
  const {status, stderr} = spawnSync(process.env.PAGE_TEST_PROGRAM,
    ["say", "Back in five minutes", "--admin-port", String(hub.ports.admin), "--admin-token-file", token], {encoding: "utf8"});
  assert.equal(status, 0, stderr);
  for (const each of [ann, ben, inLobby, inList, ofLeaders]) {
    await each.page.getByRole("note", {name: "From the operator"}).getByText("Back in five minutes").waitFor();
    assert.equal(await each.page.locator(".talk p").count(), 0);
  }
  assert.ok(Date.now() - said < patience / 4, "within five seconds");
});

test("the operator's word comes to an invitation, to tabs without a stream, and after moves (M12)", async () => {
  const [ann, ben] = await table(["Kai", "Lea"]);
  await ann.plays(1, 1);
  await ben.says("Your turn");
  const [, game] = /game\/(\d+)/.exec(ann.page.url());
  const open = await browser.person(hub, {name: "Mia"});
  await open.sits("Nim", {against: "A friend, by link"});
  const link = new URL(await open.page.getByLabel("The link for your friend").inputValue()).hash;
  const guest = await browser.person(hub, {at: link});
  await guest.page.getByRole("button", {name: "Sit down"}).waitFor();
  // A browser has at most three streams.
  const games = [game];
  for (let i = 0; i < 3; ++i) {
    const client_id = `the-secret-of-a-program-${i}`;
    games.push((await hub.ask("play", {client_id, name: `Program ${i}`, opponent: "engine:random"})).game_id);
  }
  const reader = await browser.person(hub);
  const tabs = [];
  for (const each of games) {
    const tab = await reader.page.context().newPage();
    await tab.goto(`${hub.url}#/game/${each}`);
    await tab.getByRole("article").waitFor();
    tabs.push(tab);
  }
  const said = Date.now();
  const {status, stderr} = spawnSync(process.env.PAGE_TEST_PROGRAM,
    ["say", "Back in six minutes", "--admin-port", String(hub.ports.admin), "--admin-token-file", token], {encoding: "utf8"});
  assert.equal(status, 0, stderr);
  for (const each of [ann.page, ben.page, open.page, guest.page, ...tabs])
    await each.getByRole("note", {name: "From the operator"}).getByText("Back in six minutes").waitFor();
  assert.ok(Date.now() - said < patience / 4, "within five seconds");
});
