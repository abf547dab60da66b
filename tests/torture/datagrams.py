"""A client of the protocol udp (gateways/udp/README.md): without a name, X against the engine, one byte per datagram. A
restarted hub does not know it."""
import asyncio
import socket
import time

import rules
from clients import GAME_LOST, Client
from views import Misbehaved, Sent, View

SAY_AGAIN_SECONDS, TRIES_MAX = 0.4, 20
REPEATS_TAKEN_FOR_MOVES = 2  # of the hub's last move (gateways/udp/README.md)
STATUS = {"C": "X", "S": "O", "D": "draw"}


class Silent(OSError):
    """There is no answer any more."""


class DatagramClient(Client):
    wire = "udp"
    engine = "tictactoe"

    async def visit(self):
        self.connection, self.leaving = self.connection + 1, False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.connect(("127.0.0.1", self.world.hubs[self.home][self.wire]))
        try:
            await self.converse()
        finally:
            for view in self.views:
                if view.open:
                    self.world.fails(self, GAME_LOST, view)
                view.lose()
            self.views = []
            self.socket.close()

    async def converse(self):
        self.asked_at, self.view, self.sent, self.repeats = time.time(), None, [], 0
        game, board = rules.GAMES[self.engine], rules.empty(rules.GAMES[self.engine])
        await self.say("A", "A")
        while True:
            await asyncio.sleep(min(self.luck.expovariate(1 / self.world.think_seconds), 5))
            if self.leaving or (not self.world.gentle and self.luck.randrange(1000) < 10):
                return await self.resign()
            cell = self.luck.choice(game.legal(board))
            await self.say(str(cell), str(cell))
            move = Sent(rules.pieces(board), cell, True)
            self.sent.append(move)
            mine = rules.after(game, board, cell)
            theirs = set(map(str, game.legal(mine)))
            told = await self.say("E", theirs | STATUS.keys())
            if told in STATUS:
                return await self.finish(told, [mine], move)
            board = rules.after(game, mine, int(told))
            self.show([mine, board], move)
            told = await self.say(told, {"E", *STATUS})
            if told in STATUS:
                return await self.finish(told, [], None)

    def show(self, boards, move):
        if self.view is None:
            self.view = View(self.wire, self.number, None, self.connection, self.asked_at, self.engine, 0)
            self.view.sent = self.sent
            self.begin(self.view)
            boards = [rules.empty(self.view.game), *boards]
        move.answer(True)
        for board in boards:
            self.told(self.view, board)

    async def finish(self, status, boards, move):
        """The game is over: by its last move, or for another reason."""
        board = boards[-1] if boards else self.view.board
        game = rules.GAMES[self.engine]
        by_rules = rules.over(game, board) and STATUS[status] == (rules.winner(game, board) or "draw")
        if by_rules and boards:
            self.show(boards, move)
        if self.view:
            self.end(self.view, STATUS[status], with_board=by_rules)
        # The answer to a status is the same status.
        await self.say(status, "Q")

    async def resign(self):
        self.leaving = True
        for view in self.views:
            view.give_up()
        await self.say("Q", STATUS.keys())

    async def say(self, byte, wanted):
        """Sends the byte until one of the wanted ones arrives. Other bytes are late or repeated."""
        loop = asyncio.get_running_loop()
        for tries in range(TRIES_MAX):
            self.repeats = max(self.repeats, tries)
            # A hub of a cluster may only be paused: then it still has the game.
            if self.world.alone and not self.world.open:
                break
            self.socket.send(byte.encode())
            until = loop.time() + SAY_AGAIN_SECONDS
            try:
                while True:
                    heard = await asyncio.wait_for(loop.sock_recv(self.socket, 16), until - loop.time())
                    if heard.decode()[:1] in wanted:
                        return heard.decode()[:1]
                    if heard == b"I" and self.view and byte != "I":
                        if self.repeats < REPEATS_TAKEN_FOR_MOVES:
                            raise Misbehaved(f"the byte {byte} was refused", self.view)
                        # A hub that was paused reads all repetitions of a move at once. It answers I to the later
                        # ones, because this client is to move again. I and W end the state INVALID of the hub.
                        self.repeats = 0
                        await self.say("I", "W")
                        if "E" in wanted and byte != "E":
                            return "E"
                        break
            except asyncio.TimeoutError:
                pass
        raise Silent

    def hurry(self, late):
        if late or not self.views:
            self.leaving = True

    def done(self):
        return self.world.stopping
