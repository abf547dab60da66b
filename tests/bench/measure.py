"""Measures the hub and the floor alternately, and prints tables of medians.

Usage: ./dev bench [CASE...] [--rounds N] [--seconds S] [--write]
       ./dev bench hostile --help

Without a CASE it measures all but million, turns-most and the soak. --write puts the tables into tests/bench/README.md.
"""
import argparse
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import bots
import cluster
import journal
import many
import meeting
import servers
import web
from soak import soak

HERE = Path(__file__).resolve().parent
WIRES = ["opcodes", "turns"]
GAMES, GAMES_MANY, GAMES_OVER_UDP = 64, 9000, 100_000
SLOW_BOTS, SLOW_BOT_SECONDS, QUICK_BOTS = 50, 5, 25
HOSTILE = ["deaf", "garbage", "pipeline", "drip"]


class Bench:
    """The programs, the duration of a measurement, and the observed noise."""

    def __init__(self, build, rounds, seconds):
        self.hub_program = str(build / "gamehub")
        self.floor_program = str(build / "tests" / "bench" / "bench_floor")
        self.http_floor_program = str(build / "tests" / "bench" / "bench_http_floor")
        self.micro_program = str(build / "tests" / "bench" / "bench_micro")
        self.archive_program = str(build / "tests" / "bench" / "bench_archive")
        self.rounds, self.seconds = rounds, seconds
        self.errors, self.others_cpu = 0, []

    def play(self, wire, server, *flags, seconds=None):
        return self.checked(servers.play(self.hub_program, wire, server, "--seconds", seconds or self.seconds, *flags))

    def checked(self, found):
        """Counts its errors, and those of idle games that the hub has ended."""
        wrong, why = found["errors"], found["errors_by_text"]
        if found["idle"] and "hub" in found and found["hub"]["running_measured"] < found["games_running"]:
            wrong, why = wrong + 1, why | {f"the hub had {found['hub']['running_measured']:,} games": 1}
        self.errors += wrong
        self.others_cpu.append(found["others_cpu"])
        if wrong:
            print(f"  errors: {why}", file=sys.stderr)
        return found

    def on_hub(self, wire, *flags, loops=1, cpus=None, serve=(), seconds=None):
        with servers.hub(self.hub_program, *serve, loops=loops, cpus=cpus) as server:
            return self.play(wire, server, *flags, seconds=seconds)

    def beside_bots(self, wire, *flags):
        """As on_hub(), with slow bots; `bots_thinking`: the number of bots that compute at the end."""
        with servers.hub(self.hub_program, *bots.SERVE) as server:
            with bots.Bots(server, SLOW_BOTS, SLOW_BOT_SECONDS) as slow:
                slow.await_all_playing()
                found = self.play(wire, server, *flags)
                found["bots_thinking"] = slow.thinking
                return found

    def on_bots(self, *serve):
        """Bots that answer at once play all of their games: the hub's CPU, and its calls."""
        with servers.hub(self.hub_program, *bots.SERVE, *serve) as server:
            began = time.monotonic()
            with bots.Bots(server, QUICK_BOTS, 0) as quick:
                quick.await_end()
                took = time.monotonic() - began
                calls = server.metric("gamehub_bot_calls_total")
                moves = server.metric("gamehub_bot_calls_total", 'method="next-move"')
                cpu_us = server.metric("gamehub_process_cpu_seconds_total") * 1e6
                wrong = int(server.metric("gamehub_bot_faults_total"))
        self.errors += wrong
        return {"cpu_us_per_call": cpu_us / calls, "cpu_us_per_move": cpu_us / moves, "calls_per_second": calls / took}

    def on_floor(self, wire, *flags):
        with servers.floor(self.floor_program, wire) as server:
            return self.play(wire, server, *flags)

    def on_http_floor(self, *flags):
        with servers.http_floor(self.http_floor_program) as server:
            return self.play("http", server, *flags)

    def in_turns(self, **what):
        """Runs each of the named measurements once a round, in alternating order; returns the results by name."""
        found = {name: [] for name in what}
        for number in range(self.rounds):
            for name in list(what) if number % 2 == 0 else reversed(list(what)):
                found[name].append(what[name]())
            print(f"  round {number + 1} of {self.rounds}", file=sys.stderr)
        return found


def cpu(found):
    return found["server"]["cpu_us_per_move"]


def cpu_of_datagram(found):
    return found["server"]["cpu_us_per_datagram"]


