// Clients of other wires, as small as they can be: they take the first free cells, or those that they are given.
import {Buffer} from "node:buffer";
import {createSocket} from "node:dgram";
import {request} from "node:http";
import {createConnection} from "node:net";
import {createInterface} from "node:readline";

// Plays TicTacToe over JSON turns on these cells. Resolves with the winner's mark.
export function playTurns(port, name, cells) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1");
    const say = (line) => socket.write(`${JSON.stringify(line)}\n`);
    const left = [...cells];
    let state;
    socket.on("error", reject);
    say({type: "connect", name, supported_games: ["tictactoe"], max_games: 1});
    createInterface({input: socket}).on("line", (text) => {
      const line = JSON.parse(text);
      const payload = line.payload && JSON.parse(line.payload);
      if (payload?.type === "state") state = payload;
      if (payload?.type === "turn") {
        const cell = left.shift();
        say({type: "message", game_id: line.game_id,
             payload: JSON.stringify({type: "move", row: Math.floor(cell / 3), column: cell % 3})});
      }
      if (line.type !== "close") return;
      socket.end();
      resolve(state.winner);
    });
  });
}

// Plays TicTacToe over UDP as X, a byte a datagram: each is said again until it is answered. Resolves with how
// it ended: C, S or D.
export async function playDatagrams(port, cells) {
  const socket = createSocket("udp4");
  const heard = [];
  let wake;
  socket.on("message", (bytes) => {
    heard.push(String.fromCharCode(bytes[0]));
    wake?.();
  });
  const ask = async (byte, isAnswer) => {
    for (;;) {
      socket.send(byte, port, "127.0.0.1");
      const answer = await new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), 900);
        wake = () => {
          const at = heard.findIndex(isAnswer);
          if (at < 0) return;
          clearTimeout(timer);
          resolve(heard.splice(0, at + 1).at(-1));
        };
        wake();
      });
      if (answer) return answer;
    }
  };
  try {
    await ask("A", (byte) => byte === "A");
    for (const cell of cells) {
      const mine = String(cell);
      await ask(mine, (byte) => byte === mine);
      const theirs = await ask("E", (byte) => byte !== mine && /[0-8CSD]/.test(byte));
      const next = /\d/.test(theirs) ? await ask(theirs, (byte) => /[ESD]/.test(byte)) : theirs;
      if (next === "E") continue;
      await ask(next, (byte) => byte === "Q");
      return next;
    }
  } finally {
    socket.close();
  }
  return undefined;
}

// Text messages over a WebSocket, without extensions and fragments.
function socketLines(socket, heard) {
  let bytes = Buffer.alloc(0);
  let open = false;
  socket.write("GET /api/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
               "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    const end = bytes.indexOf("\r\n\r\n");
    if (!open && end < 0) return;
    if (!open) bytes = bytes.subarray(end + 4);
    open = true;
    while (bytes.length >= 4) {
      const long = bytes[1] === 126;
      const size = long ? bytes.readUInt16BE(2) : bytes[1];
      const from = long ? 4 : 2;
      if (bytes.length < from + size) return;
      if (bytes[0] === 0x81) heard(bytes.subarray(from, from + size).toString());
      bytes = bytes.subarray(from + size);
    }
  });
  return (text) => {
    const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0]);
    socket.write(Buffer.concat([head, Buffer.from(text)]));
  };
}

// A player of JSON turns, over TCP or as a WebSocket, that knows its clocks and comes back after an outage. It plays the
// cells that it is given, one in each turn, and waits without one.
export class Program {
  constructor(wire, hub, name) {
    Object.assign(this, {wire, hub, name, left: [], closed: false, outages: 0});
    this.connect();
  }

