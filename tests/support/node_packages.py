"""Packages of npm that tests use, by a lock file, in the cache. Tests read or run them; their installation scripts are
not run."""
import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("GAMEHUB_CACHE") or Path(
    os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gamehub"))


class Unavailable(Exception):
    """There is no npm, or no connection to the registry; the text says which."""


def folder(source):
    """The folder node_modules for the lock file in `source`."""
    name = hashlib.sha256((source / "package-lock.json").read_bytes()).hexdigest()[:12]
    place = CACHE / f"npm-{name}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"npm-{name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "complete").exists():
            install(source, place)
    return place / "node_modules"


def install(source, place):
    if shutil.which("npm") is None:
        raise Unavailable("there is no npm (./dev install test)")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source, place)
    npm = subprocess.run(["npm", "ci", "--ignore-scripts", "--omit=optional"], cwd=place, capture_output=True, text=True,
                         check=False, timeout=300)
    if npm.returncode:
        raise Unavailable(f"npm could not install {source.name} of {source.parent.name}: "
                          f"{(npm.stderr.strip() or 'it says nothing').splitlines()[-1]}")
    (place / "complete").touch()
