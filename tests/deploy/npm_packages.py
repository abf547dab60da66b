"""The packages of npm/package-lock.json, in the cache: what others know of Kubernetes' objects and Grafana's
dashboards. They are read, and typescript is run; no script of theirs is."""
import fcntl
import hashlib
import shutil
import subprocess

from places import CACHE, ROOT, find, skip

SOURCE = ROOT / "tests/deploy/npm"


def folder():
    """The folder node_modules; ends the part if there is no npm, or no way to the registry."""
    name = hashlib.sha256((SOURCE / "package-lock.json").read_bytes()).hexdigest()[:12]
    place = CACHE / f"npm-{name}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"npm-{name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "complete").exists():
            install(place)
    return place / "node_modules"


def install(place):
    if find("npm") is None:
        skip("there is no npm (./dev install deploy)")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(SOURCE, place)
    npm = subprocess.run(["npm", "ci", "--ignore-scripts", "--omit=optional"], cwd=place, capture_output=True, text=True,
                         check=False, timeout=300)
    if npm.returncode:
        skip(f"npm could not install tests/deploy/npm: {npm.stderr.strip().splitlines()[-1]}")
    (place / "complete").touch()
