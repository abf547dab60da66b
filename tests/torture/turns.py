"""A client of the protocol turns (gateways/turns/README.md): resumes with its secret, and may play several games."""
import asyncio
import json
import time

import rules
from checker import Presence
from clients import NO_RESULT, Client
from views import Misbehaved, View

# A hub sends the games of a player that has come back within this time.
NO_GAMES_SECONDS = 4
KINDS = [["tictactoe"], ["connect-four"], ["tictactoe", "connect-four"]]


class TurnsClient(Client):
    wire = "turns"

    def __init__(self, world, number):
        super().__init__(world, number)
        self.kinds, self.games_max = KINDS[number % len(KINDS)], 1 + number % 2
        self.presence = None
        self.become_new()

    def become_new(self):
        self.wanted, self.name, self.secret = self.world.new_name(), None, None
        self.unfinished = 0   # games whose end it has not received
        self.looks_since = None

    def wants_back(self):
        return self.secret is not None and self.unfinished > 0

    async def converse(self):
        self.asked_at, self.numbered, self.presence = time.time(), {}, None
        if self.world.gentle and not self.wants_back():
            self.become_new()  # nothing waits for it
        self.resumes = self.secret is not None
        # It only looks for its games: another hub may have them.
        self.only_resumes = self.resumes and not self.world.alone
        # Without a secret `resume` is null, which shows that this client resumes.
        self.say({"type": "connect", "name": self.wanted, "supported_games": self.kinds,
                  "max_games": 0 if self.only_resumes else self.games_max, "resume": self.secret})
        while line := await self.reader.readline():
            if not line.endswith(b"\n"):
                return
            # A leaving client ignores the rest.
            if not self.leaving:
                self.hear(json.loads(line))

    def lost(self):
        if self.presence:
            self.presence.until = time.time()

    def say(self, line):
        self.writer.write(json.dumps(line).encode() + b"\n")

    def hear(self, line):
        kind = line["type"]
        if "error" in line:
            for view in self.views:
                view.note(f"error {line['error']}")
            return
        if kind == "name":
            self.named(line)
        elif kind == "start":
            self.start(line)
        elif kind == "close":
            self.close(self.numbered[line["game_id"]])
        else:
            view = self.numbered[line["game_id"]]
            payload = json.loads(line["payload"])
            getattr(self, payload["type"].replace("-", "_"))(view, payload)

    def named(self, line):
        # A hub of a cluster that does not know the secret may give the wanted name to a new player.
        self.came_back = self.resumes and line["name"] == self.name and (
            self.world.alone or line["secret"] == self.secret)
        if self.only_resumes and not self.came_back:
            if not self.looks_on():
                self.go_for_good()
            self.leaving = True
            return self.hang_up()
        self.looks_since = None
        # The hub next sends those of its games that continue.
        self.unfinished = 0
        if self.only_resumes:
            asyncio.get_running_loop().call_later(NO_GAMES_SECONDS, self.begin_anew, self.connection)
        self.name, self.secret = line["name"], line["secret"]
        self.presence = Presence(time.time())
        self.world.checker.presence[self.name].append(self.presence)
        return None

    def begin_anew(self, connection):
        """It came back and has no game any more."""
        if self.only_resumes and self.connection == connection and self.writer and not self.views and not self.leaving:
            self.go_for_good()
            self.leaving = True
            self.hang_up()

    def go_for_good(self):
        self.world.checker.gave_up[self.name] = time.time()
        self.become_new()

    def start(self, line):
        engine = line.get("game", self.kinds[0])
        number = line["game_id"]
        if number in self.numbered:
            raise Misbehaved(f"game_id {number} twice", self.numbered[number])
        # Its first state shows whether it is one of the resumed games.
        view = View(self.wire, self.number, self.name, self.connection, self.asked_at, engine, resumed=self.came_back)
        self.numbered[number], view.number = view, number
        self.begin(view)

    def state(self, view, payload):
        board = "".join(mark or "-" for row in payload["board"] for mark in row)
        waits = view.sent and view.sent[-1].answered_at is None
        if view.boards:
            before = view.board
            grown = rules.pieces(board) - rules.pieces(before)
            move = view.sent[-1] if waits else None
            own = [rules.after(view.game, before, move.action)] if move else []
            # After a takeover the first board that it is told may have the other player's next move, too.
            late = [one for one in self.late_boards if rules.pieces(one) > rules.pieces(before)]
            first = [one for one in [*own, *late] if rules.extends(board, one)] if grown else []
            if not 0 <= grown <= (2 if move else 1) or (grown == 0 and before != board) or (move and grown and not first):
                raise Misbehaved(f"{board} after {before}" + (f" and our move {move.action}" if move else ""), view)
            if move and grown and first[0] == own[0]:
                view.answer(True)
            elif move and grown:
                move.legal = False  # the other one was first
        else:
            self.unfinished += 1
        self.told(view, board)
        if view.result is None and (payload["winner"] or rules.over(view.game, board)):
            view.end(payload["winner"] or "draw")

    def turn(self, view, _payload):
        mark = rules.pieces(view.board) % 2
        if view.seat is None:
            view.seat = mark
        if view.seat != mark:
            raise Misbehaved("a turn that is not its own", view)
        self.think(view)

    def repeat_turn(self, view, _payload):
        view.answer(False)
        self.think(view)

    def close(self, view):
        if view.result is None:
            view.end("none")
            self.world.fails(self, NO_RESULT, view)
        self.part(view)
        self.unfinished -= 1
        self.begin_anew(self.connection)

    def send_move(self, view, action, legal):
        view.play(action, legal)
        self.say({"type": "message", "game_id": view.number, "payload": json.dumps(view.game.payload(action))})

    def resign(self, view):
        view.give_up()
        self.say({"type": "close", "game_id": view.number})

    def hurry(self, late):
        # The hub may not have sent its games yet.
        came = self.presence and time.time() > self.presence.since + 0.5
        if self.writer and came and (late or not self.views) and not self.leaving:
            super().hurry(late)
            self.say({"type": "close"})
            self.become_new()

    def vanish(self):
        super().vanish()
        self.become_new()
