// Small screens, large ones, and screens on which the system chooses the colours.
import assert from "node:assert/strict";
import {test} from "node:test";
import {phone} from "./browser.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

const landscape = {width: 844, height: 390};
const zoomed = {width: 640, height: 400};  // 1280 x 800 at 200 %

async function isWhole(one, element, {height}) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
}

test("on a phone an open seat, Play, and whose turn it is are within the first screen (M5)", async () => {
  await hub.ask("play", {client_id: "the-secret-of-host-0001", name: "Host", engine: "gomoku"});
  const one = await browser.person(hub, {size: phone, name: "Tom"});
  const seat = one.page.getByRole("button", {name: "Join Host in Gomoku"});
  await seat.waitFor();
  for (const each of [seat, one.page.getByRole("button", {name: "Play", exact: true})]) {
    const box = await each.boundingBox();
    assert.ok(box.y + box.height <= phone.height, JSON.stringify(box));
  }
  await one.sits("Nim", {against: "Easy", side: /First/});
  const box = await one.page.locator(".turn").boundingBox();
  assert.ok(box.y + box.height < 300);
  assert.ok(await one.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("on a phone a message is seen without scrolling (M5)", async () => {
  const one = await browser.person(hub, {size: phone, name: "Una"});
  await one.sits("Tic-Tac-Toe", {side: /X, first/});
  const other = {client_id: "the-secret-of-vera-00001", name: "Vera"};
  await hub.ask("play", {...other, opponent: "Una"});
  await hub.ask("chat", {...other, message: "Hello from afar"});
  const latest = one.page.locator(".latest-said", {hasText: "Vera Hello from afar"});
  await latest.waitFor();
  assert.ok((await latest.boundingBox()).y < 300);
});

for (const [name, size] of Object.entries({landscape, zoomed}))
  test(`every board is whole on a screen of ${size.width} x ${size.height} (M5)`, async () => {
    const one = await browser.person(hub, {size, name: `Li ${name}`});
    for (const [title, side] of [["Connect Four", /Red/], ["Gomoku", /Black/], ["Othello", /Black/], ["Tic-Tac-Toe", /X, first/]]) {
      await one.sits(title, {against: "Easy", side});
      await one.says("Your turn");
      await isWhole(one, one.page.locator(".framed"), size);
      await one.picture(`${title.toLowerCase().replaceAll(" ", "-")}-${name}`);
      await one.page.getByRole("button", {name: "Give up"}).click();
      await one.page.getByRole("button", {name: "Yes, give up"}).click();
      await one.page.getByRole("button", {name: "Rematch"}).waitFor();
    }
    one.faults.length = 0;
  });

test("a board grows with a large window (L8)", async () => {
  const one = await browser.person(hub, {size: {width: 2560, height: 1440}, name: "Large"});
  await one.sits("Gomoku", {against: "Easy", side: /Black/});
  const box = await one.page.locator(".framed").boundingBox();
  assert.ok(box.height > 1_000, JSON.stringify(box));
});

test("a cell under 24 pixels asks for a second tap (M5)", async () => {
  const one = await browser.person(hub, {size: phone, name: "Thumb"});
  await one.sits("Gomoku", {against: "Easy", side: /Black/, rules: {Rows: 19, Columns: 19}});
  await one.says("Your turn");
  await one.cell(3, 3).click();
  await one.page.locator(".bubble").getByText("Tap c3 again to play there.").waitFor();
  await one.sees(3, 3, /free/);
  await one.picture("second-tap-phone-light");
  await one.cell(3, 3).click();
  await one.sees(3, 3, /Black/);
});

// The parts of a piece that are drawn.
const shapeOf = (piece) => [...piece.children].filter((each) => getComputedStyle(each).display !== "none")
  .map((each) => `${each.localName} ${each.getAttribute("d") ?? each.getAttribute("r")}`).join();

const isFocused = (locator) => locator.evaluate((each) => each === document.activeElement);

test("where the system chooses the colours, a win is told by borders and marks (H6)", async () => {
  const [ann, ben] = ["Ann", "Ben"].map((name) => ({client_id: `the-secret-of-${name.toLowerCase()}-won`, name}));
  await hub.ask("play", ann);
  const {game_id} = await hub.ask("play", ben);
  for (const [i, position] of [0, 3, 1, 4, 2].entries())
    await hub.ask("move", {client_id: (i % 2 === 0 ? ann : ben).client_id, position});
  const one = await browser.person(hub, {forcedColors: "active", at: `#/game/${game_id}`});
  await one.says("Ann has won");
  await one.page.locator(".cell.won").nth(2).waitFor();
  const outlines = await one.page.locator(".cell").evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
  assert.deepEqual(outlines, [...Array(3).fill("solid"), ...Array(6).fill("none")]);
  assert.equal(await one.page.locator(".player.won").evaluate((each) => getComputedStyle(each).outlineStyle), "double");
  const mark = await one.page.locator(".player.won .player-name").evaluate((each) => getComputedStyle(each, "::before").content);
  assert.notEqual(mark, "none");
});

test("legal moves are marked on every board without a pointer (H10)", async () => {
  const one = await browser.person(hub, {name: "Pointless", size: phone});
  for (const [title, side, style] of [["Connect Four", /Red/, "rack"], ["Othello", /Black/, "felt"], ["Gomoku", /Black/, "lines"],
                                      ["Tic-Tac-Toe", /X, first/, "squares"]]) {
    await one.sits(title, {against: "Easy", side});
    await one.says("Your turn");
    await one.page.locator(`.board.${style} .cell.playable`).first().waitFor();
    const marks = await one.page.locator(".cell.playable").evaluateAll((all) => all.map((each) => {
      const {content, width, backgroundColor, display} = getComputedStyle(each, "::after");
      return content !== "none" && display !== "none" && parseFloat(width) > 1 && !/transparent|, 0\)$/.test(backgroundColor);
    }));
    assert.ok(marks.length > 0 && marks.every(Boolean), title);
    await one.page.getByRole("button", {name: "Give up"}).click();
    await one.page.getByRole("button", {name: "Yes, give up"}).click();
    await one.page.getByRole("button", {name: "Rematch"}).waitFor();
  }
  one.faults.length = 0;
});

test("where the system chooses the colours, boards, sides and choices are told by borders (H6)", async () => {
  const one = await browser.person(hub, {forcedColors: "active", name: "Contrast"});
  const style = (locator, what) => locator.evaluate((each, name) => getComputedStyle(each)[name], what);
  await one.page.getByRole("radio", {name: "Othello", exact: true}).check();
  await one.page.getByRole("radio", {name: "Medium"}).check();
  assert.equal(await style(one.page.locator(".pick :checked + span").first(), "borderTopWidth"), "3px");
  assert.equal(await style(one.page.locator(".tile:has(:checked)"), "outlineStyle"), "solid");
  await one.picture("lobby-forced-colours");
  for (const [title, side] of [["Connect Four", /Red/], ["Othello", /Black/], ["Gomoku", /Black/], ["Tic-Tac-Toe", /X, first/]]) {
    await one.sits(title, {against: "Easy", side});
    await one.says("Your turn");
    await one.page.locator(".cell.playable").first().click();
    await one.page.locator(".cell.last").waitFor();
    await one.says("Your turn");
    const edged = await one.page.locator(".cell").evaluateAll((all) => all.map((each) => {
      const {borderTopStyle, borderTopWidth, borderTopColor} = getComputedStyle(each);
      return borderTopStyle !== "none" && parseFloat(borderTopWidth) >= 1 && !/^rgba\(.*, 0\)$/.test(borderTopColor);
    }));
    assert.ok(edged.length > 0 && edged.every(Boolean), title);
    assert.equal(await style(one.page.locator(".player.to-move"), "outlineStyle"), "solid");
    const shapes = await Promise.all([0, 1].map((seat) => one.page.locator(`.board .seat-${seat}`).first().evaluate(shapeOf)));
    assert.notEqual(shapes[0], shapes[1], title);
    // The focus is told from the last move, which has an outline, too.
    const outline = (at) => at.evaluate((each) => getComputedStyle(each).outline);
    const last = one.page.locator(".cell.last");
    const before = await outline(last);
    await last.focus();
    await one.page.keyboard.press("ArrowLeft");
    await one.page.keyboard.press("ArrowRight");
    // In the first column the first key did nothing.
    if (!(await isFocused(last))) await one.page.keyboard.press("ArrowLeft");
    assert.ok(await isFocused(last));
    assert.notEqual(await outline(last), before, title);
    await one.picture(`${title.toLowerCase().replaceAll(" ", "-")}-forced-colours`);
    await one.page.getByRole("button", {name: "Give up"}).click();
    await one.page.getByRole("button", {name: "Yes, give up"}).click();
    await one.page.getByRole("button", {name: "Rematch"}).waitFor();
  }
  one.faults.length = 0;
});

test("colours can be chosen, and stay chosen; sound and notifications are off until asked for (L6, M4)", async () => {
  const one = await browser.person(hub, {colorScheme: "light"});
  const paper = () => one.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await one.page.getByRole("button", {name: "Settings"}).click();
  const dialog = one.page.getByRole("dialog", {name: "Settings"});
  assert.equal(await dialog.getByRole("checkbox", {name: "Play a sound"}).isChecked(), false);
  assert.equal(await dialog.getByRole("checkbox", {name: "Notify me"}).isChecked(), false);
  await dialog.getByRole("radio", {name: "Dark"}).check();
  assert.notEqual(await paper(), light);
  await dialog.getByRole("button", {name: "Done"}).click();
  await one.page.reload();
  await one.page.getByRole("heading", {name: "Sit down and play"}).waitFor();
  assert.notEqual(await paper(), light);
  for (const name of ["theme-color", "description"])
    assert.ok((await one.page.locator(`meta[name="${name}"]`).count()) > 0);
  const manifest = await one.page.locator("link[rel=manifest]").evaluate((each) => each.href);
  assert.equal((await (await fetch(manifest)).json()).name, "gamehub");
});

test("the wire covers no control, and Escape closes it (L1)", async () => {
  const one = await browser.person(hub);
  await one.page.getByRole("button", {name: "Wire"}).click();
  for (const name of ["Lobby", "Settings", "Wire"]) {
    const tool = one.page.getByRole("navigation").getByText(name);
    const box = await tool.boundingBox();
    const top = await one.page.evaluate(([x, y]) => document.elementFromPoint(x, y).textContent, [box.x + 5, box.y + 5]);
    assert.equal(top, name);
  }
  await one.page.keyboard.press("Escape");
  await one.page.locator("#wire").waitFor({state: "hidden"});
});
