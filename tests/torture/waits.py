"""How long moves waited for their answer: those of clients whose hub was there all the time."""
import statistics

# A client of these knows which hub its move went to.
WIRES = ("opcodes", "turns", "ws")


def waits_of(views, runs, outages, cuts=()):
    """Seconds by name: of `all` moves; of those while `links` were cut; of the others during which a `stopped` one was
    another hub; and of those while the `database` took no commits, which wait for it and are in none of the others. A wait
    ends with the answer, the end of the game or that of the connection. `outages` and `cuts` (of links) are pairs of times."""
    found = {"all": [], "stopped": [], "links": [], "database": []}
    for view in views:
        if view.wire not in WIRES:
            continue
        for move in view.sent:
            begin, end = move.sent_at, move.answered_at or view.result_at or view.lost_at
            if end is None or any(meets(run, begin, end) for run in runs if run.hub == view.home):
                continue
            if overlaps(outages, begin, end):
                found["database"].append(end - begin)
                continue
            found["all"].append(end - begin)
            if overlaps(cuts, begin, end):
                found["links"].append(end - begin)
            elif any(begin <= run.signal_at <= end for run in runs if run.signal_at):
                found["stopped"].append(end - begin)
    return found


def overlaps(spans, begin, end):
    return any(since <= end and until >= begin for since, until in spans)


def meets(run, begin, end):
    """Whether the hub of this run was stopped within this time. What ended it without a signal was there before."""
    return run.signal_at is not None and run.signal_at <= end and (run.gone_at is None or run.gone_at >= begin)


NAMES = {"all": "waits of moves, s", "stopped": "while a hub stopped", "links": "while links were cut", "database": "while the base was out"}


def rows(views, runs, outages, cuts):
    return [f"{NAMES[name]:22}{row(found)}" for name, found in waits_of(views, runs, outages, cuts).items()]


def row(found):
    if len(found) < 2:
        return f"{len(found):>10}"
    # Of a few waits the other method returns more than the longest one.
    p99 = statistics.quantiles(found, n=100, method="inclusive")[98]
    return f"{len(found):>10,}, p50 {statistics.median(found):.3f}, p99 {p99:.3f}, most {max(found):.3f}"
