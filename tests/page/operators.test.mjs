// The operators' page on the admin port: what it shows, what it orders, and that no other page can.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {createServer} from "node:http";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {phone} from "./browser.mjs";
import {Hub} from "./hub.mjs";
import {setup} from "./setup.mjs";

const token = "a-token-for-the-operator";
const folder = await mkdtemp(path.join(tmpdir(), "gamehub-operators-"));
await writeFile(path.join(folder, "token"), `${token}\n`);
const {hub, browser} = await setup("--turn-seconds", 600, "--admin-token-file", path.join(folder, "token"));
after(() => rm(folder, {recursive: true, force: true}));

const operator = (at, more) => browser.person({url: `http://127.0.0.1:${at.ports.admin}/`}, more);

const forgive = (one, status) => {
  one.refusals = new RegExp(`status of ${status}`);
};

async function enters(one, text) {
  await one.page.getByLabel("Operator's token").fill(text);
  await one.page.getByRole("button", {name: "Use it"}).click();
}

async function confirms(one, title, button, reason) {
  const dialog = one.page.getByRole("dialog", {name: title});
  if (reason) await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", {name: button, exact: true}).click();
}

async function hasNoViolation(one, where) {
  await one.isForEverybody(where);
  const {violations} = await one.page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  assert.deepEqual(violations.map(({id, nodes}) => `${where}: ${id} at ${nodes.map((n) => n.target).join(" ")}`), []);
}

test("an operator sees a running game with its board, speaks, mutes and ends it (H11)", async () => {
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.sits("Tic-Tac-Toe");
  const ben = await browser.person(hub, {name: "Ben"});
  await ben.joins("Ann");
  await ann.plays(1, 1);
  const [, number] = /game\/(\d+)/.exec(ann.page.url());

  const one = await operator(hub);
  const section = (name) => one.page.getByRole("region", {name});
  await one.page.getByText("This hub needs the operator's token.").waitFor();
  await section("Health").getByText("1 running").waitFor();
  assert.equal(await section("Games").count(), 0);
  await enters(one, "a-guess");
  await one.page.getByText("The hub refuses this token.").waitFor();
  await enters(one, token);

  await section("Games").getByRole("row", {name: /tictactoe Ann, Ben/}).waitFor();
  await one.page.getByRole("button", {name: `Look at game ${number}`}).click();
  const board = one.page.getByRole("table", {name: "Board"}).getByRole("cell");
  await board.first().filter({hasText: "X"}).waitFor();
  await ben.plays(2, 2);
  await board.nth(4).filter({hasText: "O"}).waitFor();
  await hasNoViolation(one, "operators");
  await one.picture("operators-desktop-light");

  await one.page.getByLabel("To all who follow games over HTTP").fill("<b>Back</b> in five minutes");
  await one.page.getByRole("button", {name: "Say it"}).click();
  for (const each of [ann, ben]) await each.page.getByText("<b>Back</b> in five minutes").first().waitFor();

  await section("Players").getByRole("row", {name: /^Ann /}).waitFor();
  await one.page.getByLabel("Part of a name").fill("Be");
  await one.page.getByRole("button", {name: "Find"}).click();
  await section("Players").getByRole("row", {name: /^Ann /}).waitFor({state: "hidden"});
  await section("Players").getByRole("button", {name: "Mute Ben"}).click();
  await hasNoViolation(one, "a dialog");
  await confirms(one, "Mute Ben?", "Mute", "rude");
  await section("Sanctions").getByRole("row", {name: /Ben muted name .* rude/}).waitFor();
  await one.page.getByRole("button", {name: "Lift the sanction of Ben"}).click();
  await section("Sanctions").getByRole("cell", {name: "none"}).waitFor();

  await one.page.getByRole("button", {name: "End this game"}).click();
  await confirms(one, `End game ${number}?`, "Cancel");
  await one.page.getByRole("button", {name: "End this game"}).click();
  await confirms(one, `End game ${number}?`, "End it", "it is late");
  await section(`Game ${number}`).getByText(/ended/).waitFor();
  await section("Games").getByRole("cell", {name: "none"}).waitFor();
  const replay = await fetch(`${hub.url}api/replays/${number}`);
  assert.match(await replay.text(), /it is late/);

  const done = section("What was done");
  for (const row of [/say <b>Back<\/b> in five minutes/, /mute Ben rude/, /unmute Ben/,
                     new RegExp(`end game ${number} it is late 127\\.0\\.0\\.1, by this page done`)])
    await done.getByRole("row", {name: row}).first().waitFor();
  assert.equal(await done.getByRole("row").count(), 5);

  await one.page.reload();
  await section("What was done").waitFor();
  await one.page.getByRole("button", {name: "Forget the token"}).click();
  await one.page.getByLabel("Operator's token").waitFor();
  assert.equal(await section("What was done").count(), 0);
  assert.deepEqual(await one.page.evaluate(() => [sessionStorage.length, localStorage.length]), [0, 0]);
  forgive(one, 401);
});

