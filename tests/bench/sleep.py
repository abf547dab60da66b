"""Measures games that are asleep: memory, starts, and moves in random ones.

Usage: ./dev bench sleep [--games N] [--people N] [--rate N] [--seconds N] [--file FILE]

It makes a journal of such games (tests/bench/archive_maker.cpp), or uses FILE unchanged. It starts a hub on the journal
after a clean stop, and after a kill. Then clients over HTTP make their first moves in random games, at a rate, and each comes
back for one move only.
"""
import argparse
import http.client
import json
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

import journal
import servers

GAMES, RATE, SECONDS = 10_000_000, 1000, 600
CLIENTS = 16
STARTS_WITHIN = 600
FLAGS = ["--sleep-after-seconds", "1", "--http-grace-seconds", "1", "--idle-seconds", "1", "--lasting-games-max",
         "1000000", "--games-max", "1000000", "--connections-max", "1000000"]


def hub(program, *flags):
    servers.READY_SECONDS_MAX = STARTS_WITHIN
    begun = time.monotonic()
    server = journal.start(program, *FLAGS, *flags)
    return server, time.monotonic() - begun


def megabytes(server):
    return server.memory_kib() / 1024


class Mover(threading.Thread):
    """Makes the first move of some games, one every so often; `took` has the times from the request to the response."""

    def __init__(self, port, games, people, pause):
        super().__init__(daemon=True)
        self.port, self.games, self.people, self.pause = port, games, people, pause
        self.took, self.late, self.failed = [], 0, []

    def run(self):
        one = http.client.HTTPConnection("127.0.0.1", self.port, 30)
        due = time.monotonic() + random.random() * self.pause
        for game in self.games:
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            else:
                self.late += wait < -1
            due += self.pause
            person = -2 * game % self.people
            body = f"client_id=sleeper-{person:016d}&game_id={game}&position={game % 9}"
            begun = time.monotonic()
            one.request("POST", "/api/move", body, {"Content-Type": "application/x-www-form-urlencoded"})
            answer = one.getresponse()
            said = answer.read()
            self.took.append(time.monotonic() - begun)
            if answer.status != 200:
                self.failed.append(said.decode()[:200])
        one.close()


def move(server, games, people, rate, seconds):
    # The hub has the first core.
    os.sched_setaffinity(0, [servers.LOAD_CPU])
    chosen = random.sample(range(1, games + 1), min(games, rate * seconds))
    movers = [Mover(server.ports["http"], chosen[n::CLIENTS], people, CLIENTS / rate) for n in range(CLIENTS)]
    cpu, most = server.cpu_seconds(), 0
    for each in movers:
        each.start()
    while any(each.is_alive() for each in movers):
        time.sleep(1)
        most = max(most, megabytes(server))
    took = sorted(t for each in movers for t in each.took)
    failed = [why for each in movers for why in each.failed]
    counts = journal.counts(server)
    transactions = counts["gamehub_journal_transactions_total"]
    return {"moves": len(took), "failed": len(failed), "why": failed[:3],
            "p50_ms": 1000 * took[len(took) // 2], "p99_ms": 1000 * took[len(took) * 99 // 100],
            "most_ms": 1000 * took[-1], "late": sum(each.late for each in movers),
            "cpu_us": 1e6 * (server.cpu_seconds() - cpu) / len(took), "mib_most": most,
            "transactions": transactions,
            "transaction_ms": 1000 * counts["gamehub_journal_write_seconds_total"] / max(transactions, 1),
            "transaction_most_ms": 1000 * counts["gamehub_journal_write_seconds_max"],
            "wake_ms": 1000 * counts["gamehub_wake_duration_seconds_sum"] / max(counts["gamehub_wake_duration_seconds_count"], 1)}


def measure(bench_hub, archive, asked, place):
    file = Path(asked.file) if asked.file else place / "journal.db"
    people = asked.people or 2 * asked.games
    if not file.exists():
        begun = time.monotonic()
        journal.make(archive, file, "--asleep", asked.games, "--people", people)
        print(f"made in {time.monotonic() - begun:.0f} s, {file.stat().st_size / 2**30:.2f} GiB", file=sys.stderr)
    server, _ = hub(bench_hub, "--journal", f"sqlite:{place / 'empty.db'}")
    empty = megabytes(server)
    server.stop()
    found = {"games": asked.games, "people": people, "empty_mib": empty}
    server, found["start_seconds"] = hub(bench_hub, "--journal", f"sqlite:{file}")
    found["asleep"] = server.metric("gamehub_games_asleep")
    found["mib"] = megabytes(server)
    os.kill(server.pid, signal.SIGKILL)
    server.process.wait()
    server, found["start_after_kill_seconds"] = hub(bench_hub, "--journal", f"sqlite:{file}")
    found.update(move(server, asked.games, people, asked.rate, asked.seconds))
    found["mib_at_end"] = megabytes(server)
    server.stop()
    return found


def main():
    of = argparse.ArgumentParser(prog="./dev bench sleep", description=__doc__.splitlines()[0])
    of.add_argument("build")
    of.add_argument("--games", type=int, default=GAMES, help=f"that are asleep ({GAMES:,})")
    of.add_argument("--people", type=int, default=0, help="who have them (two for each game)")
    of.add_argument("--rate", type=int, default=RATE, help=f"moves a second ({RATE:,})")
    of.add_argument("--seconds", type=int, default=SECONDS, help=f"for how long ({SECONDS})")
    of.add_argument("--file", help="the journal: made if there is none, and kept")
    asked = of.parse_args()
    build = Path(asked.build)
    with journal.folder() as place:
        found = measure(build / "gamehub", build / "tests" / "bench" / "bench_archive", asked, place)
    print(json.dumps(found, indent=1))
    sys.exit(found["failed"] != 0 or found["asleep"] != asked.games)


if __name__ == "__main__":
    main()
