"""Measures engines in separate processes, by the language of the engine, and games of another engine beside one that
misbehaves.

Usage: ./dev bench engines [CASE...] [--rounds N] [--seconds S] [--games N] [--write]

Each case is a hub with one engine, whose rules are TicTacToe: that of the hub itself (`inside`), the same in a process
(`c++`), and what `gamehub-tools engine new` makes in Rust, Python and JavaScript; in Python with one process and with
two. `misdeeds` are paced games in the hub's process while games of a bad engine are played. --write puts the tables into
tests/bench/README.md.
"""
import argparse
import functools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import honest
import measure as figures
import servers
from hostile import Table

GAMES, MISDEED_GAMES, MISDEED_RATE = 1000, 16, 400
BOARD = ["--rows", "3", "--columns", "3"]
# What a bad engine does in `apply`, when the file `bad` is beside it.
MISDEEDS = {
    "plays well": "pass",
    "crashes": "os.abort()",
    "hangs": "exec('while True: pass')",
    "leaks": "kept.append(bytearray(b'x' * (1 << 26)))",
    "writes garbage": "os.write(4, b'hello, hub')",
    "uses a core between calls": "threading.active_count() > 1 or threading.Thread(target=spin, daemon=True).start()",
    "starts such a thread at each move": "threading.Thread(target=spin, daemon=True).start()",
}
# The threads of Python run one at a time, those of Rust on all cores.
RUST_MISDEED = "starts such a thread at each move, in Rust"
RUST_BEGIN = "fn apply(&mut self, seat: usize, action: i64) {"
RUST_SPIN = """
        if std::path::Path::new("target/release/bad").exists() {
            std::thread::spawn(|| loop { std::hint::spin_loop() });
        }"""
BAD_ENGINE = """import os, threading
from game_{name} import Rules, run
kept = []
def spin():
    while True: pass
class Bad(Rules):
    id = "bad"
    def apply(self, seat, action):
        super().apply(seat, action)
        if os.path.exists("{folder}/bad"): {misdeed}
run(Bad)
"""


