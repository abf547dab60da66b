"""Games on a quick clock, of players who are in time by their own clocks: none may be lost.

Usage: ./dev bench clocks [--games N] [--seconds S] [--wire WIRE] [--killed]

250 games at once of 0.2 s and 2 ms a move (Fischer). A player thinks for at most 36 ms before each of its moves, of which it has
at most five. Every end is checked against the rules, so a loss by the clock is an error. Then the same with a hub that is held up:
it is stopped for 0.3 s, longer than all of a player's time, every two seconds. With --killed, a third time over JSON turns, with
a hub that is killed every two seconds and started again on its journal, and fewer games at once, of players who come back.
"""
import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import returning
import servers

CLOCK, AT_ONCE, THINK_MS = "fischer:0.2+0.002", 250, 36
TIME_EACH_SECONDS, KILLED_AT_ONCE, LIFE_SECONDS = 0.2, 40, 2
GAMES, HELD_UP_SECONDS, HELD_UP_EACH, SECONDS_MAX = 100_000, 0.3, 2, 600


def hold_up(server):
    os.kill(server.pid, signal.SIGSTOP)
    time.sleep(HELD_UP_SECONDS)
    os.kill(server.pid, signal.SIGCONT)


def play(program, wire, seconds, is_held_up):
    """What the load found, and how much time the hub gave back to players."""
    with servers.hub(program, "--clock", CLOCK, "--journal", "memory") as server:
        load = servers.start_load(program, wire, server, "--games", AT_ONCE, "--think", THINK_MS, "--seconds", seconds,
                                  "--admin-port", server.ports["admin"])
        while is_held_up and load.poll() is None:
            time.sleep(HELD_UP_EACH)
            # Not while the load compares the hub's counts with its own.
            if load.poll() is None:
                hold_up(server)
        found = servers.end_load(load)
        found["credited_seconds"] = server.metric("gamehub_clock_credit_seconds_total")
    return found


def started_on(program, journal, port):
    """A hub on this journal and port; nothing that a client was told may be lost, so it is as durable as by default."""
    return servers.Server([program, "serve", "--loops", "1", "--opcodes-port", "off", "--udp-port", "off", "--http-port", "off",
                           "--turns-port", str(port), "--admin-port", "0", "--journal", f"sqlite:{journal}", "--clock", CLOCK,
                           "--log-level", "error"])


async def play_killed(program, games, seconds, folder):
    journal = Path(folder) / "journal.db"
    server = await asyncio.to_thread(started_on, program, journal, 0)
    port, kills, begun = server.ports["turns"], 0, time.monotonic()
    table = returning.Table(port, KILLED_AT_ONCE, THINK_MS / 1000, TIME_EACH_SECONDS)
    try:
        while table.games < games and not (seconds and time.monotonic() > begun + seconds):
            await asyncio.sleep(random.uniform(0.5, 1.5) * LIFE_SECONDS)
            server.process.kill()
            server.process.wait()
            kills += 1
            server = await asyncio.to_thread(started_on, program, journal, port)
        await asyncio.sleep(1)
    finally:
        table.stop()
        server.stop()
    return {"killed": kills, "games": table.games, "games_per_second": round(table.games / (time.monotonic() - begun)),
            "returns": table.returns, "late_by_their_own_clocks": table.late, "errors": table.words}


def play_killed_hub(program, games, seconds):
    os.sched_setaffinity(0, {servers.LOAD_CPU})
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play_killed(program, games, seconds, folder))


def main():
    of = argparse.ArgumentParser(prog="./dev bench clocks", description=__doc__.splitlines()[0])
    of.add_argument("build")
    of.add_argument("--games", type=int, default=GAMES, help=f"for as many ({GAMES:,})")
    of.add_argument("--wire", default="opcodes", help="opcodes, turns or ws (opcodes)")
    of.add_argument("--seconds", type=int, default=0, help="for how long, instead of a number of games")
    of.add_argument("--killed", action="store_true", help="the third time, too: with a hub that is killed")
    asked = of.parse_args()
    program, errors = str(Path(asked.build) / "gamehub"), 0
    for is_held_up in (False, True):
        played, credited, why, rate = 0, 0.0, {}, 0
        while played < asked.games:
            # The first run is short: it tells how many games a second there are.
            seconds = asked.seconds or (min(SECONDS_MAX, int((asked.games - played) / rate) + 1) if rate else 5)
            found = play(program, asked.wire, seconds, is_held_up)
            played += found["games_played"]
            credited += found["credited_seconds"]
            rate = found["games_per_second"]
            errors += found["errors"]
            why.update(found["errors_by_text"])
            if asked.seconds:
                break
        print(json.dumps({"held_up": is_held_up, "games": played, "games_per_second": rate, "credited_seconds": credited,
                          "errors": why, "p99_us": found["latency_us"]["p99"]}))
    if asked.killed:
        found = play_killed_hub(program, asked.games, asked.seconds)
        errors += sum(found["errors"].values())
        print(json.dumps(found))
    sys.exit(errors != 0)


if __name__ == "__main__":
    main()
