"""Compares exports of the journal with what clients received. It knows clients only by their views and the hub only by
its exports, so it is tested without either (checker_test.py).

A turns player is identified by its name. A player of a protocol without names is identified by what it saw and when:
each of its views needs a separate seat in a game that agrees with the whole view.
"""
import zlib
from collections import defaultdict

import logs
import rules
from views import stamp

# Records have the time of the hub's clock, which stops while a loop works, and the machine is busy.
SLACK = 0.3
# A game can match a new view for this time after its end.
KEPT = 60.0
# Protocols over which a player can resume: those in which it has a name.
RESUMABLE = {"turns", "ws", "http"}
# A client of UDP that acknowledges nothing for this time resigns (gateways/udp/README.md).
UDP_SILENCE_MAX = 30.0


class Violation(Exception):
    """A violated invariant, with the whole history."""


class Run:
    """One run of a hub: its start, the time of its signal, and its exit."""

    def __init__(self, started_at, hub=0):
        self.started_at, self.signal, self.signal_at, self.gone_at = started_at, None, None, None
        self.hub = hub  # its number


class Presence:
    """A name on a connection: from when, until when, and whether its protocol can resume."""

    def __init__(self, since):
        self.since, self.until = since, None


class Checker:
    def __init__(self, rejoin_seconds, turn_seconds):
        self.rejoin_seconds, self.turn_seconds = rejoin_seconds, turn_seconds
        self.views = []               # not settled
        self.runs = []
        self.gave_up = {}                  # name -> when it left for good, with all its games
        self.presence = defaultdict(list)  # name -> [Presence]; filled by clients that can resume
        self.games = {}               # those that later views may concern
        self.sums = {}                # of lines of games that have ended
        self.shown = {}               # (name, game) -> (connection, moves received, end received)
        self.claims = set()           # seats of settled views
        self.counts = defaultdict(int)

    # Reports of the clients and of the torture test.

    def add_view(self, view):
        self.views.append(view)

    # The check.

    def check(self, lines, cutoff, final=False):
        """Everything received by the cutoff must be in the export, which was begun after it."""
        self.read(lines, cutoff)
        by_name, nameless = self.index()
        due = [v for v in self.views if self.worth(v, cutoff)]
        found = {view: self.candidates(view, cutoff, by_name, nameless) for view in due}
        assigned = self.assign(found)
        for view in sorted(due, key=lambda v: v.connection):
            self.settle(view, assigned[view], found[view], cutoff, final)
        self.views = [v for v in self.views if not v.settled]
        self.retire(cutoff, final)

    @staticmethod
    def worth(view, cutoff):
        return bool(view.boards) and view.boards[0][0] <= cutoff

    def read(self, lines, cutoff):
        seen = set()
        for line in lines:
            number = logs.number_of(line)
            if number in seen:
                raise Violation(f"the export has game {number} twice")
            seen.add(number)
            if number in self.sums:
                if self.sums[number] != zlib.crc32(line):
                    raise Violation(f"game {number} changed after its end:\n  {line.decode().strip()}")
                continue
            self.take(number, line, cutoff)
        for number in list(self.sums) + list(self.games):
            if number not in seen:
                before = self.games.get(number)
                self.counts["losses"] += 1
                raise Violation(f"game {number} was in the journal and is not any more"
                                + (f"\nbefore, {before.story()}" if before else ""))

    def take(self, number, line, cutoff):
        # The clients wait meanwhile, in this process: what was read before is not read again.
        if number in self.games and self.games[number].line.encode() == line:
            return
        try:
            game = logs.Game(line)
        except (logs.Broken, KeyError, ValueError) as broken:
            raise Violation(f"game {number}: {broken!r}\n  {line.decode().strip()}") from broken
        earlier = self.games.get(number)
        if earlier is None:
            self.counts["games"] += 1
        elif not game.continues(earlier):
            raise Violation(f"game {number} does not go on from what it was\nbefore, {earlier.story()}\n{game.story()}")
        else:
            game.views, game.sure = earlier.views, earlier.sure
        if game.state == "quarantined":
            raise Violation(f"game {number} is in quarantine\n{game.story()}")
        self.games[number] = game

    def index(self):
        by_name, nameless = defaultdict(list), defaultdict(list)
        for game in self.games.values():
            for seat, name in enumerate(game.names):
                if game.wires[seat] in RESUMABLE:
                    by_name[name].append((game, seat))
                else:
                    nameless[game.wires[seat], game.engine].append((game, seat))
        return by_name, nameless

    def candidates(self, view, cutoff, by_name, nameless):
        seats = by_name[view.name] if view.name else nameless[view.wire, view.engine]
        fit, why = [], []
        for game, seat in seats:
            if view.name is None and not view.asked_at - SLACK <= game.opened_at <= view.boards[0][0] + SLACK:
                continue
            reason = self.misfit(view, game, seat, cutoff)
            if reason is None:
                fit.append((game, seat))
            else:
                why.append((len(reason), game, seat, reason))
        if not fit:
            self.counts["losses"] += 1
            # The most likely candidates fail last in the list of reasons, and those reasons are longer.
            why.sort(key=lambda each: -each[0])
            close = "\n".join(f"not seat {seat} of game {game.id}: {reason}\n{game.story()}"
                              for _, game, seat, reason in why[:5])
            raise Violation(f"no game in the journal is what this client was told of\n{view.story()}\n"
                            + (close or "there is no game that it could be"))
        return fit

    def misfit(self, view, game, seat, cutoff):
        """Why the view cannot be of that seat in that game; None if it can."""
        if view.engine != game.engine or (view.seat is not None and view.seat != seat):
            return "another seat or engine"
        first = view.boards[0][0]
        if game.opened_at > first + SLACK or (not view.resumed and game.opened_at < view.asked_at - SLACK):
            return "opened at another time"
        if game.end and game.end[2] < first - KEPT:
            return "ended long before"
        for at, board in view.boards:
            moves = rules.pieces(board)
            if at <= cutoff and (moves >= len(game.boards) or game.boards[moves] != board):
                return f"was told {board}, which is not in the log"
        return (self.misfit_of_return(view, game) or self.misfit_of_moves(view, game, seat, cutoff)
                or self.misfit_of_end(view, game, cutoff))

    def misfit_of_return(self, view, game):
        connection, moves, ended = self.shown.get((view.name, game.id), (view.connection, 0, False))
        if connection < view.connection and ended:
            return "had been told that it was over"
        if connection < view.connection and rules.pieces(view.boards[0][1]) < moves:
            return f"had been told of {moves} moves before it came back"
        return None

    @staticmethod
    def misfit_of_moves(view, game, seat, cutoff):
        for move in view.sent:
            logged = game.moves[move.ply] if move.ply < len(game.moves) else None
            verdict = move.verdict(cutoff)
            if verdict:
                if logged is None or logged[:2] != (seat, move.action):
                    return f"move {move.ply + 1}, {move.action}, was accepted, and the log has {logged}"
                if not move.sent_at - SLACK <= logged[2] <= move.answered_at + SLACK:
                    return f"move {move.ply + 1} was made at another time"
        return None

    @staticmethod
    def misfit_of_end(view, game, cutoff):
        if view.result is None or view.result_at > cutoff:
            return None
        if not game.end:
            return f"was told the result {view.result}, and the log has no end"
        if view.saw_the_end and rules.pieces(view.board) != len(game.moves):
            return f"was told the result at {view.board}, which is not the last board in the log"
        logged = game.result()
        if view.result != logged:
            return f"was told the result {view.result}, and the log has {logged}"
        return None

    @staticmethod
    def claim(view, game, seat):
        return (game.id, seat, view.connection if view.name else None)

    def assign(self, found):
        """A seat for each view, none for two: a matching by augmenting paths."""
        holder = {}

        def place(view, tried):
            for game, seat in found[view]:
                key = self.claim(view, game, seat)
                if key in tried or key in self.claims:
                    continue
                tried.add(key)
                if key not in holder or place(holder[key][0], tried):
                    holder[key] = (view, game, seat)
                    return True
            return False

        for view in sorted(found, key=lambda v: len(found[v])):
            if not place(view, set()):
                self.counts["losses"] += 1
                rivals = "\n".join(self.told_of(game) for game, _ in found[view][:10])
                raise Violation(f"more clients were told of such a game than there are in the journal\n"
                                f"{view.story()}\n{rivals}")
        return {view: (game, seat) for view, game, seat in holder.values()}

    def settle(self, view, place, found, cutoff, final):
        game, seat = place
        sure = len(found) == 1
        if self.shown.get((view.name, game.id), (view.connection,))[0] < view.connection:
            self.counts["resumed"] += 1
        if sure and view.name:
            self.remember(view, game, cutoff)
        closed = view.result is not None and view.result_at <= cutoff or (view.lost_at or cutoff) < cutoff
        old_enough = sure or final or (view.lost_at or view.result_at or cutoff) < cutoff - KEPT / 2
        known = game.end or view.name is None and view.lost_at and view.result is None
        if not (closed and known and old_enough) and not final:
            return
        view.settled = True
        game.views[seat].append(view)
        if not sure:
            for each, its_seat in found:
                each.sure[its_seat] = False
        self.claims.add(self.claim(view, game, seat))
        self.counts["views"] += 1
        self.counts["moves told"] += len(view.boards) + sum(bool(m.accepted) for m in view.sent)

    def remember(self, view, game, cutoff):
        if wrong := self.misfit_of_return(view, game):
            self.counts["losses"] += 1
            raise Violation(f"a client came back and {wrong}\n{self.told_of(game)}")
        told = [rules.pieces(board) for at, board in view.boards if at <= cutoff]
        connection, moves, ended = self.shown.get((view.name, game.id), (view.connection, 0, False))
        ended = ended or (view.result is not None and view.result_at <= cutoff)
        if connection <= view.connection:
            self.shown[view.name, game.id] = (view.connection, max(moves, *told), ended)

    # No client can receive these games any more: their players and what they did are now known.

    def retire(self, cutoff, final):
        waited_for = {view.name for view in self.views if view.boards}
        waiting = any(view.name is None for view in self.views if self.worth(view, cutoff))
        for number, game in list(self.games.items()):
            if not game.end:
                if final:
                    raise Violation(f"game {number} neither went on nor ended\n{self.told_of(game)}")
                continue
            late = game.end[2] > cutoff - KEPT
            if not final and (late or waited_for & set(game.names) or waiting and late):
                continue
            self.judge(game)
            self.sums[number] = zlib.crc32(game.line.encode())
            del self.games[number]
            for seat in (0, 1):
                self.shown.pop((game.names[seat], number), None)
                for view in game.views[seat]:
                    self.claims.discard(self.claim(view, game, seat))

    def judge(self, game):
        self.counts["ended: " + game.end[0]] += 1
        self.counts["logged moves"] += len(game.moves)
        for seat in (0, 1):
            if game.sure[seat]:
                self.judge_moves(game, seat)
        self.judge_end(game)

    def judge_moves(self, game, seat):
        """A logged move was sent for that board: otherwise it was invented or duplicated."""
        if not game.views[seat] and game.wires[seat] not in RESUMABLE:
            return
        sent = [move for view in game.views[seat] for move in view.sent]
        for ply, (mover, action, _) in enumerate(game.moves):
            if mover == seat and not any(m.ply == ply and m.action == action and m.accepted is not False for m in sent):
                self.counts["doubles"] += 1
                raise Violation(f"move {ply + 1} of game {game.id} is in the log, and nobody sent it\n"
                                f"{self.told_of(game)}")

    def judge_end(self, game):
        why, _, at = game.end
        if why == "rules":
            return
        restarts = [run for run in self.runs[1:] if game.opened_at < run.started_at <= at]
        stoppings = [run for run in self.runs
                     if run.signal == "TERM" and run.signal_at - SLACK <= at <= (run.gone_at or at) + SLACK]
        able = [wire in RESUMABLE for wire in game.wires]
        if why == "interrupted":
            self.judge_interruption(game, restarts, at)
        elif why == "drained":
            if not stoppings or all(able):
                self.complain(game, "it was ended by a drain, and its players could have come back to it")
        elif why == "left":
            self.judge_leaving(game)
        elif why == "clock":
            self.judge_clock(game)
        else:
            self.complain(game, f"it ended for {why}")

    def judge_interruption(self, game, restarts, at):
        if not restarts:
            self.complain(game, "it was interrupted, and the hub was never away")
        since = restarts[-1].started_at
        # At once if a player cannot resume at all, or resigns.
        early = any(wire not in RESUMABLE for wire in game.wires) or any(
            (self.gave_up_at(game, seat) or 0) > since for seat in (0, 1))
        if not early and at < since + self.rejoin_seconds - SLACK:
            self.complain(game, f"it was interrupted before its players had {self.rejoin_seconds} s to come back")
        if all(self.was_there(name, since, at) for name in game.names):
            self.complain(game, "it was interrupted, and both players were back")

    def gave_up_at(self, game, seat):
        """When the player last left, in this game or with all its games; None if never."""
        times = [view.gave_up_at for view in game.views[seat]] + [self.gave_up.get(game.names[seat])]
        return max((at for at in times if at), default=None)

    def was_there(self, name, since, at):
        """Was connected from well after the hub's start and well before `at`, until after it."""
        return any(since < p.since < at - SLACK and (p.until is None or p.until > at + SLACK)
                   for p in self.presence.get(name, ()))

    def judge_leaving(self, game):
        winner = game.end[1]
        for seat in (0, 1):
            if winner == "XO"[seat] or not game.sure[seat] or not game.views[seat]:
                continue
            if not self.gave_up_at(game, seat):
                self.complain(game, f"seat {seat} lost because it left, and its client never did")

    def judge_clock(self, game):
        """A clock stands while its hub is away and while players are awaited, so a turn never takes less than its time."""
        _, winner, at = game.end
        since = game.moves[-1][2] if game.moves else game.opened_at
        if at < since + self.turn_seconds - SLACK:
            self.complain(game, f"it ended by the clock {at - since:.3f} s after the last move, and a turn has "
                                f"{self.turn_seconds} s")
        if winner != "OX"[len(game.moves) % 2]:
            self.complain(game, "it ended by the clock, and the winner is not who waited for a move")

    def complain(self, game, what):
        raise Violation(f"game {game.id}: {what}\n{self.told_of(game)}")

    def told_of(self, game):
        views = [view.story() for seat in (0, 1) for view in game.views[seat]]
        views += [view.story() for view in self.views if view.name in game.names]
        runs = "\n".join(f"hub started {moment(run.started_at)}, {run.signal} {moment(run.signal_at)}, "
                         f"gone {moment(run.gone_at)}" for run in self.runs[-8:])
        return "\n".join([game.story(), *views, runs])


