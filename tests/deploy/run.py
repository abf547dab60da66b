"""Run by ./dev test-deploy: run.py GAMEHUB [PART...]. Each part is a script beside this one, named NAME_test.py. It
gets the program, exits with 77 if this machine lacks a tool, and then prints which one."""
import importlib.util
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
PARTS = ["generated", "rules", "manifests", "numbers", "backup", "sizes", "games", "dashboards", "dashboard_types", "image"]


def run(part, program):
    """Passed, failed or skipped; the last line of a skipped part says why."""
    for module in ("jsonschema", "yaml"):
        if importlib.util.find_spec(module) is None:
            return "skipped", f"there is no {module} for this Python (./dev install deploy)"
    begin = time.monotonic()
    print(f"\n-- {part}", flush=True)
    with subprocess.Popen([sys.executable, "-B", HERE / f"{part}_test.py", program], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as test:
        last = ""
        for line in test.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    outcome = {0: "passed", SKIPPED: "skipped"}.get(test.returncode, "failed")
    print(f"-- {part}: {outcome} in {time.monotonic() - begin:.0f} s", flush=True)
    return outcome, last


def main():
    program, *wanted = sys.argv[1:]
    unknown = set(wanted) - set(PARTS)
    if unknown:
        sys.exit(f"there is no part {', '.join(sorted(unknown))}: the parts are {', '.join(PARTS)}")
    told = {part: run(part, str(Path(program).resolve())) for part in wanted or PARTS}
    print()
    for part, (outcome, last) in told.items():
        print(f"{part}: {outcome}" + (f" ({last})" if outcome == "skipped" else ""))
    outcomes = [outcome for outcome, _ in told.values()]
    print(f"{outcomes.count('passed')} passed, {outcomes.count('failed')} failed, {outcomes.count('skipped')} skipped")
    sys.exit("failed" in outcomes)


main()
