"""One hub under load that is stopped and restarted on its journal, and the end of a run."""
import asyncio
import random
import sys
import time

import room as rooms
from checker import Checker, Run
from clients import World
from datagrams import DatagramClient
from hub import Broke, Hub, free_ports
from opcodes import OpcodesClient
from sockets import SocketClient
from turns import TurnsClient
from web import WebClient

WIRES = {wire.wire: wire for wire in (OpcodesClient, TurnsClient, SocketClient, WebClient, DatagramClient)}
PORTS = ("opcodes", "turns", "http", "udp", "admin")  # a WebSocket uses that of http
REJOIN_SECONDS, GRACE_SECONDS, DRAIN_SECONDS = 3, 5, 2
TROUBLE_SECONDS_MAX = 20   # until the hub reports the failure, or the end of it
LAST_GAMES_SECONDS = 4     # to finish the games at the end
QUIET_SECONDS_MAX = 60     # until all clients are quiet then


def make_ports(asked):
    return dict(zip(PORTS, free_ports(len(PORTS), asked.seed)))


def flags_of(asked, drain_seconds=DRAIN_SECONDS):
    return ["--loops", str(asked.loops), "--rejoin-seconds", str(REJOIN_SECONDS), "--drain-seconds", str(drain_seconds),
            "--turn-seconds", str(asked.turn_seconds),
            "--turns-grace-seconds", str(GRACE_SECONDS), "--http-grace-seconds", str(GRACE_SECONDS), *asked.flags]


class Torture:
    wires = ("opcodes", "turns", "http", "udp")

    def __init__(self, asked, folder):
        self.asked, self.luck = asked, random.Random(asked.seed)
        (folder / "journal").mkdir()
        self.room = rooms.make_room(asked.room, folder / "journal", asked.room_mib) if asked.disk_full else None
        self.hub = Hub(asked.program, folder, ["--journal", f"sqlite:{folder}/journal/journal.db"], make_ports(asked),
                       flags_of(asked))
        self.hubs = [self.hub]
        self.make_world(Checker(REJOIN_SECONDS, asked.turn_seconds))
        self.killed_early = False
        self.troubles = self.stopped_full = 0

    def make_world(self, checker):
        self.checker = checker
        self.world = World(self.asked.seed, checker, [hub.ports for hub in self.hubs], self.asked.think_ms / 1000)
        self.clients = [WIRES[wire](self.world, number) for wire in self.wires
                        for number in range(self.asked.clients)]
        self.tasks, self.stops = [], {"KILL": 0, "TERM": 0, "STOP": 0}

    async def run(self):
        self.tasks = [asyncio.create_task(client.run()) for client in self.clients]
        await self.start()
        begun = time.monotonic()
        for number in range(1, self.asked.kills + 1):
            await self.live()
            await self.stop(self.asked.signal if self.asked.signal != "mixed" else self.luck.choice(["KILL", "TERM"]))
            await self.start()
            await self.check()
            self.report(number, begun)
        await self.wind_up()

    def report(self, number, begun):
        if number % 10 == 0 or number == self.asked.kills:
            print(f"  {number} of {self.asked.kills} stops, {time.monotonic() - begun:.0f} s: "
                  f"{self.checker.counts['games']:,} games, {self.world.moves_told:,} answers and states",
                  file=sys.stderr, flush=True)

    # One run of the hub.

    async def start(self, since=None):
        # A start that was killed counts as one with the next: it may have ended games.
        started_at = since or time.time()
        await self.hub.start()
        # Kills it again before it is ready; but not twice, because the hub would quarantine a game.
        if self.checker.runs and not self.killed_early and self.luck.random() < self.asked.early:
            self.killed_early = True
            await asyncio.sleep(self.luck.uniform(0, 0.1))
            await self.hub.stop("KILL")
            self.stops["KILL"] += 1
            return await self.start(started_at)
        await self.hub.ready()
        self.killed_early = False
        self.checker.runs.append(Run(started_at))
        self.world.begin_hub(0)
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
        self.world.end_hub(0)
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
        self.look_at_clients()

    def look_at_clients(self):
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
        while not all(task.done() for task in self.tasks) or await self.games_running():
            if time.monotonic() > begun + QUIET_SECONDS_MAX:
                raise Broke(f"{await self.games_running():.0f} games still ran and "
                            f"{sum(not t.done() for t in self.tasks)} clients were still waiting at the end")
            for client in self.clients:
                client.hurry(time.monotonic() > begun + LAST_GAMES_SECONDS)
            await asyncio.sleep(0.3)
            self.look()
        await self.check(final=True)
        self.verified = await self.hub.verify()
        for hub in self.hubs:
            if await hub.stop("TERM") != 0:
                raise Broke("the last hub did not end well after SIGTERM")

    async def games_running(self):
        return sum([await hub.count("gamehub_games_running") for hub in self.hubs])

    async def close(self):
        # Again and again: before Python 3.12, wait_for() forgets a cancellation that comes together with its answer.
        while going := [task for task in self.tasks if not task.done()]:
            for task in going:
                task.cancel()
            await asyncio.wait(going, timeout=1)
        for hub in self.hubs:
            if hub.process and hub.alive():
                hub.process.kill()
                await hub.process.wait()

    def summary(self):
        counts = self.checker.counts
        ends = sorted(name for name in counts if name.startswith("ended: "))
        rows = [*((f"SIG{how}", count) for how, count in self.stops.items()), *self.own_rows(), ("games", counts["games"]),
                ("moves in the journal", counts["logged moves"]), ("moves told", counts["moves told"]), ("games resumed", counts["resumed"]),
                *((name, counts[name]) for name in ends),
                ("losses", counts["losses"]), ("doubles", counts["doubles"])]
        return "\n".join(f"{name:22}{count:>10,}" for name, count in rows)

    def own_rows(self):
        return [("no room", self.troubles), ("killed without room", self.stopped_full)]