test("an operator bans a player, who reads why and plays no more (H11, M11)", async () => {
  const bad = await browser.person(hub, {name: "Bad"});
  await bad.sits("Tic-Tac-Toe", {side: /X, first/});
  const good = await browser.person(hub, {name: "Good"});
  await good.joins("Bad");
  const one = await operator(hub);
  await enters(one, token);
  const section = (name) => one.page.getByRole("region", {name});
  await section("Players").getByRole("button", {name: "Ban Bad"}).click();
  await confirms(one, "Ban Bad?", "Ban", "cheats");
  await section("Sanctions").getByRole("row", {name: /Bad banned name .* cheats/}).waitFor();
  await good.says("You won");
  for (const each of [bad, good]) await each.page.getByText("Bad was banned.", {exact: true}).waitFor();
  await bad.page.goto(`${hub.url}#/`);
  await bad.page.getByRole("button", {name: "Play", exact: true}).click();
  await bad.page.getByRole("alert").getByText("The operator of this hub does not let you play.").waitFor();
  await one.page.getByRole("button", {name: "Lift the sanction of Bad"}).click();
  await section("Sanctions").getByRole("cell", {name: "none"}).waitFor();
  forgive(one, 401);
  forgive(bad, 403);
});

test("a browser of a banned address reads a sentence on a page (M11)", async () => {
  const own = await Hub.start("--admin-token-file", path.join(folder, "token"));
  try {
    const {status, stderr} = spawnSync(process.env.PAGE_TEST_PROGRAM,
      ["ban", "--address", "127.0.0.1", "--reason", "floods", "--admin-port", String(own.ports.admin),
       "--admin-token-file", path.join(folder, "token")], {encoding: "utf8"});
    assert.equal(status, 0, stderr);
    const text = "does not let you play from this network address, until the ban of it is lifted.";
    for (const [at, colorScheme] of [["", "light"], ["game/17", "dark"]]) {
      const one = await browser.person(own, {at, colorScheme, bypassCSP: true});
      const main = one.page.getByRole("main");
      await main.getByText(text).waitFor();
      await one.isForEverybody(`banned, ${colorScheme}`);
      await one.picture(`banned-desktop-${colorScheme}`);
      // Its style needs no other file, each of which is refused.
      assert.equal(await main.evaluate((each) => getComputedStyle(each).maxWidth), "544px");
      assert.equal(await one.page.evaluate(() =>
        performance.getEntriesByType("resource").filter(({name}) => !name.endsWith("/favicon.ico")).length), 0);
      forgive(one, 403);
    }
    // The policy of the page allows its style.
    const plain = await browser.person(own, {});
    assert.equal(await plain.page.getByRole("main").evaluate((each) => getComputedStyle(each).maxWidth), "544px");
    forgive(plain, 403);
    for (const [path, accept] of [["", "*/*"], ["api/engines", "text/html"], ["api/games", "application/json"]]) {
      const answer = await fetch(`${own.url}${path}`, {headers: {Accept: accept}});
      assert.equal(answer.status, 403);
      assert.equal((await answer.json()).error.code, 109);
    }
  } finally {
    await own.stop();
  }
});

