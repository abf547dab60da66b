// A hidden tab says that it is one's turn, by its title, a notification and a sound; the last ten seconds are said once.
// A headless browser hides no tab, so the page is told that it is hidden, and gets no frames.
import assert from "node:assert/strict";
import {test} from "node:test";
import {Hub} from "./hub.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 600);

// What the browser does for a page, noted instead of done.
function withoutSenses() {
  window.noted = {notifications: [], tones: 0, said: []};
  let hidden = false;
  Object.defineProperty(document, "hidden", {get: () => hidden});
  Object.defineProperty(document, "visibilityState", {get: () => (hidden ? "hidden" : "visible")});
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (what) => (hidden ? 0 : frame(what));
  window.setHidden = (yes) => {
    hidden = yes;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  window.Notification = class {
    static permission = "granted";
    static requestPermission = () => Promise.resolve("granted");
    constructor(title, {body}) {
      window.noted.notifications.push(`${title}: ${body}`);
    }
  };
  const sound = {connect: (to) => to, start() {}, stop() {}, frequency: {}};
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    createOscillator() {
      ++window.noted.tones;
      return {...sound, frequency: {}};
    }
    createGain() {
      return {...sound, gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}};
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const live = document.getElementById("live");
    new MutationObserver(() => window.noted.said.push(live.textContent)).observe(live, {childList: true, characterData: true, subtree: true});
  });
}

async function personWithout(at, more) {
  const one = await browser.person(at, more);
  await one.page.addInitScript(withoutSenses);
  await one.page.reload();
  return Object.assign(one, {
    noted: () => one.page.evaluate(() => window.noted),
    hides: (yes) => one.page.evaluate((to) => window.setHidden(to), yes),
    sets: async (what) => {
      await one.page.getByRole("button", {name: "Settings"}).click();
      for (const each of what) await one.page.getByLabel(each).check();
      await one.page.getByRole("button", {name: "Done"}).click();
    },
    isTitled: (title) => one.until(async () => (await one.page.title()) === title, `the title ${title}`),
  });
}

const ben = {client_id: "the-secret-of-ben-in-hidden", name: "Ben"};
const sitsWithBen = async (one, at) => {
  const [, game] = /game\/(\d+)/.exec(one.page.url());
  await at.ask("play", {...ben, game_id: game});
  return game;
};

test("a hidden game says that it is one's turn, once, by title, notification and sound (M4)", async () => {
  const ann = await personWithout(hub, {name: "Ann"});
  await ann.sets(["Play a sound", "Notify me"]);
  await ann.sits("Tic-Tac-Toe", {side: /X, first/});
  await sitsWithBen(ann, hub);
  await ann.plays(1, 1);
  await ann.says("Ben is to move");
  const before = await ann.noted();
  await ann.hides(true);
  assert.deepEqual(before.notifications, []);
  await hub.ask("chat", {client_id: ben.client_id, message: "Let me think"});
  await hub.ask("move", {client_id: ben.client_id, position: 4});
  await ann.isTitled("\u25cf Your turn: Tic-Tac-Toe");
  await hub.ask("chat", {client_id: ben.client_id, message: "There"});
  await ann.page.getByRole("log").getByText("There").waitFor({state: "attached"});
  const after = await ann.noted();
  assert.deepEqual(after.notifications, ["Your turn: Tic-Tac-Toe"]);
  assert.equal(after.tones - before.tones, 2);
});

test("a hidden lobby says that it is one's turn in the game that one left open (M4)", async () => {
  const ann = await personWithout(hub, {name: "Ann of the lobby"});
  await ann.sets(["Play a sound", "Notify me"]);
  await ann.sits("Tic-Tac-Toe", {side: /X, first/});
  await sitsWithBen(ann, hub);
  await ann.plays(1, 1);
  await ann.page.getByRole("link", {name: "gamehub, to the lobby"}).click();
  await ann.page.getByText("You are in a game").waitFor();
  await ann.hides(true);
  const before = await ann.noted();
  await hub.ask("move", {client_id: ben.client_id, position: 4});
  await ann.isTitled("\u25cf Your turn: Tic-Tac-Toe");
  const after = await ann.noted();
  assert.deepEqual(after.notifications.slice(before.notifications.length), ["Your turn: Tic-Tac-Toe"]);
  assert.equal(after.tones - before.tones, 2);
});

test("nothing is heard and no notification comes unless they are switched on (M4)", async () => {
  const ann = await personWithout(hub, {name: "Ann in silence"});
  await ann.sits("Tic-Tac-Toe", {side: /O, second/});
  await ann.hides(true);
  await sitsWithBen(ann, hub);
  await hub.ask("move", {client_id: ben.client_id, position: 4});
  await ann.isTitled("\u25cf Your turn: Tic-Tac-Toe");
  const {notifications, tones} = await ann.noted();
  assert.deepEqual([notifications, tones], [[], 0]);
});

test("that ten seconds are left is said once a turn, whatever else is heard (M4)", async () => {
  const short = await Hub.start("--turn-seconds", 11);
  try {
    const ann = await personWithout(short, {name: "Ann"});
    await ann.sits("Tic-Tac-Toe", {side: /X, first/});
    await sitsWithBen(ann, short);
    const said = async () => (await ann.noted()).said.filter((each) => each === "Ten seconds left.").length;
    await ann.until(async () => (await said()) > 0, "ten seconds are left");
    for (const message of ["Hurry", "Please"]) {
      await short.ask("chat", {client_id: ben.client_id, message});
      await ann.until(async () => (await ann.noted()).said.some((each) => each.includes(message)), `${message} is heard`);
    }
    await ann.page.locator(".reason", {hasText: /time/}).waitFor();
    assert.equal(await said(), 1);
  } finally {
    await short.stop();
  }
});
