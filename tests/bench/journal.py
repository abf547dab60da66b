"""The cost of the journal, the time of a recovery, and the speed of a verification."""
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import servers

OPEN_GAMES, ARCHIVED_GAMES = 100_000, 1_000_000
KINDS = {"memory": None, "process": "process", "power": "power"}


@contextmanager
def folder():
    path = Path(tempfile.mkdtemp(prefix="gamehub-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


def start(program, *flags):
    return servers.Server([program, "serve", "--loops", "1", "--opcodes-port", "0", "--turns-port", "0",
                           "--udp-port", "0", "--http-port", "0", "--admin-port", "0", "--log-level", "error", *flags])


def counts(server):
    """The metrics of a server; samples of one name are summed."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.ports['admin']}/metrics") as page:
        text = page.read().decode()
    found = {}
    for name, value in re.findall(r"^(\w+)(?:\{[^}]*\})? (\S+)$", text, re.MULTILINE):
        found[name] = found.get(name, 0) + float(value)
    return found


def play(bench, durability, games):
    """As the case `play`, on a new journal of that durability; none: in memory."""
    with folder() as place:
        flags = ["--durability", durability] if durability else []
        with start(bench.hub_program, "--journal", f"sqlite:{place / 'journal.db'}" if durability else "memory", *flags) as server:
            found = bench.play("opcodes", server, "--games", games)
            after = counts(server)
        transactions = after.get("gamehub_journal_transactions_total", 0)
        found["per_transaction"] = after["gamehub_moves_total"] / transactions if transactions else 0
        found["appends_per_second"] = transactions / found["seconds"]
        return found


def cost(bench, games):
    """The results of the rounds, by name."""
    return bench.in_turns(**{name: lambda durability=durability: play(bench, durability, games)
                             for name, durability in KINDS.items()})


def make(program, file, *flags):
    made = subprocess.run([program, str(file), *map(str, flags)], check=True, capture_output=True, text=True)
    return json.loads(made.stdout)


def recover(bench, archive):
    """A new hub on a copy of the archive, killed when it is ready: seconds, MiB, and running games."""
    with folder() as place:
        copy = place / "journal.db"
        shutil.copy(archive, copy)
        begun = time.monotonic()
        with start(bench.hub_program, "--journal", f"sqlite:{copy}", "--games-max", "1000000", "--turn-seconds", "0") as server:
            took = time.monotonic() - begun
            found = {"seconds": took, "mib": server.memory_kib() / 1024, "games": settled_games(server)}
            server.process.kill()
        return found


def settled_games(server):
    """Running games, when their number is stable: each loop counts its games when it runs."""
    before, games = -1, counts(server)["gamehub_games_running"]
    while games != before:
        time.sleep(0.2)
        before, games = games, counts(server)["gamehub_games_running"]
    return games


def recovery(bench, open_games=OPEN_GAMES):
    with folder() as place:
        archive = place / "archive.db"
        make(bench.archive_program, archive, "--open", open_games)
        fold(archive)
        return [recover(bench, archive) for _ in range(bench.rounds)]


def fold(file):
    """Merges the two files that SQLite may leave into one."""
    with sqlite3.connect(file) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()


def verify(program, file):
    """Exit code and summary of gamehub verify."""
    done = subprocess.run([program, "verify", "--json", "--journal", f"sqlite:{file}"], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise servers.Failed(f"gamehub verify ended with {done.returncode}: {done.stderr.strip()}")
    return done.returncode, json.loads(done.stdout)


def flip_a_byte(file):
    """Flips a byte in the log of a game in the middle; returns its number."""
    base = sqlite3.connect(file)
    with base:
        game, log = base.execute("SELECT id, log FROM games ORDER BY seq LIMIT 1 "
                                 "OFFSET (SELECT count(*) / 2 FROM games)").fetchone()
        log = bytearray(log)
        log[len(log) // 2] ^= 1
        base.execute("UPDATE games SET log = ? WHERE id = ?", (bytes(log), game))
    base.close()
    return game


def verification(bench, games=ARCHIVED_GAMES):
    """The size of the archive, the summaries of the rounds, and whether the flipped byte was found."""
    with folder() as place:
        archive = place / "archive.db"
        made = make(bench.archive_program, archive, "--games", games)
        fold(archive)
        made["mib"] = archive.stat().st_size / 1024 / 1024
        rounds = []
        for number in range(bench.rounds):
            code, summary = verify(bench.hub_program, archive)
            if code != 0 or summary["differences"]:
                bench.errors += 1
            rounds.append(summary)
            print(f"  round {number + 1} of {bench.rounds}", file=sys.stderr)
        game = flip_a_byte(archive)
        code, summary = verify(bench.hub_program, archive)
        found = code == 1 and game in [each["game"] for each in summary["found"]]
        bench.errors += not found
        return made, rounds, found


def smoke(hub, archive):
    """A short run of everything; asserts results and no speed: journal.py HUB BENCH_ARCHIVE."""
    class Brief:
        hub_program, archive_program, rounds, errors = hub, archive, 1, 0
    brief = Brief()
    found = recovery(brief, 300)
    if [each["games"] for each in found] != [300]:
        sys.exit(f"of 300 games were recovered: {found}")
    made, rounds, flipped = verification(brief, 300)
    if brief.errors or not flipped or rounds[0]["games"] != 300 or rounds[0]["records"] != made["records"]:
        sys.exit(f"verify: {made}, {rounds}, a flipped byte found: {flipped}")


if __name__ == "__main__":
    smoke(*sys.argv[1:])
