"""Quick games go on after a hub was killed, of players who come back: smoke_clocks.py HUB. Asserts results and no speed, so a
game that is lost by the clock is no failure here: the machine may have held the players up."""
import asyncio
import sys
import tempfile

import clocks


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(clocks.play_killed(sys.argv[1], games=100, seconds=0, folder=folder))
    wrong = {word: times for word, times in found["errors"].items() if not word.startswith("clock ")}
    if wrong or found["killed"] < 1 or found["games"] < 100 or found["returns"] < 1:
        sys.exit(f"killed: {found}")


main()
