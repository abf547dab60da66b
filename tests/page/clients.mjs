// Clients of other wires, as small as they can be: they take the first free cells, or those that they are given.
import {createSocket} from "node:dgram";
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
