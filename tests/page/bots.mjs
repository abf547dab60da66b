// Bots of others: tests/system/bots.py as a process, and how they register.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";
import {fileURLToPath} from "node:url";
import {patience} from "./hub.mjs";

const program = fileURLToPath(new URL("../system/bots.py", import.meta.url));

export class Bots {
  static async start() {
    const it = new Bots();
    it.process = spawn("python3", ["-B", program], {stdio: ["pipe", "pipe", "inherit"]});
    it.ended = new Promise((resolve) => it.process.once("exit", resolve));
    it.heard = [];
    it.port = await new Promise((resolve) => createInterface({input: it.process.stdout}).on("line", (line) => {
      if (line.startsWith("port ")) resolve(Number(line.slice(5)));
      else it.heard.push(JSON.parse(line));
    }));
    return it;
  }

  // A bot of one of the kinds of bots.py; its name is free to have blanks.
  async enter(hub, kind, name, game = "TICTACTOE") {
    const params = {token: "any", botname: name, botversion: "1", game, programminglanguage: "Python",
                    rpcendpoint: `http://127.0.0.1:${this.port}/${kind}/${name.replaceAll(" ", "-")}`};
    const answer = await fetch(`${hub.url}rpc`, {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({jsonrpc: "2.0", method: "RegistrationService.Register", params, id: 1}),
    });
    assert.equal((await answer.json()).error, null);
  }

  // Once all of them have answered a call, and have played what there was to play.
  async havePlayed(hub) {
    const end = Date.now() + patience;
    for (;;) {
      const {waiting, running, bots} = await (await fetch(`http://127.0.0.1:${hub.ports.admin}/arena`)).json();
      if (waiting + running === 0 && bots.every(({state}) => state !== "registered")) return;
      assert.ok(Date.now() < end, `the league does not end: ${waiting} games wait, ${running} run`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  // What a bot of that name was called for.
  calls(name, method) {
    return this.heard.filter((each) => each.name === name.replaceAll(" ", "-") && each.method?.endsWith(`.${method}`));
  }

  async stop() {
    this.process.stdin.end();
    await this.ended;
  }
}
