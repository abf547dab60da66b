// The JavaScript SDK of gamehub: extend Game and call run(YourGame).
//
// The hub starts the program and speaks the protocol of engines/process/README.md on its standard
// input and output. This module hides it: what console.log() writes goes to the hub's log, and
// process.stdin is empty. No dependencies; Node.js 18 or later. One thread.

import { Console } from "node:console";
import { createHash } from "node:crypto";
import { realpathSync, writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

export const SPECTATOR = -1;
export const CHANCE = 63;

const EVERYONE = 2n ** 64n - 1n;
const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
const FAILURE_BYTES_MAX = 256;

/** Throw it with a lower-case word with dashes, such as "too-few-stones". */
export class Refused extends Error {}

/**
 * The state of one match: its properties, which must be values that JSON has (no undefined, NaN,
 * Map, Set, private #property or object of a class), because the hub saves and copies them as JSON.
 * The methods may use no clock, file, timer or source of randomness, and none is async.
 */
export class Game {
  static id;
  static title;
  static version = [1, 0, 0];
  static playersMin = 2;
  static playersMax = 2;
  static actionsMax; // the most legal actions that one seat can have
  static actionsEnd = null; // actions are 0 to actionsEnd - 1; null: actionsMax
  static pliesMax; // the most actions of a match, draws of chance included
  static stateBytesMax = 64 * 1024;
  static perfectInformation = true;
  static simultaneous = false;
  static hasChance = false;
  static options = {}; // the properties of the JSON schema
  static face = null;
  // A board: its marks by seat, then those of other pieces; an action is then a cell, and JSON has
  // its row and column.
  static rows = 0;
  static columns = 0;
  static marks = "";

  // The number of players of this match is this.players, which is set before setUp().

  /** Makes the first state. Each option of the schema has a value. */
  setUp(options) {
    throw new Error("setUp() is missing");
  }

  /** The seat to move, CHANCE, or an array of several seats; null when the match is over. */
  toMove() {
    throw new Error("toMove() is missing");
  }

  /** The legal actions of a seat that is to move. */
  legalActions(seat) {
    throw new Error("legalActions() is missing");
  }

  /** Applies a legal action. With the seat CHANCE: a draw. */
  apply(seat, action) {
    throw new Error("apply() is missing");
  }

  /** One score for each player of a match that is over: won 1, drawn 0, lost -1. */
  scores() {
    throw new Error("scores() is missing");
  }

  /** What a seat or SPECTATOR may see: by default the board, its marks by rows. */
  view(viewer) {
    const { rows, columns, marks } = this.constructor;
    if (rows === 0) throw new Error("view() is missing");
    const mark = (cell) => {
      const seat = this.cell(viewer, cell);
      return seat === null ? null : markOf(marks, seat);
    };
    return {
      board: range(0, rows).map((row) =>
        range(row * columns, (row + 1) * columns).map((cell) => mark(cell)),
      ),
    };
  }

  /** The draws of chance with their weights: a Map, or an array of pairs. */
  chanceOutcomes() {
    return [];
  }

  /** Why this action, below actionsEnd, is not legal: a lower-case word with dashes. */
  refusal(seat, action) {
    return "out-of-bounds";
  }

  /** The viewers that may see an action besides its seat; null: everyone. */
  audience(seat, action) {
    return null;
  }

  /** Whose mark is on a cell of the board: a seat, the place in marks of another piece, or null. */
  cell(viewer, number) {
    return null;
  }

  /** How many cells of the longest straight line through this one equal it. */
  lineLength(board, number) {
    const { rows, columns } = this.constructor;
    const run = (rowStep, columnStep) => {
      let row = Math.floor(number / columns);
      let column = number % columns;
      let length = -1;
      while (row >= 0 && row < rows && column >= 0 && column < columns) {
        if (board[row * columns + column] !== board[number]) break;
        row += rowStep;
        column += columnStep;
        ++length;
      }
      return length;
    };
    const steps = [[0, 1], [1, 0], [1, 1], [1, -1]]; // prettier-ignore
    return Math.max(...steps.map(([row, column]) => run(row, column) + 1 + run(-row, -column)));
  }
}

/** The numbers from begin to end - 1. */
export function range(begin, end) {
  return Array.from({ length: Math.max(0, end - begin) }, (_, at) => begin + at);
}

function markOf(marks, seat) {
  if (marks[seat] === undefined) throw new RangeError(`cell() gave ${seat}, which has no mark`);
  return marks[seat];
}

class Writer {
  parts = [];

  put(size, write) {
    const part = Buffer.alloc(size);
    write(part);
    this.parts.push(part);
  }
  u8(value) {
    this.parts.push(Buffer.from([value]));
  }
  u32(value) {
    this.put(4, (to) => to.writeUInt32LE(value));
  }
  i32(value) {
    this.put(4, (to) => to.writeInt32LE(value));
  }
  u64(value) {
    this.put(8, (to) => to.writeBigUInt64LE(BigInt(value)));
  }
  i64(value) {
    this.put(8, (to) => to.writeBigInt64LE(BigInt(value)));
  }
  f64(value) {
    this.put(8, (to) => to.writeDoubleLE(value));
  }
  text(value) {
    const data = Buffer.from(value);
    this.u32(data.length);
    this.parts.push(data);
  }
  optional(value) {
    this.u8(value === null ? 0 : 1);
    if (value !== null) this.text(value);
  }
  list(type, values) {
    this.u32(values.length);
    for (const each of values) this[type](each);
  }
  bytes() {
    return Buffer.concat(this.parts);
  }
}

class Reader {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }
  skip(size) {
    this.at += size;
    return this.at - size;
  }
  u8() {
    return this.data.readUInt8(this.skip(1));
  }
  u32() {
    return this.data.readUInt32LE(this.skip(4));
  }
  i32() {
    return this.data.readInt32LE(this.skip(4));
  }
  u64() {
    return this.data.readBigUInt64LE(this.skip(8));
  }
  i64() {
    return this.data.readBigInt64LE(this.skip(8));
  }
  text() {
    const size = this.u32();
    const from = this.skip(size);
    return this.data.subarray(from, from + size);
  }
}

