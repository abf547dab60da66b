"""Lists of games below many that have ended: lists_walk.py HUB. One game waits and one runs, then 1,000 others begin and
end; the first page by status and by engine has them, over HTTP and by gamehub games."""
import http.client
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "deploy"))
import hubs  # pylint: disable=wrong-import-position

ENDED = 1000
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Client:
    """A connection for any number of requests."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, target, **parameters):
        body = urlencode(parameters) if method == "POST" else None
        self.connection.request(method, target, body, FORM if body else {})
        answer = self.connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, f"{method} {target}: {answer.status} {text}"
        return json.loads(text)

    def play(self, name, **parameters):
        """The secret of a new player, and its game."""
        seat = self.ask("POST", "/api/play", name=name, **parameters)
        return seat["client_id"], int(seat["game_id"])


def look(program):
    with hubs.serving(program, "--journal", "memory", "--games-per-address", "0") as ports:
        client = Client(ports["http"])
        _, waits = client.play("Waiting", engine="gomoku")
        _, runs = client.play("Long", engine="connect-four")
        assert client.play("Game", engine="connect-four")[1] == runs
        short, _ = client.play("Short", engine="nim", opponent="engine:random")
        for _ in range(ENDED - 1):
            client.ask("POST", "/api/play", client_id=short, engine="nim", opponent="engine:random")
        client.ask("POST", "/api/quit", client_id=short)

        def over_http(**query):
            page = client.ask("GET", "/api/games?" + urlencode({"limit": 20, **query}))
            return [int(game["game_id"]) for game in page["games"]]

        def by_verb(**query):
            words = [word for name, value in query.items() for word in (f"--{name}", value)]
            said = subprocess.run([program, "games", "--json", *words, "--admin-port", str(ports["admin"])],
                                  capture_output=True, text=True, check=True).stdout
            return [int(game["game"]) for game in json.loads(said)["games"]]

        for games in (over_http, by_verb):
            for query, wanted in (({"status": "waiting"}, waits), ({"status": "running"}, runs),
                                  ({"engine": "gomoku"}, waits), ({"engine": "connect-four"}, runs)):
                found = games(**query)
                assert found == [wanted], f"{games.__name__} of {query}: {found}, not {wanted}"
            # They are far below the first page of all games.
            newest = games()
            assert newest and min(newest) > ENDED // 2, newest


look(sys.argv[1])
