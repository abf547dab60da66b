"""What a cluster's log costs, how long a takeover takes, and how long moves wait for another database: hubs on
PostgreSQL, which is started here."""
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import checks
import journal
import servers

sys.path.append(str(Path(__file__).resolve().parent.parent / "torture"))
import database  # pylint: disable=wrong-import-position
from hub import Broke, Hub, free_ports  # pylint: disable=wrong-import-position

TICK = os.sysconf("SC_CLK_TCK")
CLIENTS, SEATS, KILLS = 200, 100, 20
FAILOVER_SECONDS = 6
WAIT_SECONDS_MAX, MOVE_SECONDS_MAX, RETRY_SECONDS, POLL_SECONDS = 60, 1, 0.02, 0.05


class RealDatabase(database.Database):
    """PostgreSQL that syncs its disk, as an operator's does."""

    def __init__(self, folder, with_standby=False):
        super().__init__(folder, with_standby)
        for server in self.servers:
            server.options = [each for each in server.options if not each.startswith("fsync=")]

    def cpu_seconds(self):
        """Of all its processes that live."""
        return sum(int(fields[11]) + int(fields[12]) for _, fields in self.processes()) / TICK

    def move_to(self, cpu):
        """All its processes, and those that it will start, to this core."""
        for pid, _ in self.processes():
            os.sched_setaffinity(pid, [cpu])

    def processes(self):
        """Pairs of a number and the fields of its stat file that follow the name."""
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text("ascii").rsplit(")", 1)[1].split()
            except OSError:
                continue
            if self.primary.process.pid in (int(fields[1]), int(stat.parent.name)):
                yield int(stat.parent.name), fields


def play(bench, games):
    """As journal.play(), on a new database."""
    with tempfile.TemporaryDirectory(prefix="gamehub-bench-") as place:
        return asyncio.run(play_in(bench, games, Path(place)))


async def play_in(bench, games, place):
    base = RealDatabase(place)
    await base.start()
    try:
        with journal.start(bench.hub_program, "--cluster", base.target()) as server:
            before = base.cpu_seconds()
            found = await asyncio.to_thread(bench.play, "opcodes", server, "--games", games)
            after = journal.counts(server)
            found["database_us_per_move"] = (base.cpu_seconds() - before) * 1e6 / after["gamehub_moves_total"]
        found["per_transaction"] = after["gamehub_moves_total"] / after["gamehub_journal_transactions_total"]
        found["appends_per_second"] = after["gamehub_journal_transactions_total"] / found["seconds"]
        return found
    finally:
        await base.stop()


def play_on_hubs(bench, hubs, games, across=False):
    """As play(), on hubs of one cluster that share a core, while the database has the core of the load."""
    with tempfile.TemporaryDirectory(prefix="gamehub-bench-") as place:
        return asyncio.run(play_on_hubs_in(bench, hubs, games, across, Path(place)))


async def play_on_hubs_in(bench, hubs, games, across, place):
    base = RealDatabase(place)
    await base.start()
    base.move_to(servers.LOAD_CPU)
    try:
        with contextlib.ExitStack() as kept:
            members = [kept.enter_context(journal.start(bench.hub_program, "--cluster", base.target())) for _ in range(hubs)]
            while any(each.metric("gamehub_relay_hubs") < hubs - 1 for each in members):
                await asyncio.sleep(POLL_SECONDS)
            before = base.cpu_seconds()
            flags = ["--games", games]
            if hubs > 1:
                flags += ["--more-ports", ",".join(str(each.port("opcodes")) for each in members[1:])]
            load = asyncio.create_task(asyncio.to_thread(bench.play, "opcodes", members[0], *flags, *["--across"] * across))
            # Its warm-up is over.
            await asyncio.sleep(bench.seconds / 2 + 1)
            clients = sum(each.metric("gamehub_relay_clients", 'side="entry"') for each in members)
            found = await load
            moves, appends = (sum(each.metric(name) for each in members)
                              for name in ("gamehub_moves_total", "gamehub_journal_transactions_total"))
            found["database_us_per_move"] = (base.cpu_seconds() - before) * 1e6 / moves
        found["per_transaction"] = moves / appends
        found["clients_elsewhere"] = clients / (2 * games)
        return found
    finally:
        await base.stop()


