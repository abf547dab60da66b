"""How long two players whose clients are connected to different hubs of a cluster wait until they are seated."""
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import checks
import cluster
import journal
import servers

HUBS, OTHERS, THINK_MS = 3, 200, 1000
# Players of one engine at a time are one pair.
ENGINES = ("connect-four", "gomoku", "hex", "othello")
HEAD_START_MS_MAX = 50


class Client:
    """One of turns, which plays one game."""

    async def connect(self, port, name, engine):
        """Returns when it waits for an opponent."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        line = {"type": "connect", "name": name, "supported_games": [engine], "max_games": 1}
        self.writer.write(json.dumps(line).encode() + b"\n")
        await self.hear("name")

    async def hear(self, kind):
        while json.loads(await self.reader.readline())["type"] != kind:
            continue

    def close(self):
        self.writer.close()


async def seat_pair(hubs, engine, name):
    """Seconds from the second player's connection until both are seated."""
    here, there = random.sample(hubs, 2)
    first, second = Client(), Client()
    try:
        await first.connect(here.port("turns"), f"{name}-first", engine)
        await asyncio.sleep(random.uniform(0, HEAD_START_MS_MAX) / 1000)
        begun = time.monotonic()
        await second.connect(there.port("turns"), f"{name}-second", engine)
        await asyncio.gather(first.hear("start"), second.hear("start"))
        return time.monotonic() - begun
    finally:
        first.close(), second.close()


async def seat_pairs(hubs, count):
    async def pairs_of(engine):
        return [await seat_pair(hubs, engine, f"{engine}-{number}") for number in range(count // len(ENGINES))]
    return [each for lane in await asyncio.gather(*map(pairs_of, ENGINES)) for each in lane]


async def run_in(bench, pairs, others, seconds, place):
    base = cluster.RealDatabase(place)
    await base.start()
    try:
        with contextlib.ExitStack() as kept:
            hubs = [kept.enter_context(journal.start(bench.hub_program, "--cluster", base.target())) for _ in range(HUBS)]
            while any(each.metric("gamehub_relay_hubs") < HUBS - 1 for each in hubs):
                await asyncio.sleep(cluster.POLL_SECONDS)
            ports = ",".join(str(each.port("opcodes")) for each in hubs[1:])
            load = asyncio.create_task(asyncio.to_thread(
                bench.play, "opcodes", hubs[0], "--games", HUBS * others // 2, "--think", THINK_MS, "--more-ports", ports,
                seconds=seconds)) if others else None
            await asyncio.sleep(2 if others else 0)
            waits = await seat_pairs(hubs, pairs)
            if load and load.done():
                raise cluster.Broke("the others had stopped before all pairs were seated: measure for more --seconds")
            return waits, (await load)["moves_per_second"] if load else 0
    finally:
        await base.stop()


def run(bench, pairs=1000, others=OTHERS, seconds=60):
    """The seconds of each pair, and the moves a second of `others` at each hub."""
    with tempfile.TemporaryDirectory(prefix="gamehub-bench-") as place:
        return asyncio.run(run_in(bench, pairs, others, seconds, Path(place)))


def smoke(hub):
    """A short run; asserts results and no speed: meeting.py HUB."""
    class Brief:
        hub_program = hub

        def play(self, wire, server, *flags, seconds=1):
            found = servers.play(hub, wire, server, "--seconds", seconds, *flags)
            checks.check("the others", found, {"they made no move": found["moves_per_second"] > 0})
            return found
    waits, moves = run(Brief(), pairs=8, others=4, seconds=5)
    if len(waits) != 8 or moves == 0:
        sys.exit(f"8 pairs were to be seated while others move: {waits}, {moves} moves/s")


if __name__ == "__main__":
    smoke(sys.argv[1])
