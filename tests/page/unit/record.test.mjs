// What the updates of a game add up to.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load, move, standing, status} from "./page.mjs";

const {Record} = await load("record");
const {lineThrough} = await load("lines");
const {rematchOf} = await load("words");
const {isOut, mayReturn} = await load("substitutes");

const record = (more, now = 1_000) => new Record(standing(more), 9, now);

test("a stream that is opened again repeats nothing", () => {
  const it = record();
  for (let i = 0; i < 2; ++i) {
    it.apply(status(1));
    it.apply(move(2, "X", 4, "____X____"));
    it.apply({type: "chat", name: "Ann", message: "Hi", update_id: 3});
  }
  assert.equal(it.positions.length, 2);
  assert.equal(it.chat.length, 1);
});

test("a waiting game has the start position that the hub says, until its first update (M13)", () => {
  const start = {board: "___XO____", view: {heaps: [1, 3]}, summary: "Four are left."};
  const it = record({status: "waiting", ...start});
  assert.deepEqual(it.position, start);
  it.apply(status(1));
  assert.equal(it.position.board, "_________");
  assert.equal(record({status: "waiting", board: ""}).position.board, "_________");
});

test("a move is a position, with what led to it", () => {
  const it = record();
  it.apply(status(1));
  it.apply(move(2, "X", 4, "____X____"));
  assert.equal(it.positions.length, 2);
  assert.deepEqual([it.position.by, it.position.cell, it.turn], ["X", 4, "O"]);
  assert.equal(it.last, 2);
});

test("the clock of an update is counted from when it was heard, for the players whose clock runs", () => {
  const it = record();
  it.apply(status(1, {clock: {milliseconds_left: [60_000, 44_400], runs: ["O"]}}), 5_000);
  assert.equal(it.timeOf(0, 9_000)?.left, 60_000);
  assert.equal(it.timeOf(1, 9_000)?.left, 40_400);
  assert.equal(it.timeOf(1, 500_000)?.left, 0);
});

test("a replayed update restarts no clock, and without one there is none", () => {
  const it = record({turn: "X", turn_milliseconds: 60_000, turn_milliseconds_left: 30_000});
  assert.equal(it.timeOf(0, 1_000)?.left, 30_000);
  it.apply(status(1), 2_000);
  it.apply(move(2, "X", 0, "X________"), 2_000);
  assert.equal(it.timeOf(1, 2_000)?.left, undefined);
});

test("a replay of what is known changes neither what may be played nor the clock", () => {
  const it = record({player: "X", turn: "X", last_update_id: 3, actions: ["4"], positions: [4],
                     clock: {milliseconds_left: [9_000, 9_000], runs: ["X"]}});
  it.apply(status(1), 2_000);
  it.apply(move(2, "X", 0, "X________"), 2_000);
  it.apply(move(3, "O", 1, "XO_______"), 2_000);
  assert.ok(it.mayMove && it.fresh);
  assert.equal(it.timeOf(0, 2_000)?.left, 8_000);
  it.apply(move(4, "X", 4, "XO__X____"), 3_000);
  assert.equal(it.mayMove, false);
});

test("a move is no more on its way once it is heard of, also after an answer that includes it", () => {
  const it = record({player: "X"});
  it.apply(status(1));
  it.sent = true;
  it.learn(standing({player: "X", turn: "X", last_update_id: 3, actions: ["4"], positions: [4]}));
  assert.equal(it.mayMove, false);
  it.apply(move(2, "X", 0, "X________"));
  it.apply(move(3, "O", 1, "XO_______"));
  assert.ok(it.mayMove);
});

test("no clock ticks while the connection is cut", () => {
  const it = record();
  it.apply(status(1, {clock: {milliseconds_left: [60_000, 60_000], runs: ["X"]}}), 0);
  it.linked(false, 10_000);
  assert.equal(it.timeOf(0, 18_000)?.left, 50_000);
  it.linked(false, 19_000);
  it.linked(true, 20_000);
  assert.equal(it.timeOf(0, 21_000)?.left, 49_000);
});

