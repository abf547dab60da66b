"""What one client received about one game over one connection: the evidence for the check of a log.

Times are wall-clock seconds, taken before something is sent and after something was read.
"""
import time

import rules


class Sent:
    """A move that a client sent when the board had that many pieces, and its result."""

    def __init__(self, ply, action, legal):
        self.ply, self.action, self.legal = ply, action, legal
        self.sent_at, self.answered_at, self.accepted = time.time(), None, None

    def answer(self, accepted):
        self.answered_at, self.accepted = time.time(), accepted

    def verdict(self, cutoff):
        """True, False, or None if there was no answer."""
        return self.accepted if self.answered_at is not None and self.answered_at <= cutoff else None


class View:
    def __init__(self, wire, client, name, connection, asked_at, engine, seat=None, resumed=False):
        self.wire, self.client, self.name = wire, client, name
        self.connection = connection    # the number of the connection of this client
        self.asked_at = asked_at        # when it began to wait; the game is not older, unless resumed
        self.engine, self.game = engine, rules.GAMES[engine]
        self.seat, self.resumed = seat, resumed
        self.home = 0                   # the number of the hub that its client was connected to
        self.boards = []                # (received at, board)
        self.sent = []
        self.result, self.result_at = None, None  # X, O, draw, or none: no result
        self.saw_the_end = True         # the result came with the last board
        self.gave_up_at = None          # the client resigned, or left for good
        self.lost_at = None             # the connection ended, from either side
        self.settled = False
        self.words = [(asked_at, "asked")]

    def note(self, word):
        self.words.append((time.time(), word))

    def told(self, board):
        self.boards.append((time.time(), board))
        self.note(f"told {board}")

    def end(self, result, with_board=True):
        self.result, self.result_at, self.saw_the_end = result, time.time(), with_board
        self.note(f"told the result {result}")

    def play(self, action, legal=True):
        self.sent.append(Sent(rules.pieces(self.board), action, legal))
        self.note(f"sent {action}")
        return self.sent[-1]

    def answer(self, accepted):
        if not self.sent or self.sent[-1].answered_at is not None:
            raise Misbehaved(f"an answer to no move: accepted {accepted}", self)
        move = self.sent[-1]
        move.answer(accepted)
        self.note("accepted" if accepted else "refused")
        if accepted != move.legal:
            raise Misbehaved(f"the move {move.action} was {'accepted' if accepted else 'refused'}", self)

    def give_up(self):
        self.gave_up_at = time.time()
        self.note("gives up")

    def lose(self):
        if self.lost_at is None:
            self.lost_at = time.time()
            self.note("lost its connection")

    @property
    def board(self):
        return self.boards[-1][1]

    @property
    def open(self):
        return self.result is None and self.lost_at is None

    def story(self):
        head = f"{self.wire} client {self.client} ({self.name or 'nameless'}), connection {self.connection}, " \
               f"{self.engine}, seat {self.seat}{', resumed' if self.resumed else ''}"
        return "\n".join([head, *(f"  {stamp(at)} {word}" for at, word in self.words)])


class Misbehaved(Exception):
    """The hub sent something that no rule allows."""

    def __init__(self, what, view):
        super().__init__(f"{what}\n{view.story()}")


def stamp(at):
    return time.strftime("%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1000):03}"
