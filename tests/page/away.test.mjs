// The network, or the hub itself, goes away and comes back in the middle of a game.
import {test} from "node:test";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--rejoin-seconds", 600);

async function table(names) {
  const first = await browser.person(hub, {name: names[0]});
  await first.sits("Tic-Tac-Toe");
  const second = await browser.person(hub, {name: names[1]});
  await second.joins(names[0]);
  await first.plays(1, 1);
  await second.says("Your turn");
  return [first, second];
}

test("a hub that is killed and started again has its game back, and the pages go on with it", async () => {
  const people = await table(["Ann", "Ben"]);
  for (const each of people) each.hubWasAway = true;
  await hub.kill();
  for (const each of people) await each.page.getByRole("status").getByText("Connection lost").waitFor();
  await people[1].picture("connection-lost-desktop-light");
  await hub.up();
  for (const each of people) await each.page.getByText("Connection lost").waitFor({state: "hidden"});
  const [ann, ben] = people;
  await ben.plays(2, 2);
  await ann.says("Your turn");
  await ann.plays(1, 2);
  await ben.plays(3, 3);
  await ann.plays(1, 3);
  await ann.says("You won");
  await ben.says("Ann won");
});

test("after a crash of the hub a page says who is not back, and for how long the seat is kept (L5)", async () => {
  const [gil, hal] = await table(["Gil", "Hal"]);
  for (const each of [gil, hal]) each.hubWasAway = true;
  const game = hal.page.url();
  await hal.page.goto("about:blank");
  await hub.kill();
  await hub.up();
  await gil.page.getByText("Connection lost").waitFor({state: "hidden"});
  await gil.page.locator(".reason", {hasText: "Hal has lost the connection"}).waitFor();
  await gil.page.locator(".player.away", {hasText: "Hal"}).locator(".note", {hasText: /\d+:\d\d/}).waitFor();
  await hal.page.goto(game);
  await hal.plays(2, 2);
  await gil.says("Your turn");
  await gil.page.locator(".player.away").waitFor({state: "detached"});
});

test("a page that is loaded only after the hub came back is its player's, in a private game, too", async () => {
  const eve = await browser.person(hub, {name: "Eve"});
  await eve.sits("Tic-Tac-Toe", {against: "A friend, by link", side: /X, first/});
  const link = await eve.page.getByLabel("The link for your friend").inputValue();
  const fay = await browser.person(hub, {name: "Fay", at: new URL(link).hash});
  await fay.page.getByRole("button", {name: "Sit down"}).click();
  await eve.plays(1, 1);
  const game = eve.page.url();
  for (const each of [eve, fay]) {
    await each.page.goto("about:blank");
    each.hubWasAway = true;
  }
  await hub.kill();
  await hub.up();
  for (const each of [eve, fay]) await each.page.goto(game);
  await fay.plays(2, 2);
  await eve.plays(1, 2);
  // That there was no such game for a guest is an error to the browser.
  for (const each of [eve, fay]) each.faults = each.faults.filter((fault) => !/404/.test(fault));
});

test("what happened while the network was away is there when it is back", async () => {
  const [ann, ben] = await table(["Cat", "Dan"]);
  ben.hubWasAway = true;
  await ben.page.context().setOffline(true);
  await ben.page.evaluate(() => dispatchEvent(new Event("offline")));
  await ann.page.getByLabel("Say something").fill("Are you there?");
  await ann.page.getByRole("button", {name: "Send"}).click();
  await ann.page.getByRole("log").getByText("Are you there?").waitFor();
  await ben.page.context().setOffline(false);
  await ben.page.getByRole("log").getByText("Are you there?").waitFor();
  await ben.plays(2, 2);
  await ann.sees(2, 2, /O, Dan/);
});
