"""Hubs of a cluster that are killed in the middle of a takeover, again and again. No game has done anything wrong: all
of them go on at the end, and none is in quarantine."""
import asyncio
import json
import random
import sys
import time

from database import Database
from hub import Broke, Hub, free_ports

GAMES_OF_A_PLAYER = 100
STATE_SECONDS_MAX = 120    # until a hub has begun, or ended, a takeover
LOOK_SECONDS = 0.002
FLAGS = ["--opcodes-port", "off", "--udp-port", "off", "--http-port", "off", "--turn-seconds", "0", "--rejoin-seconds", "3600",
         "--turns-grace-seconds", "3600"]


class ReplayTorture:
    room = None

    def __init__(self, asked, folder):
        self.asked, self.luck, self.verified = asked, random.Random(asked.seed), None
        self.database = Database(folder, asked.standby)
        journal = ["--cluster", self.database.target()]
        ports = free_ports(2 * asked.hubs, asked.seed)
        flags = [*FLAGS, "--loops", str(asked.loops), *asked.flags]
        self.hubs = [Hub(asked.program, folder, journal, {"turns": ports[2 * n], "admin": ports[2 * n + 1]}, flags, f"hub{n}")
                     for n in range(asked.hubs)]
        self.games = self.killed = self.between = 0
        self.writers, self.starts = [], {}

    async def run(self):
        await self.database.start()
        for hub in self.hubs:
            await hub.start()
            await hub.ready()
        await self.open_games()
        dying, begun = self.hubs[0], time.monotonic()
        while self.killed < self.asked.replay_kills:
            await self.kill(dying)
            dying = await self.await_hub(lambda running: running > 0)
            if self.luck.random() < 0.5:
                await asyncio.sleep(self.luck.uniform(0, 0.2))
            # It is killed after this look; a takeover that has ended meanwhile does not count.
            if await dying.count("gamehub_games_running") < self.games:
                self.killed += 1
                print(f"  {self.killed} of {self.asked.replay_kills} takeovers, {time.monotonic() - begun:.0f} s",
                      file=sys.stderr, flush=True)
            else:
                self.between += 1
        for start in self.starts.values():
            await start
        await self.await_hub(lambda running: running == self.games)
        await self.judge()

    async def open_games(self):
        """Opens games at the first hub between players who can come back, and don't."""
        port = self.hubs[0].ports["turns"]
        for number in range(2 * self.asked.games // GAMES_OF_A_PLAYER):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
            self.writers.append(writer)
            writer.write(json.dumps({"type": "connect", "name": f"player-{number}", "supported_games": ["gomoku"],
                                     "max_games": GAMES_OF_A_PLAYER}).encode() + b"\n")
            asyncio.create_task(self.read_all(reader))
        before = -1
        while self.games != before or self.games == 0:
            await asyncio.sleep(1)
            before, self.games = self.games, int(await self.hubs[0].count("gamehub_games_running"))
        print(f"  {self.games:,} games are open", file=sys.stderr, flush=True)

    @staticmethod
    async def read_all(reader):
        try:
            while await reader.read(1 << 16):
                pass
        except OSError:
            pass  # the hub was killed

    async def kill(self, hub):
        # It may have games before it is ready.
        start = self.starts.get(hub)
        if start and not start.cancel():
            start.result()
        await hub.stop("KILL")
        self.starts[hub] = asyncio.create_task(self.start_again(hub))

    async def start_again(self, hub):
        await asyncio.sleep(self.luck.uniform(0, 1))
        await hub.start()
        await hub.ready()

    async def await_hub(self, wanted):
        """The first hub that has as many games as wanted."""
        begun = time.monotonic()
        while time.monotonic() < begun + STATE_SECONDS_MAX:
            for hub in self.hubs:
                if hub.alive() and wanted(await hub.count("gamehub_games_running")):
                    return hub
            await asyncio.sleep(LOOK_SECONDS)
        raise Broke(f"no hub had the games wanted after {STATE_SECONDS_MAX} s: see the logs of the hubs")

    async def judge(self):
        states = [json.loads(line)["state"] for line in await self.hubs[0].export()]
        quarantined = sum(state not in ("open", "running", "ended") for state in states)
        if quarantined:
            raise Broke(f"{quarantined} innocent games are in quarantine")
        if states.count("ended") or len(states) != self.games:
            raise Broke(f"{self.games:,} games were open; {len(states):,} are in the log, {states.count('ended'):,} have ended")
        self.verified = await self.hubs[0].verify()

    def summary(self):
        return "\n".join(f"{what:<24}{count:>8,}" for what, count in [
            ("games", self.games), ("killed in a takeover", self.killed), ("killed after one", self.between)])

    async def close(self):
        for start in self.starts.values():
            start.cancel()
        for hub in self.hubs:
            if hub.process and hub.alive():
                hub.process.kill()
        await self.database.stop()
