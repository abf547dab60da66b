"""What an expression may talk about: the metrics of metrics/README.md with their labels, and the words that the hub
gives reasons by. A label value that no hub ever gives makes an alert that never fires."""
import re

from places import ROOT

# What a scrape adds, what a histogram has, and what rules and templates deal in.
ADDED = {"job", "instance", "namespace", "pod", "le"}
SELECTOR = re.compile(r"\b(up|ALERTS|gamehub[a-zA-Z0-9_:]*)\s*(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


def metrics():
    """The labels of each metric, by its name; of a histogram by the names of its series."""
    found = {}
    row = re.compile(r"^\| `(gamehub_\w+)` \| (\w+) \| (.*?) \|", re.MULTILINE)
    for name, kind, labels in row.findall((ROOT / "metrics/README.md").read_text()):
        names = [name + end for end in ("_bucket", "_sum", "_count")] if kind == "histogram" else [name]
        for each in names:
            found[each] = set(re.findall(r"`(\w+)`", labels))
    return found


def words():
    """Whatever the hub's sources have as a word on its own, which are more than the labels' values."""
    text = "".join(path.read_text() for part in ("hub/core", "hub/arena", "metrics", "gateways") for path in (ROOT / part).glob("*.cpp"))
    return set(re.findall(r'"([a-z0-9_-]+)"', text))


def complaints(expression, recorded=()):
    """What is wrong with the names in an expression."""
    known, values = metrics(), words()
    for name, matchers in SELECTOR.findall(expression):
        if name in ("up", "ALERTS") or name in recorded:
            continue
        if name not in known:
            yield f"there is no metric {name}"
            continue
        for label, operator, value in MATCHER.findall(matchers):
            if label not in known[name] | ADDED:
                yield f"{name} has no label {label}"
            if label in ADDED | {"gateway", "engine"} or "$" in value:
                continue
            for word in value.split("|") if "~" in operator else [value]:
                if word not in values:
                    yield f'no {label} is "{word}"'
