// Games against the engine, on boards of other sizes and kinds; a reload in the middle; errors.
import assert from "node:assert/strict";
import {test} from "node:test";
import {phone} from "./browser.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup();

test("Connect Four against the engine, resumed after a reload", async () => {
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.sits("Connect Four", {against: "Easy", side: /Red, first/});
  // Any cell of a column stands for the one into which a disc falls.
  await ann.cell(1, 4).click();
  await ann.sees(6, 4, /Red, Ann/);
  await ann.says("Your turn");
  const before = await ann.page.locator(".board").innerText();
  await ann.page.reload();
  await ann.says("Your turn");
  await ann.sees(6, 4, /Red, Ann/);
  assert.equal(await ann.page.locator(".board").innerText(), before);
  await ann.cell(1, 4).and(ann.page.locator("[aria-disabled=false]")).click();
  await ann.until(async () => (await ann.page.locator("[role=gridcell] .seat-0").count()) === 2, "the second disc is there");
  await ann.picture("connect-four-desktop-light");
  await ann.page.getByRole("link", {name: "Lobby", exact: true}).click();
  await ann.page.getByRole("link", {name: "Back to it"}).click();
  await ann.sees(6, 4, /Red, Ann/);
});

test("a small Gomoku to its end, and the engine's rematch at once", async () => {
  const ben = await browser.person(hub, {name: "Ben", size: phone, colorScheme: "dark"});
  await ben.sits("Gomoku", {against: "Strong", side: /Black, first/, rules: {Rows: 5, Columns: 6, "In a row": 3}});
  assert.equal(await ben.page.getByRole("gridcell").count(), 30);
  const over = async () => /won|draw/i.test(await ben.page.locator(".turn").innerText());
  const open = ben.page.locator("[role=gridcell].playable");
  for (let i = 0; i < 15 && !(await over()); ++i) {
    const pieces = await ben.page.locator("[role=gridcell] .seat-0").count();
    await ben.until(async () => (await over()) || (await open.count()) > 0, "my turn, or the end");
    if (await over()) break;
    await open.first().click();
    await ben.until(async () => (await ben.page.locator("[role=gridcell] .seat-0").count()) > pieces, "my stone is there");
    await ben.until(async () => (await over()) || (await open.count()) > 0, "an answer");
  }
  assert.ok(await over());
  await ben.picture("gomoku-phone-dark");
  await ben.page.getByRole("button", {name: "Rematch"}).click();
  await ben.page.getByRole("button", {name: "Give up"}).waitFor();
});

test("a game without a board is played by its words", async () => {
  const cat = await browser.person(hub, {name: "Cat", colorScheme: "dark"});
  await cat.sits("Nim", {against: "Strong", side: /First/});
  await cat.page.getByRole("button", {name: "Take 3 from heap 2"}).click();
  await cat.page.getByRole("list", {name: "Moves"}).getByText("Take 3 from heap 2").waitFor();
  await cat.says("Your turn");
  await cat.picture("nim-desktop-dark");
});

test("errors are plain sentences", async () => {
  const one = await browser.person(hub, {name: "Unique"});
  await one.sits("Othello", {against: "Easy", side: /Black, first/});
  await one.says("Your turn");
  await one.picture("othello-desktop-light");

  await one.page.getByRole("link", {name: "Lobby", exact: true}).click();
  await one.page.getByRole("radio", {name: "Medium"}).check();
  await one.page.getByRole("button", {name: "Play", exact: true}).click();
  await one.page.getByRole("dialog", {name: "You are in a game"}).getByRole("button", {name: "Stay in it"}).click();
  await one.page.getByRole("link", {name: "Back to it"}).waitFor();

  const two = await browser.person(hub, {name: "Unique"});
  two.refusals = /status of 40[49]/;
  await two.page.getByRole("button", {name: "Play", exact: true}).click();
  await two.page.getByRole("alert").getByText("That name is in use").waitFor();
  await two.page.goto(`${hub.url}#/game/999999`);
  await two.page.getByText("The hub has no such game.").waitFor();
  await two.picture("no-such-game-desktop-light");
  await two.page.getByRole("link", {name: "To the lobby", exact: true}).click();
  await two.page.getByRole("heading", {name: "Sit down and play"}).waitFor();
  await two.isCalled("Another");
  await two.sits("Gomoku");
  // Who sits down elsewhere waits there alone.
  await two.sits("Othello", {leaves: true});
  await two.page.getByRole("button", {name: "Stop waiting"}).click();
  await two.page.getByRole("heading", {name: "Sit down and play"}).waitFor();
});
