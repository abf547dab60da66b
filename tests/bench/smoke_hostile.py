"""Attacks for a second each, then all of them at once: smoke_hostile.py HUB SINK. Asserts that the attacks and the
innocent players beside them work, that /healthz stayed 200 and that honest games ended; no speed, and no bound. First
it reads the commands of README.md."""
import shlex
import sys

import hostile


def check(run):
    wrong = [what for what, held in {
        f"it did not run to its end: {run.wrong}": run.innocents is not None and run.at_end,
        "no innocent moved": run.innocents and run.innocents["moves"] > 0,
        f"/healthz: {run.probes.failed['healthz']}": not run.probes.failed["healthz"],
        "/healthz was not asked": run.probes.milliseconds["healthz"],
    }.items() if not held]
    if wrong:
        sys.exit(f"{', '.join(run.names)}: {'; '.join(wrong)}: {run.innocents}")


def check_commands():
    """Those of README.md."""
    lines = map(str.strip, (hostile.HERE / "README.md").read_text().splitlines())
    shown = [line.split("  ")[0] for line in lines if line.startswith("./dev bench hostile")]
    if not shown:
        sys.exit("README.md has no command ./dev bench hostile")
    for command in shown:
        unknown = hostile.unknown_attacks(hostile.parser().parse_intermixed_args(shlex.split(command)[3:]))
        if unknown:
            sys.exit(f"README.md has a command with an unknown attack: {command}")


def check_alone(bench):
    """As ./dev bench hostile does it, with a control."""
    asked = hostile.parser().parse_intermixed_args(["waiting", "--seconds", "1", "--addresses", "1"])
    if hostile.measure(bench, asked) != 0:
        sys.exit("waiting was not measured")


def check_all(bench):
    run = hostile.Run(bench, list(hostile.CASES), 1, 3)
    check(run)
    table, _, _ = hostile.beside_all(run)
    without = [wire for wire in ("opcodes", "turns", "http") if f"| {wire} | 0 |" in "\n".join(table.lines)]
    if not run.honest or without:
        sys.exit(f"all: no honest game ended over {', '.join(without)}: {run.honest}")


def main():
    # On a slow machine a late answer is no failure, and 10,000 games are many.
    hostile.HEALTH_PATIENCE_SECONDS = 20
    hostile.FEW_GAMES[:] = ["--games-max", "2000"]
    bench = hostile.Bench(*sys.argv[1:])
    check_commands()
    if set(hostile.CASES) != set(hostile.attacks.ATTACKS):
        sys.exit("there are attacks without bounds, or bounds without an attack")
    check_alone(bench)
    for name in hostile.CASES:
        run = hostile.Run(bench, [name], 1, 1, around=0)
        check(run)
        if run.counted[name].get("421"):
            sys.exit(f"{name}: the hub serves no such host, so the attack reaches nothing: {run.counted[name]}")
        print(name, hostile.sent(run.counted[name]))
    check_all(bench)


main()