test("a hub without a token shows its games at once, and is drained after a confirmation (H11)", async () => {
  const open = await Hub.start();
  const one = await operator(open, {size: phone, colorScheme: "dark"});
  await one.page.getByText("This hub has no token").waitFor();
  await one.page.getByRole("region", {name: "Games"}).getByRole("cell", {name: "none"}).waitFor();
  assert.equal(await one.page.getByRole("region", {name: "Players"}).count(), 0);
  assert.equal(await one.page.getByLabel("Operator's token").isVisible(), false);
  await hasNoViolation(one, "operators without a token");
  await one.picture("operators-phone-dark");
  await one.page.getByRole("button", {name: "Drain the hub"}).click();
  await confirms(one, "Drain the hub?", "Cancel");
  assert.equal((await fetch(`http://127.0.0.1:${open.ports.admin}/readyz`)).status, 200);
  one.hubWasAway = true;
  await one.page.getByRole("button", {name: "Drain the hub"}).click();
  await confirms(one, "Drain the hub?", "Drain");
  await one.page.getByText("no answer").waitFor();
  // A signal now would meet a program that ends already.
  assert.equal(await open.ended, 0);
  await rm(open.folder, {recursive: true, force: true});
});

test("an operator sees the members of a cluster, and none where there is no cluster", async () => {
  const one = await browser.person({url: "about:blank"});
  let members = [
    {member: 1, state: "adopted", games: 7, beat_seconds_ago: 0, version: "1.0", address: "a:1", adopted_by: 2},
    {member: 2, state: "here", games: 12, beat_seconds_ago: 0.1, version: "1.1", address: "b:2",
     link: {address: "10.0.0.2:9465"}},
    {member: 3, state: "alive", games: 0, beat_seconds_ago: 0.2, version: "1.1", address: "c:3",
     link: {address: "10.0.0.3:9465", out: true, in: false, why: "silent"}},
    {member: 4, state: "alive", games: 1, beat_seconds_ago: 0.2, version: "1.0", address: "d:4"},
  ];
  await one.page.route("**/status.json", async (route) => {
    const response = await route.fetch();
    await route.fulfill({response, json: {...await response.json(), ...(members && {cluster: {members}})}});
  });
  await one.page.goto(`http://127.0.0.1:${hub.ports.admin}/`);
  const table = one.page.getByRole("table", {name: "Cluster"});
  await table.getByRole("row", {name: "1 adopted by 2 7 1.0 a:1"}).waitFor();
  await table.getByRole("row", {name: "2 here 12 100 ms ago 1.1 b:2"}).waitFor();
  await table.getByRole("row", {name: "3 alive 0 200 ms ago out only 1.1 c:3"}).waitFor();
  await table.getByRole("row", {name: "4 alive 1 200 ms ago none 1.0 d:4"}).waitFor();
  await hasNoViolation(one, "operators of a cluster");
  members = null;
  await table.waitFor({state: "hidden"});
  forgive(one, 401);
});

test("a page of another port of this machine can give no orders", async () => {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><html lang=en><title>other</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const admin = `http://127.0.0.1:${hub.ports.admin}`;
  const refusals = async () => {
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    return Number(/gamehub_admin_refusals_total\{reason="web-page"\} (\d+)/.exec(metrics)[1]);
  };
  try {
    const one = await browser.person({url: `http://127.0.0.1:${server.address().port}/`});
    const before = await refusals();
    await one.page.evaluate((url) => fetch(`${url}/drain`, {method: "POST", mode: "no-cors"}), admin);
    assert.equal(await refusals(), before + 1);
    // With the token the request needs a preflight, which the hub does not answer.
    const sent = await one.page.evaluate(([url, secret]) =>
      fetch(`${url}/drain`, {method: "POST", headers: {Authorization: `Bearer ${secret}`}}).then(() => true, () => false),
    [admin, token]);
    assert.equal(sent, false);
    assert.equal((await fetch(`${admin}/readyz`)).status, 200);
    one.faults.length = 0;
  } finally {
    server.close();
  }
});
