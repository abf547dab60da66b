"""HTTP and WebSockets: the cost of a request against bare Beast, of a move against the floor of opcodes, and of update
streams."""

STREAMED_GAMES, POOL, MOVES_A_SECOND = 5000, 200, 2000


def requests(bench, games):
    """The same requests on the hub, which plays, and on a server that sends the same document for each."""
    return bench.in_turns(hub=lambda: bench.on_hub("http", "--games", games),
                          floor=lambda: bench.on_http_floor("--games", games, "--blind"))


def sockets(bench, games):
    """Games over WebSockets on the hub, over opcodes on the floor."""
    return bench.in_turns(hub=lambda: bench.on_hub("ws", "--games", games),
                          floor=lambda: bench.on_floor("opcodes", "--games", games))


def streams(bench):
    """A load at a steady rate with one stream per player; then the memory of idle streams, and of the same players
    without streams."""
    flags = ["--games", STREAMED_GAMES, "--connections", POOL]
    no_clock = ["--turn-seconds", "0"]
    return bench.in_turns(
        played=lambda: bench.on_hub("http", *flags, "--streams", "--rate", MOVES_A_SECOND, "--warm-up", 3,
                                    seconds=max(bench.seconds, 10)),
        idle=lambda: bench.on_hub("http", *flags, "--streams", "--idle", serve=no_clock),
        streamless=lambda: bench.on_hub("http", *flags, "--idle", serve=no_clock))


def kib_a_stream(idle, streamless):
    """The memory that the streams add to their players."""
    grown = [found["server"]["resident_kib"] - found["server"]["resident_kib_before"] for found in (idle, streamless)]
    return (grown[0] - grown[1]) / idle["streams"]
