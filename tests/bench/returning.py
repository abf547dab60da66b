"""Players of JSON turns (gateways/turns/README.md) who come back with their secrets when their connection is lost, and who measure
their own time: TicTacToe, at random, one game after the other. One thread; the other loads do not come back."""
import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "torture"))
import rules  # pylint: disable=wrong-import-position


class Player(asyncio.Protocol):
    def __init__(self, table):
        self.table, self.secret, self.game = table, None, None
        self.board, self.used, self.rest, self.transport = "", 0.0, b"", None

    async def come(self):
        """Connects until it succeeds: the hub may be off."""
        while not self.table.stopping:
            try:
                await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.table.port)
                return
            except OSError:
                await asyncio.sleep(0.02)

    def say(self, **line):
        self.transport.write(json.dumps(line).encode() + b"\n")

    def connection_made(self, transport):
        self.transport, self.rest = transport, b""
        self.say(type="connect", name=None, supported_games=["tictactoe"], max_games=1, resume=self.secret)

    def connection_lost(self, _why):
        if not self.table.stopping:
            self.table.returns += 1
            self.table.keep(self.come())

    def data_received(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.hear(json.loads(line))

    def hear(self, line):
        if line["type"] == "name":
            if line["secret"] != self.secret:
                self.secret, self.board = line["secret"], ""
        elif line["type"] == "start":
            self.game = line["game_id"]
        elif line["type"] == "message":
            self.hear_of_game(json.loads(line["payload"]))
        elif "game_id" in line:
            self.end(line)
        else:
            self.table.count(f"closed: {line.get('error')}")

    def hear_of_game(self, payload):
        if payload["type"] == "state":
            self.board = "".join(mark or "-" for row in payload["board"] for mark in row)
        elif payload["type"] == "turn":
            self.table.after(random.uniform(0, self.table.think), self.move, self.transport, self.board)
        else:
            self.table.count(f"refused: {payload.get('error')}")

    def move(self, seconds, asked_on, board):
        # What was asked over a lost connection is asked again.
        if self.transport is asked_on and not asked_on.is_closing() and self.board == board:
            self.used += seconds
            cell = random.choice([at for at, mark in enumerate(board) if mark == "-"])
            payload = json.dumps({"type": "move", "row": cell // 3, "column": cell % 3})
            self.say(type="message", game_id=self.game, payload=payload)

    def end(self, line):
        self.table.ended(self, line["reason"], rules.over(rules.TicTacToe, self.board))
        self.used = 0.0


class Table:
    """All the players at one port, until stop()."""

    def __init__(self, port, games, think, time_each):
        self.port, self.think, self.time_each = port, think, time_each
        self.returns, self.ends, self.late, self.words = 0, 0, 0, Counter()
        self.stopping, self.tasks = False, set()
        for _ in range(2 * games):
            self.keep(Player(self).come())

    def keep(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def after(self, seconds, call, *with_these):
        """Calls with the time that has passed, which is longer where this program is busy."""
        now = asyncio.get_running_loop().time
        begun = now()
        asyncio.get_running_loop().call_later(seconds, lambda: call(now() - begun, *with_these))

    def count(self, word):
        if not self.stopping:
            self.words[word] += 1

    def ended(self, player, reason, by_rules):
        self.ends += 1
        if reason == "clock" and player.used > self.time_each:
            self.late += 1  # by its own clock, too
        elif reason in ("clock", "left", "interrupted", "failed", "drained") or not by_rules:
            self.count(f"{reason} after {player.used:.3f} s of its own time")

    @property
    def games(self):
        return self.ends // 2

    def stop(self):
        self.stopping = True
        for task in self.tasks:
            task.cancel()
