// Who somebody is: names that are refused, a new name in a game, and seats that lead where they say.
import assert from "node:assert/strict";
import {test} from "node:test";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

const forgive = (one, ...statuses) => {
  one.refusals = new RegExp(`status of (${statuses.join("|")})`);
};

test("a mended form plays under the name that was typed (B2)", async () => {
  const one = await browser.person(hub, {name: "Careful"});
  await one.page.getByRole("radio", {name: "Gomoku", exact: true}).check();
  await one.page.getByLabel("In a row", {exact: true}).fill("19");
  await one.page.getByRole("button", {name: "Play", exact: true}).click();
  await one.page.getByRole("alert").getByText("That many in a row do not fit on this board").waitFor();
  await one.page.getByLabel("In a row", {exact: true}).fill("5");
  await one.page.getByRole("button", {name: "Play", exact: true}).click();
  await one.page.getByRole("article", {name: "Gomoku"}).waitFor();
  await one.page.getByRole("list", {name: "Players"}).getByText("Careful").waitFor();
  forgive(one, 400);
});

test("a new name in a running game keeps the seat, and the opponent sees it (B3)", async () => {
  const ann = await browser.person(hub, {name: "Old Ann"});
  await ann.sits("Tic-Tac-Toe", {side: /X, first/});
  const ben = await browser.person(hub, {name: "Old Ben"});
  await ben.joins("Old Ann");
  await ann.says("Your turn");
  await ann.page.getByRole("link", {name: "Lobby", exact: true}).click();
  await ann.page.getByText("You are in a game: it is your turn.").waitFor();
  assert.match(await ann.page.title(), /^● Your turn: Tic-Tac-Toe/);
  await ann.isCalled("New Ann");
  await ben.page.getByRole("list", {name: "Players"}).getByText("New Ann").waitFor();
  await ann.page.getByRole("link", {name: "Back to it"}).click();
  await ann.plays(1, 1);
  await ben.sees(1, 1, /X, New Ann/);
});

// Each way to a seat asks this question, and takes no seat if the answer is no.
async function isAskedEverywhere(one, {title, text, no}) {
  const host = {client_id: "the-secret-of-the-host-03", name: "Open"};
  const {game_id} = await hub.ask("play", {...host, engine: "nim"});
  const {invitation} = await hub.ask("play", {client_id: "the-secret-of-the-host-04", name: "Closed", private: true});
  const ways = [["#/", "Join Open in Nim"], ["#/games?status=waiting", "Join Open in Nim"], [`#/game/${game_id}`, "Join"],
                [`#/invite/${invitation}`, "Sit down"], ["#/", "Play"]];
  for (const [at, name] of ways) {
    await one.page.goto(`${hub.url}${at}`);
    await one.page.getByRole("button", {name, exact: true}).click();
    const question = one.page.getByRole("dialog", {name: title});
    await question.getByText(text).waitFor();
    await question.getByRole("button", {name: no}).click();
    await question.waitFor({state: "detached"});
  }
  assert.equal((await hub.ask(`games/${game_id}`)).status, "waiting");
  await hub.ask("quit", host);
}

test("no way to another seat gives up the running game without a question (B3)", async () => {
  const ann = await browser.person(hub, {name: "Seated"});
  await ann.sits("Tic-Tac-Toe", {against: "Easy", side: /X, first/});
  const own = ann.page.url();
  await isAskedEverywhere(ann, {title: "You are in a game", text: "a new one gives up the one that you are playing",
                                no: "Stay in it"});
  await ann.page.goto(own);
  await ann.plays(2, 2);
});

test("no way to another seat gives up one that waits without a question (B3)", async () => {
  const ann = await browser.person(hub, {name: "Patient"});
  await ann.sits("Connect Four");
  const [own] = /\d+$/.exec(ann.page.url());
  await isAskedEverywhere(ann, {title: "You wait at a table", text: "a new one gives up the one that is kept for you",
                                no: "Wait on"});
  assert.equal((await hub.ask(`games/${own}`)).status, "waiting");
  // A game that begins during the question is not given up by the answer to it.
  await ann.page.goto(`${hub.url}#/`);
  const play = ann.page.getByRole("button", {name: "Play", exact: true});
  await play.click();
  const question = ann.page.getByRole("dialog", {name: "You wait at a table"});
  await question.waitFor();
  await ann.picture("waits-already-desktop-light");
  await ann.isForEverybody("the question of a seat that waits");
  await hub.ask("play", {client_id: "the-secret-of-the-host-05", name: "Arrives", game_id: own});
  await question.getByRole("button", {name: "Give it up"}).click();
  await ann.page.getByRole("dialog", {name: "You are in a game"}).getByRole("button", {name: "Stay in it"}).click();
  assert.equal((await hub.ask(`games/${own}`)).status, "running");
  // With two answers of yes it is.
  await play.click();
  await ann.page.getByRole("dialog", {name: "You are in a game"}).getByRole("button", {name: "Give it up"}).click();
  await ann.says("Waiting for the other side");
  assert.equal((await hub.ask(`games/${own}`)).status, "ended");
});

test("an error stays until it is closed (L12)", async () => {
  const one = await browser.person(hub);
  await one.page.clock.install();
  await one.isCalled("ж".repeat(40));
  const alert = one.page.getByRole("alert").getByText("too long");
  await alert.waitFor();
  await one.page.clock.fastForward("02:00");
  assert.ok(await alert.isVisible());
  await one.page.getByRole("button", {name: "Close this message"}).click();
  await alert.waitFor({state: "detached"});
});

