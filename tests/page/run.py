"""Runs the tests of the page: a real browser against a real hub. run.py PROGRAM PICTURES [FACTOR]; FACTOR multiplies
the timeouts. Exits with 77, which ctest counts as skipped, if there is no browser."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import node_packages  # pylint: disable=wrong-import-position

PATIENCE_MS = 20_000


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def main():
    program, pictures, factor = sys.argv[1], sys.argv[2], int((sys.argv + ["1"])[3])
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        skip("there is no chromium (./dev install test)")
    if shutil.which("node") is None:
        skip("there is no node (./dev install test)")
    try:
        packages = node_packages.folder(HERE / "npm")
    except node_packages.Unavailable as why:
        skip(why)
    shutil.rmtree(pictures, ignore_errors=True)
    environment = os.environ | {
        "GAMEHUB_PROGRAM": program,
        "GAMEHUB_PICTURES": pictures,
        "GAMEHUB_CHROMIUM": chromium,
        "GAMEHUB_NODE_MODULES": str(packages),
        "GAMEHUB_PATIENCE_MS": str(PATIENCE_MS * factor),
    }
    tests = sorted(str(each) for each in HERE.glob("*.test.mjs"))
    sys.exit(subprocess.run(["node", "--test", "--test-reporter", "spec", *tests], env=environment, check=False).returncode)


main()
