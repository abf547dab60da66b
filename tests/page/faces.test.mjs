// Engines from outside of the tree, one with a board and one without, look as they describe themselves.
import assert from "node:assert/strict";
import {copyFile, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {setup} from "./setup.mjs";

const folder = await mkdtemp(path.join(tmpdir(), "gamehub-plugins-"));
for (const each of process.env.PAGE_TEST_PLUGINS.split(":")) await copyFile(each, path.join(folder, path.basename(each)));
const {hub, browser} = await setup("--plugins", folder);
after(() => rm(folder, {recursive: true, force: true}));

async function hasRules(one, text) {
  await one.page.locator("details.rules summary").click();
  await one.page.getByText(text).waitFor();
}

test("an outside engine without a board has its rules, words, score, summary and icon (H10, M14)", async () => {
  const one = await browser.person(hub, {name: "Ann", bypassCSP: true});
  assert.equal(await one.page.locator(".tile", {hasText: "Pig"}).locator("svg rect").count(), 1);
  await one.page.getByRole("radio", {name: "Pig", exact: true}).check();
  await one.page.getByText("Roll once more, or hold what you have.").waitFor();
  await one.sits("Pig", {against: "Easy", side: /First, first/});
  await one.page.getByRole("button", {name: "Roll", exact: true}).waitFor();
  await hasRules(one, "The first player with 50 points wins.");
  await one.page.locator(".player .scored").first().getByText("points").waitFor({state: "attached"});
  await one.isForEverybody("pig");
  await one.picture("outside-pig");
  await one.page.getByRole("button", {name: "Hold", exact: true}).click();
  await one.page.getByRole("list", {name: "Moves"}).getByText("Hold").first().waitFor();
  // A list as long as there are players is a list: nothing is attributed to a player (M14).
  const account = one.page.locator("dl.account").first();
  const members = await account.locator("dt").allInnerTexts();
  const values = async () => (await account.locator("dd").allInnerTexts())[members.indexOf("Points")];
  assert.match(await values(), /^\d+ · \d+$/);
  await one.page.getByRole("button", {name: "To the beginning"}).click();
  await one.until(async () => (await values()) === "0 · 0", "the points of the beginning");
  assert.deepEqual(await account.locator("dt").allInnerTexts(), members);
});

test("an outside engine shows the position that its game begins with while it waits (M13)", async () => {
  const one = await browser.person(hub, {name: "Early"});
  await one.sits("Pig", {side: /First, first/});
  await one.page.getByText("This turn has 0 points.").waitFor();
  await one.page.locator("dl.account").getByText("Points").waitFor();
  await one.page.getByText("Waiting for the other side.").waitFor();
});

test("an outside engine with a board has its rules, board, pieces, names of the sides and score (H10)", async () => {
  const ann = await browser.person(hub, {name: "Ben", bypassCSP: true});
  await ann.sits("Seek", {side: /Hider, first/});
  const cat = await browser.person(hub, {name: "Cat", bypassCSP: true});
  await cat.joins("Ben");
  await ann.page.locator(".board.felt").waitFor();
  await hasRules(ann, "The first player hides a ship in one of the sixteen cells.");
  await ann.cell(1, 1).and(ann.page.locator("[aria-disabled=false]")).click();
  await ann.sees(1, 1, /Hider, Ben/);
  await cat.cell(2, 2).and(cat.page.locator("[aria-disabled=false]")).click();
  await ann.sees(2, 2, /Seeker, Cat/);
  // Its pieces are stones.
  const pieceOf = (row, column) => ann.cell(row, column).locator(".piece").evaluate((each) => each.getAttribute("class"));
  assert.match(await pieceOf(1, 1), /\bstones\b.*\bblack\b/);
  assert.match(await pieceOf(2, 2), /\bstones\b.*\bwhite\b/);
  // The ship stays unseen.
  await cat.sees(1, 1, /free/);
  await cat.page.locator(".player.seat-1 .score").getByText("1").waitFor();
  await ann.isForEverybody("seek");
  await ann.picture("outside-seek");
});

test("Backgammon is a board of 24 points, and Hex a rhombus of hexagons", async () => {
  const one = await browser.person(hub, {name: "Dee", bypassCSP: true});
  await one.sits("Backgammon", {against: "Easy"});
  const points = one.page.locator("svg.points");
  await points.waitFor();
  assert.equal(await points.locator("path.point").count(), 24);
  assert.ok(await points.locator(".piece").count() >= 28);
  const [board, checker] = await Promise.all([points, points.locator(".piece").first()].map((each) => each.boundingBox()));
  assert.ok(checker.width > board.width / 20 && checker.width < board.width / 14, "a checker is as wide as a point");
  await one.isForEverybody("backgammon");
  await one.picture("backgammon");

  const other = await browser.person(hub, {name: "Eve", bypassCSP: true});
  await other.sits("Hex", {against: "Easy", side: /Red, first/});
  await other.page.locator(".board.hexagons").waitFor();
  const [first, below, right] = await Promise.all([[1, 1], [2, 1], [1, 2]].map((at) => other.cell(...at).boundingBox()));
  assert.ok(Math.abs(below.x - first.x - first.width / 2) < 1, "a row is shifted by half a cell");
  assert.ok(Math.abs(right.x - first.x - first.width) < 1, "cells touch");
  await other.cell(6, 6).click();
  await other.sees(6, 6, /Red, Eve/);
  await other.isForEverybody("hex");
  await other.picture("hex");
});