// A bit for each seat.
function bits(seats) {
  let out = 0n;
  for (const seat of seats === null ? [] : typeof seats === "number" ? [seats] : seats) {
    const at = seat === SPECTATOR ? CHANCE : seat;
    if (!Number.isInteger(at) || at < 0 || at > CHANCE) throw new RangeError(`no seat: ${seat}`);
    out |= 1n << BigInt(at);
  }
  return out;
}

const isToMove = (moving, seat) => seat >= 0 && seat <= CHANCE && ((moving >> BigInt(seat)) & 1n) === 1n;

function objectIn(text) {
  try {
    const found = JSON.parse(text.toString());
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function fits(value, schema) {
  if (schema.type === "integer")
    return Number.isSafeInteger(value) && schema.minimum <= value && value <= schema.maximum;
  if (schema.type === "boolean") return typeof value === "boolean";
  return typeof value === "string" && schema.enum.includes(value);
}

function kindOf(value) {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object") return typeof value;
  return `an object of the class ${value.constructor?.name}`;
}

// A value as JSON, its names sorted, so that equal states are equal bytes.
function inJson(value, property) {
  if (value === null || typeof value === "boolean" || typeof value === "string" || Number.isFinite(value))
    return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, (each) => inJson(each, property)).join(",")}]`;
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return `{${membersOf(value, property)}}`;
  throw new TypeError(`the property ${property} is not a value of JSON: ${kindOf(value)}`);
}

function membersOf(of, property) {
  const names = Object.keys(of).sort();
  return names.map((name) => `${JSON.stringify(name)}:${inJson(of[name], property ?? name)}`).join(",");
}

const digestOf = (data) => createHash("sha256").update(data).digest().subarray(0, 8);

// Bytes that were damaged are no state: load finds it by the digest.
function saved(match) {
  const data = Buffer.from(`{${membersOf(match)}}`);
  return Buffer.concat([digestOf(data), data]);
}

function isOutOfMemory(error) {
  return error instanceof RangeError && error.message.includes("allocation failed");
}

// The trace without the frames of this module.
function report(error) {
  const trace = String(error?.stack ?? error).split("\n");
  const kept = trace.filter((line) => !line.includes(import.meta.url) && !line.includes("(node:"));
  writeSync(2, `${kept.join("\n")}\n`);
}

// The text and the line: the innermost one outside of this module.
function textOf(error) {
  const places = [...String(error?.stack).matchAll(/(file:\/\/\S+):(\d+):\d+\)?$/gm)];
  const own = places.filter(([, file]) => file !== import.meta.url)[0] ?? places[0];
  const where = own === undefined ? "" : ` (${own[1].split("/").at(-1)}:${own[2]})`;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (text + where).replace(/[^ -~]/g, "?").slice(0, FAILURE_BYTES_MAX);
}

// Calls a method of the game, whose failure is that of this function of the protocol.
function calling(name, call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && !(error instanceof Refused)) error.callOfEngine ??= name;
    throw error;
  }
}

const FUNCTIONS = ["legal_actions", "audience", "action_from_text", "action_from_json", "action_at",
  "action_to_text", "action_to_json", "glyphs", "cell_of", "view_json", "save", "choose", "score",
  "summary"]; // prettier-ignore
const KINDS = ["create", "load", "clone", "apply", "ask", "play"];

// Parts of replies: that nothing failed and nothing was refused; no state and no answers; that there is
// no such match; the number of answers; an answer without a result.
const NO_OUTCOME = Buffer.alloc(1 + 3 * 4);
const NO_STATE = Buffer.alloc(1 + 4);
const LOST = Buffer.concat([Buffer.from([1]), Buffer.alloc(3 * 4), NO_STATE]);
const ONE_ANSWER = Buffer.from([1, 0, 0, 0]);
const NO_RESULT = Buffer.alloc(8 + 8 + 3 * 4);

class Engine {
  matches = new Map();
  saved = new Map(); // of each match, its present state

  constructor(rules) {
    this.rules = rules;
    this.hasBoard = rules.rows > 0;
    this.actionsEnd = rules.actionsEnd ?? rules.actionsMax;
  }

  hello() {
    const rules = this.rules;
    const out = new Writer();
    out.parts.push(Buffer.from("GHENGINE"), Buffer.from([1, 0, 1, 0]));
    out.u32(Number(rules.perfectInformation) + 2 * rules.simultaneous + 4 * rules.hasChance);
    out.text(rules.id);
    out.text(rules.title);
    const schema = { type: "object", properties: rules.options, additionalProperties: false };
    out.optional(Object.keys(rules.options).length > 0 ? JSON.stringify(schema) : null);
    for (const each of rules.version) out.u32(each);
    out.i32(rules.playersMin);
    out.i32(rules.playersMax);
    for (const each of [rules.actionsMax, rules.pliesMax, rules.stateBytesMax]) out.u64(each);
    out.optional(this.hasBoard ? rules.marks : null);
    out.optional(rules.face === null ? null : JSON.stringify(rules.face));
    out.u32(0); // no score, summary, player; not immediate
    return out.bytes();
  }

  answer(request) {
    const r = new Reader(request);
    const kind = KINDS[r.u8()];
    for (let left = r.u32(); left > 0; --left) {
      const released = r.u64();
      this.matches.delete(released);
      this.saved.delete(released);
    }
    const [number, seat, value] = [r.u64(), r.i32(), r.i64()];
    const text = r.text();
    const queries = range(0, r.u32()).map(() => Engine.query(r));
    if (kind === "play") return this.answerPlay(number, BigInt.asUintN(64, value), queries);
    try {
      const failed = this.carryOut(kind, number, seat, value, text);
      const out = new Writer();
      if (failed) out.parts.push(LOST);
      else this.putReply(out, number, kind !== "ask", queries);
      return out.bytes();
    } catch (error) {
      return Engine.failure(error, kind === "ask" ? "" : kind, NO_STATE);
    }
  }

  // The first query is a move; a copy of the match gets this number, in which it is applied.
  answerPlay(number, copy, [move, ...queries]) {
    const match = this.find(number);
    if (match === undefined) return LOST;
    const read = this.result(match, move);
    const first = Buffer.concat([ONE_ANSWER, read.bytes]);
    if (read.failed) return Buffer.concat([NO_OUTCOME, Buffer.alloc(1), first]);
    try {
      this.play(number, copy, move.seat, read.number);
      const out = new Writer();
      this.putReply(out, copy, true, queries, read.bytes);
      return out.bytes();
    } catch (error) {
      const refused = error instanceof Refused;
      return Engine.failure(error, "apply", refused ? Buffer.concat([Buffer.alloc(1), first]) : NO_STATE);
    }
  }

  play(number, copy, seat, action) {
    const match = this.matches.get(number);
    // The hub wants the match itself only if the move does not count: find() restores it.
    this.matches.delete(number);
    this.apply(match, seat, action);
    this.matches.set(copy, match);
  }

  // `first`: the bytes of an answer before those of the queries.
  putReply(out, number, withState, queries, first = null) {
    const match = this.find(number);
    out.parts.push(NO_OUTCOME);
    this.putState(out, number, withState ? match : undefined);
    out.u32(queries.length + (first === null ? 0 : 1));
    if (first !== null) out.parts.push(first);
    for (const each of queries) out.parts.push(this.result(match, each).bytes);
  }

  // A reply or an answer that has failed or was refused, and what follows its texts.
  static failure(error, name, rest) {
    if (isOutOfMemory(error)) throw error;
    const refused = error instanceof Refused;
    if (!refused) report(error);
    const out = new Writer();
    out.u8(refused ? 0 : 1);
    out.text(refused ? "" : (error?.callOfEngine ?? name));
    out.text(refused ? "" : textOf(error));
    out.text(refused ? error.message : "");
    out.parts.push(rest);
    return out.bytes();
  }

  static query(r) {
    const out = { name: FUNCTIONS[r.u8()], seat: r.i32(), number: Number(r.i64()), text: r.text() };
    r.skip(4 + 8 + 8);
    return out;
  }

  carryOut(kind, number, seat, value, text) {
    if (kind === "create") {
      this.matches.set(number, this.create(text, Number(value)));
    } else if (kind === "load") {
      const data = text.subarray(8);
      if (!digestOf(data).equals(text.subarray(0, 8))) throw new Refused("malformed");
      this.matches.set(number, this.restored(data));
    } else if (kind === "clone") {
      const from = this.find(BigInt.asUintN(64, value));
      if (from === undefined) return true;
      this.matches.set(number, this.restored(saved(from).subarray(8)));
    } else if (this.find(number) === undefined) {
      return true;
    } else if (kind === "apply") {
      this.apply(this.matches.get(number), seat, Number(value));
    }
    return false;
  }

  find(number) {
    if (!this.matches.has(number) && this.saved.has(number))
      this.matches.set(number, this.restored(this.saved.get(number).subarray(8)));
    return this.matches.get(number);
  }

  restored(data) {
    return Object.assign(Object.create(this.rules.prototype), JSON.parse(data.toString()));
  }

  create(text, players) {
    const rules = this.rules;
    const given = text.length > 0 ? objectIn(text) : {};
    if (given === null) throw new Refused("bad-options");
    for (const [name, value] of Object.entries(given))
      if (!Object.hasOwn(rules.options, name) || !fits(value, rules.options[name]))
        throw new Refused("bad-options");
    const match = new rules();
    match.players = players || rules.playersMin;
    if (match.players < rules.playersMin || match.players > rules.playersMax)
      throw new Refused("wrong-number-of-players");
    const defaults = Object.entries(rules.options).map(([name, each]) => [name, each.default]);
    match.setUp({ ...Object.fromEntries(defaults), ...given });
    // The first state, too, has only what JSON has.
    return this.restored(saved(match).subarray(8));
  }

  legal(match, seat) {
    if (!isToMove(bits(match.toMove()), seat)) return [];
    const all = seat === CHANCE ? draws(match).map(([draw]) => draw) : [...match.legalActions(seat)];
    return all.sort((a, b) => a - b);
  }

  apply(match, seat, action) {
    const moving = calling("to_move", () => bits(match.toMove()));
    if (moving === 0n) throw new Refused("game-over");
    if (!isToMove(moving, seat)) throw new Refused("not-your-turn");
    if (!this.legal(match, seat).includes(action)) {
      const known = seat !== CHANCE && action >= 0 && action < this.actionsEnd;
      throw new Refused(known ? String(match.refusal(seat, action)) : "out-of-bounds");
    }
    match.apply(seat, action);
  }

  putState(out, number, match) {
    out.u8(match === undefined ? 0 : 1);
    if (match === undefined) return;
    const moving = calling("to_move", () => bits(match.toMove()));
    const data = calling("save", () => saved(match));
    this.saved.set(number, data);
    const digest = data.readBigUInt64LE();
    out.i32(match.players);
    out.u64(moving);
    out.u64(digest === 0n ? 1n : digest);
    out.i32(this.hasBoard ? this.rules.rows : 0);
    out.i32(this.hasBoard ? this.rules.columns : 0);
    out.list("f64", moving === 0n ? calling("scores", () => [...match.scores()]) : []);
    const atChance = moving === 1n << BigInt(CHANCE);
    const drawn = atChance ? calling("chance_outcomes", () => draws(match)) : [];
    drawn.sort(([a], [b]) => a - b);
    out.list("i64", drawn.map(([draw]) => draw)); // prettier-ignore
    out.list("u32", drawn.map(([, weight]) => weight)); // prettier-ignore
  }

  // The bytes of an answer, its number, and whether it has none because the query failed or was refused.
  result(match, { name, seat, number, text }) {
    const found = { number: 0, seats: 0n, data: "", actions: [] };
    const out = new Writer();
    try {
      if (name === "legal_actions") {
        found.actions = this.legal(match, seat);
      } else if (name === "audience") {
        found.seats = this.audience(match, seat, number);
      } else if (["action_from_text", "action_from_json", "action_at"].includes(name)) {
        found.number = this.parsed(name, text, number);
        if (isToMove(bits(match.toMove()), seat)) found.seats = this.audience(match, seat, found.number);
      } else if (name === "cell_of") {
        found.number = number >= 0 && number < this.rules.rows * this.rules.columns ? number : -1;
      } else {
        found.data = this.written(match, name, seat, number);
      }
      out.parts.push(NO_OUTCOME);
      out.i64(found.number);
      out.u64(found.seats);
      out.text(found.data);
      out.list("i64", found.actions);
      out.u32(0); // no scores
      return { failed: false, number: found.number, bytes: out.bytes() };
    } catch (error) {
      return { failed: true, number: 0, bytes: Engine.failure(error, name, NO_RESULT) };
    }
  }

  audience(match, seat, action) {
    const viewers = match.audience(seat, action);
    if (viewers === null) return EVERYONE;
    // Chance has no bit: in an audience it is that of the spectators.
    return bits(viewers) | (seat === CHANCE ? 0n : 1n << BigInt(seat));
  }

  parsed(name, text, cell) {
    let value = cell;
    if (name === "action_from_text") {
      if (!/^-?[0-9]{1,18}$/.test(text.toString())) throw new Refused("malformed");
      value = Number(text.toString());
    } else if (name === "action_from_json") {
      const given = objectIn(text) ?? {};
      value = given.action;
      if (this.hasBoard) {
        const { row, column } = given;
        if (!Number.isInteger(row) || !Number.isInteger(column)) throw new Refused("malformed");
        if (row < 0 || row >= this.rules.rows || column < 0 || column >= this.rules.columns)
          throw new Refused("out-of-bounds");
        value = row * this.rules.columns + column;
      } else if (!Number.isInteger(value)) {
        throw new Refused("malformed");
      }
    }
    if (value < 0 || value >= this.actionsEnd) throw new Refused("out-of-bounds");
    return value;
  }

  written(match, name, seat, action) {
    const { rows, columns, marks } = this.rules;
    const viewer = seat >= 0 && seat < match.players ? seat : SPECTATOR;
    if (name === "view_json") return JSON.stringify(match.view(viewer));
    if (name === "glyphs") {
      const held = range(0, rows * columns).map((cell) => match.cell(viewer, cell));
      return held.map((at) => (at === null ? "-" : markOf(marks, at))).join("");
    }
    if (name === "save") return saved(match);
    if (name === "action_to_text") return String(action);
    if (name === "action_to_json")
      return JSON.stringify(
        this.hasBoard
          ? { type: "move", row: Math.floor(action / columns), column: action % columns }
          : { type: "move", action },
      );
    throw new Error(`there is no ${name}`);
  }
}

function draws(match) {
  return Array.from(match.chanceOutcomes());
}

/** A new match, for tests of the rules. 0: as few players as possible. */
export function start(rules, options = {}, players = 0) {
  return new Engine(rules).create(Buffer.from(JSON.stringify(options)), players);
}

/**
 * Plays these actions in turn, for tests of the rules, and returns the match. Throws Refused.
 * Where several seats move at once, the first of them plays.
 */
export function play(match, ...actions) {
  const engine = new Engine(match.constructor);
  for (const action of actions) {
    const moving = bits(match.toMove());
    engine.apply(match, range(0, CHANCE + 1).find((seat) => isToMove(moving, seat)) ?? 0, action);
  }
  return match;
}

function end(why) {
  writeSync(2, `${why}\n`);
  process.exit(1);
}

// What the game prints is for the log, not for the channel, which it must not read from either.
function keepChannel() {
  const log = new Writable({
    decodeStrings: false,
    write: (text, encoding, done) => {
      writeSync(2, text);
      done();
    },
  });
  Object.defineProperty(process, "stdout", { value: log });
  Object.defineProperty(process, "stdin", { value: Readable.from([]) });
  globalThis.console = new Console(log, log);
}

function sized(message) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(message.length);
  return Buffer.concat([size, message]);
}

function answered(engine, request) {
  try {
    const answer = engine.answer(request);
    if (answer.length > MESSAGE_BYTES_MAX) end("an answer is longer than 8 MiB");
    return sized(answer);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    // Every later call would fail, too. The hub starts the program again.
    return end("out of memory");
  }
}

/**
 * Serves the hub until it closes the channel, if the file of this URL is the program that was
 * started: not where a test of the rules imports it. Call it last, with import.meta.url.
 */
export function run(rules, url) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  for (const name of ["id", "title", "actionsMax", "pliesMax"])
    if (rules[name] === undefined) end(`the class ${rules.name} has no ${name}`);
  if (isatty(0)) end(`this is an engine: gamehub-tools engine check 'node ${process.argv[1]}'`);
  const { stdin, stdout } = process;
  keepChannel();
  const engine = new Engine(rules);
  stdout.write(sized(engine.hello()));
  let waiting = Buffer.alloc(0);
  stdin.on("data", (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length >= 4) {
      const last = 4 + waiting.readUInt32LE();
      if (last > 4 + MESSAGE_BYTES_MAX) end("a message of the hub is too long");
      if (waiting.length < last) return;
      stdout.write(answered(engine, waiting.subarray(4, last)));
      waiting = waiting.subarray(last);
    }
  });
  for (const event of ["end", "error"]) stdin.on(event, () => process.exit(0));
}
