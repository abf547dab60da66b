"""promtool, and the parsed rules."""
import copy
import functools
import subprocess

import yaml

from places import ROOT, find

RULES = ROOT / "deploy/prometheus"
TESTS = ROOT / "tests/deploy/rules"


def run(*words):
    """The exit code, and the output."""
    tool = subprocess.run([find("promtool"), *map(str, words)], capture_output=True, text=True, check=False)
    return tool.returncode, tool.stdout + tool.stderr


@functools.cache
def parsed(path):
    return yaml.safe_load(path.read_text())


def load(path):
    """A copy of a file's parsed contents. They are cached, because parsing takes most of the time of the tests."""
    return copy.deepcopy(parsed(path))


def groups():
    return [group for file in sorted(RULES.glob("*.yaml")) for group in load(file)["groups"]]


def rules(kind):
    """All rules of a kind, alert or record."""
    return [rule for group in groups() for rule in group["rules"] if kind in rule]
