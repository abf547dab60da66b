"""Checks that every run of `gamehub-tools bench` must pass, at any speed."""
import sys


def check(name, found, more):
    """Ends the program unless all conditions hold: `more` has additional ones of this protocol, with their messages."""
    wrong = [what for what, held in {
        "there were errors": found["errors"] == 0,
        "no game was played": found["games_played"] > 0,
        "the hub's counts do not add up":
            "hub" not in found or found["hub"]["started"] == found["hub"]["finished"] + found["hub"]["running"],
        **more,
    }.items() if not held]
    if wrong:
        sys.exit(f"{name}: {', '.join(wrong)}: {found}")
