"""The names that an expression may use: the metrics of metrics/README.md with their labels, and the label values of the
hub. A value that the hub never uses makes an alert that never fires."""
import re

from places import ROOT

# Labels that a scrape adds, labels of histograms, and names that rules and templates use.
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
    """All string literals of one word in the hub's sources; the label values are among them."""
    text = "".join(path.read_text() for part in ("hub/core", "hub/journal", "hub/league", "metrics", "gateways") for path in (ROOT / part).glob("*.cpp"))
    return set(re.findall(r'"([a-z0-9_-]+)"', text))


def complaints(expression, recorded=()):
    """The errors in the names of an expression."""
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
