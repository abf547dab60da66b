"""As many games at once as there can be: 1,000,000 over UDP, and over JSON turns as many as there are descriptors."""
import math
import resource

import servers

GAMES, MOVES_A_SECOND = 1_000_000, 20_000
# A hub looks at an idle game of an address that has proven nothing each 30 s.
IDLE_SECONDS, PLAYED_SECONDS = 30, 10
# Of a process, for files, other sockets and the admin port.
OTHER_DESCRIPTORS = 200


def settings(games):
    """Settings of a hub for so many games over UDP, which the clock does not end. A quarter of its games may be those of
    addresses that have proven nothing, as most of the load have."""
    most = str(4 * games)
    return ["--connections-max", most, "--udp-connections-max", most, "--games-max", most, "--udp-guest-rate", "0",
            "--turn-seconds", "0"]


def over_udp(program, games, *flags, serve=()):
    """What the load found, with the hub's own counts."""
    with servers.hub(program, *settings(games), *serve) as server:
        return servers.play(program, "udp", server, "--games", games, "--sources", "--admin-port", server.ports["admin"],
                            *flags)


def idle_over_udp(program, games, seconds=IDLE_SECONDS):
    return over_udp(program, games, "--idle", "--warm-up", min(seconds, 5), "--seconds", seconds)


def played_over_udp(program, games, rate=0, seconds=PLAYED_SECONDS):
    """At this rate, or as fast as hub and load can."""
    return over_udp(program, games, "--warm-up", min(seconds, 5), "--seconds", seconds,
                    *(["--rate", rate] if rate else []))


def games_within_descriptors():
    """A game has two connections, each of which is a descriptor of the hub and one of the load."""
    return (resource.getrlimit(resource.RLIMIT_NOFILE)[1] - OTHER_DESCRIPTORS) // 2


def over_turns(program, games, seconds=PLAYED_SECONDS, idle_seconds=IDLE_SECONDS):
    """The same number of games idle, and played as fast as hub and load can."""
    most = str(2 * games + OTHER_DESCRIPTORS)
    found = {}
    for name, flags in (("idle", ["--idle", "--seconds", idle_seconds]), ("played", ["--seconds", seconds])):
        with servers.hub(program, "--connections-max", most, "--games-max", most, "--turn-seconds", "0") as server:
            found[name] = servers.play(program, "turns", server, "--games", games, "--admin-port", server.ports["admin"],
                                       *flags)
    return found


def extrapolated(rounds, games=GAMES):
    """From measurements of a few sizes, each {games: {"idle", "played"}}: memory and idle CPU grow as from the last but
    one size to the last, and the CPU of a move by the same time with each doubling as from the first size to the last."""
    found = []
    for sizes in rounds:
        first, before, last = min(sizes), sorted(sizes)[-2], max(sizes)

        def more(of):
            return (of(sizes[last]["idle"]) - of(sizes[before]["idle"])) / (last - before)
        kib = more(lambda f: f["server"]["resident_kib"])
        idle_cpu = max(0, more(lambda f: f["server"]["cpu"]))
        of_move = {size: f["played"]["server"]["cpu_us_per_move"] for size, f in sizes.items()}
        doubled = max(0, of_move[last] - of_move[first]) / math.log2(last / first)
        us = of_move[last] + doubled * math.log2(games / last)
        found.append({"kib": kib, "mib": (sizes[last]["idle"]["server"]["resident_kib"] + kib * (games - last)) / 1024,
                      "idle_cpu": sizes[last]["idle"]["server"]["cpu"] + idle_cpu * (games - last), "us": us,
                      "moves": 1e6 / us})
    return found
