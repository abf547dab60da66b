"""Several hubs on one database: they are killed, paused, drained and cut off at random moments, and start again as new
members. What they told is compared with the log of all of them."""
import asyncio
import random
import signal
import time
from collections import Counter

import waits
from checker import ClusterChecker, Run
from database import SOCKET, Database
from hub import Broke, Hub, free_ports
from one_hub import DRAIN_SECONDS, REJOIN_SECONDS, Torture, flags_of, make_ports
from ways import Ways

FENCED, UNUSABLE = 75, 2      # exit codes: another member has its games; the database can't be used now
PAUSE_SECONDS = 6             # a hub is paused, or without its database, at most
CUT_SECONDS = 4               # links are cut, at most: no player is given up in this time
IMPATIENCE_SECONDS = 2        # until clients of a hub that does not answer go elsewhere, at most
AWAY_SECONDS = 4              # until a hub that ended starts again, at most
BEAT_SECONDS = 1              # until a hub that goes on has beaten
EXIT_SECONDS_MAX = 60
START_TRIES = 30              # while the database fails over


class Member:
    """A hub of the cluster: one life after another."""

    def __init__(self, number, hub):
        self.number, self.hub, self.run = number, hub, None
        self.busy = None      # the task that stops it and starts it again

    def serves(self):
        return self.busy is None or self.busy.done()