def latency(percentile):
    return lambda found: found["latency_us"][percentile]


def games_s(found):
    return found["games_per_second"]


def shown(values, digits=1, unit=""):
    """The median, and in brackets minimum and maximum."""
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f}{unit} ({least:,.{digits}f}–{most:,.{digits}f})"


def ratios(one, other, of):
    """Round by round, so that a slow moment of the machine affects both sides."""
    return [of(a) / of(b) for a, b in zip(one, other)]


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(row) + " |" for row in rows)])


def against_floor(bench, flags_of, of, digits, more):
    """Rows: a protocol; the figure for hub and floor and its ratio; then more figures of the hub."""
    rows = []
    for wire in WIRES:
        flags = flags_of(wire)
        found = bench.in_turns(hub=lambda: bench.on_hub(wire, *flags), floor=lambda: bench.on_floor(wire, *flags))
        ours, theirs = found["hub"], found["floor"]
        rows.append([wire, shown([of(f) for f in ours], digits), shown([of(f) for f in theirs], digits),
                     shown(ratios(ours, theirs, of), 2), *(shown([m(f) for f in ours], 0) for m in more)])
    return rows


def case_play(bench):
    """64 games at once on persistent connections: server CPU per move."""
    rows = against_floor(bench, lambda wire: ["--games", GAMES], cpu, 2, [games_s, latency("p50"), latency("p99")])
    return table(["wire", "hub, CPU us/move", "floor, CPU us/move", "ratio", "hub, games/s", "p50 us", "p99 us"], rows)


def case_alone(bench):
    """One game alone: the latency of its moves. Over turns each game has new players, because the hub does not pair the
    same two players again within a second."""
    rows = against_floor(bench, lambda wire: ["--games", 1] + (["--fresh"] if wire == "turns" else []),
                         latency("p50"), 1, [latency("p99")])
    return table(["wire", "hub, p50 us", "floor, p50 us", "ratio", "hub, p99 us"], rows)


def case_fresh(bench):
    """64 games at once, new connections for each game: games per second."""
    rows = against_floor(bench, lambda wire: ["--games", GAMES, "--fresh"], games_s, 0, [latency("p99")])
    return table(["wire", "hub, games/s", "floor, games/s", "ratio", "hub, p99 us"], rows)


def case_idle(bench):
    """9,000 idle games, no turn clock: memory of a game, and CPU."""
    flags = ["--games", GAMES_MANY, "--idle"]
    found = bench.in_turns(
        hub=lambda: bench.on_hub("opcodes", *flags, serve=["--turn-seconds", "0"]),
        floor=lambda: bench.on_floor("opcodes", *flags))
    rows = [[name, shown([f["server"]["kib_per_game"] for f in each], 2),
             shown([f["server"]["resident_kib"] / 1024 for f in each]),
             shown([f["server"]["cpu"] * 100 for f in each], 2, " %"),
             shown([f["opening_seconds"] for f in each], 2)] for name, each in found.items()]
    return table(["opcodes", "KiB a game", "MiB in all", "CPU, of a core", "opened in, s"], rows)


def case_growth(bench):
    """CPU per move with 9,000 games at once against 64: the hub's growth and the floor's."""
    few, many = ["--games", GAMES], ["--games", GAMES_MANY]
    found = bench.in_turns(
        hub_few=lambda: bench.on_hub("opcodes", *few), floor_few=lambda: bench.on_floor("opcodes", *few),
        hub_many=lambda: bench.on_hub("opcodes", *many), floor_many=lambda: bench.on_floor("opcodes", *many))
    growth = {name: ratios(found[f"{name}_many"], found[f"{name}_few"], cpu) for name in ["hub", "floor"]}
    rows = [[name, shown([cpu(f) for f in found[f"{name}_few"]], 2), shown([cpu(f) for f in found[f"{name}_many"]], 2),
             shown(growth[name], 2)] for name in ["hub", "floor"]]
    rows.append(["hub's growth over the floor's", "", "", shown([a / b for a, b in zip(growth["hub"], growth["floor"])], 2)])
    return table(["opcodes", f"{GAMES} games, CPU us/move", f"{GAMES_MANY:,} games, CPU us/move", "growth"], rows)


