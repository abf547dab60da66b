// One truth about time: what two browsers and programs of the wires show, through a reload and a crash of the hub.
import assert from "node:assert/strict";
import {createConnection} from "node:net";
import {afterEach, test} from "node:test";
import {Program} from "./clients.mjs";
import {setup} from "./setup.mjs";

const {hub, browser} = await setup("--turn-seconds", 60, "--rejoin-seconds", 600, "--turns-grace-seconds", 60,
                                   "--ws-grace-seconds", 60);
const programs = [];
afterEach(() => {
  for (const each of programs) each.stop();
});

const secondsOf = (text) => text.split(":").reduce((sum, each) => sum * 60 + Number(each), 0);
const differences = {browser: 0, program: 0};

// Compares what each shows with the hub's clocks before and after, which bound the moment of reading. A page shows
// whole seconds, rounded up.
async function compare(tables) {
  for (const {game, person, program} of tables) {
    const ask = async () => (await hub.ask(`games/${game}?history=false`)).clock.milliseconds_left;
    for (const [what, read, slack] of [
      ["browser", async () => (await person.page.locator(".clock").allInnerTexts()).map((each) => 1000 * secondsOf(each)), 1000],
      ["program", async () => program?.clocks(), 0],
    ]) {
      const earlier = await ask();
      const shown = await read();
      const later = await ask();
      if (!shown) continue;
      for (const [seat, left] of shown.entries()) {
        const off = Math.max(0, left - slack - earlier[seat], later[seat] - left);
        differences[what] = Math.max(differences[what], off);
        assert.ok(off < 1000, `${what}, game ${game}, seat ${seat}: ${left} ms, the hub ${earlier[seat]} to ${later[seat]}`);
      }
    }
  }
}

async function compareFor(tables, milliseconds) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) await compare(tables);
}

// An opcode and its fields, and what the hub says to it.
function askOpcodes(port) {
  const socket = createConnection(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(Buffer.from([0, 1]));
  return new Promise((resolve) => socket.once("data", (bytes) => resolve({socket, token: String.fromCharCode(bytes[2])})));
}

test("browsers and programs differ by less than a second from the hub's clocks, at every moment", async () => {
  const [ann, ben, cat] = [await browser.person(hub, {name: "Ann"}), await browser.person(hub, {name: "Ben"}),
                           await browser.person(hub)];
  const tables = [];
  for (const [person, wire] of [[ann, "turns"], [ben, "ws"]]) {
    await person.sits("Tic-Tac-Toe", {side: /X, first/});
    const program = new Program(wire, hub, wire);
    await person.says("Your turn");
    programs.push(program);
    tables.push({person, program, game: person.page.url().split("/").at(-1)});
  }
  // The wire of opcodes has no words for clocks: its game is read by a guest.
  const bytes = [await askOpcodes(hub.ports.opcodes), await askOpcodes(hub.ports.opcodes)];
  assert.deepEqual(bytes.map(({token}) => token), ["X", "O"]);
  const {games} = await hub.ask("games?status=running&limit=1");
  await cat.page.goto(`${hub.url}#/game/${games[0].game_id}`);
  await cat.page.locator(".clock").first().waitFor();
  const read = [...tables, {person: cat, game: games[0].game_id}];

  await compareFor(read, 1_500);
  for (const {person} of tables) await person.plays(1, 1);
  await ann.says("turns is to move");
  await compareFor(read, 1_500);
  for (const person of [ann, cat]) {
    await person.page.reload();
    await person.page.locator(".clock").first().waitFor();
  }
  await compareFor(read, 1_500);
  bytes.forEach(({socket}) => socket.destroy());

  for (const each of [ann, ben, cat]) each.hubWasAway = true;
  await hub.kill();
  await ann.page.waitForTimeout(1_500);
  await hub.up();
  for (const {person, program} of tables) {
    await person.until(() => program.outages > 0 && program.clocks(), "the program is back");
    await person.page.getByText("Connection lost").waitFor({state: "hidden"});
    await person.until(async () => (await hub.ask(`games/${person.page.url().split("/").at(-1)}`)).clock.runs.length > 0, "the clocks run");
  }
  await compareFor(tables, 1_500);
  for (const {person, program} of tables) {
    program.play(4);
    await person.says("Your turn");
  }
  await compareFor(tables, 1_000);
  console.log(`most of all off: browsers ${differences.browser} ms beyond the rounding, programs ${differences.program} ms`);
});
