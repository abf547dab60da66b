"""Ten minutes at full load over each protocol: checks that the hub's memory and descriptors stay constant."""
import statistics
import sys
import time

import servers

SECONDS = 600
SAMPLE_SECONDS = 5
GAMES = 1000
# Growth that is no leak: memory that malloc keeps for the next peak.
GROWTH_MAX, GROWTH_KIB_MAX = 1.02, 1024


def flat_memory(samples):
    """Compares the last fifth with the second, because pools fill in the first."""
    fifth = max(1, len(samples) // 5)
    early, late = statistics.median(samples[fifth:2 * fifth]), statistics.median(samples[-fifth:])
    return late <= early * GROWTH_MAX + GROWTH_KIB_MAX, early, late


def soak_wire(program, wire, flags, seconds):
    """A row of the table, and its errors."""
    memory, descriptors = [], []
    with servers.hub(program) as server:
        empty = server.descriptors()
        load = servers.start_load(program, wire, server, "--games", GAMES, "--seconds", seconds,
                                  "--admin-port", server.ports["admin"], *flags)
        start = time.monotonic()
        while load.poll() is None and time.monotonic() - start < seconds:
            time.sleep(SAMPLE_SECONDS)
            if server.process.poll() is not None:
                raise servers.Failed(f"the hub ended with {server.process.returncode} under the load")
            memory.append(server.memory_kib())
            descriptors.append(server.descriptors())
            print(f"  {wire}, {time.monotonic() - start:.0f} s: {memory[-1] / 1024:.1f} MiB, "
                  f"{descriptors[-1]} descriptors", file=sys.stderr)
        found = servers.end_load(load)
        left = server.descriptors()
    flat, early, late = flat_memory(memory)
    counted = found["hub"]
    adds_up = counted["started"] == counted["finished"] + counted["running"]
    wrong = found["errors"] + (not flat) + (not adds_up) + (left > empty)
    return [" ".join([wire, *flags]), f"{found['games_played']:,}", f"{found['errors']}", f"{early / 1024:.1f} MiB",
            f"{late / 1024:.1f} MiB", f"{min(descriptors):,}–{max(descriptors):,}", f"{left} of {empty}",
            "yes" if adds_up else "NO", "yes" if flat and left <= empty else "NO"], wrong


def soak(program, seconds=SECONDS):
    """The table, and the number of errors."""
    rows, wrong = [], 0
    # One after the other, because players of one engine share a queue over all protocols.
    for wire, flags in [("opcodes", []), ("turns", ["--fresh"])]:
        row, here = soak_wire(program, wire, flags, seconds)
        rows.append(row)
        wrong += here
    head = ["load", "games", "errors", "memory early", "late", "descriptors", "left afterwards", "counts add up", "flat"]
    return head, rows, wrong
