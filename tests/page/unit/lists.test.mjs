// The lists of the lobby, and the options of a game.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load, standing} from "./page.mjs";

const {isFor, keyOf} = await load("lists");
const {changed, read} = await load("options");

test("two games of the same players are two lines: a link leads to the game that its line describes (M3)", () => {
  assert.notEqual(keyOf([standing({game_id: "1"})]), keyOf([standing({game_id: "2"})]));
  assert.equal(keyOf([standing()]), keyOf([standing({last_update_id: 99})]));
});

test("a seat that is kept for a name is for that name alone", () => {
  assert.ok(isFor(standing(), undefined));
  assert.ok(isFor(standing({reserved_for: "Finn"}), "Finn"));
  assert.ok(!isFor(standing({reserved_for: "Finn"}), "Zoe"));
});

test("options are read by their schema, and those left as usual are not sent", () => {
  const rows = {type: "integer", default: 15};
  const last = {type: "string", enum: ["wins", "loses"], default: "wins"};
  const open = {type: "boolean", default: false};
  assert.equal(read({value: "7"}, rows), 7);
  assert.equal(read({value: "loses"}, last), "loses");
  assert.equal(read({value: "", checked: true}, open), true);
  const fields = (r, l, o) => [{name: "rows", schema: rows, field: {value: r}}, {name: "last", schema: last, field: {value: l}},
                               {name: "open", schema: open, field: {value: "", checked: o}}];
  assert.equal(changed(fields("15", "wins", false)), undefined);
  assert.deepEqual(changed(fields("9", "wins", true)), {rows: 9, open: true});
});
