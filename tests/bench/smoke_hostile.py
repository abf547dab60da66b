"""Attacks for a second each, then all of them at once: smoke_hostile.py HUB SINK. Asserts that the attacks and the
innocent players beside them work, that /healthz stayed 200 and that honest games ended; no speed, and no bound. First
it reads the commands of README.md."""
import shlex
import sys

import hostile


def check(name, run, control=None):
    wrong = [what for what, held in {
        f"the run failed: {run.wrong}": run.innocents is not None and run.at_end,
        "no innocent moved": run.innocents and run.innocents["moves"] > 0,
        f"/healthz: {run.probes.failed['healthz']}": not run.probes.failed["healthz"],
        "/healthz was not asked": run.probes.milliseconds["healthz"],
        "no start was timed": control is None or "start_us" in run.innocents,
        "the control failed": control is None or (control.innocents is not None and not control.innocents["errors"]),
    }.items() if not held]
    if wrong:
        sys.exit(f"{name}: {'; '.join(wrong)}: {run.innocents}")
    if len(run.names) == 1:
        cells, _ = hostile.row(name, run, control)
        if len(cells) != len(hostile.HEAD):
            sys.exit(f"{name}: the row {cells} has not {len(hostile.HEAD)} cells")
        print(cells)


def commands():
    """The commands of README.md."""
    lines = (hostile.HERE / "README.md").read_text().splitlines()
    shown = [line.split("  ")[0] for line in map(str.strip, lines) if line.startswith("./dev bench hostile")]
    if not shown:
        sys.exit("README.md has no command ./dev bench hostile")
    for command in shown:
        asked = hostile.parser().parse_intermixed_args(shlex.split(command)[3:])
        if not set(asked.attacks) <= {*hostile.CASES, "all"}:
            sys.exit(f"README.md has a command with an unknown attack: {command}")


def main():
    # On a slow machine a late answer is no failure.
    hostile.HEALTH_PATIENCE_SECONDS = 20
    bench = hostile.Bench(*sys.argv[1:])
    commands()
    if set(hostile.CASES) != set(hostile.attacks.ATTACKS):
        sys.exit("there are attacks without bounds, or bounds without an attack")
    for number, name in enumerate(hostile.CASES):
        control = hostile.Run(bench, [name], 1, 1, on_sink=True, around=0) if number == 0 else None
        check(name, hostile.Run(bench, [name], 1, 1, around=0), control)
    run = hostile.Run(bench, list(hostile.CASES), 1, 3)
    check("all", run)
    without = [wire for wire, tally in run.honest.items() if tally["games"] == 0]
    if not run.honest or without:
        sys.exit(f"all: no honest game ended over {', '.join(without)}: {run.honest}")


main()
