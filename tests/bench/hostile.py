"""Measures attacks on the hub, each with innocent players beside it, and beside the same attack on a port that only
accepts.

Usage: ./dev bench hostile [ATTACK...] [--seconds N] [--rounds N] [--addresses 1|50] [--check] [--write]
       ./dev bench hostile all [--minutes N] [--check] [--write]

Without an ATTACK it measures each of them alone. `all` is all of them at once, with honest players of three protocols
beside them: it fails if one of them is refused or loses a game.
"""
import argparse
import http.client
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import attacks
import honest
import measure as figures
import servers

HERE = Path(__file__).resolve().parent
MANY_ADDRESSES = 50
SECONDS, MINUTES = 8, 10
# The innocents: pairs over opcodes, with new connections for each game.
INNOCENT_GAMES, INNOCENT_RATE, WARM_UP_SECONDS = 10, 100, 1
HEALTH_EACH_SECONDS, NEWCOMER_EACH_SECONDS = 0.2, 1
HEALTH_PATIENCE_SECONDS, NEWCOMER_PATIENCE_SECONDS = 2, 5
START_MS_MAX, MOVE_RATIO_MAX, GROWTH_MIB_MAX, NEWCOMER_MS_MAX = 50, 2, 64, 50
JOURNAL_MIB = 16
JOURNAL_BYTES_A_SECOND_MAX = 512 * 1024
REPLAY_BYTES_A_SECOND_MAX = 8_000_000
GAMES_MAX = 10_000
GAMES_OF_ADDRESS_MAX, BOTS_OF_OWNER_MAX = 1000, 16
TOKEN = "an-operator-token-of-the-bench"


# What some attacks need beforehand: settings of the hub, and games on it.

def small_hub(addresses):
    """One address takes all sessions of such a hub within seconds; 50 take those of a hub with default settings."""
    return ["--connections-max", "1000"] if addresses == 1 else []


