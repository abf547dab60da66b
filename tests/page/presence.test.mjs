// Clocks, who is away, what may be played, and the operator's word: as the hub has them, on every page.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {createInterface} from "node:readline";
import {Readable} from "node:stream";
import {after, test} from "node:test";
import {Hub, patience} from "./hub.mjs";
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

test("a player who looks at another view is not away, reads whose turn it is there, and is led back (H2, M4)", async () => {
  const [ann, ben, game] = await table(["Una", "Vic"]);
  const other = await hub.ask("play", {client_id: "the-secret-of-a-program-9", name: "Nobody", opponent: "engine:random"});
  const isThere = async () => {
    // Longer than the second after which the hub calls a player away.
    await ann.page.waitForTimeout(1_600);
    await ann.until(async () => ((await hub.ask(`games/${game}`)).away ?? []).length === 0, "Una is there");
  };
  await ann.page.goto(`${hub.url}#/game/${other.game_id}`);
  await ann.page.getByText("You are watching.").waitFor();
  await isThere();
  const back = ann.page.locator(".back");
  for (const [at, heading] of [["#/leaders", "Best bots"], ["#/games", "Games"], ["#/game/999999", "Not here"],
                               ["#/invite/none", "This invitation is over"]]) {
    await ann.page.goto(`${hub.url}${at}`);
    await ann.page.getByRole("heading", {name: heading}).first().waitFor();
    await back.getByText("You are in a game: it is your turn.").waitFor();
    await ann.until(async () => (await ann.page.title()).startsWith("● Your turn: Tic-Tac-Toe"), "the title");
    await ann.isForEverybody(`the way back to a game, ${heading}`);
    await isThere();
  }
  assert.equal(await ben.page.locator(".player.away").count(), 0);
  await ann.picture("way-back-desktop-light");
  await back.getByRole("link", {name: "Back to it"}).click();
  await ann.plays(1, 1);
  await ben.says("Your turn");
  assert.equal(await back.count(), 0);
  // The console has the view that is not there.
  ann.refusals = /status of 404/;
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

test("the operator's word comes to an ended game and to each other view of a browser, over its one stream (M12)", async () => {
  const [ann, ben, game] = await table(["Nia", "Oli"]);
  await ann.page.getByRole("button", {name: "Give up"}).click();
  await ann.page.getByRole("button", {name: "Yes, give up"}).click();
  for (const each of [ann, ben]) await each.page.getByRole("button", {name: "Rematch"}).waitFor();
  const before = await hub.connections();
  const reader = await browser.person(hub, {at: `#/game/${game}`, colorScheme: "dark"});
  await reader.says("Oli has won");
  const open = async (at, heading) => {
    const tab = await reader.page.context().newPage();
    await tab.goto(`${hub.url}${at}`);
    await tab.getByRole("heading", {name: heading}).first().waitFor();
    return tab;
  };
  const tabs = [await open("#/leaders", "Best bots"), await open("#/games", "Games"), await open("#/game/999999", "Not here"),
                await open("#/invite/nobody", "This invitation is over")];
  const asked = [];
  for (const each of [ann.page, ben.page, reader.page, ...tabs]) each.on("request", (request) => asked.push(request.url()));
  const said = Date.now();
  const {status, stderr} = spawnSync(process.env.PAGE_TEST_PROGRAM,
    ["say", "Back in <i>seven</i> minutes", "--admin-port", String(hub.ports.admin), "--admin-token-file", token], {encoding: "utf8"});
  assert.equal(status, 0, stderr);
  const shown = (page) => page.getByRole("note", {name: "From the operator"}).getByText("Back in <i>seven</i> minutes").waitFor();
  for (const each of [ann.page, ben.page, reader.page, ...tabs]) await shown(each);
  assert.ok(Date.now() - said < patience / 4, "within five seconds");
  assert.deepEqual(asked, []);
  await reader.until(async () => (await hub.connections()) - before <= 2, "two connections of five tabs");
  await reader.isForEverybody("an ended game with the operator's word, dark");
  await ann.isForEverybody("an ended game with the operator's word, light");
  // A tab that comes later, and a view that is selected later.
  await shown(await open("#/game/999999", "Not here"));
  await reader.page.goto(`${hub.url}#/leaders`);
  await shown(reader.page);
});

test("a stream of notices begins with the latest one, has no chat of the operator, and ends with the hub (M12)", async () => {
  const own = await Hub.start("--admin-token-file", token);
  const say = (text) => assert.equal(spawnSync(process.env.PAGE_TEST_PROGRAM,
    ["say", text, "--admin-port", String(own.ports.admin), "--admin-token-file", token]).status, 0);
  await own.ask("play", {client_id: "the-secret-of-a-program-7", name: "One"});
  const {game_id} = await own.ask("play", {client_id: "the-secret-of-a-program-8", name: "Two"});
  say("First");
  const {body} = await fetch(`${own.url}api/updates?notices=true&games=${game_id}`);
  const heard = [];
  const ended = (async () => {
    for await (const line of createInterface({input: Readable.fromWeb(body)})) if (line) heard.push(JSON.parse(line));
  })();
  const until = async (isSo) => {
    for (const end = Date.now() + patience; !heard.some(isSo);) {
      assert.ok(Date.now() < end, JSON.stringify(heard));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(({type, message}) => type === "notice" && message === "First");
  assert.equal(heard[0].type, "notice");
  assert.ok(heard[0].milliseconds_left > 200_000 && heard[0].milliseconds_left <= 300_000, JSON.stringify(heard[0]));
  await own.ask("quit", {client_id: "the-secret-of-a-program-7"});
  await until(({type}) => type === "done");
  say("Second");
  await until(({message}) => message === "Second");
  assert.deepEqual(heard.filter(({type}) => type === "notice").map(({message}) => message), ["First", "Second"]);
  assert.deepEqual(heard.filter(({type}) => type === "chat"), []);
  await own.stop();
  await ended;
});
