// What the page says of clocks.
import assert from "node:assert/strict";
import {test} from "node:test";
import {load, standing, status} from "./page.mjs";

const {Record} = await load("record");
const {after, allowed, clock, clockFace, clockText, isOfDays, leftText, offered, ruleOf, untilChange} = await load("clocks");

test("each clock has words, and a text that is none is shown as it is", () => {
  for (const [text, words] of [
    ["move:30", "30 s a move"], ["move:120", "2 min a move"], ["days:1", "1 day a move"], ["days:3", "3 days a move"],
    ["sudden:300", "5 min for all moves"], ["sudden:3600", "1 h for all moves"], ["fischer:180+2", "3 min + 2 s"],
    ["fischer:0.2+0.002", "0.2 s + 0.002 s"], ["bronstein:300+3", "5 min, 3 s delay"],
    ["byoyomi:600+5x30", "10 min, then 5 \u00d7 30 s"], ["byoyomi:0+1x90", "0 s, then 1 \u00d7 90 s"], ["none", "no clock"],
    ["moon:3", "moon:3"], ["<b>", "<b>"], ["", ""]])
    assert.equal(clockText(text), words);
  assert.equal(clockText(undefined), "");
});

test("the clocks of the list are texts that the hub reads", () => {
  for (const each of offered) assert.ok(ruleOf(each), each);
  assert.deepEqual(ruleOf("byoyomi:600+5x30"), {kind: "byoyomi", main: 600, step: 30, periods: 5});
  assert.equal(ruleOf("fischer:1+2+3"), undefined);
});

test("the list has only clocks that the hub allows", () => {
  const bounds = {milliseconds_min: 100, move_milliseconds_max: 14 * 86_400_000, game_milliseconds_max: 86_400_000, none: false};
  assert.deepEqual(allowed(bounds), offered);
  assert.deepEqual(allowed(undefined), offered);
  assert.deepEqual(allowed({...bounds, none: true}), [...offered, "none"]);
  assert.deepEqual(allowed({...bounds, move_milliseconds_max: 60_000}),
                   ["move:30", "sudden:300", "fischer:180+2", "fischer:600+5", "bronstein:300+3", "byoyomi:600+5x30"]);
  assert.deepEqual(allowed({...bounds, game_milliseconds_max: 200_000}), ["move:30", "move:120", "fischer:180+2", "days:1", "days:3"]);
  assert.deepEqual(allowed({...bounds, milliseconds_min: 500_000}), ["fischer:600+5", "byoyomi:600+5x30", "days:1", "days:3"]);
});

test("the time left of a game of days has no seconds", () => {
  for (const [left, text] of [[2 * 86_400_000, "2 days left"], [86_399_999, "23 h 59 min left"], [86_400_000 + 3_600_000, "1 day 1 h left"],
                              [59_999, "0 min left"], [-1, "0 min left"]])
    assert.equal(leftText(left), text);
  assert.ok(isOfDays("days:0.5"));
  assert.ok(!isOfDays("move:86400") && !isOfDays(undefined));
});

test("a clock that runs shows tenths below ten seconds, never a time that is over", () => {
  assert.equal(clockFace(65_001, true), "1:06");
  assert.equal(clockFace(10_000, true), "0:10");
  assert.equal(clockFace(9_901, true), "0:10");
  assert.equal(clockFace(9_899, true), "0:09.9");
  assert.equal(clockFace(9_899, false), "0:10");
  assert.equal(clockFace(1, true), "0:00.1");
  assert.equal(clockFace(0, true), "0:00.0");
  assert.equal(clock(0), "0:00");
});

test("a clock is drawn again when it shows something else", () => {
  for (let left = 12_000; left > 0; left -= 7) {
    const shown = clockFace(left, true);
    const next = untilChange(left);
    assert.ok(next > 0 && next <= 1000);
    assert.equal(clockFace(left - next + 1, true), shown, `${left}`);
    if (left > next) assert.notEqual(clockFace(left - next, true), shown, `${left}`);
  }
});

test("periods follow the main time, each is used up in turn", () => {
  assert.deepEqual(after(5_000, 3, 10_000, 4_000), {left: 1_000, periods: 3});
  assert.deepEqual(after(5_000, 3, 10_000, 5_000), {left: 10_000, periods: 2});
  assert.deepEqual(after(5_000, 3, 10_000, 14_000), {left: 1_000, periods: 2});
  assert.deepEqual(after(5_000, 3, 10_000, 34_999), {left: 1, periods: 0});
  assert.deepEqual(after(5_000, 3, 10_000, 90_000), {left: 0, periods: 0});
  assert.deepEqual(after(5_000, 0, 0, 6_000), {left: 0, periods: 0});
  assert.equal(after(null, 0, 0, 0), undefined);
  assert.equal(after(undefined, 0, 0, 0), undefined);
});

test("a game of byo-yomi counts through its periods", () => {
  const it = new Record(standing({clock_rule: "byoyomi:60+2x10"}), 9);
  it.apply(status(1, {clock: {milliseconds_left: [3_000, 60_000], runs: ["X"], periods: [2, 2]}}), 1_000);
  assert.deepEqual(it.timeOf(0, 2_000), {left: 2_000, periods: 2});
  assert.deepEqual(it.timeOf(0, 6_000), {left: 8_000, periods: 1});
  assert.deepEqual(it.timeOf(1, 6_000), {left: 60_000, periods: 2});
});