def case_loops(bench):
    """Two loops against one: half of the pairs are on different loops."""
    rows = []
    for wire in WIRES:
        found = bench.in_turns(one=lambda: bench.on_hub(wire, "--games", GAMES),
                               same=lambda: bench.on_hub(wire, "--games", GAMES, loops=2, cpus=servers.FIRST_CPU),
                               two=lambda: bench.on_hub(wire, "--games", GAMES, loops=2))
        for name, words in (("one", "one"), ("same", "two on the core of one"), ("two", "two on two cores")):
            rows.append([wire, words, shown([cpu(f) for f in found[name]], 2),
                         shown(ratios(found[name], found["one"], cpu), 2), shown([games_s(f) for f in found[name]], 0)])
    return table(["wire", "loops", "CPU us/move", "against one", "games/s"], rows)


def case_isolated(bench):
    """Games of an isolated engine against the same in the hub: one alone, and many."""
    rows = []
    for games in (1, GAMES):
        found = bench.in_turns(within=lambda: bench.on_hub("opcodes", "--games", games),
                               apart=lambda: bench.on_hub("opcodes", "--games", games, serve=("--isolate", "tictactoe")))
        for name, words in (("within", "in the hub"), ("apart", "isolated")):
            each = found[name]
            rows.append([f"{games}", words, shown([latency("p50")(f) for f in each], 0),
                         shown([latency("p99")(f) for f in each], 0), shown([cpu(f) for f in each], 1),
                         shown([games_s(f) for f in each], 0)])
    return table(["games", "engine", "p50 us", "p99 us", "hub, CPU us/move", "games/s"], rows)


def case_violations(bench):
    """Others' latency beside one client of each kind that violates its protocol."""
    rows = []
    for wire in WIRES:
        kinds = {kind: lambda kind=kind: bench.on_hub(wire, "--games", GAMES, "--hostile", kind) for kind in HOSTILE}
        found = bench.in_turns(none=lambda: bench.on_hub(wire, "--games", GAMES), **kinds)
        for kind, each in found.items():
            rows.append([wire, kind, shown([latency("p50")(f) for f in each], 0), shown([latency("p99")(f) for f in each], 0),
                         shown(ratios(each, found["none"], latency("p99")), 2),
                         shown([f.get("hostile", {}).get("bytes", 0) / 1e6 / f["seconds"] for f in each])])
    return table(["wire", "hostile", "others' p50 us", "others' p99 us", "p99 ratio", "its MB/s"], rows)


def case_bots(bench):
    """Others' latency beside 50 bots in games against each other, each of whose moves takes 5 s."""
    rows = []
    for wire, games in (("opcodes", 1), ("opcodes", GAMES), ("turns", GAMES)):
        found = bench.in_turns(none=lambda: bench.on_hub(wire, "--games", games),
                               bots=lambda: bench.beside_bots(wire, "--games", games))
        for name, words in (("none", "none"), ("bots", f"{SLOW_BOTS} slow bots")):
            each = found[name]
            rows.append([wire, f"{games}", words, shown([latency("p50")(f) for f in each], 0),
                         shown([latency("p99")(f) for f in each], 0),
                         shown(ratios(each, found["none"], latency("p99")), 2), shown([games_s(f) for f in each], 0),
                         shown([f.get("bots_thinking", 0) for f in each], 0)])
    return table(["wire", "games", "beside", "others' p50 us", "others' p99 us", "p99 ratio", "others' games/s",
                  "bots that think"], rows)


def case_bot_calls(bench):
    """25 bots that answer at once play all of their 600 games: the hub's CPU for a call, with a connection for each
    call, and with kept ones."""
    kept = ("--bot-keep-alive", ",".join(bots.names(QUICK_BOTS)))
    found = bench.in_turns(own=bench.on_bots, kept=lambda: bench.on_bots(*kept))
    return table(["connections", "CPU us/call", "CPU us/move", "calls/s, as many as these bots answer"],
                 [[words, *(shown([f[key] for f in found[name]], digits) for key, digits in
                            (("cpu_us_per_call", 1), ("cpu_us_per_move", 1), ("calls_per_second", 0)))]
                  for name, words in (("own", "one for each call"), ("kept", "kept"))])


