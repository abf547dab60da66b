"""A league of bots in a hub that is killed during the games: league.py HUB [BOTS [KILLS]]. Each bot has to play each
other bot once with each side, and the journal, the ratings and the leaderboard have to agree on that. By default with
few bots, so that it takes seconds."""
import asyncio
import collections
import concurrent.futures
import contextlib
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "deploy"))
import bot_server  # pylint: disable=wrong-import-position
import hubs  # pylint: disable=wrong-import-position

PATIENCE = 300


class Bots:
    """Bots that move at random, all at one port. After a number of moves they stop answering until they are released;
    then the hub is killed."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.chance = random.Random(1)
        self.moves, self.hold_at = 0, None
        self.silent = threading.Event()
        self.may_move = asyncio.Event()
        ready = threading.Event()
        threading.Thread(target=self.run, args=[ready], daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1024))
        self.port = server.sockets[0].getsockname()[1]
        self.may_move.set()
        ready.set()
        self.loop.run_forever()

    async def serve(self, reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length:"))
            said = json.dumps(await self.answer(json.loads(await reader.readexactly(length)))).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(said) + said)
            await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()

    async def answer(self, call):
        if not call["method"].endswith(".NextMove"):
            return {"jsonrpc": "2.0", "result": {"status": "OK"}, "id": call["id"]}
        self.moves += 1
        if self.hold_at is not None and self.moves >= self.hold_at:
            self.hold_at = None
            self.may_move.clear()
            self.silent.set()
        await self.may_move.wait()
        free = [cell for cell, mark in enumerate(call["params"]["gamestate"]) if not mark]
        return {"jsonrpc": "2.0", "result": {"position": self.chance.choice(free)}, "error": None, "id": call["id"]}

    def hold_after(self, moves):
        self.silent.clear()
        self.hold_at = self.moves + moves

    def go_on(self):
        self.loop.call_soon_threadsafe(self.may_move.set)


class Hub:
    """A hub that keeps its games in a folder; it can be killed."""

    def __init__(self, program, folder):
        self.journal = f"sqlite:{folder}/journal.db"
        self.program = program
        self.log = open(f"{folder}/log", "ab")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [program, "serve", *hubs.free_ports(program), "--journal", self.journal, "--open-registration",
             "--bot-allow", "127.0.0.0/8", "--bot-move-seconds", "60", "--drain-seconds", "0", "--rejoin-seconds",
             "600"],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.ports = hubs.ports_of(self.process.stdout.readline())

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def end(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, f"the hub ended with {self.process.returncode}"
        self.log.close()

    def arena(self):
        return json.loads(hubs.get(self.ports["admin"], "/arena")[1])

    def register(self, name, endpoint):
        bot_server.register(self.ports["http"], name, endpoint)

    def verb(self, *words):
        return subprocess.run([self.program, *words, "--journal", self.journal], capture_output=True, text=True,
                              check=True).stdout


def wait_for(what, is_so):
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, f"{what} never came"
        time.sleep(0.05)


def standing(hub):
    now = hub.arena()
    return f"{now['waiting']} wait, {now['running']} run, bots: " + str(
        collections.Counter(bot["state"] for bot in now["bots"])) + str(
            [bot["failures"] for bot in now["bots"] if bot["failures"]][:3])


def play(program, folder, count, kills):
    names = [f"bot {number}" for number in range(count)]
    total = count * (count - 1)
    bots, hub = Bots(), Hub(program, folder)
    bots.hold_after(4 * total // (kills + 1))
    # All of them at once.
    with concurrent.futures.ThreadPoolExecutor(count) as owners:
        list(owners.map(lambda name: hub.register(name, f"http://127.0.0.1:{bots.port}/{name.replace(' ', '-')}"), names))
    for kill in range(kills):
        assert bots.silent.wait(PATIENCE), f"the league stands still: {standing(hub)}"
        hub.kill()
        hub = Hub(program, folder)
        if kill + 1 < kills:
            bots.hold_after(4 * total // (kills + 1))
        bots.go_on()

    def is_over():
        now = hub.arena()
        return now["waiting"] + now["running"] == 0 and all(bot["state"] == "online" for bot in now["bots"])
    try:
        wait_for("the end of the league", is_over)
    except AssertionError as late:
        raise AssertionError(f"{late}: {standing(hub)}") from late
    leaderboard = f"http://127.0.0.1:{hub.ports['http']}/api/leaderboard?limit=500"
    with urllib.request.urlopen(leaderboard, timeout=60) as answer:
        best = json.loads(answer.read())["players"]
    return hub, names, best


def check_games(hub, names, best):
    met = collections.Counter()
    for line in hub.verb("journal", "export").splitlines():
        game = json.loads(line)
        assert game["state"] == "ended", game
        # A game without a result is played again.
        if game["result"]["reason"] not in ("rules", "left", "clock"):
            continue
        assert game["result"]["reason"] == "rules", game
        met[tuple(seat["name"] for seat in sorted(game["seats"], key=lambda seat: seat["seat"]))] += 1
    wanted = {(x, o) for x in names for o in names if x != o}
    assert set(met) == wanted, f"{len(met)} of {len(wanted)} pairs have met"
    assert max(met.values()) == 1, [pair for pair, games in met.items() if games > 1]
    each = 2 * (len(names) - 1)
    assert [row["games"] for row in best] == [each] * len(names), best
    assert [row["rating"] for row in best] == sorted((row["rating"] for row in best), reverse=True)


def play_gauntlet(hub, names):
    """Runs a tournament with the verb, which waits for its end; returns who played how often."""
    words = ["--gauntlet", "--games", "2", "--output", "json", "--admin-port", str(hub.ports["admin"])]
    said = subprocess.run([hub.program, "arena", "run", *words, "--bots", *names], capture_output=True, text=True,
                          check=True).stdout
    run = json.loads(said)
    assert (run["state"], run["ended"], run["games"]) == ("done", 2 * len(names) - 2, 2 * len(names) - 2), run
    assert sum(row["points"] for row in run["table"]) == run["games"], run
    return {row["name"]: row["games"] for row in run["table"]}


def check_ratings(hub, names, games):
    kept = {row["name"]: row for row in json.loads(hub.verb("arena", "ratings", "--output", "json"))["ratings"]}
    anew = {row["name"]: row for row in
            json.loads(hub.verb("arena", "ratings", "--recompute", "--output", "json"))["ratings"]}
    assert {name: row["games"] for name, row in kept.items()} == games
    assert set(kept) == set(anew) == set(names)
    for name, row in kept.items():
        same = ("games", "wins", "draws", "losses")
        assert [row[word] for word in same] == [anew[name][word] for word in same], (row, anew[name])
        # Results that were recorded only after a kill were rated in another order.
        assert abs(row["rating"] - anew[name]["rating"]) < row["deviation"], (row, anew[name])


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        hub, names, best = play(program, folder, count, kills)
        check_games(hub, names, best)
        games = collections.Counter({name: 2 * (count - 1) for name in names})
        games.update(play_gauntlet(hub, names[:3]))
        hub.end()
        check_ratings(hub, names, games)
    print(f"{count * (count - 1)} games of {count} bots through {kills} kills in {time.monotonic() - began:.1f} s")


main()