  connect() {
    this.socket = createConnection(this.hub.ports[this.wire === "ws" ? "http" : "turns"], "127.0.0.1");
    const heard = (text) => this.hear(JSON.parse(text));
    if (this.wire === "ws") this.say = socketLines(this.socket, heard);
    else {
      this.say = (text) => this.socket.write(`${text}\n`);
      createInterface({input: this.socket}).on("line", heard).on("error", () => {});
    }
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      if (this.closed) return;
      this.clock = undefined;
      ++this.outages;
      setTimeout(() => this.connect(), 100);
    });
    this.say(JSON.stringify({type: "connect", name: this.name, supported_games: ["tictactoe"], max_games: 1,
                             wants: ["clock", "presence", "resume"], ...(this.secret && {resume: this.secret})}));
  }

  hear(line) {
    if (line.secret) this.secret = line.secret;
    const payload = line.payload && JSON.parse(line.payload);
    if (payload?.clock) this.clock = {...payload.clock, at: Date.now()};
    if (payload?.type === "state") this.state = payload;
    if (payload?.type !== "turn") return;
    this.game = line.game_id;
    this.prompted = true;
    this.play();
  }

  play(...cells) {
    this.left.push(...cells);
    if (!this.prompted || this.left.length === 0) return;
    this.prompted = false;
    const cell = this.left.shift();
    this.say(JSON.stringify({type: "message", game_id: this.game,
                             payload: JSON.stringify({row: Math.floor(cell / 3), column: cell % 3})}));
  }

  // The milliseconds left now, by seat; undefined while the hub is away.
  clocks() {
    return this.clock?.milliseconds_left.map((left, seat) =>
      (this.clock.runs.includes("XO"[seat]) ? left - (Date.now() - this.clock.at) : left));
  }

  stop() {
    this.closed = true;
    this.socket.destroy();
  }
}

// What a client of JSON turns does that always takes the first legal action, and leaves after some of its own.
function firstAction(say, {name, game, options, leavesAfter = -1}, resolve) {
  let moves = 0;
  say({type: "connect", name, supported_games: [game], options: {[game]: options}, wants: ["actions"]});
  return (text) => {
    const line = JSON.parse(text);
    const payload = line.payload && JSON.parse(line.payload);
    if (payload?.type === "turn") {
      if (moves++ === leavesAfter) say({type: "close", game_id: line.game_id});
      else say({type: "message", game_id: line.game_id, payload: JSON.stringify(payload.actions[0])});
    }
    if (line.type === "close") resolve(line);
  };
}

// Resolves with the `close` of the game.
export const playFirst = (port, who) => new Promise((resolve, reject) => {
  const socket = createConnection(port, "127.0.0.1");
  socket.on("error", reject);
  const hear = firstAction((line) => socket.write(`${JSON.stringify(line)}\n`), who, (line) => {
    socket.end();
    resolve(line);
  });
  createInterface({input: socket}).on("line", hear);
});

// A WebSocket as small as it can be: whole text frames below 64 KiB.
function frame(text) {
  const payload = Buffer.from(text);
  const size = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  const mask = [1, 2, 3, 4];
  return Buffer.concat([Buffer.from([0x81, ...size, ...mask]), payload.map((byte, i) => byte ^ mask[i % 4])]);
}

function takeFrames(bytes, take) {
  for (;;) {
    const wide = bytes[1] === 126 ? 4 : 2;
    const size = wide === 4 && bytes.length >= 4 ? bytes.readUInt16BE(2) : bytes[1];
    if (bytes.length < wide || bytes.length < wide + size) return bytes;
    if (bytes[0] === 0x81) take(bytes.subarray(wide, wide + size).toString());
    bytes = bytes.subarray(wide + size);
  }
}

// The same over a WebSocket.
export const playFirstBySocket = (port, who) => new Promise((resolve, reject) => {
  const headers = {Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="};
  const asked = request({host: "127.0.0.1", port, path: "/api/ws", headers});
  asked.on("error", reject);
  asked.on("upgrade", (_, socket, first) => {
    const hear = firstAction((line) => socket.write(frame(JSON.stringify(line))), who, (line) => {
      socket.end();
      resolve(line);
    });
    let rest = takeFrames(first, hear);
    socket.on("error", reject);
    socket.on("data", (bytes) => (rest = takeFrames(Buffer.concat([rest, bytes]), hear)));
  });
  asked.end();
});

// A client of HTTP that joins a game and asks what it may play. Resolves with the state of the ended game.
export async function playFirstByHttp(hub, name, game) {
  const {client_id} = await hub.ask("play", {name, game_id: game});
  for (;;) {
    const now = await hub.ask(`games/${game}?client_id=${client_id}`);
    if (now.status === "ended") return now;
    if (now.actions?.length > 0) await hub.ask("move", {client_id, action: now.actions[0]});
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
