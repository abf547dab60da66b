"""Plays UDP for a second on the hub and on the floor: smoke_udp.py HUB FLOOR. Asserts results and no speed."""
import subprocess
import sys

import checks
import servers


def check(name, found, sockets):
    checks.check(name, found, {
        "no datagram came": found["datagrams"]["received"] > 0,
        "the server's CPU was not looked at": found["server"].get("cpu_us_per_datagram", 0) > 0,
        f"there were not {sockets} sockets": found["connections"] == sockets,
        "games were left to the hub": "hub" not in found or found["hub"]["running"] == 0,
    })


def main():
    hub, floor = sys.argv[1:]
    brief = ["--seconds", 1, "--warm-up", 0]
    with servers.hub(hub) as server:
        admin = ["--admin-port", server.ports["admin"]]
        many = servers.play(hub, "udp", server, "--games", 1000, "--sources", *brief, *admin)
        check("one socket", many, 1)
        check("a socket for each", servers.play(hub, "udp", server, "--games", 50, *brief, *admin), 50)
        idle = servers.play(hub, "udp", server, "--games", 1000, "--sources", "--idle", *brief, *admin)
        if idle["errors"] or idle["games_running"] != 1000 or idle["moves"] or idle["hub"]["running"]:
            sys.exit(f"idle: {idle}")
    # The hub has ended.
    absent = subprocess.run([servers.tools(hub), "bench", "udp", "--port", str(server.port("udp"))],
                            capture_output=True, text=True, check=False)
    if absent.returncode != 2 or "nothing answers at" not in absent.stderr or absent.stderr.count("\n") != 1:
        sys.exit(f"no hub: {absent}")
    with servers.floor(floor, "udp") as server:
        check("floor", servers.play(hub, "udp", server, "--games", 1000, "--sources", *brief), 1)


main()
