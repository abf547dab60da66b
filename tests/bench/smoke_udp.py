"""Plays UDP for a second on the hub and on the floor: smoke_udp.py HUB FLOOR. Asserts results and no speed."""
import math
import subprocess
import sys

import checks
import many
import servers

MANY = 2_000


def check(name, found, sockets):
    checks.check(name, found, {
        "no datagram came": found["datagrams"]["received"] > 0,
        "the server's CPU was not looked at": found["server"].get("cpu_us_per_datagram", 0) > 0,
        f"there were not {sockets} sockets": found["connections"] == sockets,
        "games were left to the hub": "hub" not in found or found["hub"]["running"] == 0,
    })


def check_turns(hub):
    """As many games of turns as descriptors allow, with fewer, and what is extrapolated."""
    found = many.over_turns(hub, 100, seconds=1, idle_seconds=1)
    idle, played = found["idle"], found["played"]
    if (idle["errors"] or played["errors"] or idle["hub"]["running_measured"] != 100 or not played["games_played"]
            or idle["server"]["descriptors"] < 200):
        sys.exit(f"turns: {found}")

    def of_size(games):
        return {"idle": {"server": {"resident_kib": 5000 + 3 * games, "cpu": games * 1e-6}},
                "played": {"server": {"cpu_us_per_move": 20 + math.log2(games / 64)}}}
    far = many.extrapolated([{size: of_size(size) for size in (64, 128, 256)}], 1024)[0]
    right = {"kib": 3, "mib": (5000 + 3 * 1024) / 1024, "idle_cpu": 1024e-6, "us": 24, "moves": 1e6 / 24}
    if any(abs(far[name] - value) > 1e-6 * value for name, value in right.items()):
        sys.exit(f"extrapolated: {far} is not {right}")


def main():
    hub, floor = sys.argv[1:]
    brief = ["--seconds", 1, "--warm-up", 0]
    with servers.hub(hub) as server:
        admin = ["--admin-port", server.ports["admin"]]
        played = servers.play(hub, "udp", server, "--games", 1000, "--sources", *brief, *admin)
        check("one socket", played, 1)
        check("a socket for each", servers.play(hub, "udp", server, "--games", 50, *brief, *admin), 50)
        idle = servers.play(hub, "udp", server, "--games", 1000, "--sources", "--idle", *brief, *admin)
        if (idle["errors"] or idle["games_running"] != 1000 or idle["moves"] or idle["hub"]["running"]
                or idle["hub"]["running_measured"] != 1000):
            sys.exit(f"idle: {idle}")
        # The games begin at once, whatever the rate.
        paced = servers.play(hub, "udp", server, "--games", 1000, "--sources", "--rate", 2000, "--seconds", 1, *admin)
        if paced["errors"] or paced["games_running"] < 900 or not 0 < paced["moves_per_second"] < 2500:
            sys.exit(f"paced: {paced}")
    # The cases of a million games, with fewer.
    idle = many.idle_over_udp(hub, MANY, seconds=1)
    if idle["errors"] or idle["games_running"] != MANY or idle["hub"]["running_measured"] != MANY:
        sys.exit(f"{MANY} idle: {idle}")
    check(f"{MANY} games", many.played_over_udp(hub, MANY, seconds=2), 1)
    check_turns(hub)
    # The hub has ended.
    absent = subprocess.run([servers.tools(hub), "bench", "udp", "--port", str(server.port("udp"))],
                            capture_output=True, text=True, check=False)
    if absent.returncode != 2 or "nothing answers at" not in absent.stderr or absent.stderr.count("\n") != 1:
        sys.exit(f"no hub: {absent}")
    with servers.floor(floor, "udp") as server:
        check("floor", servers.play(hub, "udp", server, "--games", 1000, "--sources", *brief), 1)


main()
