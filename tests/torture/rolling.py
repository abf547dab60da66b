"""A rolling restart of the hubs of a cluster under load: one after the other gets SIGTERM, ends when its clients have
finished their games or its time is over, and starts again as a new member. No client does anything that costs it a game."""
import asyncio
import time

from clients import REPEATED
from cluster import ClusterTorture
from hub import Broke

DRAIN_SECONDS = 12         # longer than any game: who is still connected then loses its connection
FRONTS = ("turns", "ws", "http")  # whose clients may lose nothing; those of opcodes are counted only


class RollingTorture(ClusterTorture):
    drain_seconds = DRAIN_SECONDS
    wires = ("opcodes", "turns", "ws", "http")

    def __init__(self, asked, folder):
        super().__init__(asked, folder)
        self.world.gentle = True
        self.drains = []

    async def run(self):
        await self.database.start()
        await asyncio.gather(*(self.begin(member) for member in self.members))
        self.tasks = [asyncio.create_task(client.run()) for client in self.clients]
        begun = time.monotonic()
        for number in range(1, self.asked.rolling + 1):
            for member in self.members:
                await self.rest(self.asked.seconds)
                await self.restart(member)
            await self.check()
            print(f"  {number} of {self.asked.rolling} rolling restarts, {time.monotonic() - begun:.0f} s", flush=True)
        await self.wind_up()
        lost = {what: count for what, count in self.world.failures.items() if what[0] in FRONTS and what[1] != REPEATED}
        if lost:
            raise Broke(f"clients lost something in a rolling restart: {lost}")

    async def restart(self, member):
        self.stops["TERM"] += 1
        begun = time.monotonic()
        member.busy = asyncio.create_task(self.end(member, "TERM"))
        while not member.serves():
            await self.rest(0.02)
        self.drains.append(time.monotonic() - begun)
        self.look()

    async def start_again(self, member):
        await self.begin(member)

    def own_rows(self):
        failures = self.world.failures
        return [("fenced without a signal", self.fenced_unstopped),
                *((f"{wire}: {what}", count) for (wire, what), count in sorted(failures.items())),
                ("longest restart, s", round(max(self.drains, default=0)))]
