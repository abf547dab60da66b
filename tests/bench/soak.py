"""Ten minutes at full load: whether the hub's memory and descriptors stay as they are."""
import statistics
import sys
import time

import servers

SECONDS = 600
SAMPLE_SECONDS = 5
GAMES = 1000
# Growth that is no leak: what malloc keeps for the next peak.
GROWTH_MAX, GROWTH_KIB_MAX = 1.02, 1024


def flat_memory(samples):
    """The last fifth against the second: the first is when pools fill."""
    fifth = len(samples) // 5
    early, late = statistics.median(samples[fifth:2 * fifth]), statistics.median(samples[-fifth:])
    return late <= early * GROWTH_MAX + GROWTH_KIB_MAX, early, late


def soak(program, seconds=SECONDS):
    memory, descriptors = [], []
    with servers.hub(program) as server:
        empty = server.descriptors()
        admin = ["--admin-port", server.ports["admin"], "--games", GAMES, "--seconds", seconds]
        # One after the other the two checks would see each other's games: only one asks the hub.
        loads = [servers.start_load(program, "opcodes", server, *admin),
                 servers.start_load(program, "turns", server, "--fresh", *admin[2:-1], max(1, seconds - 10))]
        start = time.monotonic()
        while all(load.poll() is None for load in loads) and time.monotonic() - start < seconds:
            time.sleep(SAMPLE_SECONDS)
            if any(load.poll() is not None for load in loads):
                break
            memory.append(server.memory_kib())
            descriptors.append(server.descriptors())
            print(f"  {time.monotonic() - start:.0f} s: {memory[-1] / 1024:.1f} MiB, {descriptors[-1]} descriptors",
                  file=sys.stderr)
        found = [servers.end_load(load) for load in loads]
        time.sleep(2)
        left = server.descriptors()
    flat, early, late = flat_memory(memory)
    errors = sum(f["errors"] for f in found)
    games = sum(f["games_played"] for f in found)
    counted = found[0]["hub"]
    adds_up = counted["started"] == counted["finished"] + counted["running"]
    flat = flat and adds_up and left <= empty
    lines = ["| games | errors | memory early | memory late | descriptors | left afterwards | counts add up | flat |",
             "|" + "---|" * 8,
             f"| {games:,} | {errors} | {early / 1024:.1f} MiB | {late / 1024:.1f} MiB | "
             f"{min(descriptors):,}–{max(descriptors):,} | {left} of {empty} | {'yes' if adds_up else 'NO'} | "
             f"{'yes' if flat else 'NO'} |"]
    return "\n".join(lines), flat, errors
