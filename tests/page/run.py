"""Tests of the page. run.py browser PROGRAM PICTURES FACTOR FILE: a real browser against a real hub, by FILE.test.mjs;
FACTOR multiplies the timeouts. run.py unit: its modules that are values. run.py check: types and lint. Exits with 77,
which ctest counts as skipped, if there is no browser, no node, or no packages."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import node_packages  # pylint: disable=wrong-import-position
sys.path.insert(0, str(HERE.parent / "deploy"))
import hubs  # pylint: disable=wrong-import-position

PATIENCE_MS = 20_000


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def packages():
    try:
        return node_packages.folder(HERE / "npm")
    except node_packages.Unavailable as why:
        return skip(why)


def node(*arguments, **more):
    """Runs node in the root of the checkout; returns its exit code."""
    return subprocess.run(["node", *map(str, arguments)], cwd=ROOT, check=False, **more).returncode


def run_tests(tests, environment):
    return node("--test", "--test-reporter", "spec", *tests, env=environment)


def unit():
    return run_tests(sorted((HERE / "unit").glob("*.test.mjs")), os.environ)


def browser(program, pictures, factor, file):
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        skip("there is no chromium (./dev install test)")
    modules = packages()
    shutil.rmtree(pictures, ignore_errors=True)
    environment = os.environ | {
        "PAGE_TEST_PROGRAM": program,
        "PAGE_TEST_PICTURES": pictures,
        "PAGE_TEST_CHROMIUM": chromium,
        "PAGE_TEST_NODE_MODULES": str(modules),
        "PAGE_TEST_PATIENCE_MS": str(PATIENCE_MS * int(factor)),
    }
    test = [HERE / f"{file}.test.mjs"]
    if file != "cluster":
        return run_tests(test, environment)
    try:
        with tempfile.TemporaryDirectory() as folder, hubs.cluster_database(Path(folder)) as base:
            return run_tests(test, environment | {"PAGE_TEST_DATABASE": base})
    except hubs.database.Missing as why:
        return skip(why)


def check():
    modules = packages()
    environment = os.environ | {"PAGE_TEST_NODE_MODULES": str(modules)}
    types = node(modules / "typescript/bin/tsc", "-p", HERE / "tsconfig.json")
    lint = node(modules / "eslint/bin/eslint.js", "-c", HERE / "eslint.config.mjs", "gateways/http/page", "tests/page",
                env=environment)
    return types or lint


def main():
    if shutil.which("node") is None:
        skip("there is no node (./dev install test)")
    part, *rest = sys.argv[1:]
    parts = {"browser": browser, "unit": unit, "check": check}
    sys.exit(parts[part](*rest))


main()
