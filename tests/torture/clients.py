"""The common behaviour of clients of all protocols: they connect, receive, think, and reconnect. Each protocol is a
class in a separate file; WIRES in torture.py lists them."""
import asyncio
import random
import time
from collections import Counter

import rules

# Reactions to a prompt for a move other than a legal move: the number in 1,000.
ILLEGAL, RESIGNS, VANISHES, BREAKS_OFF = 30, 10, 5, 10
# Of the clients of a hub that does not answer, those that go to another one.
IMPATIENT = 0.8
# How long a client looks for its games at all hubs before it becomes another player.
LOOKS_SECONDS = 20


# What a client can lose in a rolling restart.
UNANSWERED, GAME_LOST, NO_RESULT = "move without an answer", "game lost with its connection", "game without a result"
# No failure: a hub that drains takes no new connections, and the system resets those that it had not accepted.
REPEATED = "request repeated after a reset connection"


class World:
    """What all clients share."""

    def __init__(self, seed, checker, hubs, think_seconds):
        self.seed, self.checker, self.think_seconds = seed, checker, think_seconds
        self.hubs = hubs                # the ports of each hub, by protocol
        self.open = set()               # numbers of the hubs that accept clients
        self.up = asyncio.Event()       # one of them does
        self.clients = []
        self.stopping = False           # no new games
        self.moves_told = 0
        self.failed = None              # the violation that a client found
        self.gentle = False             # clients do nothing that costs them a game
        self.failures = Counter()       # by protocol and kind: what clients lost without doing anything
        self.stories = []               # of those failures
        self.names = 0

    def fails(self, client, what, view=None):
        if self.stopping:
            return
        self.failures[client.wire, what] += 1
        if view:
            view.note(what)
            self.stories.append(view.story())

    def new_name(self):
        self.names += 1
        return f"t{self.names}"

    @property
    def alone(self):
        """There is one hub, so there is no other one to come back to."""
        return len(self.hubs) == 1

    def begin_hub(self, number):
        self.open.add(number)
        self.up.set()

    def end_hub(self, number):
        """New connections go elsewhere."""
        self.open.discard(number)
        if not self.open:
            self.up.clear()

    def desert(self, number):
        """Clients of this hub lose patience with it, those of whom their luck says so."""
        for client in self.clients:
            if client.home == number and client.luck.random() < IMPATIENT:
                # If the hub goes on, it may come back too late.
                for view in client.views:
                    view.give_up()
                client.hang_up()


class Client:
    """Runs until the world stops and it has no game left. A protocol implements `converse`."""

    wire = None
    name = None  # empty for protocols that cannot resume

    def __init__(self, world, number):
        self.world, self.number, self.connection = world, number, 0
        self.luck = random.Random(f"{world.seed} {self.wire} {number}")
        self.reader = self.writer = None
        self.views = []       # of this connection, and open
        self.leaving = False  # a game that begins now crosses its leaving
        self.thoughts = set()
        self.home = 0         # the number of the hub that it visits
        self.looks_since = None  # it looks for its games
        self.late_boards = set()  # those with a move of a lost connection that has no answer: it may still count
        world.clients.append(self)

    async def run(self):
        while not self.done():
            await self.world.up.wait()
            await asyncio.sleep(self.luck.uniform(0, 0.2))
            self.choose_home()
            try:
                await self.visit()
            except (OSError, EOFError, asyncio.IncompleteReadError):
                pass

    def choose_home(self):
        """The hub of its games first, then any one."""
        if self.world.alone or not self.world.open:
            return
        at_home = self.wants_back() and self.looks_since is None and self.home in self.world.open
        if not at_home:
            self.home = self.luck.choice(sorted(self.world.open))

    def looks_on(self):
        """Its hub does not have its games. Whether it looks for them at other hubs."""
        self.looks_since = self.looks_since or time.time()
        return not self.world.alone and time.time() < self.looks_since + LOOKS_SECONDS

    def connect(self):
        return asyncio.open_connection("127.0.0.1", self.world.hubs[self.home][self.wire])

    def hang_up(self):
        if self.writer:
            self.writer.transport.abort()

    def done(self):
        return self.world.stopping and not self.wants_back()

    def wants_back(self):
        """Whether it has games that it can resume."""
        return False

    async def visit(self):
        self.connection, self.leaving = self.connection + 1, False
        self.reader, self.writer = await self.connect()
        try:
            await self.converse()
        finally:
            for thought in self.thoughts:
                thought.cancel()
            self.thoughts.clear()
            for view in self.views:
                if view.open and view.sent and view.sent[-1].answered_at is None:
                    self.world.fails(self, UNANSWERED, view)
                    if view.sent[-1].legal:
                        self.late_boards.add(rules.after(view.game, view.board, view.sent[-1].action))
                if view.open and not self.name:
                    self.world.fails(self, GAME_LOST, view)
                view.lose()
            self.lost()
            self.views = []
            self.writer.transport.abort()
            self.writer = None

    async def converse(self):
        raise NotImplementedError

    def lost(self):
        """The connection has ended."""

    def begin(self, view):
        view.home = self.home
        view.note(f"at hub {self.home}")
        self.views.append(view)
        self.world.checker.add_view(view)
        if self.leaving:
            view.give_up()

    def hurry(self, _late):
        """The world stops: clients without a game leave first, all of them at the end."""
        self.leaving = True
        # A game may have begun whose start it does not receive any more.
        if self.name:
            self.world.checker.gave_up[self.name] = time.time()
        for view in self.views:
            view.give_up()

    def end(self, view, result, with_board=True):
        view.end(result, with_board)
        self.part(view)

    def part(self, view):
        """The game is over."""
        self.views.remove(view)
        if not self.views:
            self.late_boards.clear()

    def told(self, view, board):
        view.told(board)
        self.world.moves_told += 1

    def think(self, view):
        """Its turn: after a pause, do something. Not if the board has changed: its player may have moved by what the
        client sent over its former connection, and is asked again."""
        pieces = rules.pieces(view.board)

        def act():
            self.thoughts.discard(timer)
            if view.open and self.writer and not self.writer.is_closing() and rules.pieces(view.board) == pieces:
                self.act(view)
        pause = self.luck.expovariate(1 / self.world.think_seconds)
        timer = asyncio.get_running_loop().call_later(min(pause, 5), act)
        self.thoughts.add(timer)

    def act(self, view):
        chance = 500 if self.world.gentle else self.luck.randrange(1000)
        taken = [a for a in range(view.game.columns if view.engine == "connect-four" else view.game.cells)
                 if a not in view.game.legal(view.board)]
        if chance < RESIGNS:
            return self.resign(view)
        if chance < RESIGNS + VANISHES:
            return self.vanish()
        if chance < RESIGNS + VANISHES + BREAKS_OFF:
            return self.break_off()
        if taken and chance >= 1000 - ILLEGAL:
            return self.send_move(view, self.luck.choice(taken), legal=False)
        return self.send_move(view, self.luck.choice(view.game.legal(view.board)), legal=True)

    def send_move(self, view, action, legal):
        raise NotImplementedError

    def resign(self, view):
        raise NotImplementedError

    def vanish(self):
        """Leaves and never resumes as this player."""
        self.leaving = True
        for view in self.views:
            view.give_up()
        self.writer.transport.abort()

    def break_off(self):
        """Loses its connection, and resumes if the protocol allows it."""
        if not self.wants_back():
            return self.vanish()
        self.writer.transport.abort()
        return None