test("a clock that stands still shows what is left", () => {
  const it = record();
  it.apply(status(1, {clock: {milliseconds_left: [60_000, 60_000], runs: []}}), 0);
  assert.equal(it.timeOf(0, 30_000)?.left, 60_000);
  assert.equal(it.runs(0), false);
});

test("what a player may do comes with its own updates, so that nothing has to be asked for", () => {
  const it = record({player: "X"});
  it.apply(status(1, {actions: ["0", "1"], positions: [0, 1]}));
  assert.ok(it.mayMove && it.fresh);
  assert.deepEqual(it.cells, [0, 1]);
  it.sent = true;
  assert.equal(it.mayMove, false);
  it.apply(move(2, "X", 0, "X________"));
  assert.equal(it.sent, false);
  assert.equal(it.mayMove, false);
  it.apply({type: "state", update_id: 2, view: {a: 1}, actions: ["pass"]});
  assert.ok(it.mayMove);
  assert.deepEqual(it.position.view, {a: 1});
});

test("an answer that updates have overtaken changes nothing, but says who won", () => {
  const it = record({player: "X"});
  it.apply(status(1));
  it.apply(move(2, "X", 0, "X________"));
  it.learn(standing({player: "X", actions: ["0"], positions: [0], last_update_id: 1}));
  assert.deepEqual(it.cells, []);
  it.apply({type: "end", update_id: 3, reason: "Ben quit the game"});
  assert.equal(it.winner, undefined);
  it.learn(standing({status: "ended", winner: "X", last_update_id: 3}));
  assert.equal(it.winner, "X");
});

test("who is away is known until it is back, or the game ends", () => {
  const it = record({away: [{player: "X", milliseconds_left: 9_000}]});
  assert.deepEqual([...it.away], [["X", {since: 1_000, left: 9_000}]]);
  it.apply({type: "away", player: "O", name: "Ben", milliseconds_left: 60_000, update_id: 0}, 2_000);
  it.apply({type: "back", player: "X", name: "Ann", update_id: 0});
  assert.deepEqual([...it.away.keys()], ["O"]);
  it.apply({type: "end", update_id: 1, code: "left", winner: "X"});
  assert.equal(it.away.size, 0);
  assert.equal(it.winner, "X");
});

test("a player who was renamed has the new name", () => {
  const it = record();
  it.apply({type: "rename", player: "O", name: "Bert", old_name: "Ben", update_id: 2});
  assert.deepEqual(it.players, ["Ann", "Bert"]);
});

test("an offer stands until it is answered by the other player, or withdrawn by its own", () => {
  const it = record({status: "ended", player: "X"});
  const offer = (player, name) => it.apply({type: "offer", what: "rematch", player, name, update_id: 9});
  const answer = (how, player) => it.apply({type: "answer", what: "rematch", answer: how, player, name: "", update_id: 9});
  offer("O", "Ben");
  assert.equal(it.offeredBy, "O");
  assert.ok(!it.offersItself);
  answer("withdrawn", "O");
  assert.equal(it.offeredBy, undefined);
  assert.equal(it.answer.answer, "withdrawn");
  offer("X", "Ann");
  assert.ok(it.offersItself && it.offeredBy === undefined);
  assert.equal(it.answer, undefined);
  answer("declined", "O");
  assert.ok(!it.offersItself);
  offer("X", "Ann");
  it.apply({type: "answer", what: "rematch", answer: "accepted", player: "O", name: "Ben", game_id: "18", update_id: 9});
  assert.equal(it.offers.size, 0);
});

