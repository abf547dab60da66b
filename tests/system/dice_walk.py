"""A game of dice from outside the tree: dice_walk.py HUB PLUGIN. Plays Pig, which is the plugin, against its three levels;
each draw of chance, which everybody may know, is told with its text to who watches and in the replay."""
import http.client
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "deploy"))
import hubs  # pylint: disable=wrong-import-position

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PATIENCE = 60
LEVELS = ("random", "medium", "perfect")


def ask(port, method, target, **parameters):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, target, urlencode(parameters) if parameters else None, FORM if parameters else {})
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    assert answer.status == 200, f"{method} {target}: {answer.status} {text}"
    return text


def draws(updates):
    """The texts of what chance drew."""
    return [each["action"] for each in updates if each["type"] == "status" and "action" in each]


def replay_of(port, game):
    """It can be read a moment after the end was told."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return json.loads(ask(port, "GET", f"/api/replays/{game}"))["updates"]
        except AssertionError:
            if time.monotonic() > until:
                raise


def play(port, level):
    seat = json.loads(ask(port, "POST", "/api/play", name=f"ann {level}", engine="pig", opponent=f"engine:{level}",
                          seat="X"))
    assert seat["opponent_name"] == f"engine ({level})", seat
    assert seat["turn"] == "X", seat
    game, secret = seat["game_id"], seat["client_id"]
    may = json.loads(ask(port, "GET", f"/api/games/{game}?client_id={secret}"))["actions"]
    ask(port, "POST", "/api/move", client_id=secret, action=may[0])
    seen = json.loads(ask(port, "GET", f"/api/games/{game}"))["history"]
    ask(port, "POST", "/api/quit", client_id=secret)
    told = [json.loads(line) for line in ask(port, "GET", f"/api/updates/{game}").splitlines() if line.strip()]
    replay = replay_of(port, game)
    print(level, draws(seen), draws(replay))
    assert draws(seen), seen
    assert draws(replay) == draws(told), (replay, told)
    assert draws(replay)[:len(draws(seen))] == draws(seen), (replay, seen)


def look(program, plugin):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pig.so").symlink_to(plugin)
        with hubs.serving(program, "--journal", "memory", "--plugins", folder) as ports:
            for level in LEVELS:
                play(ports["http"], level)


look(*sys.argv[1:])
