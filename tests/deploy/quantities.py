"""Quantities as manifests write them, and the assumed needs of a hub."""
SIZES = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
UNITS = {"s": 1, "m": 60, "h": 3600}
# The memory of a hub without players, of a game with its players, and of a connection whose client is sometimes slow.
# The measured values are lower: "Sizes" in deploy/README.md.
BYTES_OF = {"hub": 128 * 2**20, "game": 6 * 2**10, "connection": 8 * 2**10}


def bytes_of(quantity):
    return int(quantity[:-2]) * SIZES[quantity[-2:]]


def seconds_of(duration):
    return int(duration[:-1]) * UNITS[duration[-1]]
