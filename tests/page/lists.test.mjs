// The lists of a lobby of thousands, replays, and boards turned round.
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {test} from "node:test";
import {Hub} from "./hub.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

// A game of two players that X wins.
async function game(x, o, engine = "tictactoe") {
  const [one, two] = [x, o].map((name) => ({client_id: `the-secret-of-${name.toLowerCase()}-0001`, name}));
  await hub.ask("play", {...one, engine});
  const {game_id} = await hub.ask("play", {...two, engine});
  for (const [i, position] of [0, 3, 1, 4, 2].entries())
    await hub.ask("move", {client_id: (i % 2 === 0 ? one : two).client_id, position});
  return game_id;
}

test("each of many games is found by its player, and pages follow one another (M10)", async () => {
  await game("Needle", "Thread");
  for (let i = 0; i < 60; ++i) {
    await hub.ask("play", {client_id: "the-secret-of-hay-0001", name: "Hay", engine: "nim", opponent: "engine:random"});
    await hub.ask("quit", {client_id: "the-secret-of-hay-0001"});
  }
  const one = await browser.person(hub, {at: "#/games", bypassCSP: true});
  const list = one.page.locator(".all-games li");
  await one.until(async () => (await list.count()) === 50, "a page of 50");
  await one.isForEverybody("games");
  await one.page.getByRole("button", {name: "More"}).click();
  await one.until(async () => (await list.count()) === 61, "all 61 games");
  assert.match(await list.last().textContent(), /Tic-Tac-Toejust now|Tic-Tac-Toe.*min ago/);
  await one.page.getByLabel("Player").fill("Needle");
  await one.page.getByRole("button", {name: "Find"}).click();
  await one.until(async () => (await list.count()) === 1, "the game of Needle");
  await one.page.getByRole("link", {name: "Replay Tic-Tac-Toe: Needle against Thread"}).click();
  await one.says("Needle has won");
  await one.page.goto(`${hub.url}#/games?player=Nobody`);
  await one.page.getByText("There are no such games.").waitFor();
  // Games of programs do not push those of people out of the lobby.
  await one.page.goto(`${hub.url}#/`);
  await one.page.getByRole("link", {name: "All games"}).waitFor();
});

test("a game that runs is in the lobby below any number of newer ones that have ended (C1)", async () => {
  const [one, two] = ["Long", "Game"].map((name) => ({client_id: `the-secret-of-${name.toLowerCase()}-0001`, name}));
  await hub.ask("play", one);
  const {game_id} = await hub.ask("play", two);
  for (let i = 0; i < 60; ++i) {
    await hub.ask("play", {client_id: "the-secret-of-short-0001", name: "Short", engine: "nim", opponent: "engine:random"});
    await hub.ask("quit", {client_id: "the-secret-of-short-0001"});
  }
  const ann = await browser.person(hub);
  const watch = ann.page.getByRole("link", {name: "Watch Tic-Tac-Toe: Long against Game"});
  await watch.waitFor();
  assert.equal(await watch.getAttribute("href"), `#/game/${game_id}`);
  assert.equal(await ann.page.getByRole("link", {name: /^Replay Nim: .*Short/}).count(), 6);
  await hub.ask("quit", {client_id: one.client_id});
  await watch.waitFor({state: "detached"});
});

test("a link leads to the game that its line describes, also in the next game of the same two (M3)", async () => {
  const guest = await browser.person(hub);
  const watch = guest.page.getByRole("link", {name: /^Watch Nim: .*Again/});
  for (let i = 0; i < 2; ++i) {
    const {game_id} = await hub.ask("play", {client_id: "the-secret-of-again-01", name: "Again", engine: "nim",
                                             opponent: "engine:random", new_game: true});
    await guest.until(async () => (await watch.count()) === 1 && (await watch.getAttribute("href")) === `#/game/${game_id}`,
                      `the link of game ${game_id}`);
    await hub.ask("quit", {client_id: "the-secret-of-again-01"});
  }
});

