"""A second of engines in processes, and of a game beside bad ones: smoke_engines.py HUB. Asserts that games are played and
that the bad engines were ended; no speed."""
import sys

import engines

# Leaks and threads take longer than this test.
ENDED = {"plays well": False, "crashes": True, "hangs": True, "writes garbage": True}


def main():
    asked = engines.parser().parse_intermixed_args(
        ["inside", "c++", "python-2", "misdeeds", "--rounds", "1", "--seconds", "2", "--games", "20"])
    bench, found, beside = engines.measure(sys.argv[1], asked)
    wrong = [f"{bench.errors} errors"] if bench.errors else []
    for case, rounds in found.items():
        for each in rounds[0]:
            if each["moves"] == 0 or (each["engine_us"] > 0) != (case != "inside"):
                wrong.append(f"{case}: {each}")
    for name, rounds in beside.items():
        if rounds[0]["moves"] == 0 or (rounds[0]["ended"] > 0) != ENDED.get(name, rounds[0]["ended"] > 0):
            wrong.append(f"{name}: {rounds[0]}")
    if not beside["plays well"][0]["bad_games"]:
        wrong.append("no game of the other engine ended")
    if wrong:
        sys.exit("; ".join(wrong))


main()
