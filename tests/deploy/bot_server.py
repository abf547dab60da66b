"""Bots of authors: tests/system/bots.py as a process, and their registration with a hub."""
import collections
import json
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "system/bots.py"
PATIENCE = 60


def register(http_port, name, endpoint, version="1"):
    """Registers a bot of TicTacToe with a hub that accepts any token."""
    body = {"jsonrpc": "2.0", "method": "RegistrationService.Register", "id": 1,
            "params": {"token": "league", "botname": name, "botversion": version, "game": "TICTACTOE",
                       "rpcendpoint": endpoint, "programminglanguage": "Python"}}
    request = urllib.request.Request(f"http://127.0.0.1:{http_port}/rpc", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        said = json.loads(answer.read())
    assert said["error"] is None, said


class BotServer:
    """The process. The calls that its bots receive are ignored."""

    def __init__(self):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [sys.executable, "-B", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        self.reader = threading.Thread(target=collections.deque, args=[self.process.stdout, 0], daemon=True)
        self.reader.start()

    def enter(self, http_port, kind, name, version):
        register(http_port, name, f"http://127.0.0.1:{self.port}/{kind}/{name}", version)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
