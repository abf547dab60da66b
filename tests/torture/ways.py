"""The ways between the hubs of a cluster, and from them to their database: proxies that can be cut. They are a separate
process, which the load of this one does not delay."""
import asyncio
import functools
import json
import sys
from pathlib import Path

from hub import Broke

LOOK_SECONDS = 0.1      # until a way notices that its end listens again
CHUNK_BYTES = 1 << 16


class Way:
    """Listens on a port of loopback, or on a Unix socket, and passes on what comes to another one and back. An end is a
    number or a path. While nothing listens at its far end, nothing listens at the near one either."""

    def __init__(self, near, far):
        self.near, self.far = near, far
        self.flows = asyncio.Event()  # not while it is held
        self.flows.set()
        self.cut, self.server, self.writers = False, None, set()

    async def keep_open(self):
        while True:
            if not self.server and not self.cut and await self.is_reachable():
                await self.listen()
            await asyncio.sleep(LOOK_SECONDS)

    def connect(self):
        if isinstance(self.far, int):
            return asyncio.open_connection("127.0.0.1", self.far)
        return asyncio.open_unix_connection(self.far)

    async def is_reachable(self):
        try:
            (await self.connect())[1].close()
            return True
        except OSError:
            return False

    async def listen(self):
        if isinstance(self.near, int):
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.near)
        else:
            self.server = await asyncio.start_unix_server(self.serve, self.near)
            Path(self.near).chmod(0o777)

    def close(self):
        if self.server:
            self.server.close()
            self.server = None
            if not isinstance(self.near, int):
                Path(self.near).unlink(missing_ok=True)
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()

    async def serve(self, reader, writer):
        self.writers.add(writer)
        try:
            await self.flows.wait()
            far_reader, far_writer = await self.connect()
        except OSError:
            return self.close()
        self.writers.add(far_writer)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))
        return None

    async def carry(self, reader, writer):
        try:
            while text := await reader.read(CHUNK_BYTES):
                await self.flows.wait()
                writer.write(text)
                await writer.drain()
        except OSError:
            pass
        # A connection ends as a whole: neither side of these protocols goes on alone.
        self.writers.discard(writer)
        writer.close()

    def obey(self, word):
        """`cut`: its connections end, and no new ones are accepted; `hold`: they stay, and nothing passes; `mend`."""
        self.cut = word == "cut"
        if word == "hold":
            self.flows.clear()
        else:
            self.flows.set()
        if self.cut:
            self.close()


async def carry_all(ends):
    """Reads commands from standard input until it ends: a word and the names of ways. Answers each with a line."""
    ways = {name: Way(*each) for name, each in ends.items()}
    keeping = [asyncio.create_task(way.keep_open()) for way in ways.values()]
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(functools.partial(asyncio.StreamReaderProtocol, commands), sys.stdin)
    while line := (await commands.readline()).decode().split():
        for name in line[1:]:
            ways[name].obey(line[0])
        print("done", flush=True)
        for task in keeping:
            if task.done():
                task.result()


class Ways:
    """The process of the ways: `ends` has the near and the far end of each name."""

    def __init__(self, ends, log):
        self.ends, self.process = ends, None
        self.log = open(log, "ab")  # pylint: disable=consider-using-with
        self.turn = asyncio.Lock()

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-B", __file__, json.dumps(self.ends), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=self.log)

    async def say(self, word, names):
        async with self.turn:
            self.process.stdin.write(f"{word} {' '.join(names)}\n".encode())
            if await self.process.stdout.readline() != b"done\n":
                raise Broke(f"the ways between hubs and database ended instead of '{word}': see ways.log")

    async def stop(self):
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


if __name__ == "__main__":
    asyncio.run(carry_all(json.loads(sys.argv[1])))