class Engines:
    """Makes the programs once, in a folder."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, Path(folder)

    def make(self, name, language):
        command = [self.tools, "engine", "new", name, "--language", language, *BOARD, "--into", self.folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return self.folder / name

    @functools.cached_property
    def python(self):
        folder = self.make("py-board", "python")
        return f"py-board={sys.executable} {folder}/game_py_board.py"

    @functools.cached_property
    def rust(self):
        folder = self.make("rs-board", "rust")
        subprocess.run(["cargo", "build", "--release", "--offline", "--quiet"], check=True, cwd=folder)
        return f"rs-board={folder}/target/release/game-rs-board"

    @functools.cached_property
    def javascript(self):
        folder = self.make("js-board", "javascript")
        program = subprocess.run(["node", "-p", "process.execPath"], check=True, capture_output=True, text=True)
        return f"js-board={program.stdout.strip()} {folder}/js_board.mjs"

    @functools.cached_property
    def bad_rust(self):
        folder = self.make("bad", "rust")
        rules = folder / "src/main.rs"
        text = rules.read_text()
        if RUST_BEGIN not in text:
            raise servers.Failed("the template of Rust has another apply()")
        rules.write_text(text.replace(RUST_BEGIN, RUST_BEGIN + RUST_SPIN.replace("target", f"{folder}/target")))
        subprocess.run(["cargo", "build", "--release", "--offline", "--quiet"], check=True, cwd=folder)
        return folder / "target/release", f"bad={folder}/target/release/game-bad"

    def bad(self, misdeed):
        if misdeed == RUST_MISDEED:
            return self.bad_rust
        folder = self.folder / f"bad-{len(list(self.folder.iterdir()))}"
        shutil.copytree(self.make(folder.name + "-rules", "python"), folder)
        name = (folder.name + "-rules").replace("-", "_")
        (folder / "bad.py").write_text(BAD_ENGINE.format(name=name, folder=folder, misdeed=misdeed))
        return folder, f"bad={sys.executable} {folder}/bad.py"


def flags_of(case, engines):
    program = case.split("-")[0]
    if program == "inside":
        return []
    if program == "c++":
        return ["--isolate", "tictactoe"]
    command = getattr(engines, program)
    processes = ["--engine-processes", "2"] if case.endswith("-2") else []
    return ["--engine", command, "--opcodes-engine", command.split("=")[0], *processes]


def children_of(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
            found += [int(each) for each in children.read().split()]
    return found


def cpu_of(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def moves_of(hub):
    return hub.metric("gamehub_moves_total")


class Bench:
    def __init__(self, program, seconds, games):
        self.program, self.seconds, self.games, self.errors = program, seconds, games, 0
        self.others_cpu = []

    def play(self, hub, *flags):
        """What the load found, with `engine_us`: the processor time of the engine's processes for a move."""
        processes, moves = children_of(hub.pid), moves_of(hub)
        before = sum(map(cpu_of, processes))
        found = servers.play(self.program, "opcodes", hub, "--seconds", self.seconds, *flags)
        cpu = sum(map(cpu_of, children_of(hub.pid))) - before
        found["engine_us"] = cpu * 1e6 / max(1, moves_of(hub) - moves)
        # The time of processes that have ended is not known. A second of play is not measured.
        if processes == children_of(hub.pid):
            self.others_cpu.append(max(0.0, found["others_cpu"] - cpu / (self.seconds + 1)))
        self.errors += found["errors"]
        if found["errors"]:
            print(f"  errors: {found['errors_by_text']}", file=sys.stderr)
        return found

    def case(self, flags):
        with servers.hub(self.program, *flags, cpus=servers.CPUS) as hub:
            return self.play(hub, "--games", 1), self.play(hub, "--games", self.games)

    def beside(self, engines, misdeed):
        """Paced games of the hub's TicTacToe, beside games of a bad engine."""
        folder, command = engines.bad(misdeed)
        (folder / "bad").unlink(missing_ok=True)
        with servers.hub(self.program, "--engine", command, cpus=servers.CPUS) as hub:
            (folder / "bad").touch()
            with Victims(hub) as victims:
                found = self.play(hub, "--games", MISDEED_GAMES, "--rate", MISDEED_RATE)
            found["bad_games"] = victims.games
            found["ended"] = hub.metric("gamehub_engine_restarts_total")
        return found