class ClusterChecker(Checker):
    """For several hubs, whose runs overlap: a game moves when its hub ends or is paused, and it is not known which hub
    has it. So an end must fit to some hub that was stopped."""

    def __init__(self, rejoin_seconds, turn_seconds):
        super().__init__(rejoin_seconds, turn_seconds)
        self.all_views = []

    def add_view(self, view):
        super().add_view(view)
        self.all_views.append(view)

    def stopped_since(self, begin, end):
        """A hub that is told to drain while it takes games over hears of it about a second later, and opens games until
        then. So a stop lasts from its signal until its process is gone, or goes on."""
        return [run for run in self.runs if run.signal_at and run.signal_at <= end + SLACK
                and (run.gone_at is None or run.gone_at > begin - SLACK)]

    def judge_end(self, game):
        why, _, at = game.end
        stopped = self.stopped_since(game.opened_at, at)
        if why == "interrupted":
            self.judge_interruption_in_cluster(game, stopped, at)
        elif why == "drained":
            if not any(run.signal == "TERM" for run in stopped) or all(wire in RESUMABLE for wire in game.wires):
                self.complain(game, "it was ended by a drain, and its players could have come back to it")
        elif why == "left":
            self.judge_leaving_in_cluster(game, at)
        elif why == "clock":
            self.judge_clock(game)
        elif why != "rules":
            self.complain(game, f"it ended for {why}")

    def was_back(self, game, seat, since, at):
        """Was at a hub that must have this game. With other games open, the player may have been at the hub of those."""
        name = game.names[seat]
        if not self.was_there(name, since, at):
            return False
        elsewhere = any(other is not game and name in other.names and other.opened_at < at
                        and (other.end is None or other.end[2] > since) for other in self.games.values())
        return not elsewhere or any(view.boards and view.boards[-1][0] > since for view in game.views[seat])

    def judge_leaving_in_cluster(self, game, at):
        """A player that lost its connection may not find its hub in time, which was paused meanwhile."""
        winner = game.end[1]
        for seat in (0, 1):
            if winner == "XO"[seat] or not game.sure[seat] or self.gave_up_at(game, seat):
                continue
            if any((view.lost_at is None or view.lost_at > at + SLACK) and not self.was_paused_with_its_hub(view, at)
                   and not self.did_not_hear_its_hub_end(view, at) and not self.was_silent(view, at)
                   for view in game.views[seat]):
                self.complain(game, f"seat {seat} lost because it left, and its client was there")

    def was_paused_with_its_hub(self, view, at):
        """Its player was at another hub, which heard that this one is adopted before its connection ended with it."""
        return view.lost_at is not None and any(
            run.signal == "STOP" and run.signal_at <= at + SLACK and run.gone_at is not None
            and view.lost_at <= run.gone_at + SLACK for run in self.runs)

    def did_not_hear_its_hub_end(self, view, at):
        """A hub that drains hands the game over and passes on what its client sends as long as its drain takes. A client of
        UDP does not hear of the end, and others late, if this process is busy."""
        return view.wire not in RESUMABLE and any(
            run.hub == view.home and run.signal_at and run.signal_at <= at + SLACK
            and (run.gone_at is None or run.gone_at >= view.boards[-1][0] - SLACK) for run in self.runs)

    @staticmethod
    def was_silent(view, at):
        """This process was busy for that time."""
        return view.wire == "udp" and at - view.boards[-1][0] >= UDP_SILENCE_MAX - SLACK

    def judge_interruption_in_cluster(self, game, stopped, at):
        if not stopped:
            self.complain(game, "it was interrupted, and no hub was away")
        early = any(wire not in RESUMABLE for wire in game.wires) or any(
            (self.gave_up_at(game, seat) or 0) > game.opened_at for seat in (0, 1))
        if not early and at < min(run.signal_at for run in stopped) + self.rejoin_seconds - SLACK:
            self.complain(game, f"it was interrupted before its players had {self.rejoin_seconds} s to come back")
        # The time to come back began at an adoption after this.
        since = max(run.signal_at for run in stopped)
        if all(self.was_back(game, seat, since, at) for seat in (0, 1)):
            self.complain(game, "it was interrupted, and both players were back")


def moment(at):
    return "-" if at is None else stamp(at)