class ClusterTorture(Torture):
    drain_seconds = DRAIN_SECONDS

    def __init__(self, asked, folder):  # pylint: disable=super-init-not-called
        self.asked, self.luck, self.room = asked, random.Random(asked.seed), None
        self.database = Database(folder, asked.standby)
        self.ends = {}
        self.members = [Member(number, self.make_hub(number, folder)) for number in range(asked.hubs)]
        self.hubs = [member.hub for member in self.members]
        self.hub = self.hubs[0]  # for the tools
        # They are there only if they can be cut.
        self.ways = Ways(self.ends, folder / "ways.log") if self.ends else None
        self.make_world(ClusterChecker(REJOIN_SECONDS, asked.turn_seconds))
        self.fenced = self.fenced_unstopped = self.paused_through = 0
        self.failing_over = self.cutting = None
        self.cuts, self.outages, self.link_cuts = Counter(), [], []

    def make_hub(self, number, folder):
        asked, name = self.asked, f"hub{number}"
        flags = [*flags_of(asked, self.drain_seconds), *(["--durability", "machine"] if asked.standby else [])]
        journal, ports = ["--cluster", self.database.target()], make_ports(asked)
        if not asked.cuts:
            return Hub(asked.program, folder, journal, ports, flags, name)
        ports["link"], way = free_ports(2, asked.seed)
        self.ends[f"links{number}"] = (way, ports["link"])
        sockets = folder / "ways" / name
        for server in self.database.servers:
            (sockets / server.name).mkdir(parents=True)
            self.ends[f"{server.name}{number}"] = (str(sockets / server.name / SOCKET), str(server.folder / SOCKET))
        own_way = ["--cluster", self.database.target(lambda server: sockets / server.name)]
        hub = Hub(asked.program, folder, own_way, ports, [*flags, "--link-address", f"127.0.0.1:{way}"], name)
        hub.journal = journal  # the tools' way is not cut
        return hub

    async def run(self):
        await self.database.start()
        if self.ways:
            await self.ways.start()
        await asyncio.gather(*(self.begin(member) for member in self.members))
        self.tasks = [asyncio.create_task(client.run()) for client in self.clients]
        begun = time.monotonic()
        for number in range(1, self.asked.kills + 1):
            await self.rest(self.luck.uniform(0.2, 2 * self.asked.seconds - 0.2))
            await self.strike()
            if number % 3 == 0 or number == self.asked.kills:
                await self.failed_over()
                await self.check()
            self.report(number, begun)
        await self.come_to_rest()
        await self.wind_up()

    # One life of a member.

    async def begin(self, member):
        for tries in range(START_TRIES):
            started_at = time.time()
            await member.hub.start()
            if await member.hub.becomes_ready():
                break
            code = await member.hub.process.wait()
            if code not in (UNUSABLE, FENCED) or tries + 1 == START_TRIES:
                raise Broke(f"{member.hub.name} ended with {code} instead of getting ready")
            await asyncio.sleep(0.5)
        self.begin_run(member, started_at)

    def begin_run(self, member, at):
        member.run = Run(at, member.number)
        self.checker.runs.append(member.run)
        self.world.begin_hub(member.number)

    async def strike(self):
        """Stops a hub, or the primary of the database, or cuts something. Several may be away at once."""
        if self.asked.standby and self.luck.random() < self.asked.failovers:
            await self.failed_over()
            self.failing_over = asyncio.create_task(self.fail_over())
            return
        hows = ["KILL", "KILL", "STOP", "TERM", *["links", "database"] * self.asked.cuts]
        how = self.asked.signal if self.asked.signal != "mixed" else self.luck.choice(hows)
        if how == "links":
            await self.mended()
            self.cutting = asyncio.create_task(self.cut_links())
            return
        # The last one is stopped, too: then the cluster is off, and who starts first finds the games.
        there = [member for member in self.members if member.serves()]
        while not there:
            await self.rest(0.05)
            there = [member for member in self.members if member.serves()]
        member = self.luck.choice(there)
        if how == "database":
            member.busy = asyncio.create_task(self.cut_off(member))
            return
        self.stops[how] += 1
        member.busy = asyncio.create_task(self.pause(member) if how == "STOP" else self.end(member, how))

    async def fail_over(self):
        begun = time.time()
        await self.database.fail_over()
        self.outages.append((begun, time.time()))

    async def cut_links(self):
        """Those to one hub, or all of them: they end, or nothing comes through."""
        one = self.luck.random() < 0.5
        names = [f"links{member.number}" for member in ([self.luck.choice(self.members)] if one else self.members)]
        how = self.luck.choice(["cut", "hold"])
        self.cuts[f"links {how}"] += 1
        begun = time.time()
        await self.ways.say(how, names)
        await asyncio.sleep(self.luck.uniform(0.1, CUT_SECONDS))
        await self.ways.say("mend", names)
        self.link_cuts.append((begun, time.time()))

    async def end(self, member, how):
        self.world.end_hub(member.number)
        member.run.signal, member.run.signal_at = how, time.time()
        code = await member.hub.stop(how, EXIT_SECONDS_MAX)
        member.run.gone_at = time.time()
        # A hub that another one has adopted by mistake is fenced, and says so whatever it was doing.
        if how == "TERM" and code not in (0, FENCED):
            raise Broke(f"{member.hub.name} ended with {code} after SIGTERM")
        await self.start_again(member)

    async def pause(self, member):
        """Stops its process for a while."""
        async def send(what):
            # It has ended if it was fenced just before the pause.
            if member.hub.alive():
                member.hub.process.send_signal(what)
        await self.hold_up(member, lambda: send(signal.SIGSTOP), lambda: send(signal.SIGCONT))

    async def cut_off(self, member):
        """Takes its database away for a while."""
        how = self.luck.choice(["cut", "hold"])
        self.cuts[f"database {how}"] += 1
        names = [f"{server.name}{member.number}" for server in self.database.servers]
        await self.hold_up(member, lambda: self.ways.say(how, names), lambda: self.ways.say("mend", names))

    async def hold_up(self, member, begin, end):
        """Other members take its games over if that is long enough; it must then end."""
        self.world.end_hub(member.number)
        member.run.signal, member.run.signal_at = "STOP", time.time()
        pause = self.luck.uniform(0.1, PAUSE_SECONDS)
        await begin()
        await asyncio.sleep(min(pause, self.luck.uniform(0.1, IMPATIENCE_SECONDS)))
        self.world.desert(member.number)
        await asyncio.sleep(max(0, member.run.signal_at + pause - time.time()))
        await end()
        adopted = await self.is_adopted(member)
        if adopted:
            code = await asyncio.wait_for(member.hub.process.wait(), EXIT_SECONDS_MAX)
            if code != FENCED:
                raise Broke(f"{member.hub.name} was adopted while it was held up, and ended with {code}")
            self.fenced += 1
            member.run.gone_at = time.time()
            return await self.start_again(member)
        self.paused_through += 1
        member.run.gone_at = time.time()
        self.begin_run(member, member.run.gone_at)
        return None

    async def is_adopted(self, member):
        """Whether a hub that goes on ends by itself. It learns that it is fenced from its next heartbeat, and then still
        has time for its clients."""
        begun = time.monotonic()
        while member.hub.alive():
            passed = time.monotonic() - begun
            if passed > BEAT_SECONDS and (await member.hub.get("/readyz"))[0] == 200:
                return False
            if passed > EXIT_SECONDS_MAX:
                raise Broke(f"{member.hub.name} neither went on nor ended after it was held up")
            await asyncio.sleep(0.1)
        return True

    async def start_again(self, member):
        await asyncio.sleep(self.luck.uniform(0, AWAY_SECONDS))
        await self.begin(member)

    def look(self):
        for member in self.members:
            if member.busy and member.busy.done() and member.busy.exception():
                raise member.busy.exception()
            if member.serves() and not member.hub.alive():
                self.on_unstopped(member)
        for task in (self.failing_over, self.cutting):
            if task and task.done() and task.exception():
                raise task.exception()
        self.look_at_clients()

    def on_unstopped(self, member):
        """A hub that another one took for dead, such as on a busy machine, is fenced; nothing else ends it. That was at any
        moment since its start: it ends up to 10 s later."""
        if member.hub.process.returncode != FENCED:
            member.hub.check_alive()
        self.fenced_unstopped += 1
        self.world.end_hub(member.number)
        member.run.signal, member.run.signal_at = "no signal", member.run.started_at
        member.run.gone_at = time.time()
        member.busy = asyncio.create_task(self.start_again(member))

    async def failed_over(self):
        if self.failing_over:
            await self.failing_over

    async def mended(self):
        if self.cutting:
            await self.cutting

    async def come_to_rest(self):
        """All hubs are back, and the database has its standby."""
        await self.failed_over()
        await self.mended()
        while not all(member.serves() for member in self.members):
            await self.rest(0.1)

    async def close(self):
        for each in [*(member.busy for member in self.members), self.failing_over, self.cutting]:
            if each:
                each.cancel()
        await super().close()
        if self.ways:
            await self.ways.stop()
        await self.database.stop()

    def own_rows(self):
        return [*sorted(self.cuts.items()), ("fenced after a pause", self.fenced), ("went on after a pause", self.paused_through),
                ("fenced without a signal", self.fenced_unstopped), ("fail-overs", len(self.database.failovers))]

    def summary(self):
        rows = waits.rows(self.checker.all_views, self.checker.runs, self.outages, self.link_cuts)
        return "\n".join([super().summary(), *rows])
