"""promtool, and the rules as it reads them."""
import copy
import functools
import subprocess

import yaml

from places import ROOT, find

RULES = ROOT / "deploy/prometheus"
TESTS = ROOT / "tests/deploy/rules"


def run(*words):
    """The exit code, and what was said."""
    tool = subprocess.run([find("promtool"), *map(str, words)], capture_output=True, text=True, check=False)
    return tool.returncode, tool.stdout + tool.stderr


@functools.cache
def parsed(path):
    return yaml.safe_load(path.read_text())


def load(path):
    """A file's contents, the caller's own: to read them anew takes longer than all else that is done with them."""
    return copy.deepcopy(parsed(path))


def groups():
    return [group for file in sorted(RULES.glob("*.yaml")) for group in load(file)["groups"]]


def rules(kind):
    """All rules of a kind, alert or record."""
    return [rule for group in groups() for rule in group["rules"] if kind in rule]
