// A hub of a test's own: the real program on free ports, with a journal of its own, that can be killed and
// comes back on the same port.
import {spawn} from "node:child_process";
import {mkdtemp, readFile, readdir, readlink, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {createInterface} from "node:readline";
import {setTimeout} from "node:timers/promises";

const program = process.env.PAGE_TEST_PROGRAM;

// How long anything may take; sanitizers slow all of it down.
export const patience = Number(process.env.PAGE_TEST_PATIENCE_MS ?? 20_000);

export class Hub {
  // With --cluster it has no journal of its own, and comes back as a new member.
  static async start(...flags) {
    const hub = new Hub();
    hub.folder = await mkdtemp(path.join(tmpdir(), "gamehub-page-"));
    hub.flags = flags;
    hub.ports = {http: 0};
    await hub.up();
    return hub;
  }

  async up() {
    this.process = spawn(program, ["serve", "--listen", "127.0.0.1", "--http-port", this.ports.http, "--turns-port", 0,
      "--opcodes-port", 0, "--udp-port", 0, "--admin-port", 0, "--loops", 2, "--drain-seconds", 0, "--log-level", "error",
      ...(this.flags.includes("--cluster") ? [] : ["--journal", `sqlite:${path.join(this.folder, "journal.db")}`]),
      ...this.flags].map(String),
      {stdio: ["ignore", "pipe", "inherit"]});
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    const gone = this.ended.then((code) => {
      throw new Error(`the hub ended with ${code}`);
    });
    gone.catch(() => {});
    const lines = createInterface({input: this.process.stdout})[Symbol.asyncIterator]();
    const {value} = await Promise.race([lines.next(), gone]);
    this.ports = Object.fromEntries([...value.matchAll(/(\w+)=(\d+)/g)].map(([, wire, port]) => [wire, Number(port)]));
  }

  get url() {
    return `http://127.0.0.1:${this.ports.http}/`;
  }

  // A request of a client without a browser.
  async ask(request, body) {
    const headers = {"Content-Type": "application/json"};
    const answer = await fetch(`${this.url}api/${request}`, body && {method: "POST", headers, body: JSON.stringify(body)});
    return answer.json();
  }

  // Waits until the metrics of the hub have this line.
  async counts(line) {
    const end = Date.now() + patience;
    for (;;) {
      const text = await (await fetch(`http://127.0.0.1:${this.ports.admin}/metrics`)).text();
      if (text.split("\n").includes(line)) return;
      if (Date.now() > end) throw new Error(`never: ${line}`);
      await setTimeout(20);
    }
  }

  // The number of open connections on the HTTP port.
  async connections() {
    const lines = (await readFile("/proc/net/tcp", "utf8")).trim().split("\n").slice(1).map((each) => each.trim().split(/\s+/));
    const port = this.ports.http.toString(16).toUpperCase().padStart(4, "0");
    const mine = new Set();
    for (const descriptor of await readdir(`/proc/${this.process.pid}/fd`)) {
      const link = await readlink(`/proc/${this.process.pid}/fd/${descriptor}`).catch(() => "");
      const found = /socket:\[(\d+)\]/.exec(link);
      if (found) mine.add(found[1]);
    }
    return lines.filter((each) => each[1].endsWith(`:${port}`) && each[3] === "01" && mine.has(each[9])).length;
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  async stop() {
    this.process.kill("SIGTERM");
    const code = await this.ended;
    await rm(this.folder, {recursive: true, force: true});
    if (code !== 0) throw new Error(`the hub ended with ${code}`);
  }
}
