"""Paths, and the exit of a part that cannot run on this machine."""
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("GAMEHUB_CACHE") or Path(
    os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gamehub"))


def skip(why):
    """Ends the part; run.py counts it as skipped."""
    print(f"skipped: {why}")
    sys.exit(77)


def find(tool):
    """The program, also from the folder in which ./dev keeps programs of unpacked packages."""
    return shutil.which(tool, path=os.pathsep.join([str(CACHE / "tools"), os.environ.get("PATH", "")]))