test("of three, a rematch stands until all have accepted it, and who has waits", () => {
  const it = record({status: "ended", player: "X", players: ["Ann", "Ben", "Cleo"]});
  it.apply({type: "offer", what: "rematch", player: "3", name: "Cleo", update_id: 9});
  const accepted = (player, name, more) =>
    it.apply({type: "answer", what: "rematch", answer: "accepted", player, name, update_id: 9, ...more});
  accepted("O", "Ben");
  assert.equal(it.offeredBy, "3");
  assert.ok(!it.offersItself);
  assert.equal(rematchOf(it), "Cleo offers a rematch. Ben has accepted it.");
  accepted("X", "Ann");
  assert.ok(it.offersItself);
  it.apply({type: "answer", what: "rematch", answer: "declined", player: "O", name: "Ben", update_id: 9});
  assert.ok(!it.offersItself && it.offeredBy === undefined);
  it.apply({type: "offer", what: "rematch", player: "X", name: "Ann", update_id: 9});
  assert.equal(rematchOf(it), "You have offered a rematch.");
});

test("guests come and go, and a move that decides is not the end yet", () => {
  const it = record();
  it.apply({type: "connect", player: "G", name: "Guest", update_id: 1});
  assert.deepEqual([...it.guests], ["Guest"]);
  it.apply({type: "disconnect", player: "G", name: "Guest", update_id: 1});
  assert.equal(it.guests.size, 0);
  it.apply(move(2, "X", 0, "XXX______", {turn: undefined, winner: "X"}));
  assert.ok(it.decided && it.status === "running");
});

test("a line is found through the last cell, and only if it is long enough", () => {
  assert.deepEqual(lineThrough("XXX______", 3, 1, 3).sort(), [0, 1, 2]);
  assert.deepEqual(lineThrough("X___X___X", 3, 4, 3).sort(), [0, 4, 8]);
  assert.deepEqual(lineThrough("XX_______", 3, 0, 3), []);
});

test("a draw and a takeback stand until they are answered, and are numbered", () => {
  const it = record({player: "X"});
  it.apply(status(1));
  it.apply(move(2, "X", 4, "____X____"));
  for (let i = 0; i < 2; ++i) it.apply({type: "offer", what: "draw", player: "O", name: "Ben", update_id: 3});
  assert.deepEqual([...it.asks.open.keys()], ["draw"]);
  assert.equal(it.offeredBy, undefined);
  it.apply({type: "answer", what: "draw", answer: "declined", player: "X", name: "Ann", update_id: 4});
  assert.equal(it.asks.open.size, 0);
  assert.equal(it.asks.told.answer, "declined");
  it.apply(move(5, "O", 0, "O___X____"));
  assert.equal(it.asks.told, undefined);
  it.apply({type: "offer", what: "takeback", player: "X", name: "Ann", update_id: 6});
  it.apply({type: "answer", what: "takeback", answer: "withdrawn", cause: "moved", player: "X", name: "Ann", update_id: 7});
  it.apply(move(8, "X", 8, "O___X___X"));
  assert.equal(it.asks.told.cause, "moved");
  it.apply({type: "offer", what: "draw", player: "X", name: "Ann", update_id: 9});
  it.apply({type: "end", update_id: 10, code: "agreed", winner: "D", reason: "the players agreed on a draw"});
  assert.equal(it.asks.open.size, 0);
});

test("what an answer includes is not offered once more by the updates before it", () => {
  const it = record({player: "X", last_update_id: 4, offers: [{what: "draw", player: "O", name: "Ben"}]});
  it.apply(status(1));
  it.apply({type: "offer", what: "takeback", player: "O", name: "Ben", update_id: 2});
  it.apply({type: "answer", what: "takeback", answer: "declined", player: "X", name: "Ann", update_id: 3});
  it.apply({type: "offer", what: "draw", player: "O", name: "Ben", update_id: 4});
  assert.deepEqual([...it.asks.open.keys()], ["draw"]);
});

