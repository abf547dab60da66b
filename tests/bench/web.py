"""HTTP and WebSockets: what a request costs against bare Beast, a move against the floor of opcodes, and what streams of
updates take."""

STREAMED_GAMES, POOL, MOVES_A_SECOND = 5000, 200, 2000


def requests(bench, games):
    """The same requests on the hub, which plays, and on a server that answers each with the same document."""
    return bench.in_turns(hub=lambda: bench.on_hub("http", "--games", games),
                          floor=lambda: bench.on_http_floor("--games", games, "--blind"))


def sockets(bench, games):
    """Games over WebSockets on the hub, over opcodes on the floor."""
    return bench.in_turns(hub=lambda: bench.on_hub("ws", "--games", games),
                          floor=lambda: bench.on_floor("opcodes", "--games", games))


def streams(bench):
    """What is played with a stream a player at a steady pace; then the memory of those that only wait, and of the same
    players without streams."""
    flags = ["--games", STREAMED_GAMES, "--connections", POOL]
    no_clock = ["--turn-seconds", "0"]
    return bench.in_turns(
        played=lambda: bench.on_hub("http", *flags, "--streams", "--rate", MOVES_A_SECOND, "--warm-up", 3,
                                    seconds=max(bench.seconds, 10)),
        idle=lambda: bench.on_hub("http", *flags, "--streams", "--idle", serve=no_clock),
        streamless=lambda: bench.on_hub("http", *flags, "--idle", serve=no_clock))


def kib_a_stream(idle, streamless):
    """What the streams alone add to the memory of their players."""
    grown = [found["server"]["resident_kib"] - found["server"]["resident_kib_before"] for found in (idle, streamless)]
    return (grown[0] - grown[1]) / idle["streams"]
