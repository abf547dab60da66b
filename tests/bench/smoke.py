"""Plays for a second on the hub and, if the protocol has one, on the floor: smoke.py WIRE HUB [FLOOR]. Asserts results
and no speed."""
import sys

import bots
import checks
import servers


def check(name, found):
    checks.check(name, found, {"no move was timed": found["latency_us"]["moves_timed"] > 0})


def main():
    wire, hub, *floors = sys.argv[1:]
    brief = ["--games", 8, "--seconds", 1, "--warm-up", 0]
    with servers.hub(hub) as server:
        admin = ["--admin-port", server.ports["admin"]]
        kept = servers.play(hub, wire, server, "--games", 400, *brief[2:], *admin)
        check("kept connections", kept)
        # Connections of the admin port may still be open in the first count.
        if kept["server"]["descriptors"] - kept["server"]["descriptors_before"] < 800 - 4:
            sys.exit(f"400 games had fewer than 800 connections: {kept}")
        check("new connections", servers.play(hub, wire, server, *brief, *admin, "--fresh"))
        paced = servers.play(hub, wire, server, *brief, *admin, "--fresh", "--rate", 300, "--redial")
        check("paced", paced)
        if not 0 < paced["moves_per_second"] < 600 or paced["start_us"]["starts"] == 0:
            sys.exit(f"paced: {paced}")
        # A game without thought takes 5 ms at most, here it takes five thoughts of 100 ms on average.
        slow = servers.play(hub, wire, server, *brief, *admin, "--think", 200)
        check("thoughtful", slow)
        if slow["moves_per_second"] > 8 * 20:
            sys.exit(f"thoughtful: {slow}")
        for kind in ["deaf", "garbage", "pipeline", "drip"] if floors else []:
            check(kind, servers.play(hub, wire, server, *brief, *admin, "--hostile", kind))
        idle = servers.play(hub, wire, server, *brief, "--idle")
        if idle["errors"] or idle["games_running"] != 8 or idle["moves"]:
            sys.exit(f"idle: {idle}")
    if wire == "opcodes":
        with servers.hub(hub, *bots.SERVE) as server, bots.Bots(server, 4, 5) as slow:
            slow.await_all_playing()
            check("beside slow bots", servers.play(hub, wire, server, *brief))
    for floor in floors:
        with servers.floor(floor, wire) as server:
            check("floor", servers.play(hub, wire, server, *brief))
            check("floor, new connections", servers.play(hub, wire, server, *brief, "--fresh"))


main()
