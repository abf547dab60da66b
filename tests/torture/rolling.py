"""A rolling restart of the hubs of a cluster under load: one after the other gets SIGTERM, ends when its clients have
finished their games or its time is over, and starts again as a new member, of another build with --former. No client
does anything that costs it a game."""
import asyncio
import time

from bots import FLAGS, Bots
from clients import REPEATED
from cluster import ClusterTorture
from hub import Broke

DRAIN_SECONDS = 12         # longer than any game: who is still connected then loses its connection
FRONTS = ("turns", "ws", "http", "bots")  # whose clients may lose nothing; what others lose is only counted


class RollingTorture(ClusterTorture):
    drain_seconds = DRAIN_SECONDS
    wires = ("opcodes", "turns", "ws", "http", "udp")

    def __init__(self, asked, folder):
        asked.flags = [*asked.flags, *FLAGS]
        super().__init__(asked, folder)
        self.folder, self.bots, self.bot_games = folder, Bots(self.world, asked.clients), 0
        self.world.gentle = True
        self.drains = []
        if asked.former:
            for hub in self.hubs:
                hub.program = asked.former

    async def run(self):
        await self.database.start()
        await asyncio.gather(*(self.begin(member) for member in self.members))
        await self.bots.start()
        self.tasks = [asyncio.create_task(client.run()) for client in self.clients]
        begun = time.monotonic()
        for number in range(1, self.asked.rolling + 1):
            for member in self.members:
                await self.rest(self.asked.seconds)
                await self.restart(member, self.asked.former if number % 2 == 0 else None)
            await self.check()
            print(f"  {number} of {self.asked.rolling} rolling restarts, {time.monotonic() - begun:.0f} s", flush=True)
        self.bots.stop()
        await self.wind_up()
        await self.keep_results()
        lost = {what: count for what, count in self.world.failures.items() if what[0] in FRONTS and what[1] != REPEATED}
        if lost:
            raise Broke(f"clients lost something in a rolling restart: {lost}")

    async def restart(self, member, former):
        """The hub starts again with the program under test, or the former one."""
        self.stops["TERM"] += 1
        begun = time.monotonic()
        member.hub.program = former or self.asked.program
        member.busy = asyncio.create_task(self.end(member, "TERM"))
        while not member.serves():
            await self.rest(0.02)
        self.drains.append(time.monotonic() - begun)
        self.look()

    async def start_again(self, member):
        await self.begin(member)

    async def keep_results(self):
        """What clients lost, and the games, are in the folder of the test."""
        games = await self.hub.export()
        self.bot_games = self.bots.judge(games)
        (self.folder / "lost.txt").write_text("\n\n".join(self.world.stories))
        (self.folder / "games.jsonl").write_bytes(b"".join(games))

    def own_rows(self):
        failures = self.world.failures
        return [("games of bots", self.bot_games), ("fenced without a signal", self.fenced_unstopped),
                *((f"{wire}: {what}", count) for (wire, what), count in sorted(failures.items())),
                ("longest restart, s", round(max(self.drains, default=0)))]