def case_many(bench):
    """5,000 games at once for 60 s over each protocol: there must be no error, and the hub's counts must add up."""
    rows = []
    for wire in WIRES:
        with servers.hub(bench.hub_program, "--udp-connections-max", "10000") as server:
            f = bench.play(wire, server, "--games", 5000, "--admin-port", server.ports["admin"], seconds=60)
        counted = f["hub"]
        adds_up = counted["started"] == counted["finished"] + counted["running"]
        bench.errors += not adds_up
        rows.append([wire, f"{f['games_per_second']:,.0f}", f"{f['latency_us']['p99']:,.0f}", f"{f['errors']:,}",
                     f"{counted['started']:,}", f"{counted['finished']:,}", f"{counted['running']:,}",
                     "yes" if adds_up else "NO"])
    return table(["wire", "games/s", "p99 us", "errors", "started", "finished", "running", "adds up"], rows)


def datagrams_s(found):
    return found["datagrams"]["received"] / found["seconds"]


def case_udp(bench):
    """64 games at once over UDP against the engine: server CPU per datagram, against a floor of one recvfrom and one
    sendto for each."""
    flags = ["--games", GAMES, "--sources"]
    found = bench.in_turns(hub=lambda: bench.on_hub("udp", *flags), floor=lambda: bench.on_floor("udp", *flags))
    base = found["floor"]
    rows = [[name, shown([cpu_of_datagram(f) for f in each], 2), shown(ratios(each, base, cpu_of_datagram), 2),
             shown([datagrams_s(f) for f in each], 0), shown([games_s(f) for f in each], 0),
             shown([latency("p50")(f) for f in each], 0), shown([latency("p99")(f) for f in each], 0)]
            for name, each in found.items()]
    return table(["udp", "CPU us/datagram", "ratio", "datagrams/s", "games/s", "p50 us", "p99 us"], rows)


def case_udp_idle(bench):
    """100,000 idle games over UDP, no turn clock: memory of a game, and CPU."""
    found = bench.in_turns(hub=lambda: bench.checked(many.idle_over_udp(bench.hub_program, GAMES_OVER_UDP)))["hub"]
    return table(["udp", "games", "KiB a game", "MiB in all", "CPU, of a core", "opened in, s"],
                 [["hub", f"{found[0]['games_running']:,}", shown([f["server"]["kib_per_game"] for f in found], 2),
                   shown([f["server"]["resident_kib"] / 1024 for f in found]),
                   shown([f["server"]["cpu"] * 100 for f in found], 2, " %"),
                   shown([f["opening_seconds"] for f in found], 2)]])


def case_udp_many(bench):
    """100,000 games at once over UDP, all of them played: CPU per datagram, against the floor."""
    flags = ["--games", GAMES_OVER_UDP, "--sources"]
    found = bench.in_turns(hub=lambda: bench.on_hub("udp", *flags, serve=many.settings(GAMES_OVER_UDP)),
                           floor=lambda: bench.on_floor("udp", *flags))
    base = found["floor"]
    rows = [[name, shown([cpu_of_datagram(f) for f in each], 2), shown(ratios(each, base, cpu_of_datagram), 2),
             shown([datagrams_s(f) for f in each], 0), shown([games_s(f) for f in each], 0),
             shown([latency("p99")(f) for f in each], 0), shown([f["server"]["resident_kib"] / 1024 for f in each]),
             f"{sum(f['errors'] for f in each):,}"] for name, each in found.items()]
    return table(["udp", "CPU us/datagram", "ratio", "datagrams/s", "games/s", "p99 us", "MiB in all", "errors"], rows)


def case_million(bench):
    """1,000,000 games at once over UDP, no turn clock: idle, at 20,000 moves per second, and as fast as the hub plays them.
    A round takes 5 minutes."""
    program = bench.hub_program
    found = bench.in_turns(
        idle=lambda: bench.checked(many.idle_over_udp(program, many.GAMES)),
        paced=lambda: bench.checked(many.played_over_udp(program, many.GAMES, many.MOVES_A_SECOND)),
        full=lambda: bench.checked(many.played_over_udp(program, many.GAMES)))
    rows = []
    for name, words in (("idle", "idle"), ("paced", f"{many.MOVES_A_SECOND:,} moves/s wanted"), ("full", "full speed")):
        each = found[name]
        moves = [[shown([f["moves_per_second"] for f in each], 0), shown([cpu(f) for f in each], 2),
                  shown([latency("p50")(f) / 1000 for f in each], 2),
                  shown([latency("p99")(f) / 1000 for f in each], 2)]] if name != "idle" else [[""] * 4]
        rows.append([words, f"{min(f['games_running'] for f in each):,}",
                     shown([f["server"]["kib_per_game"] for f in each], 2),
                     shown([f["server"]["resident_kib"] / 1024 for f in each], 0),
                     shown([f["server"]["cpu"] * 100 for f in each], 1, " %"), *moves[0],
                     shown([f["opening_seconds"] for f in each], 1), shown([f["opening_most_us"] / 1000 for f in each], 0),
                     f"{sum(f['errors'] for f in each):,}"])
    return table(["udp", "games", "KiB a game", "MiB in all", "CPU, of a core", "moves/s", "CPU us/move", "answer p50 ms",
                  "p99 ms", "opened in, s", "slowest answer meanwhile, ms", "errors"], rows)


