// Pages at two hubs of a cluster: their players meet, watch, and read each other.
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