class Victims:
    """Pairs that play games of the bad engine over turns, as long as it lets them."""

    def __init__(self, hub):
        self.port, self.games, self.ends = hub.ports["turns"], 0, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        ask = {"name": None, "supported_games": ["bad"], "max_games": 1}
        number = 0
        while not self.ends.wait(0.02):
            number = (number + 2) % 200
            try:
                with honest.Line(self.port, f"127.8.9.{number + 1}", 2, **ask) as x:
                    with honest.Line(self.port, f"127.8.9.{number + 2}", 2, **ask) as o:
                        for cell, mover in enumerate([x, o, x, o, x]):
                            mover.read_until("turn")
                            mover.move(cell % 2, cell // 2)
                        x.read_until("close")
            except (honest.Refused, OSError, ValueError, KeyError):
                continue
            self.games += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()


def middle(found, of):
    return statistics.median(of(each) for each in found)


def hub_cpu(found):
    return found["server"]["cpu_us_per_move"]


def engine_cpu(found):
    return found["engine_us"]


def milliseconds(percentile):
    return lambda found: found["latency_us"][percentile] / 1000


def languages_table(found, games):
    table = Table(["engine", "alone: p50", "CPU of hub", "of engine",
                   f"{games:,} games: moves/s", "p50", "p99", "CPU of hub", "of engine"])
    for case, rounds in found.items():
        alone, many = [each[0] for each in rounds], [each[1] for each in rounds]
        table.add([case, f"{middle(alone, milliseconds('p50')):.2f} ms", f"{middle(alone, hub_cpu):.0f} us",
                   f"{middle(alone, engine_cpu):.0f} us",
                   figures.shown([each["moves_per_second"] for each in many], 0),
                   f"{middle(many, milliseconds('p50')):.0f} ms", f"{middle(many, milliseconds('p99')):.0f} ms",
                   f"{middle(many, hub_cpu):.0f} us", f"{middle(many, engine_cpu):.0f} us"])
    return table


def misdeeds_table(found):
    table = Table(["the other engine", "move p50", "p99", "p99 as a multiple", "its games", "its processes that ended"])
    usual = [milliseconds("p99")(each) for each in found[next(iter(MISDEEDS))]]
    for name, rounds in found.items():
        p99 = [milliseconds("p99")(each) for each in rounds]
        table.add([name, f"{middle(rounds, milliseconds('p50')):.2f} ms", figures.shown(p99, 2, " ms"),
                   f"{statistics.median(one / other for one, other in zip(p99, usual)):.2f}",
                   f"{middle(rounds, lambda each: each['bad_games']):.0f}",
                   f"{middle(rounds, lambda each: each['ended']):.0f}"])
    return table


CASES = ["inside", "c++", "rust", "python", "python-2", "javascript", "misdeeds"]
# The programs without which a case is not measured.
NEEDS = {"rust": "cargo", "javascript": "node"}


def misdeeds():
    return MISDEEDS | ({RUST_MISDEED: RUST_MISDEED} if shutil.which("cargo") else {})


def parser():
    asked = argparse.ArgumentParser(usage=__doc__)
    asked.add_argument("cases", nargs="*", metavar="CASE")
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--seconds", type=int, default=8)
    asked.add_argument("--games", type=int, default=GAMES)
    asked.add_argument("--write", action="store_true")
    return asked


def measure(program, asked):
    """Prints and writes the tables, and returns the bench and what was found by case and by misdeed."""
    cases = asked.cases or [case for case in CASES if case not in NEEDS or shutil.which(NEEDS[case])]
    bench, found, beside = Bench(program, asked.seconds, asked.games), {}, {}
    with tempfile.TemporaryDirectory() as folder:
        engines = Engines(servers.tools(program), folder)
        for number in range(asked.rounds):
            for case in cases:
                if case != "misdeeds":
                    found.setdefault(case, []).append(bench.case(flags_of(case, engines)))
                    continue
                for name, misdeed in misdeeds().items():
                    beside.setdefault(name, []).append(bench.beside(engines, misdeed))
            print(f"  round {number + 1} of {asked.rounds}", file=sys.stderr)
    noise = f"the rest of the machine used {statistics.median(bench.others_cpu):.2f} of a core"
    tables = {"engines": languages_table(found, asked.games) if found else None,
              "engine-misdeeds": misdeeds_table(beside) if beside else None}
    for name, table in tables.items():
        if table is None:
            continue
        table.line(f"\n{asked.rounds} rounds of {asked.seconds} seconds; {noise}.\n"
                   f"Commit {figures.commit()}; {figures.machine()}.")
        if asked.write:
            figures.write(name, "\n".join(table.lines))
    return bench, found, beside


def main():
    asked = parser().parse_intermixed_args(sys.argv[2:])
    unknown = [case for case in asked.cases if case not in CASES]
    if unknown:
        print(f"engines: there is no case {unknown[0]}: give some of {', '.join(CASES)}", file=sys.stderr)
        return 2
    try:
        bench, _, _ = measure(str(Path(sys.argv[1]) / "gamehub"), asked)
    except (servers.Failed, OSError, subprocess.CalledProcessError) as failed:
        print(f"engines: {failed}", file=sys.stderr)
        return 1
    return 1 if bench.errors else 0


if __name__ == "__main__":
    sys.exit(main())
