// The lists of all games, and the moves of an ended game that play by themselves.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load, standing} from "./page.mjs";

const {listAt, peopleFirst} = await load("lists");
const {ago, resultOf} = await load("words");

test("games of people come before those of programs, the newest first among each", () => {
  const games = [["4", ["bot", "bot"]], ["3", ["player", "engine"]], ["2", ["engine", "bot"]], ["1", ["player", "player"]]]
    .map(([game_id, kinds]) => standing({game_id, kinds}));
  assert.deepEqual(peopleFirst(games).map(({game_id}) => game_id), ["3", "1", "4", "2"]);
  assert.deepEqual(peopleFirst([standing()]).length, 1);
});

test("a line says how long ago it was, and how it ended", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  assert.equal(ago("2026-03-04T11:59:30.000000", now), "just now");
  assert.equal(ago("2026-03-04T11:15:00.000000Z", now), "45 min ago");
  assert.equal(ago("2026-03-04T01:00:00.000000", now), "11 h ago");
  assert.match(ago("2026-03-01T12:00:00.000000", now), /2026/);
  assert.equal(ago(undefined, now), "");
  assert.equal(resultOf({code: "rules"}), "");
  assert.equal(resultOf({code: "draw"}), "a draw");
  assert.equal(resultOf({}), "");
});

test("the address of a list has what is wanted, and nothing blank", () => {
  assert.equal(listAt({engine: "nim", status: "", player: "Ann & Ben"}), "#/games?engine=nim&player=Ann+%26+Ben");
});
