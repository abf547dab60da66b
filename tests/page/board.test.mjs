// What the page says of a board is so: looked back at, clicked where nothing can be played, won, or waiting to begin.
import assert from "node:assert/strict";
import {test} from "node:test";
import {phone} from "./browser.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

const secretOf = (name) => `the-secret-of-${name}-000001`;

// A player without a browser.
const plays = (name, what) => hub.ask("play", {client_id: secretOf(name), name, ...what});
const moves = (name, position) => hub.ask("move", {client_id: secretOf(name), position});

async function against(name, title, engine, side) {
  const one = await browser.person(hub, {name: `${name}s opponent`});
  await one.sits(title, {side});
  await plays(name, {engine, opponent: `${name}s opponent`});
  return one;
}

// The texts that the live region has had since this was called.
async function listens(one) {
  await one.page.evaluate(() => {
    window.spoken = [];
    new MutationObserver(() => window.spoken.push(document.getElementById("live").textContent))
      .observe(document.getElementById("live"), {childList: true, characterData: true, subtree: true});
  });
  return () => one.page.evaluate(() => window.spoken);
}

test("an old position is called one, has one way to the latest, and answers a click in sight (H4)", async () => {
  const one = await against("Cleo", "Connect Four", "connect-four", /Red, first/);
  await one.cell(1, 4).click();
  await one.sees(6, 4, /Red/);
  await moves("Cleo", 2);
  await one.says("Your turn");
  await one.page.getByRole("button", {name: "To the beginning"}).click();
  const banner = one.page.locator(".looking-back");
  await banner.getByText("The beginning of 2 moves.").waitFor();
  await one.page.getByRole("button", {name: "One move on"}).click();
  await banner.getByText("Move 1 of 2.").waitFor();
  assert.equal(await one.page.locator(".turn.mine").count(), 0);
  await one.cell(1, 1).click({force: true});
  const bubble = one.page.locator(".bubble");
  await bubble.getByText("You look at an older move").waitFor();
  const [at, cell] = [await bubble.boundingBox(), await one.cell(1, 1).boundingBox()];
  assert.ok(Math.abs(at.y - cell.y) < 150 && Math.abs(at.x - cell.x) < 200, JSON.stringify([at, cell]));
  await one.picture("looking-back-desktop-light");
  await banner.getByRole("button").click();
  await banner.waitFor({state: "hidden"});
  await one.cell(1, 1).click();
  await one.sees(6, 1, /Red/);
  await one.cell(1, 1).click({force: true});
  await bubble.getByText("It is not your turn.").waitFor();
});

test("a move is played by its typed name, and the latest move and the clocks are told in words", async () => {
  const one = await against("Typ", "Tic-Tac-Toe", "tictactoe", /X, first/);
  const field = one.page.getByLabel("Type a move");
  const types = async (text, answer) => {
    await field.fill(text);
    await field.press("Enter");
    if (answer) await one.page.locator(".typed output").getByText(answer).waitFor();
  };
  await one.says("Your turn");
  await types("last", "Nobody has moved yet.");
  await types("z9", "There is no move of that name.");
  await types("B1");
  await one.sees(1, 2, /X, Typs opponent/);
  await types("a1", "It is not your turn.");
  await types("last", "You: row 1, column 2, b1.");
  await moves("Typ", 4);
  await one.says("Your turn");
  await types("last", "Typ: row 2, column 2, b2.");
  await types("b2", "That can't be played now.");
  await types("clock", /^Typs opponent: (10:00|9:\d\d)\. Typ: (10:00|9:\d\d)\.$/);
  await one.isForEverybody("a typed move");
  await hub.ask("quit", {client_id: secretOf("Typ")});
  await one.says("You won");
  assert.equal(await field.isVisible(), false);
  await one.sits("Nim", {against: "Easy", side: /First/});
  await one.page.getByRole("button", {name: "Take 3 from heap 2"}).waitFor();
  await types("take 3 from heap 2");
  await one.page.getByRole("list", {name: "Moves"}).getByText("Take 3 from heap 2").waitFor();
});