class Player:
    """A client of turns with many games. It comes back with its secret, hears which games go on, and makes one move."""

    def __init__(self, number):
        self.name, self.secret, self.wanted = None, None, f"player-{number}"
        self.reader = self.writer = self.moved = self.moved_at = self.complete_at = None
        self.games, self.seats = set(), 0

    async def connect(self, port, games_max):
        """Whether it is who it was."""
        self.games, self.moved, self.moved_at = set(), None, None
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        self.say({"type": "connect", "name": self.wanted, "supported_games": ["gomoku"], "max_games": games_max,
                  "resume": self.secret})
        named = json.loads(await self.reader.readline())
        if self.secret is not None and named["secret"] != self.secret:
            self.writer.close()
            return False
        self.name, self.secret = named["name"], named["secret"]
        return True

    async def come_back(self, port):
        while True:
            try:
                if await self.connect(port, 0):
                    return
            except (OSError, ValueError):
                pass
            await asyncio.sleep(RETRY_SECONDS)

    def say(self, line):
        self.writer.write(json.dumps(line).encode() + b"\n")

    def move(self, game):
        row, column = random.randrange(15), random.randrange(15)
        self.moved = (game, row, column)
        self.say({"type": "message", "game_id": game, "payload": json.dumps({"type": "move", "row": row, "column": column})})

    def hear(self, line):
        if line["type"] == "start":
            self.games.add(line["game_id"])
        elif line["type"] == "message" and self.moved_at is None:
            payload, game = json.loads(line["payload"]), line["game_id"]
            if payload["type"] == "repeat-turn" or (payload["type"] == "turn" and self.moved is None):
                self.move(game)
            elif payload["type"] == "state" and self.moved and game == self.moved[0]:
                if payload["board"][self.moved[1]][self.moved[2]] is not None:
                    self.moved_at = time.monotonic()

    async def hear_games(self, count):
        """Until it has all games."""
        await self.hear_until(lambda: len(self.games) >= count)
        self.complete_at = time.monotonic()

    async def hear_until(self, there):
        while not there():
            text = await self.reader.readline()
            if not text:
                raise Broke(f"a hub closed the connection of {self.name}, which had {len(self.games)} of its games")
            self.hear(json.loads(text))

    async def hear_move(self):
        """Until its move is made; a player who is to move in none of its games has none."""
        try:
            await asyncio.wait_for(self.hear_until(lambda: self.moved_at is not None), MOVE_SECONDS_MAX)
        except asyncio.TimeoutError:
            pass


