"""Measures games that are asleep: memory, starts, and moves in random ones.

Usage: ./dev bench sleep [--games N] [--people N] [--rate N] [--seconds N] [--cold] [--file FILE]

It makes a journal of such games (tests/bench/archive_maker.cpp), or uses FILE unchanged. It starts a hub on the journal
after a clean stop, and after a kill. Then clients over HTTP make their first moves in random games, at a rate, and each comes
back for one move only. The file is held in the page cache (mlock(2); a system may drop pages that are not used for seconds);
with --cold each move reads the disk.
"""
import argparse
import ctypes
import json
import mmap
import os
import random
import re
import selectors
import signal
import socket
import sys
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


class Client:
    """A connection over HTTP, with one request at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.setblocking(False)
        self.due, self.answer = 0.0, b""

    def move(self, game, people, due):
        person = -2 * game % people
        body = f"client_id=sleeper-{person:016d}&game_id={game}&position={game % 9}"
        self.due, self.answer = due, b""
        self.socket.send((f"POST /api/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
                          f"Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}").encode())

    def is_answered(self):
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError("the hub closed the connection after: " + self.answer.decode()[:200])
        self.answer += part
        head, end, body = self.answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        return bool(end and length) and len(body) >= int(length[1])


class Mover:
    """Makes the first move of each game, at a rate. `took` has the times from when a request was due to its response: a
    request that waits because all clients wait for the hub is late by the hub. One thread, which never sleeps: several
    would wait for each other for longer than the hub takes."""

    def __init__(self, port, games, people, rate):
        self.games, self.people, self.rate = games, people, rate
        self.idle = [Client(port) for _ in range(CLIENTS)]
        self.took, self.failed = [], []

    def run(self, each_second):
        ready = selectors.DefaultSelector()
        for client in self.idle:
            ready.register(client.socket, selectors.EVENT_READ, client)
        begun, asked, seconds = time.monotonic(), 0, 0
        while len(self.took) < len(self.games):
            now = time.monotonic() - begun
            while self.idle and asked < len(self.games) and asked / self.rate <= now:
                self.idle.pop(0).move(self.games[asked], self.people, asked / self.rate)
                asked += 1
            for key, _ in ready.select(0):
                if key.data.is_answered():
                    self.took.append(time.monotonic() - begun - key.data.due)
                    self.idle.append(key.data)
                    if not key.data.answer.startswith(b"HTTP/1.1 200 "):
                        self.failed.append(key.data.answer.decode()[-200:])
            if now >= seconds + 1:
                seconds += 1
                each_second()


def hold(file):
    """Holds the file in the page cache until this process ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mlock.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    size = file.stat().st_size
    with file.open("rb") as of:
        at = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, of.fileno(), 0)
    if at is None or at == ctypes.c_void_p(-1).value or libc.mlock(at, size) != 0:
        print(f"the file is not held in the page cache: {os.strerror(ctypes.get_errno())}", file=sys.stderr)


def forget(file):
    """Drops the file from the page cache, but for what is not on disk yet."""
    with file.open("rb") as of:
        os.posix_fadvise(of.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def move(server, games, people, rate, seconds, each_second):
    # The hub has the first core.
    os.sched_setaffinity(0, [servers.LOAD_CPU])
    mover = Mover(server.ports["http"], random.sample(range(1, games + 1), min(games, rate * seconds)), people, rate)
    cpu, memory = server.cpu_seconds(), []

    def note():
        memory.append(megabytes(server))
        each_second()

    mover.run(note)
    # In the order of the answers, which is nearly that of the requests.
    minutes = [sorted(mover.took[i:i + 60 * rate]) for i in range(0, len(mover.took), 60 * rate)]
    took = sorted(mover.took)
    counts = journal.counts(server)
    transactions = counts["gamehub_journal_transactions_total"]
    return {"moves": len(took), "failed": len(mover.failed), "why": mover.failed[:3],
            "p50_ms": 1000 * took[len(took) // 2], "p99_ms": 1000 * took[len(took) * 99 // 100],
            "most_ms": 1000 * took[-1],
            "p99_ms_of_each_minute": [round(1000 * each[len(each) * 99 // 100], 1) for each in minutes],
            "cpu_us": 1e6 * (server.cpu_seconds() - cpu) / len(took), "mib_most": max(memory),
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
    (forget if asked.cold else hold)(file)
    found.update(move(server, asked.games, people, asked.rate, asked.seconds, lambda: asked.cold and forget(file)))
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
    of.add_argument("--cold", action="store_true", help="drop the file from the page cache at first, and each second")
    of.add_argument("--file", help="the journal: made if there is none, and kept")
    asked = of.parse_args()
    build = Path(asked.build)
    with journal.folder() as place:
        found = measure(build / "gamehub", build / "tests" / "bench" / "bench_archive", asked, place)
    print(json.dumps(found, indent=1))
    sys.exit(found["failed"] != 0 or found["asleep"] != asked.games)


if __name__ == "__main__":
    main()
