// A rematch that is offered: what each side's page says of it, and what becomes of it.
import assert from "node:assert/strict";
import {test} from "node:test";
import {patience} from "./hub.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

const soon = {timeout: patience / 10};  // two seconds
const press = (one, name) => one.page.getByRole("button", {name, exact: true}).click();
const hears = (one, text) => one.page.getByRole("status").filter({hasText: text}).waitFor(soon);
const reads = (one, text) => one.page.locator(".offer", {hasText: text}).waitFor(soon);

// Two whose game has ended, the first of whom offers a rematch.
async function offered(first, second) {
  const ann = await browser.person(hub, {name: first});
  await ann.sits("Tic-Tac-Toe");
  const ben = await browser.person(hub, {name: second});
  await ben.joins(first);
  await ann.says("Your turn");
  await press(ann, "Give up");
  await press(ann, "Yes, give up");
  await ben.says("You won");
  await press(ann, "Rematch");
  await reads(ann, `You have offered ${second} a rematch`);
  await reads(ben, `${first} offers you a rematch`);
  return [ann, ben];
}

test("the other side's page shows a rematch, says it and changes its title; it is accepted (B4)", async () => {
  const [ann, ben] = await offered("Ann", "Ben");
  await hears(ben, "Ann offers you a rematch");
  assert.match(await ben.page.title(), /A rematch\?: Tic-Tac-Toe/);
  assert.doesNotMatch(await ann.page.title(), /A rematch/);
  await ben.isForEverybody("a rematch that is offered");
  await ben.picture("rematch-offered-desktop-light");
  await press(ben, "Accept");
  await ben.says("Your turn");
  await ann.says("Ben is to move");
  await ben.plays(2, 2);
  await ann.sees(2, 2, /X, Ben/);
});

test("who is declined reads it, waits no more and may ask again (B4)", async () => {
  const [ann, ben] = await offered("Cora", "Dan");
  await press(ben, "Decline");
  await reads(ann, "Dan does not want a rematch");
  await hears(ann, "Dan does not want a rematch");
  await ben.page.getByRole("button", {name: "Rematch", exact: true}).waitFor(soon);
  assert.doesNotMatch(await ben.page.title(), /A rematch/);
  await press(ann, "Rematch");
  await reads(ben, "Cora offers you a rematch");
  await press(ann, "Take the offer back");
  await reads(ben, "Cora has taken the offer of a rematch back");
});

test("who asked reads that the other sat down elsewhere or left (B4)", async () => {
  const [ann, ben] = await offered("Eva", "Finn");
  await ben.page.reload();
  await reads(ben, "Eva offers you a rematch");
  await ben.sits("Nim", {against: "Easy"});
  await reads(ann, /Finn has (sat down at another table|left)/);
  await ann.page.getByRole("button", {name: "Rematch", exact: true}).waitFor(soon);
  const [gus, hal] = await offered("Gus", "Hal");
  await gus.page.reload();
  await reads(gus, "You have offered Hal a rematch");
  await hal.page.close();
  await reads(gus, "Hal has left");
  await gus.page.getByRole("button", {name: "Rematch", exact: true}).waitFor(soon);
});
