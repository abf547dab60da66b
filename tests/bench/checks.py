"""What every run of `gamehub bench` must be like, however fast it was."""
import sys


def check(name, found, more):
    """Ends the program unless all of it holds: `more` says of this wire what would be wrong, and whether it is right."""
    wrong = [what for what, held in {
        "there were errors": found["errors"] == 0,
        "no game was played": found["games_played"] > 0,
        "the hub's counts do not add up":
            "hub" not in found or found["hub"]["started"] == found["hub"]["finished"] + found["hub"]["running"],
        **more,
    }.items() if not held]
    if wrong:
        sys.exit(f"{name}: {', '.join(wrong)}: {found}")