test("each cause of a refused name has its sentence (M11)", async () => {
  const one = await browser.person(hub, {name: "ж".repeat(40)});
  await one.page.getByRole("alert").getByText("too long").waitFor();
  await one.isCalled("operator");
  await one.page.getByRole("button", {name: "Play", exact: true}).click();
  await one.page.getByRole("alert").getByText("one of the hub's own").waitFor();
  await one.isCalled("Аnn");
  await one.page.getByRole("button", {name: "Play", exact: true}).click();
  await one.page.getByRole("alert").getByText("mixes letters of several scripts").waitFor();
  forgive(one, 409);
});

test("a player who is called like the engine has no mark of one (H8)", async () => {
  const one = await browser.person(hub, {name: "Strong engine"});
  await one.sits("Tic-Tac-Toe", {side: /X, first/});
  const two = await browser.person(hub, {name: "Second"});
  await two.joins("Strong engine");
  await one.says("Your turn");
  assert.equal(await two.page.locator(".players .kind:visible").count(), 0);
  await two.says("Strong engine is to move.");
  const three = await browser.person(hub, {name: "Third"});
  await three.sits("Tic-Tac-Toe", {against: "Strong", side: /X, first/});
  assert.equal(await three.page.locator(".players .kind:visible").innerText(), "engine");
});

test("one's own invitation is shown as such, and a friend who opens it afterwards plays (B5, H3)", async () => {
  const host = await browser.person(hub, {name: "Inviter"});
  await host.sits("Gomoku", {against: "A friend, by link", side: /Black, first/, rules: {Rows: 9}});
  const link = await host.page.getByLabel("The link for your friend").inputValue();
  const tab = await host.page.context().newPage();
  await tab.goto(link);
  await tab.getByRole("heading", {name: "This is your own invitation"}).waitFor();
  assert.equal(await tab.getByRole("button", {name: "Sit down"}).count(), 0);
  const friend = await browser.person(hub, {at: new URL(link).hash});
  for (const text of ["Gomoku (rows 9)", "Inviter", "White"]) await friend.page.locator("dd", {hasText: text}).first().waitFor();
  await friend.picture("invitation-of-gomoku-desktop-light");
  await friend.isForEverybody("an invitation");
  await friend.isCalled("Invited");
  await friend.page.getByRole("button", {name: "Sit down"}).click();
  await host.says("Your turn");
  const late = await browser.person(hub, {at: new URL(link).hash});
  await late.page.getByRole("heading", {name: "This invitation is over"}).waitFor();
  const wrong = await browser.person(hub, {at: "#/invite/0123456789abcdef0123456789abcdef"});
  await wrong.page.getByRole("heading", {name: "This invitation is over"}).waitFor();
});

test("the address of a table that waits has a Join button that plays (H3)", async () => {
  const host = await browser.person(hub, {name: "Doorman"});
  await host.sits("Gomoku", {side: /Black, first/});
  const guest = await browser.person(hub, {name: "Passer-by", at: new URL(host.page.url()).hash});
  await guest.page.getByRole("heading", {name: "Doorman waits for somebody to play"}).waitFor();
  await guest.page.getByRole("button", {name: "Join"}).click();
  await host.says("Your turn");
  await guest.says("Doorman is to move");
});

test("Join leads to the game of its line, or says that it is gone and leaves no table (H1)", async () => {
  const secret = "the-secret-of-the-host-01";
  await hub.ask("play", {client_id: secret, name: "Quick", engine: "nim"});
  const one = await browser.person(hub, {name: "Slow"});
  const join = one.page.getByRole("button", {name: "Join Quick in Nim"});
  await join.waitFor();
  await one.page.route("**/api/games?*", (route) => route.abort());
  await hub.ask("quit", {client_id: secret});
  await join.click();
  await one.page.getByRole("alert").getByText("That game can't be joined any more").waitFor();
  const {games} = await hub.ask("games?status=waiting");
  assert.ok(!games.some(({players}) => players.includes("Slow")));
  one.faults.length = 0;
});

test("a seat that is kept for a name has no Join for others, and a name has to be typed (H1, M13)", async () => {
  const eve = await browser.person(hub, {name: "Eve"});
  await eve.page.getByRole("radio", {name: "By name"}).check();
  const play = eve.page.getByRole("button", {name: "Play", exact: true});
  await play.click();
  await eve.page.getByText("Whom do you want to play?").waitFor();
  await eve.page.getByLabel("Name of the other player or bot").fill("Eve");
  await play.click();
  await eve.page.getByText("That is your own name.").waitFor();
  await eve.page.getByLabel("Name of the other player or bot").fill("Finn");
  await play.click();
  await eve.page.getByRole("heading", {name: "Waiting for Finn"}).waitFor();
  await eve.page.getByRole("link", {name: "Lobby", exact: true}).click();
  await eve.page.locator(".back").getByText("You wait at a table.").waitFor();
  const zoe = await browser.person(hub, {name: "Zoe"});
  await zoe.page.locator(".open-seats li", {hasText: "Eve waits for Finn"}).waitFor();
  assert.equal(await zoe.page.getByRole("button", {name: "Join Eve in"}).count(), 0);
});
