"""promtool, and the rules as it reads them."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: there is no python3-yaml (./dev install test)")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/prometheus"
TESTS = ROOT / "tests/deploy/rules"


def find(tool):
    """The program, also from where ./dev keeps what it took out of packages."""
    cache = os.environ.get("GAMEHUB_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gamehub")
    return shutil.which(tool, path=os.pathsep.join([os.path.join(cache, "tools"), os.environ.get("PATH", "")]))


def run(*words):
    """The exit code, and what was said."""
    tool = subprocess.run([find("promtool"), *map(str, words)], capture_output=True, text=True, check=False)
    return tool.returncode, tool.stdout + tool.stderr


def load(path):
    return yaml.safe_load(path.read_text())


def groups():
    return [group for file in sorted(RULES.glob("*.yaml")) for group in load(file)["groups"]]


def rules(kind):
    """All rules of a kind, alert or record."""
    return [rule for group in groups() for rule in group["rules"] if kind in rule]
