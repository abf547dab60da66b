"""Kills a hub under load repeatedly, and compares its journal with everything that every client received.

Usage: ./dev torture [--kills N] [--seed S] [--signal KILL|TERM|mixed] [--disk-full] …

Exits with 1 at the first violation, prints the whole history, and keeps the folder.
"""
import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import room as rooms
from checker import Checker, Run, Violation
from clients import World
from datagrams import DatagramClient
from hub import Broke, Hub, free_ports
from opcodes import OpcodesClient
from turns import TurnsClient
from views import Misbehaved
from web import WebClient

WIRES = {wire.wire: wire for wire in (OpcodesClient, TurnsClient, WebClient, DatagramClient)}
REJOIN_SECONDS, GRACE_SECONDS, DRAIN_SECONDS = 3, 5, 2
TROUBLE_SECONDS_MAX = 20   # until the hub reports the failure, or the end of it
LAST_GAMES_SECONDS = 4     # to finish the games at the end
QUIET_SECONDS_MAX = 60     # until all clients are quiet then


class Torture:
    def __init__(self, asked, folder):
        self.asked, self.luck = asked, random.Random(asked.seed)
        ports = dict(zip([*WIRES, "admin"], free_ports(len(WIRES) + 1, asked.seed)))
        (folder / "journal").mkdir()
        self.room = rooms.make_room(asked.room, folder / "journal", asked.room_mib) if asked.disk_full else None
        flags = ["--loops", str(asked.loops), "--rejoin-seconds", str(REJOIN_SECONDS), "--drain-seconds",
                 str(DRAIN_SECONDS), "--turns-grace-seconds", str(GRACE_SECONDS), "--http-grace-seconds",
                 str(GRACE_SECONDS), *asked.flags]
        self.hub = Hub(asked.program, folder, folder / "journal" / "journal.db", ports, flags)
        self.checker = Checker(REJOIN_SECONDS)
        self.world = World(asked.seed, self.checker, ports, asked.think_ms / 1000)
        self.clients = [WIRES[wire](self.world, number) for wire in WIRES for number in range(asked.clients)]
        self.tasks, self.stops, self.killed_early = [], {"KILL": 0, "TERM": 0}, False
        self.troubles = self.stopped_full = 0

    async def run(self):
        self.tasks = [asyncio.create_task(client.run()) for client in self.clients]
        await self.start()
        begun = time.monotonic()
        for number in range(1, self.asked.kills + 1):
            await self.live()
            await self.stop(self.asked.signal if self.asked.signal != "mixed" else self.luck.choice(["KILL", "TERM"]))
            await self.start()
            await self.check()
            if number % 10 == 0 or number == self.asked.kills:
                counts = self.checker.counts
                print(f"  {number} of {self.asked.kills} stops, {time.monotonic() - begun:.0f} s: {counts['games']:,} "
                      f"games, {self.world.moves_told:,} answers and states", file=sys.stderr, flush=True)
        await self.wind_up()

    # One run of the hub.

    async def start(self):
        started_at = time.time()
        await self.hub.start()
        # Kills it again before it is ready; but not twice, because the hub would quarantine a game.
        if self.checker.runs and not self.killed_early and self.luck.random() < self.asked.early:
            self.killed_early = True
            await asyncio.sleep(self.luck.uniform(0, 0.1))
            await self.hub.stop("KILL")
            self.stops["KILL"] += 1
            return await self.start()
        await self.hub.ready()
        self.killed_early = False
        self.checker.runs.append(Run(started_at))
        self.world.up.set()
        return None

    async def live(self):
        await self.rest(self.luck.uniform(0.2, 2 * self.asked.seconds - 0.2))
        if self.room and self.luck.random() < self.asked.troubles:
            self.troubles += 1
            self.room.take(self.hub.process.pid)
            await self.until(self.in_trouble, "is not unready because of its journal")
            await self.rest(self.luck.uniform(0, self.asked.seconds))
            if self.luck.random() < 0.5:
                return  # it is stopped during the failure
            self.room.give_back(self.hub.process.pid)
            await self.until(self.out_of_trouble, "is not ready again")
            told = self.world.moves_told
            await self.until(lambda: self.moved_on(told), "answers nobody any more")

    async def stop(self, how):
        run = self.checker.runs[-1]
        self.world.up.clear()
        run.signal, run.signal_at = how, time.time()
        # The hub cannot suspend or end games while it cannot write: so only SIGKILL is valid.
        full = self.room and not await self.out_of_trouble()
        if full and how == "TERM":
            self.room.give_back(self.hub.process.pid)
            full = False
        self.stopped_full += bool(full)
        code = await self.hub.stop(how)
        run.gone_at = time.time()
        self.stops[how] += 1
        if how == "TERM" and code != 0:
            raise Broke(f"the hub ended with {code} after SIGTERM")
        if full and isinstance(self.room, rooms.SmallFileSystem):
            self.room.give_back(None)

    async def rest(self, seconds):
        """Sleeps, unless a client finds a violation."""
        await asyncio.wait(self.tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        self.look()

    def look(self):
        self.hub.check_alive()
        if self.world.failed:
            raise self.world.failed
        for task in self.tasks:
            if task.done() and task.exception():
                raise task.exception()

    async def until(self, holds, otherwise):
        deadline = time.monotonic() + TROUBLE_SECONDS_MAX
        while not await holds():
            if time.monotonic() > deadline:
                raise Broke(f"after {TROUBLE_SECONDS_MAX} s the hub {otherwise}: {await self.hub.get('/readyz')}")
            await self.rest(0.05)

    async def in_trouble(self):
        status, body = await self.hub.get("/readyz")
        return status == 503 and "journal" in body

    async def out_of_trouble(self):
        return (await self.hub.get("/readyz"))[0] == 200

    async def moved_on(self, told):
        return self.world.moves_told > told + 20

    async def check(self, final=False):
        cutoff = time.time()
        self.checker.check(await self.hub.export(), cutoff, final)
        self.look()

    # The end: running games are finished, no new one begins.

    async def wind_up(self):
        self.world.stopping = True
        begun = time.monotonic()
        while not all(task.done() for task in self.tasks) or await self.hub.count("gamehub_games_running"):
            if time.monotonic() > begun + QUIET_SECONDS_MAX:
                raise Broke(f"{await self.hub.count('gamehub_games_running'):.0f} games still ran and "
                            f"{sum(not t.done() for t in self.tasks)} clients were still waiting at the end")
            for client in self.clients:
                client.hurry(time.monotonic() > begun + LAST_GAMES_SECONDS)
            await asyncio.sleep(0.3)
            self.look()
        await self.check(final=True)
        self.verified = await self.hub.verify()
        if await self.hub.stop("TERM") != 0:
            raise Broke("the last hub did not end well after SIGTERM")

    async def close(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.hub.process and self.hub.alive():
            self.hub.process.kill()
            await self.hub.process.wait()

    def summary(self):
        counts = self.checker.counts
        ends = sorted(name for name in counts if name.startswith("ended: "))
        rows = [("SIGKILL", self.stops["KILL"]), ("SIGTERM", self.stops["TERM"]), ("no room", self.troubles),
                ("killed without room", self.stopped_full), ("games", counts["games"]),
                ("moves in the journal", counts["logged moves"]), ("moves told", counts["moves told"]), ("games resumed", counts["resumed"]),
                *((name, counts[name]) for name in ends),
                ("losses", counts["losses"]), ("doubles", counts["doubles"])]
        return "\n".join(f"{name:22}{count:>10,}" for name, count in rows)


def parse():
    parser = argparse.ArgumentParser(prog="./dev torture", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=200, help="how often the hub is stopped (200)")
    parser.add_argument("--seed", type=int, help="of all choices of the clients and of the torture")
    parser.add_argument("--signal", choices=["KILL", "TERM", "mixed"], default="KILL")
    parser.add_argument("--disk-full", action="store_true", help="let the journal's room run out now and then")
    parser.add_argument("--room", choices=["tmpfs", "limit"], help="what runs out (tmpfs if root, else limit)")
    parser.add_argument("--room-mib", type=int, default=2048, help="size of the tmpfs (2048)")
    parser.add_argument("--troubles", type=float, default=0.5, help="share of the lives in which it runs out (0.5)")
    parser.add_argument("--early", type=float, default=0.1, help="share of the starts that are killed at once (0.1)")
    parser.add_argument("--clients", type=int, default=120, help="of each wire (120)")
    parser.add_argument("--think-ms", type=int, default=150, help="a client's pause before a move (150)")
    parser.add_argument("--seconds", type=float, default=1.5, help="a hub's life, on average (1.5)")
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="for the journal; kept (a temporary one, kept if something fails)")
    parser.add_argument("flags", nargs="*", metavar="-- HUB FLAG", help="more flags for gamehub serve")
    asked = parser.parse_args()
    if asked.seed is None:
        asked.seed = random.randrange(1 << 32)
    return asked


async def run(asked, folder):
    torture = Torture(asked, folder)
    try:
        await torture.run()
        print(torture.summary())
        print(f"gamehub verify: {torture.verified or 'clean'}")
        return True
    except (Violation, Misbehaved, Broke) as found:
        (folder / "violation.txt").write_text(f"seed {asked.seed}\n{found}\n")
        print(torture.summary())
        print(f"\n{type(found).__name__}: {found}", flush=True)
        return False
    finally:
        await torture.close()
        if torture.room:
            if not isinstance(torture.room, rooms.FileSizeLimit):
                shutil.copytree(folder / "journal", folder / "kept")
            torture.room.close()


def main():
    asked = parse()
    print(f"seed {asked.seed}", flush=True)
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="gamehub-torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    well = asyncio.run(run(asked, folder))
    if not well:
        print(f"seed {asked.seed}; all of it is in {folder}")
    elif asked.folder is None:
        shutil.rmtree(folder)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