def case_turns_most(bench):
    """As many games over JSON turns as the descriptors of a process allow, a connection for each player, with a quarter and
    half as many; 1,000,000 are extrapolated from these. A round takes 4 minutes."""
    most = many.games_within_descriptors()
    sizes = (most // 4, most // 2, most)
    rounds = []
    for number in range(bench.rounds):
        rounds.append({size: {name: bench.checked(f) for name, f in many.over_turns(bench.hub_program, size).items()}
                       for size in sizes})
        print(f"  round {number + 1} of {bench.rounds}", file=sys.stderr)
    rows = []
    for size in sizes:
        idle, played = [r[size]["idle"] for r in rounds], [r[size]["played"] for r in rounds]
        rows.append([f"{size:,}", shown([f["server"]["kib_per_game"] for f in idle], 2),
                     shown([f["server"]["resident_kib"] / 1024 for f in idle], 0),
                     shown([f["server"]["cpu"] * 100 for f in idle], 2, " %"),
                     shown([f["moves_per_second"] for f in played], 0), shown([cpu(f) for f in played], 1),
                     f"{sum(f['errors'] for f in idle + played):,}"])
    far = many.extrapolated(rounds)
    rows.append([f"{many.GAMES:,}, extrapolated", shown([f["kib"] for f in far], 2), shown([f["mib"] for f in far], 0),
                 shown([f["idle_cpu"] * 100 for f in far], 2, " %"), shown([f["moves"] for f in far], 0),
                 shown([f["us"] for f in far], 1), ""])
    return table(["games, turns", "KiB a game", "MiB in all", "CPU when idle, of a core", "moves/s", "CPU us/move", "errors"],
                 rows)


def cpu_of_request(found):
    return found["server"]["cpu_us_per_request"]


def case_http(bench):
    """64 games at once over pooled connections: server CPU per request, plays included, against a bare Beast server
    that sends the same document for each request."""
    found = web.requests(bench, GAMES)
    base = found["floor"]
    rows = [[name, shown([cpu_of_request(f) for f in each], 2), shown(ratios(each, base, cpu_of_request), 2),
             shown([f["requests"] / f["seconds"] for f in each], 0), shown([latency("p50")(f) for f in each], 0),
             shown([latency("p99")(f) for f in each], 0)] for name, each in found.items()]
    return table(["http", "CPU us/request", "ratio", "requests/s", "p50 us", "p99 us"], rows)


def case_ws(bench):
    """64 games at once over WebSockets: server CPU per move, against the floor of opcodes."""
    found = web.sockets(bench, GAMES)
    base = found["floor"]
    rows = [[name, shown([cpu(f) for f in each], 2), shown(ratios(each, base, cpu), 2),
             shown([games_s(f) for f in each], 0), shown([latency("p50")(f) for f in each], 0),
             shown([latency("p99")(f) for f in each], 0)]
            for name, each in {"hub, ws": found["hub"], "floor, opcodes": base}.items()]
    return table(["wire", "CPU us/move", "ratio", "games/s", "p50 us", "p99 us"], rows)


def case_streams(bench):
    """5,000 games, a stream of updates for each player, moves over 200 connections at 2,000 per second: from a move's
    request until the opponent reads it. Then idle streams: their memory."""
    found = web.streams(bench)
    played, idle = found["played"], found["idle"]
    alone = [web.kib_a_stream(*pair) for pair in zip(idle, found["streamless"])]
    return table(["streams", "moves/s", "p50 us", "p99 us", "CPU, of a core", "KiB an idle stream",
                  "with its player and half a game"],
                 [[f"{played[0]['streams']:,}", shown([f["moves_per_second"] for f in played], 0),
                   shown([latency("p50")(f) for f in played], 0), shown([latency("p99")(f) for f in played], 0),
                   shown([f["server"]["cpu"] for f in played], 2), shown(alone, 2),
                   shown([f["server"]["kib_per_stream"] for f in idle], 2)]])


def case_journal(bench):
    """64 games on opcodes with the journal in memory, in a file, and in a file that survives a power failure."""
    found = journal.cost(bench, GAMES)
    base, rows = found["memory"], []
    for name, each in found.items():
        later = [latency("p99")(a) - latency("p99")(b) for a, b in zip(each, base)]
        rows.append([name, shown([cpu(f) for f in each], 2), shown(ratios(each, base, cpu), 2),
                     shown([games_s(f) for f in each], 0), shown([latency("p50")(f) for f in each], 0),
                     shown([latency("p99")(f) for f in each], 0), shown(later, 0),
                     shown([f["per_transaction"] for f in each]) if name != "memory" else ""])
    return table(["journal", "CPU us/move", "ratio", "games/s", "p50 us", "p99 us", "p99 later by us",
                  "moves a transaction"], rows)


def case_cluster_log(bench):
    """1, 64 and 1,000 games on opcodes with the log in SQLite's file, and in PostgreSQL with --cluster."""
    rows = []
    for games in (1, GAMES, 1000):
        found = bench.in_turns(SQLite=lambda games=games: journal.play(bench, "process", games),
                               PostgreSQL=lambda games=games: cluster.play(bench, games))
        for name, each in found.items():
            rows.append([f"{games:,}", name, shown([cpu(f) for f in each]), shown(ratios(each, found["SQLite"], cpu), 2),
                         shown([f["database_us_per_move"] for f in each]) if name != "SQLite" else "",
                         shown([latency("p50")(f) for f in each], 0), shown([latency("p99")(f) for f in each], 0),
                         shown([f["per_transaction"] for f in each]), shown([f["appends_per_second"] for f in each], 0)])
    return table(["games", "log", "CPU us/move", "ratio", "database, CPU us/move", "p50 us", "p99 us", "moves an append",
                  "appends/s"], rows)


def case_cluster(bench):
    """One, two and three hubs on one core, with 64 games each on opcodes, and PostgreSQL on the other core: the CPU of all
    hubs per move, against one hub with as many games. Then pairs whose clients are connected to different hubs."""
    rows = []
    for hubs in (1, 2, 3):
        games = hubs * GAMES
        cases = {"one hub": lambda games=games: cluster.play_on_hubs(bench, 1, games)}
        if hubs > 1:
            cases[f"{hubs} hubs"] = lambda hubs=hubs, games=games: cluster.play_on_hubs(bench, hubs, games)
            cases[f"{hubs} hubs, across"] = lambda hubs=hubs, games=games: cluster.play_on_hubs(bench, hubs, games, True)
        found = bench.in_turns(**cases)
        for name, each in found.items():
            rows.append([f"{games:,}", name, shown([100 * f["clients_elsewhere"] for f in each], 0), shown([cpu(f) for f in each]),
                         shown(ratios(each, found["one hub"], cpu), 2), shown([f["database_us_per_move"] for f in each]),
                         shown([f["per_transaction"] for f in each]), shown([f["moves_per_second"] for f in each], 0),
                         shown([latency("p50")(f) for f in each], 0), shown([latency("p99")(f) for f in each], 0)])
    return table(["games", "hubs", "clients whose player is at another hub, %", "CPU us/move, all hubs", "ratio",
                  "database, CPU us/move", "moves an append", "moves/s", "p50 us", "p99 us"], rows)


def case_meeting(bench):
    """1,000 pairs of turns whose clients are connected to different ones of three hubs on one core, alone and while 200
    others play at each hub: from the second one's connection until both are seated."""
    rows = []
    for others in (0, meeting.OTHERS):
        waits, moves = meeting.run(bench, others=others)
        ms = sorted(1000 * each for each in waits)
        rows.append([f"{others:,}", f"{len(ms):,}", f"{statistics.median(ms):.1f}", f"{statistics.quantiles(ms, n=100)[98]:.1f}",
                     f"{ms[-1]:.1f}", f"{moves:,.0f}"])
    return table(["others at each hub", "pairs", "p50 ms", "p99 ms", "most ms", "moves/s of the others"], rows)


def case_takeover(bench):
    """20 times SIGKILL of one of two hubs on one PostgreSQL, with 10,000 open games of 200 clients of turns: from the
    signal until a first move is accepted by the other hub, and until each client has all of its games there."""
    return seconds_until(("first move", "all games"), cluster.takeovers(bench))


def seconds_until(words, found):
    """Rows: the columns of what was found."""
    rows = [[word, f"{statistics.median(values):.2f}", f"{max(values):.2f}"] for word, values in zip(words, zip(*found))]
    return table(["until", "p50, s", f"p99 (the most of {len(found)}), s"], rows)


def case_failover(bench):
    """20 times SIGKILL of the primary of a PostgreSQL whose standby is promoted at once, while 64 games are played on one
    hub: from the signal until the standby is promoted, and until it has a standby itself; and the slowest move of all."""
    return seconds_until(("the standby is promoted", "it has a standby", "the slowest move is told"), cluster.fail_overs(bench))


def case_recovery(bench):
    """100,000 open games in the journal: from the start of the program to its ready line."""
    found = journal.recovery(bench)
    lost = sum(f["games"] != journal.OPEN_GAMES for f in found)
    bench.errors += lost
    return table(["open games", "ready after, s", "MiB in all", "all recovered"],
                 [[f"{journal.OPEN_GAMES:,}", shown([f["seconds"] for f in found], 2), shown([f["mib"] for f in found]),
                   "NO" if lost else "yes"]])


def case_verify(bench):
    """gamehub verify over 1,000,000 archived random games of all engines, then with one byte flipped."""
    made, rounds, flipped = journal.verification(bench)
    return table(["games", "moves", "file, MiB", "mismatches", "moves/s", "a flipped byte is found"],
                 [[f"{made['games']:,}", f"{rounds[0]['moves']:,}", f"{made['mib']:,.0f}",
                   f"{sum(f['differences'] for f in rounds):,}", shown([f["moves_per_second"] for f in rounds], 0),
                   "yes" if flipped else "NO"]])


def case_micro(bench):
    """The stages of a move, each separately."""
    out = subprocess.run([bench.micro_program], check=True, capture_output=True, text=True,
                         preexec_fn=lambda: os.sched_setaffinity(0, servers.CPUS[:2])).stdout
    return out.strip()


def case_soak(bench):
    """10 minutes at full load over each protocol: memory and descriptors must stay constant."""
    head, rows, wrong = soak(bench.hub_program)
    bench.errors += wrong
    return table(head, rows)


LONG = ("million", "turns-most", "soak")
CASES = {name[5:].replace("_", "-"): case for name, case in list(globals().items()) if name.startswith("case_")}


def machine():
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("ascii"))
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} CPUs, {platform.release()}, {compiler}"


