"""One whole game of tictactoe over each protocol, by clients of a few lines that share no code with the hub."""
import contextlib
import json
import re
import select
import socket
import struct
import time
import urllib.request

import hubs

PATIENCE = 20
# X takes the first row, O two of the second: X wins.
MOVES = [0, 3, 1, 4, 2]
WON = "XXXOO----"


class Stream:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.file = self.socket.makefile("rb")

    def say(self, text):
        self.socket.sendall(text)

    def close(self):
        self.file.close()
        self.socket.close()


class Opcodes(Stream):
    """gateways/opcodes/README.md"""

    def ask(self):
        self.say(struct.pack("!H", 1))
        return self.expect(4)

    def move(self, position):
        self.say(struct.pack("!HB", 2, position))
        self.expect(4)

    def state(self):
        return self.expect(3)

    def expect(self, opcode):
        got = struct.unpack("!H", self.file.read(2))[0]
        body = {4: lambda: self.file.read(1), 3: lambda: self.file.read(10)}.get(got, lambda: self.file.read1())()
        assert got == opcode, f"opcode {got} {body} instead of {opcode}"
        return body.decode()


def play_opcodes(port):
    with contextlib.closing(Opcodes(port)) as x, contextlib.closing(Opcodes(port)) as o:
        play_opcodes_by([x, o])


def play_opcodes_by(players):
    assert [player.ask() for player in players] == ["X", "O"]
    for number, position in enumerate(MOVES):
        mover = players[number % 2]
        assert mover.state()[9] == "-"
        mover.move(position)
    ends = [player.state() for player in players]
    assert ends == [f"{WON}X"] * 2, ends


class Turns(Stream):
    """gateways/turns/README.md"""

    def __init__(self, port):
        super().__init__(port)
        # Reads are not buffered, so that select() sees all unread data.
        self.file = self.socket.makefile("rb", buffering=0)

    def sit(self, name):
        self.tell({"type": "connect", "name": name, "supported_games": ["tictactoe"], "max_games": 1})

    def tell(self, line):
        self.say(json.dumps(line).encode() + b"\n")

    def until(self, kind):
        """The next payload of that kind; keeps the latest board."""
        while True:
            line = json.loads(self.file.readline())
            if line["type"] != "message":
                continue
            payload = json.loads(line["payload"])
            if payload["type"] == "state":
                self.board = "".join(cell or "-" for row in payload["board"] for cell in row)
                if payload["winner"]:
                    return payload["winner"]
            if payload["type"] == kind:
                self.game = line["game_id"]
                return payload

    def move(self, position):
        row, column = divmod(position, 3)
        self.tell({"type": "message", "game_id": self.game, "payload": json.dumps({"row": row, "column": column})})


def play_turns(port):
    with contextlib.closing(Turns(port)) as x, contextlib.closing(Turns(port)) as o:
        play_turns_by([x, o])


def play_turns_by(players):
    for player, name in zip(players, ("deploy-a", "deploy-b")):
        player.sit(name)
    for player in players:
        player.until("state")
    # The player who was first in the queue begins; only that player receives a message now.
    begins, _, _ = select.select([player.socket for player in players], [], [], PATIENCE)
    players.sort(key=lambda player: player.socket not in begins)
    for number, position in enumerate(MOVES):
        mover = players[number % 2]
        mover.until("turn")
        mover.move(position)
    ends = [(player.until("end"), player.board) for player in players]
    assert ends == [("X", WON)] * 2, ends


class Udp:
    """gateways/udp/README.md"""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(1)
        self.socket.connect(("127.0.0.1", port))

    def ask(self, byte, wanted):
        """Sends the byte until one of the wanted replies comes; other bytes are late repeats."""
        for _ in range(PATIENCE):
            self.socket.send(byte.encode())
            try:
                for _ in range(PATIENCE):
                    got = self.socket.recv(16).decode()
                    if got in wanted:
                        return got
            except (socket.timeout, ConnectionRefusedError):
                pass
        raise AssertionError(f"no {wanted} for {byte}")


def play_udp(port):
    """Against the engine; either side may win."""
    player, free = Udp(port), set("012345678")
    with player.socket:
        play_engine(player, free)


def play_engine(player, free):
    player.ask("A", "A")
    while True:
        mine = min(free)
        free.remove(mine)
        player.ask(mine, mine)
        reply = player.ask("E", free | set("CD"))
        if reply in "CD":
            player.ask(reply, "Q")
            return
        free.remove(reply)
        end = player.ask(reply, "ESD")
        if end != "E":
            player.ask(end, "Q")
            return


class Http:
    """gateways/http/README.md"""

    def __init__(self, port, name):
        self.base, self.secret = f"http://127.0.0.1:{port}/api", f"a-secret-of-{name}-for-one-game"
        self.post("connect", name=name)

    def post(self, path, **fields):
        request = urllib.request.Request(f"{self.base}/{path}", json.dumps(fields).encode(), {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.secret}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def updates(self, game):
        with urllib.request.urlopen(f"{self.base}/updates/{game}", timeout=PATIENCE) as stream:
            return [json.loads(line) for line in stream if line.strip()]


def play_http(port):
    players = [Http(port, "deploy-x"), Http(port, "deploy-o")]
    tables = [player.post("play", engine="tictactoe") for player in players]
    assert [table["player"] for table in tables] == ["X", "O"], tables
    for number, position in enumerate(MOVES):
        players[number % 2].post("move", position=position)
    told = players[0].updates(tables[0]["game_id"])
    assert [each for each in told if each["type"] == "move"][-1]["winner"] == "X", told
    assert told[-1]["type"] == "end", told


WIRES = {"opcodes": play_opcodes, "turns": play_turns, "udp": play_udp, "http": play_http}


def lingers(wire, metrics):
    """Whether a player of the game still exists, or waits for an opponent."""
    seen = r"players_waiting\S*"
    # Players of the other protocols outlive their connections.
    if wire in ("opcodes", "turns"):
        seen = rf"(?:{seen}|sessions{{gateway=\"{wire}\"}})"
    return re.search(rf"^gamehub_{seen} [1-9]", metrics, re.MULTILINE)


def play(wire, ports):
    """Plays, and returns when no player of the game is in the lobby any more; a remaining player would be paired with
    those of the next game."""
    if wire not in WIRES:
        raise AssertionError(f"the hub serves {wire}, over which nothing here plays: add it to games.py")
    WIRES[wire](ports[wire])
    deadline = time.monotonic() + PATIENCE
    while lingers(wire, hubs.get(ports["admin"], "/metrics")[1]):
        if time.monotonic() > deadline:
            raise AssertionError(f"a player of {wire} that went is still there")
        time.sleep(0.02)