test("of a thousand open seats and a thousand ended games each is found from the lobby (M10)", async () => {
  const crowded = await Hub.start("--turn-seconds", 600);
  try {
    const all = async (what) => {
      for (let i = 0; i < 1_000; i += 20) await Promise.all(Array.from({length: 20}, (_, k) => what(i + k)));
    };
    const secret = (i) => `the-secret-of-player-${i}`;
    await all(async (i) => {
      await crowded.ask("play", {client_id: secret(i), name: `Old ${i}`, engine: "nim", opponent: "engine:random"});
      await crowded.ask("quit", {client_id: secret(i)});
    });
    await all((i) => crowded.ask("play", {client_id: `another-${secret(i)}`, name: `Open ${i}`, engine: "nim",
                                              seat: "X"}));
    const one = await browser.person(crowded, {name: "Finder"});
    const list = one.page.locator(".all-games li");
    const find = async (state, player) => {
      await one.page.getByRole("link", {name: "All games"}).click();
      await one.page.getByLabel("State").selectOption(state);
      await one.page.getByLabel("Player").fill(player);
      await one.page.getByRole("button", {name: "Find"}).click();
      await one.until(async () => (await list.count()) === 1, `the game of ${player}`);
    };
    for (const i of [0, 999]) {
      await find("Finished", `Old ${i}`);
      await one.page.getByRole("link", {name: new RegExp(`^Replay Nim: .*Old ${i}`)}).click();
      await one.page.getByRole("article", {name: "Nim"}).waitFor();
      await one.page.goto(`${crowded.url}#/`);
    }
    await find("Open seats", "Open 0");
    await one.page.goto(`${crowded.url}#/`);
    await find("Open seats", "Open 999");
    await one.page.getByRole("button", {name: "Join Open 999 in Nim"}).click();
    await one.page.getByRole("list", {name: "Players"}).getByText("Open 999").waitFor();
  } finally {
    await crowded.stop();
  }
});

test("a player finds its own games and their results (M10)", async () => {
  await game("Olive", "Pip");
  const one = await browser.person(hub, {name: "Olive"});
  await one.page.goto(`${hub.url}#/games`);
  // The name is kept by this browser, not by a session: results are of names.
  await one.page.getByRole("link", {name: "Your games"}).click();
  await one.page.locator(".all-games .won", {hasText: "Olive"}).waitFor();
  await one.until(async () => (await one.page.locator(".all-games li").count()) === 1, "one game");
});

test("a replay plays by itself, and can be kept as a file", async () => {
  const id = await game("Rita", "Sam");
  const one = await browser.person(hub, {at: `#/game/${id}`, bypassCSP: true});
  await one.sees(1, 3, /X/);
  await one.page.getByLabel("Pace").selectOption("0.2 s");
  await one.page.getByRole("button", {name: "Play the moves"}).click();
  await one.sees(1, 3, /empty/);
  await one.isForEverybody("replay");
  await one.sees(1, 3, /X/);
  await one.page.getByRole("button", {name: "Play the moves"}).waitFor();
  const [file] = await Promise.all([one.page.waitForEvent("download"), one.page.getByRole("button", {name: "Download"}).click()]);
  assert.equal(file.suggestedFilename(), `game-${id}.json`);
  const kept = JSON.parse(await readFile(await file.path(), "utf8"));
  assert.deepEqual(kept.players, ["Rita", "Sam"]);
  assert.equal(kept.updates.at(-1).type, "end");
});

test("the shared address of a game has a preview, and leads to the game (L6)", async () => {
  const id = await game("Tess", "Uri");
  const text = await (await fetch(`${hub.url}game/${id}`)).text();
  assert.match(text, /<meta property="og:title" content="Tic-Tac-Toe: Tess – Uri">/);
  assert.match(text, /<meta property="og:description" content="Tess won\./);
  const one = await browser.person(hub, {at: `game/${id}`});
  await one.says("Tess has won");
  assert.ok(one.page.url().endsWith(`/#/game/${id}`));
});

test("the link of a replay that is copied is the address that is shared", async () => {
  const id = await game("Xena", "Yuri");
  const one = await browser.person(hub, {at: `#/game/${id}`, permissions: ["clipboard-read", "clipboard-write"]});
  await one.page.getByRole("button", {name: "Copy the link"}).click();
  await one.page.getByRole("button", {name: "Copied"}).waitFor();
  assert.equal(await one.page.evaluate(() => navigator.clipboard.readText()), `${hub.url}game/${id}`);
});

test("boards are turned round by a setting, with their keys", async () => {
  const one = await browser.person(hub, {name: "Vera", bypassCSP: true});
  await one.sits("Tic-Tac-Toe", {against: "Easy", side: /X/});
  const at = async () => (await one.cell(1, 1).boundingBox()).y - (await one.cell(3, 1).boundingBox()).y;
  assert.ok(await at() < 0);
  await one.page.getByRole("button", {name: "Settings"}).click();
  await one.page.getByLabel("Turn boards round").check();
  await one.page.getByRole("button", {name: "Done"}).click();
  assert.ok(await at() > 0);
  await one.cell(2, 2).focus();
  await one.page.keyboard.press("ArrowUp");
  assert.match(await one.page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^row 3, column 2/);
  await one.isForEverybody("flipped");
  await one.page.reload();
  await one.cell(1, 1).waitFor();
  assert.ok(await at() > 0);
});