test("of three players, who has accepted an offer is asked no more, also by an answer that includes it", () => {
  const updates = [status(1), {type: "offer", what: "draw", player: "X", name: "Ann", update_id: 2},
                   {type: "answer", what: "draw", answer: "accepted", player: "O", name: "Bob", update_id: 3}];
  const early = {players: ["Ann", "Bob", "Cleo"], player: "O"};
  const late = {...early, last_update_id: 3, offers: [{what: "draw", player: "X", name: "Ann"}]};
  for (const it of [record(early), record(late)]) {
    updates.forEach((each) => it.apply(each));
    assert.deepEqual(["X", "O", "3"].map((mark) => it.asks.awaits("draw", mark)), [false, false, true]);
    it.apply({type: "answer", what: "draw", answer: "declined", player: "3", name: "Cleo", update_id: 4});
    it.apply({type: "offer", what: "draw", player: "3", name: "Cleo", update_id: 5});
    assert.deepEqual(["X", "O", "3"].map((mark) => it.asks.awaits("draw", mark)), [true, true, false]);
  }
});

test("a takeback removes the moves from its number on", () => {
  const it = record({player: "X"});
  it.apply(status(1));
  it.apply(move(2, "X", 4, "____X____"));
  it.apply(move(3, "O", 0, "O___X____"));
  it.apply({type: "offer", what: "takeback", player: "X", name: "Ann", update_id: 4});
  it.apply({type: "answer", what: "takeback", answer: "accepted", player: "O", name: "Ben", update_id: 5});
  it.apply(status(6, {taken_back: 2, player: "X", name: "Ann", actions: ["0"], positions: [0]}));
  assert.equal(it.positions.length, 1);
  assert.equal(it.position.board, "_________");
  assert.ok(it.mayMove);
  it.apply(move(7, "X", 8, "________X"));
  assert.deepEqual([it.positions.length, it.turn], [2, "O"]);
});

test("who is away may lose the game to a claim, from its time on", () => {
  const it = record({player: "X"});
  it.apply({type: "away", player: "O", name: "Ben", milliseconds_left: 9_000, claim_milliseconds: 3_000, update_id: 1}, 500);
  assert.deepEqual(it.away.get("O"), {since: 500, left: 9_000, claim: 3_000});
});

test("an engine plays on for who left, and a player whose time ran out comes back", () => {
  const it = record({players: ["Ann", "Bob", "Cleo", "Dan"], player: "3", kinds: ["player", "player", "player", "player"]});
  it.apply(status(1));
  it.apply({type: "substitute", player: "O", name: "Bob", cause: "quit", update_id: 2});
  it.apply({type: "substitute", player: "3", name: "Cleo", cause: "clock", update_id: 3});
  assert.deepEqual(it.kinds, ["player", "substitute", "substitute", "player"]);
  assert.equal(isOut(it), false);
  assert.equal(mayReturn(it), true);
  it.apply({type: "return", player: "3", name: "Cleo", update_id: 4});
  // A stream that is opened again repeats nothing.
  it.apply({type: "substitute", player: "3", name: "Cleo", cause: "clock", update_id: 3});
  assert.deepEqual(it.kinds, ["player", "substitute", "player", "player"]);
  it.apply({type: "substitute", player: "3", name: "Cleo", cause: "clock", update_id: 5});
  assert.equal(mayReturn(it), false);
  assert.equal(isOut(it), true);
  it.apply({type: "end", code: "rules", winner: "X", ranks: [1, 3, 3, 2], forfeits: ["O", "3"], update_id: 6});
  assert.deepEqual([it.ranks, it.forfeits, isOut(it)], [[1, 3, 3, 2], ["O", "3"], false]);
});

test("what is said is repeated by a stream that is opened again, and stands once", () => {
  const record = new Record(standing(), 9, 0);
  record.apply(status(1));
  record.apply({type: "chat", update_id: 2, name: "Ben", message: "Hi"});
  record.apply({type: "chat", update_id: 2, name: "Ben", message: "Hi"});
  assert.deepEqual(record.chat.map(({name}) => name), ["Ben"]);
});