test("the groups of an engine's actions are drawn with their titles, and the others after them (H10)", async () => {
  const one = await browser.person(hub, {name: "Groups"});
  await one.page.route("**/api/engines", async (route) => {
    const response = await route.fetch();
    const {engines} = await response.json();
    const face = {groups: [{title: "Small moves", actions: ["1:1", "1:2", "1:99"]}, {title: "No heap", actions: ["9:9"]}]};
    await route.fulfill({response, json: {engines: engines.map((each) => (each.engine === "nim" ? {...each, face} : each))}});
  });
  await one.page.reload();
  await one.sits("Nim", {against: "Easy", side: /First/});
  const group = one.page.getByRole("group", {name: "Small moves"});
  assert.deepEqual(await group.getByRole("button").allInnerTexts(), ["Take 1 from heap 2", "Take 2 from heap 2"]);
  assert.equal(await one.page.getByRole("group", {name: "No heap"}).count(), 0);
  assert.equal(await one.page.locator(".choices > button").first().innerText(), "Take 1 from heap 1");
  await one.isForEverybody("groups of actions");
  await group.getByRole("button").first().click();
  await one.page.getByRole("button", {name: "Groups: Take 1 from heap 2"}).waitFor();
});

test("a click on a taken cell, of a guest, and after the end is answered near it (H4)", async () => {
  const one = await against("Pia", "Tic-Tac-Toe", "tictactoe", /X, first/);
  const guest = await browser.person(hub, {at: new URL(one.page.url()).hash});
  const isAnswered = async (who, text, row, column) => {
    await who.cell(row, column).click({force: true});
    const bubble = who.page.locator(".bubble", {hasText: text});
    await bubble.waitFor();
    const [at, cell] = [await bubble.boundingBox(), await who.cell(row, column).boundingBox()];
    assert.ok(Math.abs(at.y - cell.y) < 200 && Math.abs(at.x - cell.x) < 250, JSON.stringify([text, at, cell]));
  };
  await one.plays(1, 1);
  await moves("Pia", 4);
  await one.says("Your turn");
  await one.page.locator("[role=gridcell].playable").first().waitFor();
  await isAnswered(one, "That can't be played now.", 2, 2);
  await guest.sees(2, 2, /O, Pia/);
  await isAnswered(guest, "You are watching.", 3, 1);
  await hub.ask("quit", {client_id: secretOf("Pia")});
  for (const each of [one, guest]) {
    await each.page.locator(".turn", {hasText: "won"}).waitFor();
    await isAnswered(each, "The game is over.", 3, 3);
  }
});

test("the winning move is announced once, with the outcome (M2)", async () => {
  const one = await against("Dora", "Tic-Tac-Toe", "tictactoe", /X, first/);
  for (const [mine, theirs] of [[[1, 1], 3], [[1, 2], 4]]) {
    await one.plays(...mine);
    await moves("Dora", theirs);
  }
  await one.says("Your turn");
  const guest = await browser.person(hub, {at: new URL(one.page.url()).hash});
  await guest.says("Doras opponent is to move");
  const [spoken, toGuest] = [await listens(one), await listens(guest)];
  await one.plays(1, 3);
  await one.says("You won");
  await one.until(async () => (await spoken()).some((each) => /won/.test(each)), "the outcome is announced");
  const [last, ...more] = (await spoken()).filter((each) => /row 1, column 3/.test(each));
  assert.equal(last, "You: row 1, column 3, c1. You won.");
  assert.deepEqual(more, []);
  await guest.until(async () => (await toGuest()).some((each) => /has won/.test(each)), "the outcome is announced to a guest");
  assert.deepEqual((await toGuest()).filter((each) => /row 1, column 3/.test(each)),
                   ["Doras opponent: row 1, column 3, c1. Doras opponent has won."]);
  for (const heard of [await spoken(), await toGuest()]) assert.ok(!heard.some((each) => /choosing/.test(each)));
});

