"""Honest players of hostile.py: single requests that must be served at once, and pairs that play whole games over turns
and HTTP. As a program, honest.py SETTINGS plays for a time and prints what it counted: each game must end as its moves
say."""
import http.client
import json
import socket
import sys
import threading
import time

PAIRS, PAUSE_SECONDS = 4, 0.05
PATIENCE_SECONDS = 10
RETRY_SECONDS = 0.2


class Refused(Exception):
    """The hub refused a request, or did not answer."""


class Lost(Exception):
    """A game that had begun did not end as its moves say."""


class Requests:
    """One HTTP connection from a source address."""

    def __init__(self, port, address, timeout=PATIENCE_SECONDS, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout, source_address=(address, 0))
        self.headers = {"Content-Type": "application/json", **(headers or {})}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def ask(self, http_method, path, **body):
        try:
            self.connection.request(http_method, path, json.dumps(body) if body else None, self.headers)
            answer = self.connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as e:
            raise Refused(f"HTTP: {type(e).__name__}") from e
        if answer.status != 200:
            raise Refused(f"HTTP: {answer.status} {said[:80].decode(errors='replace')}")
        return json.loads(said) if said.startswith(b"{") else {}


class Line:
    """One connection of JSON turns."""

    def __init__(self, port, address, timeout=PATIENCE_SECONDS, **connect):
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout, (address, 0))
            self.file = self.socket.makefile("rb")
            self.send(type="connect", **connect)
            self.name = self.read()["name"]
        except (OSError, ValueError, KeyError) as e:
            raise Refused(f"turns: {type(e).__name__}") from e

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def send(self, **line):
        self.socket.sendall(json.dumps(line).encode() + b"\n")

    def read(self):
        return json.loads(self.file.readline())

    def read_until(self, kind, whole=False):
        """The payloads until that line, or that message, of the game; or the whole line."""
        payloads = []
        while True:
            line = self.read()
            if whole and line["type"] == kind:
                return line
            if line["type"] == "message":
                payloads.append(json.loads(line["payload"]))
            if kind in (line["type"], payloads[-1]["type"] if line["type"] == "message" else None):
                return payloads

    def move(self, row, column):
        self.send(type="message", game_id=0, payload=json.dumps({"type": "move", "row": row, "column": column}))


def play_http(port, addresses, names, pause=0):
    """X and O name each other, and X wins by the upper row. Returns the game's id."""
    with Requests(port, addresses[0]) as x, Requests(port, addresses[1]) as o:
        secrets = [f"the-secret-of-{name}" for name in names]
        begun = x.ask("POST", "/api/play", client_id=secrets[0], name=names[0], opponent=names[1],
                      seat="X")["game_id"]
        met = o.ask("POST", "/api/play", client_id=secrets[1], name=names[1], opponent=names[0], seat="O")
        if met["game_id"] != begun or met["player"] != "O":
            raise Lost("HTTP: two players who named each other did not meet")
        try:
            for number, position in enumerate([0, 3, 1, 4, 2]):
                time.sleep(pause)
                side = number % 2
                (x, o)[side].ask("POST", "/api/move", client_id=secrets[side], position=position)
            found = x.ask("GET", f"/api/games/{begun}?history=false")
        except Refused as e:
            raise Lost(f"in a game: {e}") from e
        if found.get("winner") != "X":
            raise Lost(f"HTTP: a game ended otherwise: {found}")
        return begun


def play_turns(port, addresses, board, moves, pause=0):
    """Plays the moves on a board of gomoku of that size, which no other two use at the time. Returns the winner."""
    ask = {"name": None, "supported_games": ["gomoku"], "max_games": 1, "options": {"gomoku": board}}
    with Line(port, addresses[0], **ask) as x, Line(port, addresses[1], **ask) as o:
        try:
            seats = [each.read_until("start", whole=True)["seat"] for each in (x, o)]
        except (OSError, ValueError) as e:
            raise Refused(f"turns: no game began: {type(e).__name__}") from e
        try:
            for number, (row, column) in enumerate(moves):
                # The seek of the first may have waited for the rate of its address.
                mover = (x, o)[seats.index(number % 2)]
                mover.read_until("turn")
                if pause:
                    time.sleep(pause)
                mover.move(row, column)
            return x.read_until("close")[-1].get("winner")
        except (OSError, ValueError) as e:
            raise Lost(f"turns: in a game: {type(e).__name__}") from e


def newcomer_http(ports, address, timeout):
    with Requests(ports["http"], address, timeout) as one:
        one.ask("POST", "/api/connect", name=None)


def newcomer_turns(ports, address, timeout):
    Line(ports["turns"], address, timeout, name=None, supported_games=["tictactoe"], max_games=0).__exit__()


def newcomer_udp(ports, address, timeout):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(timeout)
        one.bind((address, 0))
        one.connect(("127.0.0.1", ports["udp"]))
        try:
            one.send(b"A")
            if one.recv(1) != b"A":
                raise Refused("UDP: no game")
            one.send(b"Q")
        except OSError as e:
            raise Refused(f"UDP: {type(e).__name__}") from e


class Tally:
    """What the pairs of one protocol counted."""

    def __init__(self):
        self.games, self.refused, self.lost, self.why = 0, 0, 0, {}

    def count(self, e):
        self.why[str(e)] = self.why.get(str(e), 0) + 1


def keep_playing(game, pair, tally, until):
    number = 0
    while time.monotonic() < until:
        # An address may begin about one game a second, so each game has other ones.
        addresses = [f"127.8.{pair + 1}.{(2 * number + side) % 200 + 1}" for side in range(2)]
        number += 1
        try:
            game(addresses, number)
            tally.games += 1
        except (Refused, Lost) as e:
            tally.count(e)
            if isinstance(e, Refused):
                tally.refused += 1
            else:
                tally.lost += 1
            time.sleep(RETRY_SECONDS)


def five_in_a_row(port, addresses, pair, number):
    # The hub seats a client again after its game, until it has left. So the next game of a pair has another board.
    board = {"rows": 5 + pair, "columns": 5 + number % 8}
    moves = [(each % 2, each // 2) for each in range(9)]
    if play_turns(port, addresses, board, moves, PAUSE_SECONDS) != "X":
        raise Lost("turns: a game ended otherwise")


def main():
    given = json.loads(sys.argv[1])
    ports, until = given["ports"], time.monotonic() + given["seconds"]
    tallies = {"turns": Tally(), "http": Tally()}
    players = []
    for pair in range(PAIRS):
        names = [f"{side}-of-pair-{pair}" for side in ("first", "second")]
        games = {"turns": lambda addresses, number, of=pair: five_in_a_row(ports["turns"], addresses, of, number),
                 "http": lambda addresses, _, n=names: play_http(ports["http"], addresses, n, PAUSE_SECONDS)}
        for wire, game in games.items():
            players.append(threading.Thread(target=keep_playing, args=[game, pair, tallies[wire], until]))
    for each in players:
        each.start()
    for each in players:
        each.join()
    print(json.dumps({wire: vars(tally) for wire, tally in tallies.items()}))


if __name__ == "__main__":
    main()