def long_game(hub):
    """A game of gomoku that nobody wins, with 361 moves."""
    cells = [(row, column) for row in range(19) for column in range(19)]
    sides = [[cell for cell in cells if (cell[1] // 2 + cell[0]) % 2 == side] for side in range(2)]
    moves = [sides[number % 2][number // 2] for number in range(len(cells))]
    honest.play_turns(hub.ports["turns"], ["127.8.250.1", "127.8.250.2"], {"rows": 19, "columns": 19}, moves)
    with honest.Requests(hub.ports["http"], "127.8.250.1") as one:
        return one.ask("GET", "/api/games?engine=gomoku&status=ended")["games"][0]["game_id"]


def ended_game(hub):
    return honest.play_http(hub.ports["http"], ["127.8.251.1", "127.8.251.2"], ["ann-of-a-game", "bob-of-a-game"])


def running_game(hub):
    with honest.Requests(hub.ports["http"], "127.8.252.1") as one:
        return one.ask("POST", "/api/play", name="who plays on", engine="tictactoe", opponent="engine")["game_id"]


# What must hold in addition, while or after an attack: the functions return sentences about what does not.

def games_are_bounded(run):
    games, most = run.at_end["gamehub_games_running"], min(GAMES_MAX, GAMES_OF_ADDRESS_MAX * run.addresses)
    return [f"{games:,.0f} games"] if games > most + INNOCENT_GAMES else []


def forged_get_no_more_than_they_send(run):
    sent, got = run.counted_more("gamehub_datagrams_said_total"), run.counted_more("gamehub_datagrams_received_total")
    return [f"{sent:,.0f} datagrams for {got:,.0f}"] if sent > got else []


def others_of_the_proxy_are_served(run):
    refused = 0
    for number in range(5):
        try:
            with honest.Requests(run.ports["http"], attacks.PROXY, NEWCOMER_PATIENCE_SECONDS,
                                 {"X-Forwarded-For": f"198.51.100.{number + 1}"}) as one:
                one.ask("GET", "/api/engines")
        except honest.Refused:
            refused += 1
    return [f"{refused} of 5 others of the proxy refused"] if refused else []


def history_is_kept(run):
    wrong = []
    written = run.counted_more("gamehub_journal_written_bytes_total") / run.took / run.addresses
    if written > JOURNAL_BYTES_A_SECOND_MAX:
        wrong.append(f"{written / 2**20:.1f} MiB/s of journal for an address")
    try:
        with honest.Requests(run.ports["http"], "127.8.251.1") as one:
            one.ask("GET", f"/api/replays/{run.facts['ended']}")
    except honest.Refused as e:
        wrong.append(f"an honest game can't be read ({e})")
    return wrong


def owners_register(run):
    # Under open registration the owner of a made-up token is its address.
    wrong, accepted = [], run.counted_more("gamehub_bot_registrations_total")
    if accepted > BOTS_OF_OWNER_MAX * run.addresses:
        wrong.append(f"{accepted:,.0f} names of {run.addresses} owners")
    try:
        with honest.Requests(run.ports["http"], "127.8.253.1") as one:
            said = one.ask("POST", "/rpc", jsonrpc="2.0", method="RegistrationService.Register", id=1, params={
                "token": "honest", "botname": "honest bot", "botversion": "1", "game": "TICTACTOE",
                "rpcendpoint": "http://127.0.0.1:65001/"})
        if said["error"] is not None:
            wrong.append(f"an honest owner can't register ({said['error']})")
    except honest.Refused as e:
        wrong.append(f"an honest owner can't register ({e})")
    return wrong


def replays_are_bounded(run):
    read = run.counted_more("gamehub_sent_bytes_total") / run.took / run.addresses
    return [f"{read / 1e6:.1f} MB/s for an address"] if read > REPLAY_BYTES_A_SECOND_MAX else []


@dataclass
class Case:
    """Of an attack: the hub's flags, the games that it needs, and what must hold."""
    flags: object = lambda addresses: []
    needs: dict = field(default_factory=dict)
    holds: object = lambda run: []
    spoofed: bool = False  # it has senders of its own: one row


ARENA = ["--open-registration", "--bot-allow", "127.0.0.0/8"]
FEW_GAMES = ["--games-max", str(GAMES_MAX)]
PROXIES = ["--http-trusted-proxy", f"{attacks.PROXY}/32"]
CASES = {
    "waiting": Case(),
    "sessions": Case(small_hub),
    "seats": Case(lambda _: FEW_GAMES, holds=games_are_bounded),
    "forged": Case(holds=forged_get_no_more_than_they_send, spoofed=True),
    "proxied": Case(lambda _: PROXIES, {"running": running_game}, others_of_the_proxy_are_served),
    "unread": Case(),
    "closed-games": Case(needs={"ended": ended_game}, holds=history_is_kept),
    "bots": Case(lambda _: ARENA, holds=owners_register),
    "churn": Case(),
    "guesses": Case(),
    "replays": Case(needs={"long": long_game}, holds=replays_are_bounded),
    "refused-moves": Case(),
    "opcodes": Case(),
    "wrong-tokens": Case(),
}


NEWCOMERS = {"http": honest.newcomer_http, "turns": honest.newcomer_turns, "udp": honest.newcomer_udp}


class Probes:
    """Asks every so often, on a thread for each question: `failed` and `milliseconds` have what became of it."""

    def __init__(self, hub):
        self.hub, self.ends = hub, threading.Event()
        self.failed, self.milliseconds, self.threads = {}, {}, []
        self.ask("healthz", HEALTH_EACH_SECONDS, self.healthz)
        for wire, newcomer in NEWCOMERS.items():
            self.ask(wire, NEWCOMER_EACH_SECONDS, lambda number, newcomer=newcomer: newcomer(
                hub.ports, f"127.8.0.{number % 200 + 1}", NEWCOMER_PATIENCE_SECONDS))

    def healthz(self, _):
        one = http.client.HTTPConnection("127.0.0.1", self.hub.ports["admin"], HEALTH_PATIENCE_SECONDS)
        try:
            one.request("GET", "/healthz")
            answer = one.getresponse()
            if answer.status != 200:
                raise honest.Refused(f"{answer.status} {answer.read().decode().strip()}")
        except (OSError, http.client.HTTPException) as e:
            raise honest.Refused(type(e).__name__) from e
        finally:
            one.close()

    def ask(self, name, each, question):
        self.failed[name], self.milliseconds[name] = [], []

        def run():
            number = 0
            while not self.ends.wait(each):
                began = time.monotonic()
                try:
                    question(number)
                except honest.Refused as e:
                    self.failed[name].append(str(e))
                else:
                    self.milliseconds[name].append((time.monotonic() - began) * 1000)
                number += 1
        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()

    def stop(self):
        self.ends.set()
        for each in self.threads:
            each.join()

    def newcomers(self):
        """How many there were, how many were refused, and the time that half of the others took at most."""
        times = sorted(ms for wire in NEWCOMERS for ms in self.milliseconds[wire])
        refused = sum(len(self.failed[wire]) for wire in NEWCOMERS)
        return refused + len(times), refused, times[len(times) // 2] if times else math.inf


def reset_peak(pid):
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


def peak_kib(pid):
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1])
    return 0


METRICS = {
    "gamehub_games_running": [""],
    "gamehub_datagrams_said_total": [""],
    "gamehub_datagrams_received_total": [""],
    "gamehub_journal_written_bytes_total": [""],
    "gamehub_sent_bytes_total": [""],
    "gamehub_bot_registrations_total": ['result="accepted"'],
    "gamehub_refusals_total": [""],
    "gamehub_datagrams_refused_total": [""],
    "gamehub_requests_total": ['status="429"', 'status="503"'],
    "gamehub_connections_closed_total": ['reason="address-limit"'],
}
REFUSED = ["gamehub_refusals_total", "gamehub_datagrams_refused_total", "gamehub_requests_total",
           "gamehub_connections_closed_total"]


class Run:
    """Attacks on a hub for a time, or on a sink, and all that was measured meanwhile."""

    def __init__(self, bench, names, addresses, seconds, on_sink=False, around=WARM_UP_SECONDS):
        self.bench, self.names, self.addresses, self.seconds, self.on_sink = bench, names, addresses, seconds, on_sink
        self.around = around  # seconds that the players play before and after the attack
        self.wrong, self.counted, self.at_begin, self.at_end = [], {}, {}, {}
        self.innocents = self.probes = self.growth_mib = self.cpu = None
        self.honest, self.processes = {}, []
        with tempfile.TemporaryDirectory() as folder, \
                servers.hub(bench.hub, *self.flags(folder), cpus=servers.FIRST_CPU) as hub:
            self.ports = hub.ports
            self.facts = {what: find(hub) for name in names for what, find in CASES[name].needs.items()}
            try:
                if on_sink:
                    with servers.Server([bench.sink, "0"], cpus=servers.FIRST_CPU) as sink:
                        self.measure(hub, dict.fromkeys(hub.ports, sink.only_port))
                else:
                    self.measure(hub, hub.ports)
            except (OSError, servers.Failed) as e:
                if self.probes is None:
                    raise
                self.wrong.append(f"the hub ended with {hub.process.poll()}" if hub.process.poll() is not None else
                                  f"{type(e).__name__}: {e}")
            finally:
                for each in self.processes:
                    if each.poll() is None:
                        each.kill()
                if self.probes is not None:
                    self.probes.stop()
                # What the attack left would make an orderly end slow.
                hub.process.kill()

    def flags(self, folder):
        token = Path(folder) / "token"
        token.write_text(TOKEN, encoding="ascii")
        token.chmod(0o600)
        # All attacks at once meet the default bounds of games and of the journal.
        own = [*ARENA, *PROXIES] if len(self.names) > 1 else \
            ["--journal-mib-max", str(JOURNAL_MIB), *CASES[self.names[0]].flags(self.addresses)]
        return ["--limit-loopback", "--drain-seconds", "0", "--admin-token-file", str(token),
                "--journal", f"sqlite:{folder}/journal.db", *own]

    def counted_more(self, name):
        """The growth of a metric of the hub."""
        return self.at_end[name] - self.at_begin[name]

    def growth(self):
        """Of the hub's memory, in MiB."""
        return math.inf if self.growth_mib is None else self.growth_mib

    def measure(self, hub, ports):
        self.at_begin = metrics(hub)
        resident, cpu = hub.memory_kib(), hub.cpu_seconds()
        reset_peak(hub.pid)
        load = servers.start_load(self.bench.hub, "opcodes", hub, "--games", INNOCENT_GAMES, "--rate", INNOCENT_RATE,
                                  "--fresh", "--redial", "--warm-up", self.around,
                                  "--seconds", self.seconds + self.around)
        players = self.start([str(HERE / "honest.py")], {"ports": hub.ports, "seconds": self.seconds + self.around}) \
            if len(self.names) > 1 else None
        self.processes.append(load)
        time.sleep(self.around)
        self.probes = Probes(hub)
        self.attack(hub, ports)
        self.innocents = servers.end_load(load)
        if players is not None:
            self.honest = read(players, self.seconds)
        if hub.process.poll() is not None:
            raise servers.Failed("the hub ended")
        self.growth_mib = (peak_kib(hub.pid) - resident) / 1024
        self.cpu = (hub.cpu_seconds() - cpu) / (self.seconds + 2 * self.around)

    def attack(self, hub, ports):
        """Carries the attacks out, each by a process. What must hold is looked at while they last."""
        given = {"ports": ports, "addresses": self.addresses, "seconds": self.seconds, "facts": self.facts,
                 "answers": not self.on_sink}
        began = time.monotonic()
        attackers = {name: self.start([str(HERE / "attacks.py"), name], given, as_attacker) for name in self.names}
        time.sleep(max(0.5, self.seconds - 0.5))
        self.took = time.monotonic() - began
        if not self.on_sink:
            self.at_end = metrics(hub)
            self.wrong += [each for name in self.names for each in CASES[name].holds(self)]
        self.counted = {name: read(process, self.seconds) for name, process in attackers.items()}
        silent = [name for name, counted in self.counted.items() if not any(counted.values())]
        if silent:
            raise servers.Failed(f"nothing was sent by {', '.join(silent)}")

    def start(self, program, given, before=lambda: os.sched_setaffinity(0, [servers.LOAD_CPU])):
        process = subprocess.Popen([sys.executable, *program, json.dumps(given)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, preexec_fn=before)
        self.processes.append(process)
        return process

    def refused(self):
        return sum(self.counted_more(name) for name in REFUSED) if self.at_end else math.nan


def as_attacker():
    os.sched_setaffinity(0, [servers.LOAD_CPU])
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def read(process, seconds):
    """What a program of attacks or honest players counted."""
    try:
        out, err = process.communicate(timeout=seconds + 30)
    except subprocess.TimeoutExpired as e:
        process.kill()
        raise servers.Failed(f"{process.args[1:3]} did not end") from e
    if process.returncode != 0:
        raise servers.Failed(f"{process.args[1:3]} failed: {err.strip()[-300:]}")
    return json.loads(out)


def metrics(hub):
    return {name: sum(hub.metric(name, label) for label in labels) for name, labels in METRICS.items()}


def milliseconds(found, what, share):
    """Of the innocents; nothing if none of them played."""
    return found[what][share] / 1000 if found and found.get(what) else math.inf


def sent(counted):
    """What an attack sent, in words."""
    if "datagrams" in counted:
        return f"{counted['datagrams']:,} datagrams"
    mb = f", {counted['bytes'] / 1e6:.1f} MB" if "bytes" in counted else ""
    return f"{counted.get('connections', 0):,} connections{mb}"


HEAD = ["attack", "addresses", "it sent", "start p50 / p99, ms", "move p50 / p99 / most, ms", "p99 beside a sink, ms",
        "ratio", "memory, MiB", "CPU", "healthz failed", "newcomers refused, and their median, ms", "hub refused",
        "exceeded"]


@dataclass
class Round:
    """An attack on the hub, and the same on a sink."""
    run: Run
    control: Run

    def move_p99(self):
        return milliseconds(self.run.innocents, "latency_us", "p99")

    def control_p99(self):
        return milliseconds(self.control.innocents, "latency_us", "p99")

    def ratio(self):
        return self.move_p99() / self.control_p99()

    def slow(self):
        """What took too long."""
        start, newcomer = milliseconds(self.run.innocents, "start_us", "p99"), self.run.probes.newcomers()[2]
        return [text for text, is_so in {
            f"start p99 {start:.0f} ms": start > START_MS_MAX,
            f"move p99 {self.ratio():.1f} times": self.move_p99() > MOVE_RATIO_MAX * self.control_p99(),
            f"half of the newcomers took {newcomer:.0f} ms": newcomer > NEWCOMER_MS_MAX,
        }.items() if is_so]

    def wrong(self):
        """What else exceeded its bounds."""
        asked, refused, _ = self.run.probes.newcomers()
        unhealthy, growth = self.run.probes.failed["healthz"], self.run.growth()
        errors, beside = [found["errors_by_text"] if found else "nothing was measured"
                          for found in (self.run.innocents, self.control.innocents)]
        return [text for text, is_so in {
            f"{growth:.0f} MiB": growth >= GROWTH_MIB_MAX,
            f"healthz: {unhealthy[:1]}": unhealthy,
            f"{refused} of {asked} newcomers": refused > 0,
            f"innocents: {errors}": errors,
            f"beside a sink: {beside}": beside,
        }.items() if is_so] + self.run.wrong

    def row(self, exceeded):
        run, found = self.run, self.run.innocents
        asked, refused, newcomer = run.probes.newcomers()
        name, p50 = run.names[0], milliseconds(found, "latency_us", "p50")
        return [name, "forged" if CASES[name].spoofed else str(run.addresses), sent(run.counted.get(name, {})),
                f"{milliseconds(found, 'start_us', 'p50'):.1f} / {milliseconds(found, 'start_us', 'p99'):.1f}",
                f"{p50:.2f} / {self.move_p99():.2f} / {milliseconds(found, 'latency_us', 'most'):.0f}",
                f"{self.control_p99():.2f}", f"{self.ratio():.2f}", f"{run.growth():.1f}",
                "" if run.cpu is None else f"{run.cpu:.2f}", f"{len(run.probes.failed['healthz'])}",
                f"{refused} of {asked}, {newcomer:.1f}", f"{run.refused():,.0f}", "; ".join(exceeded)]


class Table:
    """Printed row by row, as a row takes some time."""

    def __init__(self, head):
        self.lines = []
        self.add(head)
        self.line("|" + "---|" * len(head))

    def add(self, cells):
        self.line("| " + " | ".join(cells) + " |")

    def line(self, text):
        self.lines.append(text)
        print(text, flush=True)


def each_alone(bench, names, counts, seconds, rounds):
    """A row for each attack, of the round with the median ratio; returns the table, and what exceeded its bounds: times
    of that round, and all else of each."""
    table, wrong = Table(HEAD), []
    for name in names:
        for addresses in counts[:1] if CASES[name].spoofed else counts:
            all_rounds = sorted((Round(control=Run(bench, [name], addresses, seconds, on_sink=True),
                                       run=Run(bench, [name], addresses, seconds)) for _ in range(rounds)),
                                key=Round.ratio)
            middle = all_rounds[rounds // 2]
            exceeded = [*middle.slow(), *dict.fromkeys(each for one in all_rounds for each in one.wrong())]
            table.add(middle.row(exceeded))
            wrong += [f"{name} from {addresses}: {each}" for each in exceeded]
    return table, wrong


def of_opcodes(found):
    """What honest.py counts, of the players over opcodes."""
    why = found["errors_by_text"]
    refused = sum(number for text, number in why.items() if text.startswith(("the hub refused", "can't connect")))
    return {"games": found["games_played"], "refused": refused, "lost": found["errors"] - refused, "why": why}


def beside_all(run):
    """Honest players beside all attacks; returns the table, what went wrong for them, and what else exceeded its
    bounds."""
    wrong = []
    nothing = {"games": 0, "refused": 0, "lost": 0, "why": {"nothing was measured": 1}}
    played = {"opcodes": of_opcodes(run.innocents) if run.innocents else nothing, "turns": nothing, "http": nothing,
              **run.honest}
    table = Table(["honest players", "games", "refused", "lost", "why"])
    for wire, tally in played.items():
        table.add([wire, *(f"{tally[what]:,}" for what in ("games", "refused", "lost")), str(tally["why"] or "")])
        if tally["why"] or not tally["games"]:
            wrong.append(f"honest players over {wire}: {tally}")
    asked, refused, newcomer = run.probes.newcomers()
    unhealthy = run.probes.failed["healthz"]
    table.line("")
    table.line(f"Start p99 {milliseconds(run.innocents, 'start_us', 'p99'):.1f} ms, move p99 "
               f"{milliseconds(run.innocents, 'latency_us', 'p99'):.2f} ms; the hub grew by "
               f"{run.growth():.1f} MiB; healthz failed {len(unhealthy)} times; {refused} of {asked} newcomers were "
               f"refused, the median of the others took {newcomer:.1f} ms; the hub refused {run.refused():,.0f} "
               f"requests.")
    return table, wrong, run.wrong + [f"healthz: {each}" for each in unhealthy[:1]]


@dataclass
class Bench:
    hub: str
    sink: str


def parser():
    of = argparse.ArgumentParser(prog="./dev bench hostile", description=__doc__, usage=argparse.SUPPRESS,
                                 formatter_class=argparse.RawDescriptionHelpFormatter,
                                 epilog="\n".join(f"{name:14} {attack.__doc__}"
                                                  for name, attack in attacks.ATTACKS.items()))
    of.add_argument("attacks", nargs="*", metavar="ATTACK", help=argparse.SUPPRESS)
    of.add_argument("--seconds", type=int, default=SECONDS, help=f"for how long each attacks ({SECONDS})")
    of.add_argument("--rounds", type=int, default=1, help="how often each is measured (1)")
    of.add_argument("--minutes", type=int, default=MINUTES, help=f"for how long all of them do ({MINUTES})")
    of.add_argument("--addresses", type=int, choices=[1, MANY_ADDRESSES],
                    help="from how many addresses of loopback; default: first 1, then 50; all of them: 50")
    of.add_argument("--write", action="store_true", help="put the table into README.md")
    of.add_argument("--check", action="store_true", help="exit with 1 if a bound is exceeded, and say which")
    return of


def unknown_attacks(asked):
    return [name for name in asked.attacks if name not in [*CASES, "all"]]


def measure(bench, asked):
    """Returns the exit code."""
    unknown = unknown_attacks(asked)
    if unknown:
        print(f"hostile: there is no attack {unknown[0]}: the attacks are {', '.join(CASES)} and all.", file=sys.stderr)
        return 2
    if "all" in asked.attacks:
        name = "attacks-at-once"
        table, wrong, exceeded = beside_all(
            Run(bench, list(CASES), asked.addresses or MANY_ADDRESSES, 60 * asked.minutes))
    else:
        counts = [asked.addresses] if asked.addresses else [1, MANY_ADDRESSES]
        name, wrong = "attacks", []
        table, exceeded = each_alone(bench, asked.attacks or list(CASES), counts, asked.seconds, asked.rounds)
    table.line(f"Commit {figures.commit()}; {figures.machine()}.")
    if asked.write:
        figures.write(name, "\n".join(table.lines))
    wrong += exceeded if asked.check else []
    if wrong:
        print("\n".join(["hostile:", *wrong]), file=sys.stderr)
    return 1 if wrong else 0


def main():
    build = Path(sys.argv[1])
    asked = parser().parse_intermixed_args(sys.argv[2:])
    try:
        return measure(Bench(str(build / "gamehub"), str(build / "tests" / "bench" / "bench_sink")), asked)
    except (servers.Failed, OSError) as failed:
        print(f"hostile: {failed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
