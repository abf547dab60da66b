"""The clients of games.py, on a hub without a container: games_test.py GAMEHUB."""
import sys

import games
import hubs

with hubs.serving(sys.argv[1], "--journal", "memory") as ports:
    for wire in ports.keys() - {"admin"}:
        games.play(wire, ports)
        print(f"played a game over {wire}")
