"""The dashboards against Grafana's types, from npm's @grafana/schema: Grafana knows every field, and its type is
right."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import npm_packages
from places import ROOT, find, skip

# JSON has the values of enumerations; this makes TypeScript accept them as enumerations.
HEAD = """
import type {Dashboard} from './node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen';
import type * as graph from './node_modules/@grafana/schema/dist/types/raw/composable/timeseries/panelcfg/x/types.gen';
import type * as stat from './node_modules/@grafana/schema/dist/types/raw/composable/stat/panelcfg/x/types.gen';
type Json<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T
  : T extends (infer Each)[] ? Json<Each>[] : T extends object ? {[Name in keyof T]: Json<T[Name]>} : T;
"""


def statements(name, board):
    """Checks every object literal against its type; unknown fields are errors."""
    board = json.loads(json.dumps(board))
    for each in board["annotations"]["list"]:
        # The fields that the Prometheus data source adds to Grafana's.
        del each["expr"], each["titleFormat"]
    yield f"const {name}: Json<Dashboard> = {json.dumps(board)};"
    for panel in board["panels"]:
        of = {"timeseries": "graph", "stat": "stat"}.get(panel["type"])
        if of:
            yield f"const {name}_{panel['id']}: Json<{of}.Options> = {json.dumps(panel['options'])};"
        if of == "graph":
            custom = panel["fieldConfig"]["defaults"]["custom"]
            yield f"const {name}_{panel['id']}_custom: Json<graph.FieldConfig> = {json.dumps(custom)};"


def errors(boards):
    """The compiler's messages, line by line, under the names of the boards."""
    modules = npm_packages.folder()
    if find("node") is None:
        skip("there is no node (./dev install deploy)")
    lines = [(name, line) for name, board in boards.items() for line in statements(name, board)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "node_modules").symlink_to(modules)
        Path(folder, "boards.ts").write_text(HEAD + "\n".join(line for _, line in lines))
        done = subprocess.run(
            ["node", modules / "typescript/bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022",
             "--moduleResolution", "bundler", "--module", "esnext", "boards.ts"],
            cwd=folder, capture_output=True, text=True, check=False)
    found = {}
    for number, what in re.findall(r"^boards\.ts\((\d+),.*?: (.*(?:\n .*)*)", done.stdout, re.MULTILINE):
        name = lines[int(number) - 1 - HEAD.count("\n")][0]
        found.setdefault(name, []).append(what)
    assert done.returncode == 0 or found, done.stdout + done.stderr
    return found


def spoil(board, change):
    board = json.loads(json.dumps(board))
    change(next(panel for panel in board["panels"] if panel["type"] == "timeseries"), board)
    return board


MISTAKES = {
    "a field that there is not": lambda panel, _: panel.update(tilte="Players"),
    "a bound of a wrong type": lambda panel, _: panel["fieldConfig"]["defaults"]["thresholds"]["steps"][0].update(value="1"),
    "an option that there is not": lambda panel, _: panel["options"]["legend"].update(position="bottom"),
    "a style that there is not": lambda panel, _: panel["fieldConfig"]["defaults"]["custom"].update(drawStyle="dots"),
    "a variable of no type": lambda _, board: board["templating"]["list"][0].update(type="data"),
}


def main():
    boards = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "deploy/grafana").glob("*.json"))}
    wrong = errors(boards)
    if wrong:
        sys.exit(f"Grafana would not know what this is: {json.dumps(wrong, indent=1)}")
    spoilt = {f"mistake{at}": spoil(boards["players"], change) for at, change in enumerate(MISTAKES.values())}
    seen = errors(spoilt)
    unseen = [words for name, words in zip(spoilt, MISTAKES) if name not in seen]
    if unseen:
        sys.exit(f"not found: {', '.join(unseen)}")
    print(f"{len(boards)} dashboards are of Grafana's types; {len(MISTAKES)} mistakes were found")


main()
