"""PostgreSQL for a cluster of hubs: Debian's programs, a separate folder, Unix sockets, and a user that is not root.
With a standby, each commit is on both servers; the primary can be killed, and the standby takes its place."""
import asyncio
import os
import pwd
import shutil
import signal
from pathlib import Path

from hub import Broke

START_SECONDS_MAX = 60
PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"
# The disk of the test's machine is not what is tested: killed processes lose nothing without fsync, either.
OPTIONS = ["listen_addresses=", "fsync=off", "logging_collector=off", "max_connections=200",
           "hot_standby=on", "wal_retrieve_retry_interval=200ms", "log_line_prefix=%m %p "]


class Missing(Exception):
    """PostgreSQL is not installed."""


def programs():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: float(each.parent.name))
    if not found:
        raise Missing("PostgreSQL is not installed: run ./dev install test")
    return found[-1]


class Server:
    """One server: its folder, its process, and its log."""

    def __init__(self, folder, name):
        self.folder, self.name = folder / name, name
        self.data, self.process, self.options = self.folder / "data", None, OPTIONS
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.folder.mkdir()
        self.log = open(folder / f"{name}.log", "ab")  # pylint: disable=consider-using-with
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)

    def command(self, program, *words):
        """The words of a program that runs as the user of the server and ends with this one."""
        tied = ["setpriv", "--pdeathsig", "QUIT"]
        if self.user:
            tied += ["--reuid", str(self.user.pw_uid), "--regid", str(self.user.pw_gid), "--clear-groups"]
        return [*tied, str(programs() / program), *map(str, words)]

    async def run(self, program, *words):
        tool = await asyncio.create_subprocess_exec(*self.command(program, *words), cwd=self.folder, stdout=self.log,
                                                    stderr=self.log)
        if await tool.wait() != 0:
            raise Broke(f"{program} of the database failed: see {self.name}.log")

    async def make(self):
        await self.run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale",
                       "--no-sync")

    async def copy(self, primary):
        """Becomes a standby of that server, with nothing left of what it was."""
        shutil.rmtree(self.data, ignore_errors=True)
        await self.run("pg_basebackup", "-D", self.data, "-h", primary.folder, "-p", PORT, "-U", "postgres", "-c", "fast",
                       "--no-sync", "-R")

    async def start(self, synchronous):
        options = [*self.options, f"unix_socket_directories={self.folder}", f"port={PORT}"]
        if synchronous:
            options.append("synchronous_standby_names=*")
        words = [word for option in options for word in ("-c", option)]
        self.process = await asyncio.create_subprocess_exec(*self.command("postgres", "-D", self.data, *words),
                                                            cwd=self.folder, stdout=self.log, stderr=self.log)
        await self.until("SELECT 1", "1")

    async def ask(self, statement):
        """The one value that a statement returns; nothing if there is no answer."""
        tool = await asyncio.create_subprocess_exec(
            *self.command("psql", "-h", self.folder, "-p", PORT, "-U", "postgres", "-d", "postgres", "-XAtc", statement),
            cwd=self.folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        out, _ = await tool.communicate()
        return out.decode().strip() if tool.returncode == 0 else None

    async def until(self, statement, answer):
        deadline = asyncio.get_running_loop().time() + START_SECONDS_MAX
        while await self.ask(statement) != answer:
            if asyncio.get_running_loop().time() > deadline or self.process.returncode is not None:
                raise Broke(f"the database {self.name} never answered {answer} to {statement}: see {self.name}.log")
            await asyncio.sleep(0.05)

    async def end(self, how):
        """SIGKILL, or SIGQUIT: without waiting for connections."""
        if self.process and self.process.returncode is None:
            self.process.send_signal(how)
            await self.process.wait()


class Database:
    def __init__(self, folder, with_standby):
        self.folder = folder / "database"
        self.folder.mkdir(mode=0o755)
        folder.chmod(0o755)  # the user of the servers must reach its folder
        names = ["first", "second"] if with_standby else ["first"]
        self.servers = [Server(self.folder, name) for name in names]
        self.failovers = []  # seconds from the kill of the primary until the other one takes commits

    @property
    def primary(self):
        return self.servers[0]

    def target(self, folder_of=lambda server: server.folder):
        """The connection string for hubs: whichever server takes writes. Their sockets may be in other folders."""
        hosts = ",".join(str(folder_of(each)) for each in sorted(self.servers, key=lambda each: each.name))
        return f"host={hosts} port={PORT} user=postgres dbname=postgres"

    async def start(self):
        await self.primary.make()
        await self.primary.start(synchronous=False)
        for standby in self.servers[1:]:
            await self.attach(standby)

    async def attach(self, standby):
        await standby.copy(self.primary)
        await standby.start(synchronous=True)
        await self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        await self.primary.ask("SELECT pg_reload_conf()")
        await self.primary.until("SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')", "1")

    async def fail_over(self):
        """Kills the primary and promotes the standby; then the other one becomes its standby. Returns the seconds until
        the standby was promoted, and until it had a standby and took commits."""
        begun = asyncio.get_running_loop().time()
        old, new = self.servers
        await old.end(signal.SIGKILL)
        await new.run("pg_ctl", "promote", "-D", new.data, "-w")
        promoted = asyncio.get_running_loop().time() - begun
        self.servers.reverse()
        await self.attach(old)
        self.failovers.append(asyncio.get_running_loop().time() - begun)
        return promoted, self.failovers[-1]

    async def stop(self):
        for each in self.servers:
            await each.end(signal.SIGQUIT)
            each.log.close()
