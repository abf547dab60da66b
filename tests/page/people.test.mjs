// People who play each other, one who watches, and one who was invited.
import assert from "node:assert/strict";
import {test} from "node:test";
import {desktop, phone} from "./browser.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

test("two play each other to a win and a rematch, while somebody watches", async () => {
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.sits("Tic-Tac-Toe");
  const ben = await browser.person(hub, {name: "Ben", colorScheme: "dark", size: phone});
  await ben.joins("Ann");
  const game = new URL(ann.page.url()).hash;
  const guest = await browser.person(hub, {at: game});
  await guest.says("Ann is to move");
  await ann.page.getByText("1 is watching").waitFor();

  await ann.plays(1, 1);
  await ben.says("Your turn");
  await ben.plays(2, 2);
  await ann.plays(1, 2);
  await ben.page.getByLabel("Say something").fill("<b>Well</b> played");
  await ben.page.getByRole("button", {name: "Send"}).click();
  for (const each of [ann, guest]) await each.page.getByRole("log").getByText("<b>Well</b> played").waitFor();
  await ben.plays(3, 3);
  await guest.sees(3, 3, /O, Ben, the last move/);
  await ann.plays(1, 3);

  await ann.says("You won");
  await ben.says("Ann won");
  await guest.says("Ann has won");
  await guest.sees(1, 1, /wins/);
  await ann.page.getByRole("status").filter({hasText: "You won"}).waitFor();
  await ann.picture("won-desktop-light");
  await ben.picture("lost-phone-dark");

  await ann.page.getByRole("button", {name: "Rematch"}).click();
  await ben.page.getByText("Ann offers you a rematch").first().waitFor();
  await ben.page.getByRole("button", {name: "Accept"}).click();
  await ben.says("Your turn");
  await ben.plays(2, 2);
  await ann.says("Your turn");
  await ann.page.getByRole("button", {name: "Give up"}).click();
  await ann.page.getByRole("button", {name: "Yes, give up"}).click();
  await ben.says("You won");
  await ben.page.getByText("Ann quit the game.", {exact: true}).waitFor();
});

test("a game that is over can be looked at move by move, with the keyboard", async () => {
  const guest = await browser.person(hub);
  await guest.page.getByRole("link", {name: "Replay Tic-Tac-Toe: Ann against Ben"}).click();
  await guest.says("Ann has won");
  await guest.sees(1, 3, /wins/);
  await guest.page.getByRole("heading", {level: 1}).click();
  await guest.page.keyboard.press("Home");
  await guest.sees(1, 1, /empty/);
  await guest.page.keyboard.press("ArrowRight");
  await guest.sees(1, 1, /X, Ann, the last move/);
  await guest.sees(2, 2, /empty/);
  await guest.page.getByLabel("Move to look at").fill("2");
  await guest.sees(2, 2, /O, Ben, the last move/);
  await guest.page.getByRole("button", {name: "To the latest move"}).click();
  await guest.sees(1, 3, /wins/);
});

test("a board is played with the keyboard alone", async () => {
  const ann = await browser.person(hub, {name: "Keys"});
  await ann.sits("Tic-Tac-Toe");
  const ben = await browser.person(hub, {name: "Mouse"});
  await ben.joins("Keys");
  await ann.says("Your turn");
  await ann.cell(2, 2).focus();
  await ann.page.keyboard.press("ArrowUp");
  await ann.page.keyboard.press("ArrowLeft");
  await ann.page.keyboard.press("Enter");
  await ben.sees(1, 1, /X, Keys/);
  const held = await ann.page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(held, /^row 1, column 1:/);
  // The opponent may see the move before its player does, and until then a second one is not sent.
  await ann.says("Mouse is to move");
  await ann.page.keyboard.press("ArrowRight");
  await ann.page.keyboard.press("Enter");
  await ann.page.getByRole("status").filter({hasText: "not your turn"}).waitFor();
  await ann.sees(1, 2, /empty/);
});

test("who is asked for by name is the opponent", async () => {
  const eve = await browser.person(hub, {name: "Eve"});
  await eve.page.getByRole("radio", {name: "By name"}).check();
  await eve.page.getByLabel("Name of the other player or bot").fill("Finn");
  await eve.page.getByRole("button", {name: "Play", exact: true}).click();
  await eve.says("Waiting for the other side");
  const zoe = await browser.person(hub, {name: "Zoe"});
  await zoe.sits("Tic-Tac-Toe");
  await zoe.says("Waiting for the other side");
  const finn = await browser.person(hub, {name: "Finn"});
  await finn.joins("Eve");
  await eve.says("Your turn");
  await eve.page.getByRole("list", {name: "Players"}).getByText("Finn").waitFor();
});

test("a seat that waits is still there after a new game that was refused, and goes once another is certain (B5)", async () => {
  const ann = await browser.person(hub, {name: "Wait"});
  await ann.sits("Othello");
  const waits = new URL(ann.page.url()).hash;
  await ann.page.goto(`${hub.url}#/`);
  await ann.page.getByRole("radio", {name: "Gomoku", exact: true}).check();
  await ann.page.getByLabel("In a row", {exact: true}).fill("19");
  await ann.page.getByRole("button", {name: "Play", exact: true}).click();
  await ann.page.getByRole("button", {name: "Give it up"}).click();
  await ann.page.getByText("That many in a row do not fit").waitFor();
  ann.faults.length = 0;
  const ben = await browser.person(hub, {name: "Look"});
  const join = ben.page.getByRole("button", {name: "Join Wait in"});
  await join.waitFor();
  await ann.sits("Nim", {leaves: true});
  assert.notEqual(new URL(ann.page.url()).hash, waits);
  await ben.page.getByRole("button", {name: "Join Wait in Nim"}).waitFor();
  assert.equal(await join.count(), 1);
  await ben.joins("Wait");
  await ann.says("Your turn");
});

test("a friend comes by a link, and the secret of it stays out of the address", async () => {
  const ann = await browser.person(hub, {name: "Host", size: phone});
  await ann.sits("Rock-Paper-Scissors", {against: "A friend, by link"});
  const link = await ann.page.getByLabel("The link for your friend").inputValue();
  await ann.page.reload();
  assert.equal(await ann.page.getByLabel("The link for your friend").inputValue(), link);
  await ann.picture("waiting-phone-light");

  const ben = await browser.person(hub, {at: new URL(link).hash});
  await ben.isCalled("Friend");
  await ben.page.getByRole("button", {name: "Sit down"}).click();
  await ben.page.getByRole("button", {name: "Rock"}).waitFor();
  assert.match(ben.page.url(), /#\/game\/\d+$/);
  await ben.page.getByRole("button", {name: "Rock"}).click();
  await ben.says("Host is to move");
  await ann.page.getByRole("button", {name: "Paper"}).click();
  await ann.says("You won");
  await ben.says("Host won");
  await ben.picture("rock-paper-scissors-desktop-light");

  const late = await browser.person(hub, {at: new URL(link).hash, size: desktop});
  await late.page.getByRole("heading", {name: "This invitation is over"}).waitFor();
});
