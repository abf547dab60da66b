"""The packages of npm/package-lock.json: types of Kubernetes' objects and Grafana's dashboards. The tests read them,
and run typescript."""
import sys

from places import ROOT, skip

sys.path.insert(0, str(ROOT / "tests/support"))
import node_packages  # pylint: disable=wrong-import-position


def folder():
    """The folder node_modules; skips the part if there is no npm, or no connection to the registry."""
    try:
        return node_packages.folder(ROOT / "tests/deploy/npm")
    except node_packages.Unavailable as why:
        return skip(why)
