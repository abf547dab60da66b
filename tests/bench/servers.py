"""Servers under load: starts one on a separate core, loads it and observes it."""
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import time
import urllib.request

CPUS = sorted(os.sched_getaffinity(0))
LOAD_CPU = CPUS[-1]
READY_SECONDS_MAX = 20


class Failed(Exception):
    """What went wrong, in one sentence."""


def server_cpus(loops):
    """The load has the last core alone if there are enough; on two cores, two loops share one with it."""
    return CPUS[:-1][:loops] if len(CPUS) > loops else CPUS[:loops]


FIRST_CPU = CPUS[:1]


class Server:
    """A process that says `ready …` when it listens."""

    def __init__(self, command, loops=1, cpus=None):
        cpus = cpus or server_cpus(loops)
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cpus))
        line = ""
        if select.select([self.process.stdout], [], [], READY_SECONDS_MAX)[0]:
            line = self.process.stdout.readline()
        if not line.startswith("ready"):
            self.stop()
            raise Failed(f"{command[0]} did not get ready")
        self.ports = {name: int(port) for name, port in re.findall(r"(\w+)=(\d+)", line)}
        self.only_port = int(line.split()[-1]) if not self.ports else None

    def port(self, wire):
        if self.only_port is not None:
            return self.only_port
        # WebSockets use the HTTP port.
        return self.ports["http" if wire == "ws" else wire]

    @property
    def pid(self):
        return self.process.pid

    def memory_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def cpu_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def metric(self, name, label="", seconds=60):
        """The sum of all samples of that name that have the label."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['admin']}/metrics", timeout=seconds) as answer:
            found = re.findall(rf"^{name}(\{{.*\}})? (\S+)$", answer.read().decode(), re.MULTILINE)
        return sum(float(value) for labels, value in found if label in labels)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def hub(program, *flags, loops=1, cpus=None):
    """With its journal in memory, unless the flags select another one; on these cores, if any are named."""
    return Server([program, "serve", "--loops", str(loops), "--opcodes-port", "0", "--turns-port", "0",
                   "--udp-port", "0", "--http-port", "0", "--admin-port", "0", "--journal", "memory", "--log-level", "error", *flags], loops, cpus)


def floor(program, wire):
    return Server([program, wire, "0"])


def http_floor(program):
    return Server([program, "0"])


def busy_seconds():
    with open("/proc/stat", encoding="ascii") as stat:
        fields = [int(n) for n in stat.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


def own_and_children_seconds():
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def tools(program):
    """gamehub-tools, which is in the folder of the program gamehub."""
    return str(pathlib.Path(program).with_name("gamehub-tools"))


def start_load(program, wire, server, *flags):
    # Of several hubs the load finds the processes by their ports.
    of = [] if "--more-ports" in flags else ["--pid", str(server.pid)]
    command = [tools(program), "bench", wire, "--port", str(server.port(wire)), *of, "--json", "--quiet", *map(str, flags)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: os.sched_setaffinity(0, [LOAD_CPU]))


def end_load(load):
    out, err = load.communicate()
    if not out.startswith("{"):
        raise Failed(f"the load failed: {err.strip()}")
    return json.loads(out)


def play(program, wire, server, *flags):
    """What the load found, with `others_cpu`: the share of a core that the rest of the machine used meanwhile."""
    busy, start, own = busy_seconds(), time.monotonic(), own_and_children_seconds()
    found = end_load(start_load(program, wire, server, *flags))
    took = time.monotonic() - start
    ours = own_and_children_seconds() - own + found["server"]["cpu"] * took
    found["others_cpu"] = max(0.0, (busy_seconds() - busy - ours) / took)
    return found
