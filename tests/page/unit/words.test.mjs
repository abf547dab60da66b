// The sentences of the page.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load, move, standing, status} from "./page.mjs";

const {Record} = await load("record");
const words = await load("words");
const {moveName, said} = await load("moves");
const {opponentsOf, pieceOf, seatOf} = await load("seats");
const {faceOf, phrase, scoreOf} = await load("faces");

function game(more = {}) {
  const it = new Record(standing(more), 9);
  it.apply(status(1));
  return it;
}

test("a move that decides the game is not followed by whose turn it would be (M2)", () => {
  const it = game({player: "X"});
  it.apply(move(2, "X", 2, "XXX______", {turn: undefined, winner: "X"}));
  assert.equal(words.turn(it), "You won.");
  it.me = undefined;
  assert.equal(words.turn(it), "Ann has won.");
});

test("a draw of chance that all may see is in the list of moves, a hidden choice is not (M3)", () => {
  const it = game();
  it.apply({...status(2), action: "six"});
  it.apply(status(3));
  const names = it.positions.slice(1).map((each) => moveName(each, it, 3, faceOf({engine: "dice"})));
  assert.deepEqual(names, ["Six", "Unseen"]);
});

test("each sentence has a capital and a stop (M2)", () => {
  const it = game();
  it.apply({type: "end", update_id: 3, reason: "Ben quit the game", code: "left", winner: "X"});
  assert.equal(words.reasonOf(it), "Ben quit the game.");
  it.code = "rules";
  assert.equal(words.reasonOf(it), "");
  for (const text of [words.turn(game()), words.turn(game({player: "O"})), words.outcome(it), ...Object.values(words.say)
    .filter((each) => typeof each === "string" && each.includes(" ") && each !== words.say.atTurn && !each.endsWith("…"))])
    assert.match(text, /^\p{Lu}.*\.$/u);
});

test("each cause of a refusal has a sentence of its own", () => {
  const causes = [
    {code: 104, message: "somebody else has that name, or one that looks like it"},
    {code: 104, message: "a name has 1 to 64 bytes of printable UTF-8 in one script, and is none of the hub's own names"},
    {code: 100, message: "the engine does not take these options: gomoku: the options do not go together: line-too-long"},
    {code: 102, message: "there is no such game", path: "/api/games/7"},
    {code: 102, message: "there is no such game", path: "/api/play"},
    {code: 106, message: "the opponent that you asked for is not online"},
    {code: 106, message: "the hub is full"},
    {code: 109, message: "the operator of this hub does not let you play"},
    {code: 111, message: "taken"},
  ];
  for (const cause of ["too-long", "spaces", "hidden-characters", "compatibility-form", "mixed-scripts", "reserved", "banned"])
    causes.push({code: 104, message: "", cause: `name-${cause}`});
  const texts = causes.map(words.explain);
  assert.equal(new Set(texts).size, causes.length);
  for (const each of texts) assert.match(each, /^\p{Lu}.*\.$/u);
  assert.ok(!texts.some((each) => /line-too-long|gomoku/.test(each)));
});

test("a name is checked before the hub is asked", () => {
  assert.equal(words.faultOfName("Zoë"), undefined);
  assert.match(words.faultOfName("ж".repeat(33)), /too long/);
  assert.match(words.faultOfName("a\u200bb"), /can't be seen/);
});

test("coordinates are those of the board (M7)", () => {
  assert.equal(words.cellName(0, 15), "a1");
  assert.equal(words.cellName(32, 15), "c3");
  assert.equal(words.cellName(38, 7, true), "d");
  const it = game();
  it.apply(move(2, "X", 5, "_____X___"));
  const face = faceOf({engine: "tictactoe"});
  assert.equal(moveName(it.position, it, 3, face), "c2");
  assert.equal(said(it.position, it, 3, face), "Ann: row 2, column 3, c2.");
});

test("what sits at the other side is told by the hub's word, not by the name", () => {
  assert.equal(words.shown("engine (perfect)"), "Engine, strong");
  assert.equal(words.shown("engine (perfect)", "player"), "engine (perfect)");
  assert.equal(words.isEngine("Engine, strong", "player"), false);
  assert.equal(words.isEngine("anything", "engine"), true);
});

test("a name of letters that run the other way stays one part of its sentence", () => {
  assert.equal(words.within("Ann"), "Ann");
  assert.equal(words.within("דנה"), "\u2068דנה\u2069");
});

test("an account of a view has the same form in every position (M14)", () => {
  assert.equal(words.valueText([]), "none");
  assert.equal(words.valueText(["bet", "pass"]), "Bet · Pass");
  assert.equal(words.valueText([null, "king"]), "– · King");
  assert.equal(words.valueText(true), "yes");
});

test("a member of a view is a line of text, whatever it holds (M14)", () => {
  assert.equal(words.valueText(null), "–");
  assert.equal(words.valueText({suit: "hearts", rank: 5}), "Suit: Hearts, Rank: 5");
  assert.equal(words.valueText([{suit: "hearts", rank: 5}, null]), "(Suit: Hearts, Rank: 5) · –");
  assert.equal(words.valueText({ann: [1, 2], ben: []}), "Ann: (1 · 2), Ben: none");
  assert.equal(words.valueText({}), "none");
  assert.ok(!words.valueText([[{a: {b: {}}}]]).includes("[object"));
});

test("an engine's own face is preferred to what is known here", () => {
  const face = {blurb: "New", actions: {"0:1": "One of the first"}, board: "felt"};
  const looks = faceOf({engine: "nim", face});
  assert.equal(looks.blurb, "New");
  assert.ok(looks.rules.length > 0);
  assert.equal(phrase("nim", looks, "0:1"), "One of the first");
  assert.equal(phrase("nim", looks, "1:2"), "Take 2 from heap 2");
  assert.equal(phrase("other", {}, "all_in"), "All in");
  assert.equal(faceOf({engine: "gomoku"}, {in_a_row: 4}).line, 4);
});

test("discs are counted where nobody else counts them", () => {
  const face = faceOf({engine: "othello"});
  const board = `${"_".repeat(27)}OX${"_".repeat(6)}XO${"_".repeat(27)}`;
  assert.deepEqual(scoreOf(face, {board}, 2), [2, 2]);
  assert.deepEqual(scoreOf(face, {board, score: [30, 34]}, 2), [30, 34]);
  assert.equal(scoreOf(faceOf({engine: "gomoku"}), {board}, 2), undefined);
});

test("the last seats of a table of three or more are the engine's", () => {
  assert.equal(opponentsOf(4, 0), undefined);
  assert.equal(opponentsOf(2, 1), undefined);
  assert.deepEqual(opponentsOf(4, 1), ["any", "any", "engine"]);
  assert.deepEqual(opponentsOf(3, 2), ["engine", "engine"]);
  assert.deepEqual(opponentsOf(3, 9), ["engine", "engine"]);
});

test("a small letter on a board is another piece of its seat, with its own shape and name", () => {
  assert.deepEqual(["X", "O", "x", "o", "3"].map(seatOf), [0, 1, 0, 1, 2]);
  assert.deepEqual(["X", "O", "x", "o"].map(pieceOf), [0, 1, 2, 3]);
  const face = {marks: ["Black", "White", "Black king", "White king"]};
  assert.equal(words.sideName("O", face), "White");
  assert.equal(words.sideName("x", face), "Black king");
  assert.equal(words.sideName("x", {}), "x");
  const it = game();
  assert.equal(words.nameAt(it, "x"), words.nameAt(it, "X"));
});