test("after a load the list of moves shows the latest (M1, M7)", async () => {
  const one = await against("Elsa", "Gomoku", "gomoku", /Black, first/);
  const secret = await one.page.evaluate(() => localStorage.getItem("gamehub.secret"));
  for (let i = 0; i < 20; ++i) {
    const cell = 30 * (i % 7) + 2 * Math.floor(i / 7);
    await hub.ask("move", {client_id: secret, position: cell});
    await moves("Elsa", cell + 8);
  }
  await one.page.reload();
  await one.says("Your turn");
  const current = one.page.locator(".moves [aria-current]");
  await one.until(async () => /^40\./.test(await current.innerText()), "the latest move is the current one");
  const [item, list] = [await current.boundingBox(), await one.page.locator(".moves").boundingBox()];
  assert.ok(item.y >= list.y && item.y + item.height <= list.y + list.height, JSON.stringify([item, list]));
  assert.match(await one.page.locator(".moves li").first().innerText(), /1\.\s*Elsas opponent \(Black\):\s*a1/);
  // The board has the names of the cells, each beside its row or column.
  const texts = (place) => one.page.locator(place).allInnerTexts();
  assert.deepEqual(await texts(".files span"), [..."abcdefghijklmno"]);
  assert.deepEqual(await texts(".ranks span"), Array.from({length: 15}, (_, i) => String(i + 1)));
  const middle = async (locator) => {
    const {x, y, width, height} = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const cell = await middle(one.cell(12, 3));
  assert.ok(Math.abs((await middle(one.page.locator(".files span").nth(2)))[0] - cell[0]) < 5);
  assert.ok(Math.abs((await middle(one.page.locator(".ranks span").nth(11)))[1] - cell[1]) < 5);
  const pieceAt = (place) => one.page.locator(place).first().evaluate((each) => each.innerHTML);
  assert.match(await pieceAt(".cell .piece"), /<circle/);
  assert.equal(await pieceAt(".moves li .piece"), await pieceAt(".cell .piece"));
});

test("a hub that is away leaves no cell pale, and the error stays until it is closed (L4, L12)", async () => {
  const one = await against("Faye", "Tic-Tac-Toe", "tictactoe", /X, first/);
  await one.says("Your turn");
  await one.page.route("**/api/move", (route) => route.abort());
  one.hubWasAway = true;
  // The legal moves may come after the sentence.
  await one.page.locator("[role=gridcell].playable").first().waitFor();
  await one.cell(2, 2).click();
  const alert = one.page.getByRole("alert").getByText("The hub can't be reached");
  await alert.waitFor();
  assert.equal(await one.page.locator(".cell.pending").count(), 0);
  await one.page.unroute("**/api/move");
  await one.plays(2, 2);
  await alert.waitFor({state: "hidden"});
  one.faults = one.faults.filter((each) => !/ERR_FAILED/.test(each));
});

test("Othello counts its discs at every move, also before it begins, and its rules are on the page (H5, M13)", async () => {
  const one = await browser.person(hub, {name: "Othella"});
  await one.page.getByRole("radio", {name: "Othello", exact: true}).check();
  await one.page.getByText("How it is played").click();
  await one.page.getByText(/with more discs wins/).waitFor();
  await one.sits("Othello", {side: /Black, first/});
  await one.sees(4, 5, /Black/);
  const scores = () => one.page.locator(".score").allInnerTexts();
  assert.deepEqual(await scores(), ["2", "2"]);
  await plays("Gwen", {engine: "othello", opponent: "Othella"});
  await one.plays(3, 4);
  await one.until(async () => (await scores()).join() === "4,1", "four discs to one");
  await one.page.getByRole("button", {name: "One move back"}).click();
  assert.deepEqual(await scores(), ["2", "2"]);
  await one.page.locator(".side").getByText("How it is played").click();
  await one.page.getByText(/with more discs wins/).waitFor();
});

test("each built-in game has its rules on the page, and can be played alone (H5)", async () => {
  const one = await browser.person(hub, {name: "Solo"});
  const {engines} = await hub.ask("engines");
  assert.ok(engines.length >= 7);
  for (const {title, players} of engines) {
    await one.page.goto(`${hub.url}#/`);
    await one.page.getByRole("radio", {name: title, exact: true}).check();
    const rules = one.page.locator(".setup .rules");
    await rules.locator("summary").click();
    assert.ok((await rules.locator("p").allInnerTexts()).join(" ").length > 60, title);
    if (players === 2) await one.sits(title, {against: "Easy"});
    else await one.sitsAtABigTable(title, {}, players - 1);
    await one.page.locator(".side .rules summary").waitFor();
    const game = one.page.url().split("/").at(-1);
    assert.notEqual((await hub.ask(`games/${game}?history=false`)).status, "waiting", title);
    await hub.ask("quit", {client_id: await one.page.evaluate(() => localStorage.getItem("gamehub.secret"))});
    await one.page.getByRole("button", {name: "Rematch"}).waitFor();
  }
});

test("a turn of several cells is a click on each, and a stone is taken over by a click on it", async () => {
  const black = await against("Dagny", "Checkers", "checkers", /Black, first/);
  await black.plays(6, 3);
  await black.cell(5, 4).and(black.page.locator("[aria-disabled=false]")).click();
  await black.sees(5, 4, /: Black, Dagnys opponent, the last move/);
  await black.sees(6, 3, /: empty/);
  const blue = await against("Emil", "Hex", "hex", /Blue, second/);
  await moves("Emil", 1);
  await blue.cell(1, 2).and(blue.page.locator("[aria-disabled=false]")).click();
  await blue.sees(2, 1, /: Blue, Emils opponent/);
  await blue.sees(1, 2, /: empty/);
});

test("ships are hidden by their ends, and a ship that was hit is another piece", async () => {
  const red = await against("Fred", "Battleship", "battleship", /Red, first/);
  const ends = [[1, 1], [1, 5], [2, 1], [2, 4], [3, 1], [3, 3], [4, 1], [4, 3], [5, 1], [5, 2]];
  for (const [row, column] of ends) await red.plays(row, column);
  await red.sees(2, 3, /: Red, Freds opponent/);
  for (const action of "a1 e1 a2 d2 a3 c3 a4 c4 a5 b5".split(" "))
    await hub.ask("move", {client_id: secretOf("Fred"), action});
  await red.sees(1, 13, /: free/);
  await red.cell(1, 13).click();
  await red.sees(1, 13, /: Blue ship, hit, Fred/);
  await red.sees(1, 12, /: empty/);
  await red.page.getByRole("list", {name: "Moves"}).getByText("A hit").first().waitFor();
  await red.picture("battleship");
});

test("heaps are taken from by a click, and cards and signs are seen (H5)", async () => {
  const one = await browser.person(hub, {name: "Nina"});
  await one.sits("Nim", {against: "Easy", side: /First/});
  await one.page.locator(".heaps li").nth(3).locator(".token").nth(4).click();
  await one.page.getByRole("list", {name: "Moves"}).getByText("Take 3 from heap 4").first().waitFor();

  const idle = await browser.person(hub, {name: "Olaf"});
  await idle.sits("Nim", {side: /Second/});
  const token = idle.page.locator(".heaps li").first().locator(".token");
  await token.click();
  await idle.page.locator(".bubble").getByText("The game has not begun.").waitFor();
  await plays("Uwe", {engine: "nim", opponent: "Olaf"});
  await idle.says("Uwe is to move");
  await token.click();
  const bubble = idle.page.locator(".bubble", {hasText: "It is not your turn."});
  await bubble.waitFor();
  const [above, below] = [await bubble.boundingBox(), await token.boundingBox()];
  assert.ok(below.y - (above.y + above.height) < 40 && above.y < below.y, "near the click (H4)");

  const two = await browser.person(hub, {name: "Piet", size: phone, colorScheme: "dark"});
  await two.sits("Kuhn Poker", {side: /First/});
  await plays("Hans", {engine: "kuhn-poker", opponent: "Piet"});
  await two.says("Your turn");
  const card = two.page.locator(".hands li").first().locator(".playing-card:not(.back)");
  await card.waitFor();
  const mine = await card.innerText();
  assert.match(mine, /jack|queen|king/);
  await two.picture("kuhn-poker-phone-dark");
  await two.page.getByRole("button", {name: "Bet"}).click();
  await two.says("Hans is to move");
  await hub.ask("move", {client_id: secretOf("Hans"), action: "pass"});
  await two.says("You won");
  assert.equal(await card.innerText(), mine);
  await two.page.reload();
  await two.says("You won");
  assert.equal(await card.innerText(), mine);
  for (const position of ["Move 3 of 4.", "Move 2 of 4."]) {
    await two.page.getByRole("button", {name: "One move back"}).click();
    await two.page.locator(".looking-back").getByText(position).waitFor();
    assert.equal(await card.innerText(), mine);
  }
  await two.isForEverybody("a hand of cards");

  const three = await browser.person(hub, {name: "Rosa"});
  await three.sits("Rock-Paper-Scissors");
  await plays("Ivan", {engine: "rock-paper-scissors", opponent: "Rosa"});
  await three.page.getByRole("button", {name: "Rock"}).click();
  await hub.ask("move", {client_id: secretOf("Ivan"), action: "rock"});
  await three.says("A draw");
  assert.equal(await three.page.locator(".hands .sign").count(), 2);
});

test("Give up is not the first control after the sentence, and an engine is not talked to (L2, L9, L10)", async () => {
  const one = await browser.person(hub, {name: "Jona"});
  await one.sits("Tic-Tac-Toe", {against: "Easy", side: /X, first/});
  await one.says("Your turn");
  const controls = await one.page.locator(".turn ~ *, .turn").first().evaluate((turn) =>
    [...document.querySelectorAll("article button, article summary, article input")]
      .filter((each) => turn.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING).map((each) => each.textContent));
  assert.notEqual(controls[0], "Give up");
  assert.equal(await one.page.getByLabel("Say something").isVisible(), false);
  assert.equal(await one.page.getByRole("timer").first().getAttribute("aria-label").then((text) => /left/.test(text)), true);
});

test("names and messages of either direction stay in their order, and a cut name shows its beginning (H7, L3)", async () => {
  const host = "דנה".repeat(9);
  const other = {client_id: secretOf("Salma"), name: "سلمى"};
  const one = await browser.person(hub, {name: host});
  await one.sits("Tic-Tac-Toe", {side: /X, first/});
  await hub.ask("play", {...other, engine: "tictactoe", opponent: host});
  await hub.ask("chat", {client_id: other.client_id, message: "مرحبا بك"});
  await one.page.getByLabel("Say something").fill("Well, שלום");
  await one.page.getByRole("button", {name: "Send"}).click();
  const lines = one.page.locator(".talk p");
  await lines.nth(1).waitFor();
  for (const line of await lines.all()) {
    const [speaker, said] = [await line.locator("b").boundingBox(), await line.locator("bdi").last().boundingBox()];
    assert.ok(speaker.x + speaker.width <= said.x);
  }
  const name = one.page.locator(".player-name").first();
  assert.equal(await name.getAttribute("title"), host);
  assert.equal(await name.evaluate((each) => getComputedStyle(each).direction), "rtl");
  const guest = await browser.person(hub);
  const pair = guest.page.locator(".being-played .who", {hasText: other.name}).locator("> span");
  await pair.first().waitFor();
  assert.ok((await pair.first().boundingBox()).x < (await pair.last().boundingBox()).x);
});
