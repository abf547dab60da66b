"""A client of the protocol http (gateways/http/README.md): resumes with its secret and the number of the last update
that it has, so that it receives every update exactly once."""
import asyncio
import json
import time

import rules
from checker import Presence
from clients import NO_RESULT, REPEATED, UNANSWERED, Client
from views import Misbehaved, View

ENGINES = ["tictactoe", "connect-four"]
INVALID_MOVE = 103


class Refused(Exception):
    """A response with another status than 200."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        wrong = body.get("error", {})
        self.status, self.code = status, wrong.get("code")
        self.over = "the game has ended" in wrong.get("message", "")


class WebClient(Client):
    wire = "http"

    def __init__(self, world, number):
        super().__init__(world, number)
        self.engine, self.requests = ENGINES[number % 2], set()
        self.become_new()

    def become_new(self):
        self.looks_since = None
        self.name = self.world.new_name()
        self.secret = f"{self.luck.getrandbits(128):032x}"
        self.forget()

    def forget(self):
        """It has no game, or does not know of one."""
        self.game, self.last, self.view = None, 0, None
        self.shown = None  # the board of the last update
        self.asked = False  # for a game; it may have one of which it received nothing
        self.unanswered = None  # the number of pieces before its latest move whose request failed

    def wants_back(self):
        return self.last > 0 or bool(self.requests)

    async def visit(self):
        self.connection, self.leaving, self.presence = self.connection + 1, False, None
        self.prompted, self.turn = False, -1
        try:
            await self.converse()
        except Refused as no:
            self.turned_away(no)
        finally:
            for thought in self.thoughts:
                thought.cancel()
            self.thoughts.clear()
            for view in self.views:
                view.lose()
            self.views = []
            if self.presence:
                self.presence.until = time.time()
            if self.writer:
                self.writer.transport.abort()
            self.writer = None

    async def converse(self):
        # The hub answers those of the last connection no more. Another hub may still carry them out.
        if self.requests:
            await asyncio.wait(self.requests)
        # Another request for a game would resign the one that a lost response was about, and that may have begun.
        resumes, self.asked = self.asked, True
        if not resumes:
            self.asked_at = time.time()
        fields = {"resume": True} if resumes else {"name": self.name, "engine": self.engine}
        seat = await self.post("play", **fields)
        if self.last > 0 and seat["game_id"] != self.game:
            raise Refused(200, seat)
        self.looks_since = None
        self.game, self.seat = seat["game_id"], "XO".index(seat["player"])
        self.presence = Presence(time.time())
        self.world.checker.presence[self.name].append(self.presence)
        # A game that still waits for an opponent has a board, too.
        if resumes and seat.get("status") != "waiting":
            self.view = self.new_view(resumed=True)
            self.told(self.view, board_of(seat))
            self.prompt(seat)
        await self.follow()

    def turned_away(self, no):
        """The player or game does not exist here, or not any more; or the hub accepts no players now, and the client
        tries again."""
        if (no.code in (101, 102, 110) or no.status == 200) and not self.looks_on():
            self.become_new()

    def new_view(self, resumed):
        view = View(self.wire, self.number, self.name, self.connection, self.asked_at, self.engine, self.seat, resumed)
        self.begin(view)
        return view

    # The stream.

    async def follow(self):
        self.reader, self.writer = await self.connect()
        self.writer.write(f"GET /api/updates/{self.game}?last_update_id={self.last} HTTP/1.1\r\nHost: localhost\r\n"
                          f"Authorization: Bearer {self.secret}\r\n\r\n".encode())
        status, headers = await head_of(self.reader)
        if status != 200:
            raise Refused(status, json.loads(await self.reader.readexactly(int(headers["content-length"]))))
        if "chunked" not in headers.get("transfer-encoding", ""):
            return
        while chunk := await chunk_of(self.reader):
            for line in chunk.splitlines():
                if line.strip() and not self.leaving:
                    self.hear(json.loads(line))
            if self.game is None:
                return

    def hear(self, update):
        if update.get("player") == "G" or update["type"] in ("state", "away", "back"):
            return
        if update["type"] == "end" and update["update_id"] == 0:
            return  # A hub that drains withdraws the games that wait.
        if update["update_id"] != self.last + 1:
            raise Misbehaved(f"update {update['update_id']} after {self.last}", self.view or self.new_view(False))
        self.last = update["update_id"]
        getattr(self, "hear_" + update["type"])(update)

    def hear_connect(self, _update):
        pass

    def hear_status(self, update):
        if self.view is None:
            self.view = self.new_view(resumed=False)
        self.show(update)

    def hear_move(self, update):
        self.show(update)

    def hear_disconnect(self, update):
        self.gone = update["player"]

    def hear_end(self, update):
        view = self.view
        quitted = update["reason"].endswith((" quit the game", " disconnected"))
        if view.result is None and update["code"] == "clock":
            view.end(update["winner"])
        elif view.result is None:
            view.end("XO"["OX".index(self.gone)] if quitted else "none")
            if not quitted:
                self.world.fails(self, NO_RESULT, view)
        self.views.remove(view)
        self.forget()

    def show(self, update):
        view, board = self.view, board_of(update)
        self.shown = board
        # Updates that it lacked when it resumed were already on the board then.
        if view.resumed and rules.pieces(board) < rules.pieces(view.board):
            return
        if view.boards and rules.pieces(board) - rules.pieces(view.board) not in (0, 1):
            raise Misbehaved(f"{board} after {view.board}", view)
        self.told(view, board)
        if "winner" in update:
            view.end({"D": "draw"}.get(update["winner"], update["winner"]))
        else:
            self.prompt(update)

    def prompt(self, what):
        """Its turn. Handled once, because a client that resumes receives it twice; and not before the answer to its
        last move."""
        turn = rules.pieces(self.view.board)
        if what.get("turn") != "XO"[self.seat] or turn <= self.turn:
            return
        self.turn = turn
        if self.requests:
            self.prompted = True
        else:
            self.think(self.view)

    # Requests, each over a separate connection, to any hub: one that has its player, or passes them on.

    async def post_again(self, path, **fields):
        try:
            return await self.post(path, **fields)
        except (OSError, EOFError):
            if not self.world.gentle:
                raise
        self.world.fails(self, REPEATED)
        return await self.post(path, **fields)

    async def post(self, path, **fields):
        ports = self.world.hubs[self.luck.choice(sorted(self.world.open) or [self.home])]
        reader, writer = await asyncio.open_connection("127.0.0.1", ports[self.wire])
        try:
            body = json.dumps({"client_id": self.secret, **fields})
            writer.write(f"POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
                         f"application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            status, headers = await head_of(reader)
            answer = json.loads(await reader.readexactly(int(headers["content-length"])))
        finally:
            writer.transport.abort()
        if status != 200:
            raise Refused(status, answer)
        return answer

    def start(self, work):
        task = asyncio.create_task(work)
        self.requests.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task):
        self.requests.discard(task)
        if not task.cancelled() and isinstance(task.exception(), Misbehaved):
            self.world.failed = task.exception()
            self.hang_up()
        elif self.prompted and not self.requests and self.view and self.view.open:
            self.prompted = False
            self.think(self.view)

    def send_move(self, view, action, legal):
        seen = {}
        if self.world.gentle:
            # With the number of the update that shows the board, a move that is sent again counts once.
            if self.shown != view.board:
                return self.think(view)
            seen["last_update_id"] = self.last
        view.play(action, legal)
        return self.start(self.move(view, view.sent[-1], action if view.engine == "tictactoe" else
                                    view.game.cell(view.board, action) if legal else action, seen))

    async def move(self, view, sent, position, seen):
        try:
            await self.post_again("move", position=position, **seen)
        except (OSError, EOFError):
            self.unanswered = sent.ply
            self.world.fails(self, UNANSWERED, view)
            return
        except Refused as no:
            self.move_refused(view, sent, no)
            return
        sent.answer(True)
        view.note("accepted")
        self.world.moves_told += 1
        if not sent.legal:
            raise Misbehaved(f"the move {sent.action} was accepted", view)

    def move_refused(self, view, sent, no):
        """The stream may report the end of the game, or the move, later; or a move before it that counts although its
        request failed."""
        view.note(f"refused: {no}")
        made = rules.pieces(view.board) > sent.ply or self.unanswered == sent.ply
        if no.over or made or view.result is not None or self.leaving:
            return
        # Only an illegal move is refused for its content.
        if no.code == INVALID_MOVE and view.lost_at is None:
            sent.answer(False)
            if sent.legal:
                raise Misbehaved(f"the move {sent.action} was refused", view) from no
            self.prompted = True
        elif self.world.gentle:
            self.world.fails(self, f"move answered by {no.status}, {no.code}", view)

    def resign(self, view):
        view.give_up()
        self.start(self.quit())

    async def quit(self):
        try:
            await self.post("quit")
        except (OSError, EOFError, Refused):
            pass

    def vanish(self):
        self.leaving = True
        for view in self.views:
            view.give_up()
        self.become_new()
        self.hang_up()

    def break_off(self):
        self.hang_up()

    def hurry(self, late):
        # Only while its stream is open: then it is known which games it resigns.
        if self.writer and not self.leaving and (late or not self.views):
            super().hurry(late)
            self.start(self.go())

    async def go(self):
        await self.quit()
        self.become_new()
        self.hang_up()


def board_of(told):
    return told["board"].replace("_", "-")


async def head_of(reader):
    """Status and fields of a response."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    return int(head[0].split()[1]), fields


async def chunk_of(reader):
    """The next chunk of a body; empty at its end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    chunk = await reader.readexactly(size + 2)
    return chunk[:-2]
