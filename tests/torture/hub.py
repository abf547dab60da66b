"""A hub under test: restarted on the same ports and the same journal."""
import asyncio
import json
import random
import re
import shutil
import signal
import socket

READY_SECONDS_MAX = 60


class Broke(Exception):
    """The hub crashed, hung or refused to start, which it never may."""


RESERVED = []  # a socket for each port; they end with this program


def free_ports(count, seed):
    """Ports below the ephemeral range, so that no client takes one while the hub is down. They are reserved: no other
    hub of this or of another torture test gets them."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as bounds:
        least = int(bounds.read().split()[0])
    luck, found = random.Random(f"{seed} ports {random.random()}"), []
    while len(found) < count:
        port = luck.randrange(max(2000, least - 12000), least)
        if reserve(port):
            found.append(port)
    return found


def reserve(port):
    """False if the port is in use or reserved."""
    reserved = socket.socket(socket.AF_UNIX)
    try:
        reserved.bind(f"\0gamehub-torture-port-{port}")
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as probe:
                probe.bind(("127.0.0.1", port))
    except OSError:
        reserved.close()
        return False
    RESERVED.append(reserved)
    return True


class Hub:
    def __init__(self, program, folder, journal, ports, flags, name="hub"):
        """`journal` is the setting that names it, for the hub and the tools."""
        self.program, self.journal, self.name = program, journal, name
        self.ports, self.process, self.reading = ports, None, None
        self.log = open(folder / f"{name}.log", "ab")  # pylint: disable=consider-using-with
        # The hub ends with this program.
        self.tied = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        self.words = ["serve", *journal, "--log-level", "info",
                      *(word for wire, port in ports.items() for word in (f"--{wire}-port", str(port))), *flags]

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.tied, self.program, *self.words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        self.reading = asyncio.create_task(self.copy_log(self.process.stderr))

    async def copy_log(self, stream):
        while text := await stream.read(65536):
            self.log.write(text)
            self.log.flush()

    async def ready(self):
        if not await self.becomes_ready():
            raise Broke(f"{self.name} ended with {await self.process.wait()} instead of getting ready: see {self.name}.log")

    async def becomes_ready(self):
        """False if it ends instead."""
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), READY_SECONDS_MAX)
        except asyncio.TimeoutError as late:
            raise Broke(f"{self.name} was not ready after {READY_SECONDS_MAX} s") from late
        return line.startswith(b"ready")

    def alive(self):
        return self.process.returncode is None

    def check_alive(self):
        if not self.alive():
            raise Broke(f"{self.name} ended by itself with {self.process.returncode}: see {self.name}.log")

    async def stop(self, how, seconds_max=60):
        """Sends the signal, waits, and returns the exit code."""
        self.check_alive()
        self.process.send_signal(getattr(signal, f"SIG{how}"))
        try:
            code = await asyncio.wait_for(self.process.wait(), seconds_max)
        except asyncio.TimeoutError as late:
            raise Broke(f"{self.name} was still there {seconds_max} s after SIG{how}") from late
        await self.reading
        return code

    async def get(self, path):
        """Status and body of a page of the admin server; nothing without a connection."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.ports["admin"])
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            text = (await reader.read()).decode()
            writer.close()
        except OSError:
            return 0, ""
        head, _, body = text.partition("\r\n\r\n")
        return int(head.split()[1]) if head else 0, body

    async def count(self, metric):
        """The sum of a metric over its labels."""
        _, body = await self.get("/metrics")
        found = re.findall(rf"^{metric}(?:\{{[^}}]*\}})? (\S+)$", body, re.MULTILINE)
        return sum(float(value) for value in found)

    async def run_tool(self, *words):
        """The exit code of a verb on the journal, and its output."""
        tool = await asyncio.create_subprocess_exec(
            self.program, *words, *self.journal,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, err = await tool.communicate()
        return tool.returncode, out, err.decode()

    async def export(self):
        code, out, err = await self.run_tool("journal", "export", "--format", "jsonl")
        if code:
            raise Broke(f"gamehub journal export ended with {code}: {err}")
        return out.splitlines(keepends=True)

    async def verify(self):
        code, out, err = await self.run_tool("verify", "--json")
        if code:
            raise Broke(f"gamehub verify ended with {code}:\n{out.decode()}{err}")
        try:
            return json.loads(out.splitlines()[-1])
        except (ValueError, IndexError):
            return {}
