// People and bots: the leaderboard of a league that was played, a bot that is challenged there, one that breaks down.
import assert from "node:assert/strict";
import {after, test} from "node:test";
import {Bots} from "./bots.mjs";
import {phone} from "./browser.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--open-registration", "--bot-allow", "127.0.0.0/8");
const bots = await Bots.start();
after(() => bots.stop());
await bots.enter(hub, "plain", "First Free");
await bots.enter(hub, "last", "Last Free");
await bots.enter(hub, "occupied", "Never Free");
await bots.havePlayed(hub);

const rated = async () => (await (await fetch(`${hub.url}api/leaderboard?engine=tictactoe`)).json()).players;

const asShown = ({rank, name, rating, deviation, wins, draws, losses}) =>
  `${rank}. ${name} ${Math.round(rating)} ± ${Math.round(2 * deviation)} ${wins} won, ${draws} drawn, ${losses} lost`;

async function leaders(person) {
  const rows = person.page.getByRole("region", {name: "Best bots"}).getByRole("listitem");
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").replace(/ Challenge$/, ""));
}

test("a bot of the league is challenged from the leaderboard, and beaten", async () => {
  const table = await rated();
  assert.deepEqual(table.map(({name}) => name).sort(), ["First Free", "Last Free", "Never Free"]);
  // First Free and Last Free win from each other as X; Never Free loses until it is called no more.
  const worst = table[2];
  assert.equal(worst.name, "Never Free");
  assert.ok(worst.losses > 0 && worst.wins === 0 && !worst.online, JSON.stringify(worst));

  const ann = await browser.person(hub, {name: "Ann"});
  assert.deepEqual(await leaders(ann), table.map(asShown));
  assert.equal(await ann.page.getByRole("button", {name: "Challenge Never Free"}).count(), 0);
  await ann.picture("leaderboard-desktop-light");
  await ann.isForEverybody("the leaderboard");

  // A challenge asks as any other way to a seat does (B3).
  await ann.sits("Nim");
  await ann.page.goto(`${hub.url}#/`);
  await ann.page.getByRole("radio", {name: "Tic-Tac-Toe", exact: true}).check();
  await ann.page.getByRole("button", {name: "Challenge First Free"}).click();
  await ann.page.getByRole("dialog", {name: "You wait at a table"}).getByRole("button", {name: "Give it up"}).click();
  await ann.page.waitForURL(/#\/game\/\d+$/);
  await ann.page.getByRole("list", {name: "Players"}).getByText("First Free").waitFor();
  // By the hub's data: a name can't claim it (H8).
  assert.deepEqual(await ann.page.locator(".player .kind:visible").allInnerTexts(), ["bot"]);
  assert.equal(await ann.page.locator(".player", {hasText: "First Free"}).locator(".kind").innerText(), "bot");
  await ann.plays(2, 2);
  await ann.sees(1, 1, /O, First Free/);
  await ann.plays(1, 2);
  await ann.sees(1, 3, /O, First Free/);
  await ann.plays(3, 2);
  await ann.says("You won");
  await ann.picture("won-against-a-bot-desktop-light");
  const game = Number(new URL(ann.page.url()).hash.match(/\d+$/)[0]);
  const ended = () => bots.calls("First Free", "Complete").find(({params}) => params.gameid === game);
  await ann.until(ended, "the bot hears the end");
  assert.deepEqual(ended().params, {gameid: game, winner: false, mark: "O",
                                    gamestate: ["O", "X", "O", "", "X", "", "", "X", ""]});

  // Games against people are not rated.
  await ann.page.getByRole("navigation", {name: "Views"}).getByRole("link", {name: "Lobby"}).click();
  assert.deepEqual(await leaders(ann), table.map(asShown));
});

test("the leaderboard is a page of its own, and leads to the games of each bot", async () => {
  const table = await rated();
  const one = await browser.person(hub, {at: "#/leaders?engine=tictactoe"});
  assert.deepEqual(await leaders(one), table.map(asShown));
  await one.page.getByRole("link", {name: "Last Free"}).click();
  const games = one.page.locator(".all-games li");
  await games.first().waitFor();
  assert.ok((await games.allInnerTexts()).every((text) => text.includes("Last Free")));
  await games.filter({hasText: "First Free"}).first().waitFor();
  await one.page.goto(`${hub.url}#/leaders?engine=nim`);
  await one.page.getByText("No bot plays this game yet.").waitFor();
});

test("a bot that breaks down loses the game to whoever asked for it by its name", async () => {
  await bots.enter(hub, "silence", "Breaks Down", "CONNECTFOUR");
  await bots.havePlayed(hub);
  const ben = await browser.person(hub, {name: "Ben", size: phone, colorScheme: "dark"});
  await ben.page.getByRole("radio", {name: "Connect Four", exact: true}).check();
  await ben.page.getByRole("radio", {name: "By name"}).check();
  await ben.page.getByLabel("Name of the other player or bot").fill("Breaks Down");
  await ben.page.getByRole("button", {name: "Play", exact: true}).click();
  await ben.plays(6, 4);
  await ben.says("You won");
  await ben.page.getByText("Breaks Down made an error.", {exact: true}).waitFor();
  await ben.picture("bot-broke-down-phone-dark");
});
