"""A client of the protocol opcodes (gateways/opcodes/README.md): without a name, so a lost connection ends its game."""
import struct
import time

import rules
from clients import NO_RESULT, Client
from views import Misbehaved, View

SGR, MOVE, STATE, ACK, ERROR = range(1, 6)
OVER, OUT_OF_BOUNDS, TAKEN, UNAVAILABLE, OPPONENT_LEFT = 2, 4, 5, 7, 8


class OpcodesClient(Client):
    wire = "opcodes"
    engine = "tictactoe"

    async def converse(self):
        self.view, self.token, self.asked_at = None, None, None
        while not self.world.stopping:
            self.ask()
            await self.play_one()

    def ask(self):
        self.view, self.token, self.asked_at = None, None, time.time()
        self.writer.write(struct.pack("!H", SGR))

    async def play_one(self):
        while True:
            opcode = struct.unpack("!H", await self.reader.readexactly(2))[0]
            if opcode == ACK:
                self.acknowledged((await self.reader.readexactly(1)).decode())
            elif opcode == STATE:
                cells = rules.GAMES[self.engine].cells
                board = (await self.reader.readexactly(cells)).decode()
                if self.state(board, (await self.reader.readexactly(1)).decode()):
                    return
            elif opcode == ERROR:
                code = struct.unpack("!H", await self.reader.readexactly(2))[0]
                text = (await self.reader.readuntil(b"\0"))[:-1].decode()
                if self.error(code, text):
                    return
            else:
                raise OSError(f"opcode {opcode}")

    def acknowledged(self, token):
        if self.token is None:
            self.token = token
        elif token != self.token or self.view is None:
            raise OSError(f"token {token} for {self.token}")
        else:
            self.view.answer(True)
            self.world.moves_told += 1

    def state(self, board, status):
        if self.view is None:
            self.view = View(self.wire, self.number, None, self.connection, self.asked_at, self.engine,
                             "XO".index(self.token))
            self.begin(self.view)
        view = self.view
        if view.sent and view.sent[-1].answered_at is None and status == "-":
            raise Misbehaved(f"a turn before the answer to a move: {board}", view)
        self.told(view, board)
        if status == "-" and not rules.over(view.game, board):
            if rules.pieces(board) % 2 != view.seat:
                raise Misbehaved("a turn that is not its own", view)
            self.think(view)
            return False
        self.end(view, "draw" if status == "-" else status)
        return True

    def error(self, code, text):
        view = self.view
        # A move may cross the end of its game, which the final STATE reports.
        if view is None and code in (OVER, OPPONENT_LEFT):
            return False
        # A hub that another one has replaced says that it goes down, and nothing of the game, which it no longer has.
        ended = code == UNAVAILABLE and text.endswith("without a result.")
        if view is None or (not ended and code not in (TAKEN, OUT_OF_BOUNDS, OVER, OPPONENT_LEFT)):
            raise OSError(f"error {code}: {text}")
        view.note(f"error {code}: {text}")
        if code in (TAKEN, OUT_OF_BOUNDS):
            view.answer(False)
            self.think(view)
            return False
        if ended:
            self.end(view, "none", with_board=False)
            self.world.fails(self, NO_RESULT, view)
            return True
        return False

    def send_move(self, view, action, legal):
        view.play(action, legal)
        self.writer.write(struct.pack("!HB", MOVE, action))

    def hurry(self, late):
        if self.writer and (late or not self.views):
            super().hurry(late)
            self.writer.transport.abort()

    def resign(self, _view):
        self.vanish()
