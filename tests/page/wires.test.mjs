// The browser's opponents come by other wires, and neither can tell.
import assert from "node:assert/strict";
import {test} from "node:test";
import {playDatagrams, playTurns} from "./clients.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--udp-opponent", "lobby");

test("a player of JSON turns plays the browser", async () => {
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.sits("Tic-Tac-Toe", {side: /X, first/});
  const turns = playTurns(hub.ports.turns, "program", [0, 1]);
  await ann.page.getByRole("list", {name: "Players"}).getByText("program").waitFor();
  await ann.plays(3, 1);
  await ann.plays(3, 2);
  await ann.plays(3, 3);
  await ann.says("You won");
  assert.equal(await turns, "X");
});

test("a player of UDP plays the browser", async () => {
  const ben = await browser.person(hub, {name: "Ben"});
  await ben.sits("Tic-Tac-Toe", {side: /O, second/});
  const datagrams = playDatagrams(hub.ports.udp, [0, 1, 2]);
  await ben.plays(2, 1);
  await ben.plays(2, 2);
  assert.equal(await datagrams, "C");
  await ben.until(async () => /won/.test(await ben.page.locator(".turn").innerText()), "the other one has won");
  await ben.sees(1, 1, /wins/);
});
