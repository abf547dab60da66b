// Draws, takebacks and the claim of the win in a running game: what each side's page shows of them.
import assert from "node:assert/strict";
import {test} from "node:test";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600, "--claim-seconds", 1);

const press = (one, name) => one.page.getByRole("button", {name, exact: true}).click();
const reads = (one, text) => one.page.locator(".offer", {hasText: text}).waitFor();
const hears = (one, text) => one.page.getByRole("status").filter({hasText: text}).waitFor();

async function playing(first, second) {
  const ann = await browser.person(hub, {name: first});
  await ann.sits("Tic-Tac-Toe");
  const ben = await browser.person(hub, {name: second});
  await ben.joins(first);
  await ann.says("Your turn");
  await ann.plays(2, 2);
  await ben.says("Your turn");
  return [ann, ben];
}

test("a takeback is offered, said, allowed, and the board goes back on both pages", async () => {
  const [ann, ben] = await playing("Ann", "Ben");
  await press(ann, "Take a move back");
  await reads(ann, "You ask to take the latest move back");
  await reads(ben, "Ann asks to take the latest move back");
  await hears(ben, "Ann asks to take the latest move back");
  assert.match(await ben.page.title(), /An offer|Your turn/);
  await ben.isForEverybody("a takeback that is offered");
  await ben.picture("takeback-offered-desktop-light");
  await press(ben, "Allow the takeback");
  await ann.says("Your turn");
  await ben.says("Ann is to move");
  await ann.plays(1, 1);
  await ben.sees(1, 1, /X, Ann/);
});

test("a draw is declined, declined by a move, withdrawn, and agreed", async () => {
  const [ann, ben] = await playing("Cora", "Dan");
  await press(ann, "Offer a draw");
  await reads(ben, "Cora offers a draw");
  await press(ben, "Decline the draw");
  await reads(ann, "Dan has declined the draw");
  await press(ann, "Offer a draw");
  await reads(ben, "Cora offers a draw");
  await ben.plays(1, 1);
  await reads(ann, "Dan has moved: the draw is declined");
  await press(ann, "Offer a draw");
  await reads(ben, "Cora offers a draw");
  await press(ann, "Withdraw the draw");
  await reads(ben, "Cora has withdrawn the draw");
  await press(ben, "Offer a draw");
  await press(ann, "Accept the draw");
  await ann.says("A draw");
  await ben.says("A draw");
});

test("an offer is there after a reload, and the engine allows each takeback", async () => {
  const [ann, ben] = await playing("Eva", "Finn");
  await press(ann, "Offer a draw");
  await reads(ben, "Eva offers a draw");
  await ben.page.reload();
  await reads(ben, "Eva offers a draw");
  await press(ben, "Accept the draw");
  await ann.says("A draw");
  const gus = await browser.person(hub, {name: "Gus"});
  await gus.sits("Tic-Tac-Toe", {against: "Easy"});
  await gus.says("Your turn");
  await gus.plays(2, 2);
  await gus.says("Your turn");
  assert.equal(await gus.page.getByRole("button", {name: "Offer a draw"}).count(), 0);
  await press(gus, "Take a move back");
  await gus.sees(2, 2, /: (free|empty)/);
});

test("the win is claimed from who is away", async () => {
  const [ann, ben] = await playing("Hal", "Ida");
  await ben.page.close();
  await press(ann, "Claim the win");
  await ann.says("You won");
});
