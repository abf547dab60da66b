"""Plays HTTP for a second on the hub, with and without streams, and loads the floor: smoke_http.py HUB FLOOR. Asserts
results and no speed."""
import sys

import checks
import servers


def check(name, found, **more):
    checks.check(name, found, {
        "no move was timed": found["latency_us"]["moves_timed"] > 0,
        "moves were not all timed": found["latency_us"]["moves_timed"] == found["moves"],
        "the server's CPU was not looked at": found["server"].get("cpu_us_per_request", 0) > 0,
        "a game took too few requests": found["requests"] >= found["moves"],
        "games were left to the hub": "hub" not in found or found["hub"]["running"] == 0,
        **{f"there were not {n} {what}": found[what] == n for what, n in more.items()},
    })


def main():
    hub, floor = sys.argv[1:]
    brief = ["--seconds", 1, "--warm-up", 0]
    with servers.hub(hub) as server:
        admin = ["--admin-port", server.ports["admin"]]
        pooled = servers.play(hub, "http", server, "--games", 200, "--connections", 20, *brief, *admin)
        check("pooled connections", pooled, connections=20, streams=0)
        check("one game alone", servers.play(hub, "http", server, "--games", 1, *brief, *admin), connections=2)
        streamed = servers.play(hub, "http", server, "--games", 100, "--connections", 20, "--streams", *brief, *admin)
        check("streams", streamed, connections=20, streams=200)
        paced = servers.play(hub, "http", server, "--games", 100, "--streams", "--rate", 300, *brief, *admin)
        if paced["errors"] or not 0 < paced["moves_per_second"] < 600:
            sys.exit(f"paced: {paced}")
        idle = servers.play(hub, "http", server, "--games", 100, "--streams", "--idle", *brief, *admin)
        if idle["errors"] or idle["games_running"] != 100 or idle["moves"] or idle["hub"]["running"]:
            sys.exit(f"idle: {idle}")
    with servers.http_floor(floor) as server:
        check("floor", servers.play(hub, "http", server, "--games", 200, "--blind", *brief), streams=0)


main()
