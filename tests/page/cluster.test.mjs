// Pages at two hubs of a cluster: their players meet, watch, read each other, and play on when a hub is killed.
import {after, afterEach, test} from "node:test";
import {Browser} from "./browser.mjs";
import {Hub} from "./hub.mjs";

const flags = ["--cluster", process.env.PAGE_TEST_DATABASE, "--turn-seconds", 600, "--rejoin-seconds", 600];
const [here, there, browser] = await Promise.all([Hub.start(...flags), Hub.start(...flags), Browser.start()]);
const linked = () => Promise.all([here, there].map((each) => each.counts("gamehub_relay_hubs 1")));
await linked();
afterEach(() => browser.leave());
after(async () => {
  await browser.stop();
  await Promise.all([here.stop(), there.stop()]);
});

test("two at pages of different hubs meet, talk, and play to a win and a rematch, while somebody watches", async () => {
  const ann = await browser.person(here, {name: "Ann"});
  await ann.sits("Tic-Tac-Toe", {side: /X, first/});
  // The lobby of the other hub has her table.
  const ben = await browser.person(there, {name: "Ben"});
  await ben.joins("Ann");
  const guest = await browser.person(there, {at: new URL(ann.page.url()).hash});
  await guest.says("Ann is to move");
  await ann.page.getByText("1 is watching").waitFor();
  await ann.plays(1, 1);
  await ben.says("Your turn");
  await ben.plays(2, 2);
  await ann.plays(1, 2);
  await ben.page.getByLabel("Say something").fill("Well played");
  await ben.page.getByRole("button", {name: "Send"}).click();
  for (const each of [ann, guest]) await each.page.getByRole("log").getByText("Well played").waitFor();
  await ben.plays(3, 3);
  await ann.plays(1, 3);
  await ann.says("You won");
  await ben.says("Ann won");
  await guest.says("Ann has won");
  await ann.page.getByRole("button", {name: "Rematch"}).click();
  await ben.page.getByText("Ann offers you a rematch").first().waitFor();
  await ben.page.getByRole("button", {name: "Accept"}).click();
  await ben.says("Your turn");
  await ben.plays(2, 2);
  await ann.plays(1, 1);
  await ben.page.getByRole("button", {name: "Give up"}).click();
  await ben.page.getByRole("button", {name: "Yes, give up"}).click();
  await ann.says("You won");
});

test("the pages of both hubs play on when the hub of the game is killed and comes back", async () => {
  const cid = await browser.person(here, {name: "Cid"});
  await cid.sits("Tic-Tac-Toe", {side: /X, first/});
  const dan = await browser.person(there, {name: "Dan"});
  await dan.joins("Cid");
  await cid.plays(1, 1);
  await dan.says("Your turn");
  for (const each of [cid, dan]) each.hubWasAway = true;
  // A request at the hub that looks for the game is refused until one has it.
  dan.refusals = /status of 503/;
  await here.kill();
  await there.counts("gamehub_cluster_adopted_games_total 1");
  await dan.plays(2, 2);
  await here.up();
  await linked();
  await cid.says("Your turn");
  await cid.plays(1, 2);
  await dan.plays(3, 3);
  await cid.plays(1, 3);
  await cid.says("You won");
  await dan.says("Cid won");
});
