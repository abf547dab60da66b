"""Quantities as manifests write them, and what a hub is taken to need."""
SIZES = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
UNITS = {"s": 1, "m": 60, "h": 3600}
# What a hub needs before anybody comes, a game with its players, and a connection whose client is slow at times. What
# was measured is less: "Sizes" in deploy/README.md.
BYTES_OF = {"hub": 128 * 2**20, "game": 6 * 2**10, "connection": 8 * 2**10}


def bytes_of(quantity):
    return int(quantity[:-2]) * SIZES[quantity[-2:]]


def seconds_of(duration):
    return int(duration[:-1]) * UNITS[duration[-1]]
