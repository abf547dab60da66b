#!/usr/bin/env python3
"""Writes what is here in a second form, from the first: the rules of prometheus/ as an object of the Prometheus
Operator, and Grafana's dashboards. Tests see to it that nobody forgets to run it."""
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "grafana"))

import dashboards  # noqa: E402 pylint: disable=wrong-import-position
MADE = "# Made by deploy/generate.py of {}: change those.\n"


class Dumper(yaml.SafeDumper):
    """Expressions of several lines stay readable."""


Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(
    "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))


def prometheus_rule():
    groups = [group for name in ("recording", "alerts")
              for group in yaml.safe_load((HERE / f"prometheus/{name}.yaml").read_text())["groups"]]
    made = {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": {"name": "gamehub"},
            "spec": {"groups": groups}}
    return MADE.format("prometheus/*.yaml") + yaml.dump(made, Dumper=Dumper, sort_keys=False, width=120)


def outputs():
    """What each file has to be."""
    return {HERE / "kubernetes/components/monitoring/rules.yaml": prometheus_rule(), **dashboards.outputs()}


if __name__ == "__main__":
    for path, text in outputs().items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path.relative_to(HERE.parent)}", file=sys.stderr)