class Takeovers:
    """Two hubs on one database. One with all games is killed, the other one takes them over, again and again."""

    def __init__(self, bench, place, clients, seats):
        self.seats = seats
        self.base = RealDatabase(place)
        ports = free_ports(6, 0)
        names = ("turns", "http", "admin")
        off = ["--opcodes-port", "off", "--udp-port", "off", "--turn-seconds", "0", "--turns-grace-seconds", "600", "--loops", "1"]
        self.hubs = [Hub(bench.hub_program, place, ["--cluster", self.base.target()], dict(zip(names, ports[3 * n:3 * n + 3])), off,
                         f"hub{n}") for n in range(2)]
        self.players = [Player(number) for number in range(clients)]

    async def open_games(self):
        port = self.hubs[0].ports["turns"]
        for player in self.players:
            await player.connect(port, self.seats)
        hearing = [asyncio.create_task(player.hear_games(self.seats)) for player in self.players]
        # The last players may find no opponent for all of their seats.
        running, before = 0, -1
        while running != before or sum(len(player.games) for player in self.players) != 2 * running:
            await asyncio.sleep(1)
            before, running = running, await self.hubs[0].count("gamehub_games_running")
        for task in hearing:
            task.cancel()
        for player in self.players:
            player.seats = len(player.games)
        print(f"  {running:,.0f} games are open", file=sys.stderr)

    async def strike(self, number):
        """Seconds from the signal to the first move, and until each player has all of its games."""
        dying, taking = self.hubs[number % 2], self.hubs[1 - number % 2]
        begun = time.monotonic()
        dying.process.send_signal(signal.SIGKILL)
        for player in self.players:
            player.writer.close()
        await asyncio.gather(*(self.follow(player, taking.ports["turns"]) for player in self.players))
        everywhere = max(player.complete_at for player in self.players) - begun
        first = min(player.moved_at for player in self.players if player.moved_at) - begun
        await dying.process.wait()
        await dying.start()
        await dying.ready()
        return first, everywhere

    async def follow(self, player, port):
        await player.come_back(port)
        await player.hear_games(player.seats)
        await player.hear_move()

    async def run(self, kills):
        await self.base.start()
        try:
            for hub in self.hubs:
                await hub.start()
                await hub.ready()
            await self.open_games()
            found = []
            for number in range(kills):
                await asyncio.sleep(1 + random.random())
                found.append(await asyncio.wait_for(self.strike(number), WAIT_SECONDS_MAX))
                print(f"  takeover {number + 1} of {kills}: {found[-1][0]:.2f} s, {found[-1][1]:.2f} s", file=sys.stderr)
            return found
        finally:
            for hub in self.hubs:
                if hub.process and hub.alive():
                    hub.process.kill()
            await self.base.stop()


async def fail_over_in(bench, place, games, times):
    """Each time the primary is killed while that many games are played on one hub, the standby is promoted, and gets a
    standby itself: seconds until these two, and those of the slowest move."""
    base, found = RealDatabase(place, with_standby=True), []
    await base.start()
    try:
        with journal.start(bench.hub_program, "--cluster", base.target()) as server:
            for number in range(times):
                load = asyncio.create_task(asyncio.to_thread(bench.play, "opcodes", server, "--games", games,
                                                             seconds=FAILOVER_SECONDS))
                await asyncio.sleep(FAILOVER_SECONDS / 4 + random.random())
                if load.done():
                    raise Broke("the games ended before the primary was killed")
                promoted, whole = await base.fail_over()
                slowest = (await load)["latency_us"]["most"] / 1e6
                found.append((promoted, whole, slowest))
                print(f"  fail-over {number + 1} of {times}: {promoted:.2f} s, {whole:.2f} s, {slowest:.2f} s", file=sys.stderr)
            return found
    finally:
        await base.stop()


def fail_overs(bench, times=KILLS, games=64):
    with tempfile.TemporaryDirectory(prefix="gamehub-bench-") as place:
        return asyncio.run(fail_over_in(bench, Path(place), games, times))


def takeovers(bench, kills=KILLS, clients=CLIENTS, seats=SEATS):
    with tempfile.TemporaryDirectory(prefix="gamehub-bench-") as place:
        return asyncio.run(Takeovers(bench, Path(place), clients, seats).run(kills))


def smoke(hub):
    """A short run; asserts results and no speed: cluster.py HUB."""
    class Brief:
        hub_program = hub

        seconds = 1

        def play(self, wire, server, *flags, seconds=1):
            return servers.play(hub, wire, server, "--seconds", seconds, *flags)
    if len(takeovers(Brief(), kills=2, clients=4, seats=3)) != 2:
        sys.exit("two takeovers were to be measured")
    promoted, whole, slowest = fail_overs(Brief(), times=1, games=2)[0]
    if not 0 < promoted < whole or slowest < promoted / 2:
        sys.exit("the slowest move was to wait for the database")


    for across in (False, True):
        found = play_on_hubs(Brief(), 2, 8, across)
        checks.check(f"two hubs, across: {across}", found, {"no player was at another hub than its client": found["clients_elsewhere"] > 0 or not across})


if __name__ == "__main__":
    smoke(*sys.argv[1:])
