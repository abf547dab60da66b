"""Bots that register with a hub and play each other: each takes the first free cell after a delay. One thread, on the
core of the load, serves them all, so that at full speed the bots are the limit."""
import asyncio
import json
import os
import re
import threading
import time
import urllib.request

import servers

GAMES_EACH = 2
WAIT_SECONDS_MAX = 60
# The flags of the hub that they play in.
SERVE = ["--open-registration", "--bot-allow", "127.0.0.0/8", "--bot-move-seconds", "60", "--drain-seconds", "0",
         "--arena-games-per-bot", str(GAMES_EACH)]


def names(count):
    return [f"bot {number}" for number in range(count)]


class Bots:
    """Runs that number of bots until the end of the block."""

    def __init__(self, server, count, move_seconds):
        self.server, self.count, self.move_seconds = server, count, move_seconds
        self.loop = asyncio.new_event_loop()
        self.thinking = 0
        self.listener, self.thread = None, None

    def __enter__(self):
        listens = threading.Event()
        self.thread = threading.Thread(target=self.run, args=[listens], daemon=True)
        self.thread.start()
        if not listens.wait(WAIT_SECONDS_MAX):
            raise servers.Failed("the bots do not listen")
        for name in names(self.count):
            self.register(name)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(WAIT_SECONDS_MAX)

    def await_all_playing(self):
        """Waits until each plays its maximum of games."""
        self.wait(lambda: self.server.metric("gamehub_arena_games", 'state="running"') >= self.count * GAMES_EACH // 2)

    def await_end(self):
        """Waits until all pairs have played, with X once each."""
        games = self.count * (self.count - 1)
        self.wait(lambda: self.server.metric("gamehub_arena_ended_total") >= games)

    def wait(self, is_so):
        until = time.monotonic() + WAIT_SECONDS_MAX
        while not is_so():
            if time.monotonic() > until:
                raise servers.Failed(f"{self.count} bots do not play as they should")
            time.sleep(0.1)

    def run(self, listens):
        os.sched_setaffinity(0, [servers.LOAD_CPU])
        asyncio.set_event_loop(self.loop)
        self.listener = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1024))
        listens.set()
        self.loop.run_forever()
        self.listener.close()
        asleep = asyncio.all_tasks(self.loop)
        for each in asleep:
            each.cancel()
        self.loop.run_until_complete(asyncio.gather(*asleep, return_exceptions=True))
        self.loop.close()

    def register(self, name):
        port = self.listener.sockets[0].getsockname()[1]
        body = {"jsonrpc": "2.0", "method": "RegistrationService.Register", "id": 1, "params": {
            "token": "bench", "botname": name, "botversion": "1", "game": "TICTACTOE",
            "rpcendpoint": f"http://127.0.0.1:{port}/{name.replace(' ', '-')}"}}
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.ports['http']}/rpc", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS_MAX) as answer:
            why = json.load(answer)["error"]
        if why is not None:
            raise servers.Failed(f"a bot can't register: {why}")

    async def serve(self, reader, writer):
        try:
            closing = False
            while not closing:
                head = await reader.readuntil(b"\r\n\r\n")
                closing = b"\r\nConnection: close\r\n" in head
                length = int(re.search(rb"\r\nContent-Length: (\d+)\r\n", head).group(1))
                call = json.loads(await reader.readexactly(length))
                said = json.dumps({"jsonrpc": "2.0", "result": await self.answer(call), "id": call["id"]}).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: %s\r\n"
                             b"Content-Length: %d\r\n\r\n" % (b"close" if closing else b"keep-alive", len(said)) + said)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def answer(self, call):
        if not call["method"].endswith(".NextMove"):
            return {"status": "OK"}
        if self.move_seconds > 0:
            self.thinking += 1
            try:
                await asyncio.sleep(self.move_seconds)
            finally:
                self.thinking -= 1
        return {"position": call["params"]["gamestate"].index("")}