def commit():
    def git(*words):
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    return git("rev-parse", "--short=12", "HEAD") + (" and changes" if git("status", "--porcelain", "-uno") else "")


def write(name, text):
    readme = HERE / "README.md"
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    whole = readme.read_text()
    if begin not in whole:
        sys.exit(f"bench: README.md has no place <!-- {name} --> for the table")
    head, rest = whole.split(begin, 1)
    readme.write_text(head + begin + text + "\n" + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(f"{name:10} {case.__doc__}" for name, case in CASES.items()))
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (5)")
    parser.add_argument("--seconds", type=int, default=4, help="for how long each time (4)")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    asked = parser.parse_intermixed_args()
    unknown = [name for name in asked.cases if name not in CASES]
    if unknown:
        print(f"bench: there is no case {unknown[0]}: the cases are {', '.join(CASES)}.", file=sys.stderr)
        return 2
    bench = Bench(asked.build, asked.rounds, asked.seconds)
    for name in asked.cases or [name for name in CASES if name not in LONG]:
        print(f"{name}: {CASES[name].__doc__}", file=sys.stderr)
        bench.others_cpu = []
        try:
            text = CASES[name](bench)
        except (servers.Failed, OSError) as failed:
            print(f"bench: {name}: {failed}", file=sys.stderr)
            return 1
        if bench.others_cpu:
            noise = statistics.median(bench.others_cpu)
            text += f"\n\n{asked.rounds} round{'s' * (asked.rounds != 1)}; the rest of the machine used {noise:.2f} of a core."
        text += f"\nCommit {commit()}; {machine()}."
        print(f"\n{text}\n", flush=True)
        if asked.write:
            write(name, text)
    return 1 if bench.errors else 0


if __name__ == "__main__":
    sys.exit(main())
