// Games of days of one player in a browser: their list, a turn that is told, and a long absence.
import assert from "node:assert/strict";
import {test} from "node:test";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--clock-move-seconds-max", 2 * 86_400, "--idle-seconds", 1, "--http-grace-seconds", 1);

const bob = {client_id: "the-secret-of-bob-1"};
const play = (more) => hub.ask("play", {...bob, keep: true, ...more});

// Ann sits down in the browser, and a program joins her.
async function begin(ann, clock) {
  await ann.page.goto(`${hub.url}#/`);
  await ann.page.getByRole("radio", {name: "Tic-Tac-Toe", exact: true}).check();
  const list = ann.page.getByRole("combobox", {name: "Clock"});
  if (clock.startsWith("days:1")) {
    await list.selectOption(clock);
  } else {
    await list.selectOption("other");
    await ann.page.getByRole("textbox", {name: "Another one, as text"}).fill(clock);
  }
  await ann.page.getByRole("button", {name: "Play", exact: true}).click();
  await ann.page.waitForURL(/#\/game\/\d+$/);
  const game = ann.page.url().split("/").at(-1);
  assert.equal((await play({game_id: game})).game_id, game);
  await ann.says("Your turn");
  return game;
}

const lines = (ann) => ann.page.getByRole("region", {name: "Your games"}).getByRole("listitem");

test("the page offers the clocks that the hub allows", async () => {
  const ann = await browser.person(hub);
  await ann.page.goto(`${hub.url}#/`);
  const options = ann.page.getByRole("combobox", {name: "Clock"}).getByRole("option");
  await ann.until(async () => (await options.count()) > 1, "the clocks are there");
  const clocks = await options.evaluateAll((all) => all.map((each) => each.value));
  assert.ok(clocks.includes("days:1"));
  assert.ok(!clocks.includes("days:3"), "the hub would refuse it");
  assert.ok(!clocks.includes("none"));
});

test("games of days stand beside each other in a list, and one that is at the player's turn is told", async () => {
  const ann = await browser.person(hub, {name: "Ann"});
  await ann.page.context().grantPermissions(["notifications"], {origin: hub.url.replace(/\/$/, "")});
  await ann.page.addInitScript(() => {
    globalThis.told = [];
    globalThis.Notification = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(what, {body}) { globalThis.told.push(`${what}: ${body}`); }
    };
    document.hasFocus = () => false;
  });
  await ann.page.reload();
  const two = await begin(ann, "days:2");
  // No question: the game goes on.
  const one = await begin(ann, "days:1");
  await ann.plays(1, 1);
  await ann.page.goto(`${hub.url}#/`);
  await ann.until(async () => (await lines(ann).count()) === 2, "two games are listed");
  const first = lines(ann).nth(0);
  await first.getByText("Your turn, 1 day 23 h left").waitFor();
  assert.equal(await first.getByRole("link").getAttribute("href"), `#/game/${two}`);
  await lines(ann).nth(1).getByText("Not your turn").waitFor();
  await ann.isForEverybody("own games");
  await ann.picture("own-games-desktop-light");
  await ann.page.getByRole("button", {name: "Notify me when it is my turn"}).click();
  assert.deepEqual((await hub.ask("move", {...bob, game_id: one, position: 4})), {});
  await ann.page.evaluate(() => dispatchEvent(new Event("focus")));
  await ann.until(async () => (await ann.page.evaluate(() => globalThis.told.length)) === 1, "the turn is told");
  assert.match((await ann.page.evaluate(() => globalThis.told))[0], /turn: Tic-Tac-Toe/);
  await first.getByRole("link").click();
  await ann.says("Your turn");
  await ann.plays(1, 2);

  // Nobody is there for longer than other games wait; the hub is killed, and they wait again.
  await ann.page.goto("about:blank");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  ann.hubWasAway = true;
  await hub.kill();
  await hub.up();
  await ann.page.goto(`${hub.url}#/`);
  await lines(ann).nth(0).getByText("Your turn").waitFor();
  assert.equal(await ann.page.getByRole("textbox", {name: "You are"}).inputValue(), "Ann");
  await lines(ann).nth(0).getByRole("link").click();
  await ann.says("Your turn");
  await ann.plays(3, 3);

  // Both end while nobody is there, and the hub forgets the player: what became of them is shown, and the secret stays.
  const secret = () => ann.page.evaluate(() => localStorage.getItem("gamehub.secret"));
  const before = await secret();
  await ann.page.goto("about:blank");
  for (const game_id of [one, two]) assert.deepEqual(await hub.ask("quit", {...bob, game_id}), {});
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  ann.refusals = /401|404/;
  await ann.page.goto(`${hub.url}#/`);
  await lines(ann).nth(1).getByText("Finished").waitFor();
  await begin(ann, "days:1");
  assert.equal(await secret(), before);
  assert.equal((await hub.ask("games?status=running")).games[0].players[0], "Ann");
});
