"""The checker, tested with a small correct hub and with every violation that it must find."""
import copy
import json
import random
import unittest

import rules
import views
import waits
from bots import Bots
from checker import Checker, ClusterChecker, Presence, Run, Violation
from clients import NO_RESULT, World

START = 1_700_000_000.0


def written(at):
    import datetime
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"


class Story:
    """One run of a correct hub: games with the views of both players, and the export."""

    def __init__(self, seed=1, games=30, checker=Checker):
        self.luck, self.now = random.Random(seed), START
        self.checker, self.exported, self.views = checker(rejoin_seconds=3, turn_seconds=20), [], []
        self.checker.runs.append(Run(START))
        views.time.time = lambda: self.now
        for number in range(1, games + 1):
            self.game(number)

    def tick(self):
        self.now += self.luck.uniform(0.001, 0.2)
        return self.now

    def game(self, number):
        engine = self.luck.choice(["tictactoe", "connect-four"]) if number % 2 else "tictactoe"
        wires = ["turns", "turns"] if number % 2 else ["turns", "opcodes"]
        names = [f"t{number}-{seat}" if wires[seat] == "turns" else f"client-{number}" for seat in (0, 1)]
        asked, self.records = self.tick(), []
        told = {"game": number, "engine": engine, "version": "1.0.0", "state": "open", "opened": written(self.tick()),
                "seats": [{"seat": seat, "name": names[seat], "wire": wires[seat]} for seat in (0, 1)],
                "records": self.records}
        self.log("opened")
        for seat, name in enumerate(names):
            self.log("joined", seat=seat, name=name)
        both = [views.View(wires[seat], number, names[seat] if wires[seat] == "turns" else None, 1, asked, engine, seat)
                for seat in (0, 1)]
        self.play(told, both)
        for view in both:
            if view.boards:
                self.views.append(view)
                self.checker.add_view(view)
        self.exported.append(told)

    def log(self, what, **more):
        self.records.append({"number": len(self.records) + 1, "time": written(self.tick()), "what": what, **more})

    def play(self, told, both):
        game = rules.GAMES[told["engine"]]
        board = rules.empty(game)
        both[0].told(board)
        if both[1].wire == "turns":
            both[1].told(board)
        while not rules.over(game, board):
            seat = rules.pieces(board) % 2
            action = self.luck.choice(game.legal(board))
            self.tick()
            if both[seat].wire != "turns" and both[seat].board != board:
                both[seat].told(board)
            move = both[seat].play(action)
            self.log("moved", seat=seat, action=action)
            board = rules.after(game, board, action)
            self.tick()
            move.answer(True)
            for at, view in enumerate(both):
                if view.wire == "turns" or at != seat or rules.over(game, board):
                    view.told(board)
        mark = rules.winner(game, board)
        self.log("ended", reason="rules", winner="XO".index(mark) if mark else None)
        told["state"] = "ended"
        for view in both:
            view.end(mark or "draw")

    def lines(self):
        return [json.dumps(told, separators=(",", ":")).encode() + b"\n" for told in self.exported]

    def check(self, final=True):
        self.now += 100
        self.checker.check(self.lines(), self.now, final)

    def records_of(self, what):
        return [(told, record) for told in self.exported for record in told["records"] if record["what"] == what]


class CheckerTest(unittest.TestCase):
    def lies(self, mutate, about, games=30):
        story = Story(games=games)
        mutate(story)
        with self.assertRaises(Violation) as found:
            story.check()
        self.assertRegex(str(found.exception), about)

    def test_believes_an_honest_hub(self):
        for seed in range(20):
            story = Story(seed)
            story.check(final=False)
            story.check()
            self.assertEqual(story.checker.counts["losses"] + story.checker.counts["doubles"], 0)
            self.assertEqual(story.checker.counts["views"], len(story.views))

    def test_finds_every_single_move_that_is_missing(self):
        for number in range(len(Story(games=4).records_of("moved"))):
            def drop(story, number=number):
                told, record = story.records_of("moved")[number]
                told["records"].remove(record)
                for place, each in enumerate(told["records"], 1):
                    each["number"] = place
            self.lies(drop, "game", games=4)

    def test_finds_a_last_move_that_was_told_and_not_logged(self):
        def cut(story):
            told = story.exported[2]
            told["state"] = "open"
            del told["records"][-2:]
            for view in story.views:
                if view.client == told["game"]:
                    view.result = view.result_at = None
        self.lies(cut, "which is not in the log|the log has None")

    def test_finds_a_game_that_is_missing(self):
        self.lies(lambda story: story.exported.pop(0), "no game in the journal")
        self.lies(lambda story: story.exported.pop(1), "no game in the journal|more clients")

    def test_finds_a_nameless_game_that_two_were_told_of(self):
        def double(story):
            first = next(v for v in story.views if v.name is None)
            twin = views.View(first.wire, 99, None, 1, first.asked_at, first.engine, first.seat)
            twin.boards, twin.result, twin.result_at = first.boards, first.result, first.result_at
            story.checker.add_view(twin)
        self.lies(double, "more clients were told")

    def test_finds_a_game_that_vanishes_or_changes_later(self):
        for final in (False, True):
            story = Story()
            story.check(final)
            told = story.exported[0]
            story.exported.remove(told)
            self.assertRaisesRegex(Violation, "is not any more", story.check)
            story.exported.append({**told, "version": "1.0.1"})
            self.assertRaisesRegex(Violation, "changed after its end", story.check)

    def test_finds_an_open_game_that_is_shorter_than_it_was(self):
        story = Story(games=1)
        told = story.exported[0]
        story.checker.views.clear()
        told["state"], told["records"] = "open", told["records"][:6]
        story.check(final=False)
        told["records"] = told["records"][:5]
        self.assertRaisesRegex(Violation, "does not go on", story.check)

    def test_finds_numbers_that_are_missing_or_double(self):
        def renumber(story):
            story.exported[3]["records"][4]["number"] += 1
        self.lies(renumber, "has the number")

        def twice(story):
            records = story.exported[3]["records"]
            records.insert(4, dict(records[4]))
        self.lies(twice, "has the number")
        self.lies(lambda story: story.exported.append(story.exported[0]), "twice")

    def test_finds_a_move_that_nobody_sent(self):
        def forget(story):
            view = next(v for v in story.views if v.name and v.sent)
            view.sent.pop()
        self.lies(forget, "nobody sent it")

    def test_finds_another_result(self):
        def turn(story):
            view = story.views[0]
            view.result = {"X": "O", "O": "X", "draw": "none", "none": "draw"}[view.result]
        self.lies(turn, "was told the result")

    def test_finds_a_winner_that_did_not_win(self):
        def turn(story):
            _, record = next((t, r) for t, r in story.records_of("ended") if r["winner"] is not None)
            record["winner"] = 1 - record["winner"]
        self.lies(turn, "the winner is")

    def comes_back(self, shown_from, ends=False):
        """The first player of game 1 loses its connection in the middle and then receives the board after that many
        moves."""
        story = Story(seed=3, games=1)
        view = story.views[0]
        cut = len(view.boards) // 2
        back = views.View(view.wire, view.client, view.name, 2, view.boards[cut][0], view.engine, view.seat,
                          resumed=True)
        back.boards = view.boards[shown_from(cut):]
        back.result, back.result_at = view.result, view.result_at
        view.boards = view.boards[:cut]
        back.sent = [m for m in view.sent if m.ply >= cut - 1]
        view.sent = [m for m in view.sent if m.ply < cut - 1]
        if not ends:
            view.result = view.result_at = None
        view.lost_at = view.boards[-1][0]
        story.checker.add_view(back)
        return story

    def test_believes_a_player_that_came_back(self):
        story = self.comes_back(lambda cut: cut - 1)
        story.check()
        self.assertEqual(story.checker.counts["resumed"], 1)

    def test_finds_a_player_that_came_back_to_less(self):
        self.assertRaisesRegex(Violation, "moves before it came back", self.comes_back(lambda cut: cut - 2).check)

    def test_finds_a_game_that_goes_on_after_its_end_was_told(self):
        story = self.comes_back(lambda cut: cut - 1, ends=True)
        self.assertRaises(Violation, story.check)

    def stopped(self, why, wires=("turns", "turns"), stop="KILL", end_after=4.0, checker=Checker):
        """Game 1 has two moves when the hub is stopped, and then ends for `why`."""
        story = Story(seed=1, games=1, checker=checker)
        told = story.exported[0]
        del told["records"][5:]
        for seat, view in enumerate(story.views):
            view.wire = told["seats"][seat]["wire"] = wires[seat]
            view.name = view.name if view.wire == "turns" else None
            view.boards, view.sent = view.boards[:3], [m for m in view.sent if m.ply < 2]
            view.result = view.result_at = None
            view.lost_at = story.now
        run = story.checker.runs[-1]
        run.signal, run.signal_at = stop, story.now + 1
        run.gone_at = ready = story.now + 2
        story.checker.runs.append(Run(ready))
        story.records, story.now = told["records"], ready + end_after
        story.log("ended", reason=why, winner=None)
        return story, ready

    def test_believes_an_interruption_of_who_did_not_come_back(self):
        for wires in [("turns", "opcodes"), ("turns", "turns")]:
            story, ready = self.stopped("interrupted", wires)
            story.checker.presence["t1-0"].append(Presence(ready + 0.1))
            story.check()

    def test_believes_an_interruption_by_who_left_before_it_heard_of_the_game(self):
        story, ready = self.stopped("interrupted", end_after=1.0)
        story.checker.gave_up["t1-0"] = ready + 0.5
        story.check()

    def test_finds_an_interruption_that_was_none(self):
        story, ready = self.stopped("interrupted")
        for name in ("t1-0", "t1-1"):
            story.checker.presence[name].append(Presence(ready + 0.1))
        self.assertRaisesRegex(Violation, "both players were back", story.check)
        story, _ = self.stopped("interrupted", end_after=1.0)
        self.assertRaisesRegex(Violation, "to come back", story.check)
        story, ready = self.stopped("interrupted", end_after=1.0)
        story.checker.gave_up["t1-0"] = ready - 0.5
        self.assertRaisesRegex(Violation, "to come back", story.check)
        story, _ = self.stopped("interrupted")
        del story.checker.runs[1:]
        self.assertRaisesRegex(Violation, "never away", story.check)

    def test_finds_a_game_that_neither_goes_on_nor_ends(self):
        story, _ = self.stopped("interrupted")
        story.exported[0]["records"].pop()
        story.exported[0]["state"] = "open"
        story.check(final=False)
        self.assertRaisesRegex(Violation, "neither went on nor ended", story.check)

    def test_finds_a_drain_that_ends_what_it_should_park(self):
        parkable = self.stopped("drained", stop="TERM", end_after=-0.7)[0]
        self.assertRaisesRegex(Violation, "ended by a drain", parkable.check)
        mixed = ("turns", "opcodes")
        self.stopped("drained", mixed, stop="TERM", end_after=-0.7)[0].check()
        self.assertRaisesRegex(Violation, "ended by a drain", self.stopped("drained", mixed)[0].check)

    def test_finds_reasons_that_have_no_place_here(self):
        for why in ("failed", "operator"):
            self.assertRaisesRegex(Violation, "it ended for", self.stopped(why)[0].check)

    def test_finds_a_player_that_lost_by_leaving_and_never_left(self):
        def leave(story):
            told = story.exported[0]
            del told["records"][5:]
            story.records = told["records"]
            story.log("ended", reason="left", winner=0)
            for view in [v for v in story.views if v.client == 1]:
                view.boards, view.sent = view.boards[:3], [m for m in view.sent if m.ply < 2]
                view.result = "X"
        self.lies(leave, "its client never did")

    @staticmethod
    def out_of_time(seconds, winner=1, checker=Checker):
        """Seat 0 does not make its second move."""
        story = Story(games=1, checker=checker)
        told = story.exported[0]
        del told["records"][5:]
        story.records, story.now = told["records"], START + 5
        story.records[-1]["time"] = written(story.now)
        for view in story.views:
            view.boards, view.sent = view.boards[:3], [m for m in view.sent if m.ply < 2]
            for move in view.sent:
                move.answered_at = move.answered_at if move.ply < 1 else story.now
        story.now += seconds
        story.log("ended", reason="clock", winner=winner)
        for view in story.views:
            view.end("XO"[winner])
        return story

    def test_believes_an_end_by_the_clock_when_the_turn_took_its_time(self):
        for checker in (Checker, ClusterChecker):
            self.out_of_time(20, checker=checker).check()

    def test_finds_an_end_by_the_clock_too_early_and_of_who_waits(self):
        for checker in (Checker, ClusterChecker):
            self.assertRaisesRegex(Violation, "a turn has 20 s", self.out_of_time(15, checker=checker).check)
            self.assertRaisesRegex(Violation, "who waited for a move", self.out_of_time(20, 0, checker).check)

    # A cluster: any hub that was stopped may have had the game.

    def stopped_in_cluster(self, why, **how):
        return self.stopped(why, **{"checker": ClusterChecker, **how})

    def test_believes_an_honest_cluster(self):
        story = Story(3, checker=ClusterChecker)
        # Another hub, which is stopped and comes back meanwhile.
        other = Run(START - 1)
        other.signal, other.signal_at, other.gone_at = "KILL", START + 2, START + 2.1
        story.checker.runs.extend([other, Run(START + 3)])
        story.check()
        for how in ("KILL", "STOP", "TERM", "no signal"):
            story, ready = self.stopped_in_cluster("interrupted", stop=how)
            story.checker.presence["t1-0"].append(Presence(ready + 0.1))
            story.check()

    def test_finds_an_interruption_in_a_cluster_that_was_none(self):
        story, _ = self.stopped_in_cluster("interrupted")
        story.checker.runs[0].signal_at = None
        self.assertRaisesRegex(Violation, "no hub was away", story.check)
        story, ready = self.stopped_in_cluster("interrupted")
        for name in ("t1-0", "t1-1"):
            story.checker.presence[name].append(Presence(ready + 0.1))
        self.assertRaisesRegex(Violation, "both players were back", story.check)
        story, _ = self.stopped_in_cluster("interrupted", end_after=0.5)
        self.assertRaisesRegex(Violation, "to come back", story.check)

    def with_another_game(self):
        """Both players were back, and one has a second game, which may be at another hub."""
        story, ready = self.stopped_in_cluster("interrupted")
        for name in ("t1-0", "t1-1"):
            story.checker.presence[name].append(Presence(ready + 0.1))
        second = copy.deepcopy(story.exported[0])
        second.update(game=9_999, state="open")
        second["seats"][1]["name"] = "another"
        second["records"].pop()
        story.exported.append(second)
        return story, ready

    def test_believes_that_a_player_was_back_at_the_hub_of_another_game(self):
        story, _ = self.with_another_game()
        story.check(final=False)
        # It was told of this one, too.
        story, ready = self.with_another_game()
        for view in story.views:
            if view.client == 1 and view.seat == 0:
                view.boards.append((ready + 0.2, view.board))
                view.lost_at = story.now
        self.assertRaisesRegex(Violation, "both players were back", lambda: story.check(final=False))

    def test_finds_a_hub_of_a_cluster_that_tells_of_an_end_that_is_not_in_the_log(self):
        story, _ = self.stopped_in_cluster("interrupted", wires=("turns", "opcodes"), stop="STOP")
        story.views[1].lost_at = None
        story.views[1].end("none", with_board=False)
        story.exported[0]["state"] = "open"
        story.exported[0]["records"].pop()
        self.assertRaisesRegex(Violation, "the log has no end", lambda: story.check(final=False))

    def test_finds_a_drain_in_a_cluster_that_ends_what_another_hub_could_have(self):
        self.stopped_in_cluster("drained", wires=("turns", "opcodes"), stop="TERM")[0].check()
        for how in ({"stop": "TERM"}, {"wires": ("turns", "opcodes"), "stop": "KILL"}):
            self.assertRaisesRegex(Violation, "ended by a drain", self.stopped_in_cluster("drained", **how)[0].check)
        self.assertRaisesRegex(Violation, "it ended for failed", self.stopped_in_cluster("failed")[0].check)

    def test_believes_a_drain_that_was_asked_for_before_the_game_began(self):
        for gone_at, wrong in ((START + 5, False), (START - 0.9, True)):
            story, _ = self.stopped_in_cluster("drained", wires=("turns", "opcodes"), stop="TERM")
            story.checker.runs[0].signal_at, story.checker.runs[0].gone_at = START - 1, gone_at
            if wrong:
                self.assertRaisesRegex(Violation, "ended by a drain", story.check)
            else:
                story.check()

    def test_finds_a_player_in_a_cluster_that_lost_by_leaving_and_was_there(self):
        for lost_at, wrong in ((None, True), (-1.0, False)):
            story, _ = self.stopped_in_cluster("left")
            story.exported[0]["records"][-1]["winner"] = 0
            for view in story.views:
                view.result, view.result_at = "X", story.now
                view.lost_at = lost_at and story.now + lost_at
            if wrong:
                self.assertRaisesRegex(Violation, "its client was there", story.check)
            else:
                story.check()

    def test_believes_a_player_that_lost_because_the_hub_of_its_client_was_paused(self):
        for stop, gone_after, wrong in (("STOP", 5, False), ("STOP", 3, True), ("KILL", 5, True)):
            story, _ = self.stopped_in_cluster("left")
            story.exported[0]["records"][-1]["winner"] = 0
            paused = Run(START - 1)
            paused.signal, paused.signal_at, paused.gone_at = stop, story.now - 2, story.now + gone_after
            story.checker.runs.append(paused)
            for view in story.views:
                view.result, view.result_at = "X", story.now
                view.lost_at = story.now + 4.5
            if wrong:
                self.assertRaisesRegex(Violation, "its client was there", story.check)
            else:
                story.check()

    def test_believes_a_player_that_can_not_come_back_and_whose_hub_has_drained(self):
        for wire, hub, signal_after, wrong in (("udp", 2, -2, False), ("opcodes", 2, -2, False), ("udp", 2, 2, True),
                                               ("udp", 1, -2, True), ("turns", 2, -2, True)):
            story, _ = self.stopped_in_cluster("left")
            story.exported[0]["records"][-1]["winner"] = 0
            drained = Run(START - 1, 2)
            drained.signal, drained.signal_at, drained.gone_at = "TERM", story.now + signal_after, story.now + 3
            story.checker.runs.append(drained)
            for view in story.views:
                view.wire, view.home = wire, 2 if hub == 2 else 3
                view.result, view.result_at = "X", story.now
                view.lost_at = story.now + 2.5
            if wrong:
                self.assertRaisesRegex(Violation, "its client was there", story.check)
            else:
                story.check()

    def test_believes_a_client_of_udp_that_was_silent_for_half_a_minute(self):
        for wire, silent, wrong in (("udp", 31, False), ("udp", 20, True), ("opcodes", 31, True)):
            story, _ = self.stopped_in_cluster("left", stop="no signal", end_after=silent)
            story.exported[0]["records"][-1]["winner"] = 0
            for view in story.views:
                view.wire, view.home = wire, 3
                view.result, view.result_at = "X", story.now
                view.lost_at = story.now + 2.5
            if wrong:
                self.assertRaisesRegex(Violation, "its client was there", story.check)
            else:
                story.check()

    def test_finds_what_two_hubs_told_differently(self):
        """A hub that goes on telling after another one has taken its game over."""
        def tell(story):
            game, seat = story.views[0].game, story.views[0]
            other = rules.after(game, rules.empty(game), next(
                a for a in game.legal(rules.empty(game)) if rules.after(game, rules.empty(game), a) != seat.boards[1][1]))
            seat.boards[1] = (seat.boards[1][0], other)
        story = Story(games=1, checker=ClusterChecker)
        tell(story)
        self.assertRaisesRegex(Violation, "which is not in the log", story.check)

    def test_finds_a_game_of_bots_that_ends_while_they_answer(self):
        """The log has the time in whole milliseconds, and the bots stop in the middle of one."""
        for ends_before, lost in ((0, 0), (0.001, 1)):
            story = Story(games=1)
            told = story.exported[0]
            for seat in told["seats"]:
                seat["wire"] = "jsonrpc"
            del told["records"][-2:]
            bots = Bots(World(1, story.checker, [], 0), 2)
            bots.listener, story.now = Listener(), START + 5.1234
            told["records"].append({"number": len(told["records"]) + 1, "what": "ended", "reason": "left", "winner": 0,
                                    "time": written(story.now - ends_before)})
            bots.stop()
            bots.judge(story.lines())
            self.assertEqual(bots.world.failures["bots", NO_RESULT], lost)


class Listener:
    def close(self):
        pass


class WaitsTest(unittest.TestCase):
    """One move of a client at hub 0, sent at 10 s and answered at 13 s."""

    def waits(self, runs=(), outages=(), cuts=(), wire="turns", answered_at=START + 13, lost_at=None):
        story = Story(games=0)
        view = views.View(wire, 1, "one", 1, START, "tictactoe")
        story.now = START + 1
        view.told("---------")
        story.now = START + 10
        move = view.play(4)
        move.answered_at, view.lost_at = answered_at, lost_at
        return waits.waits_of([view], list(runs), list(outages), list(cuts))

    @staticmethod
    def run_of(hub, signal_at, gone_at):
        run = Run(START, hub)
        run.signal, run.signal_at, run.gone_at = "KILL", signal_at and START + signal_at, gone_at and START + gone_at
        return run

    def test_counts_a_wait_until_its_answer(self):
        self.assertEqual({"all": [3], "stopped": [], "links": [], "database": []}, self.waits([self.run_of(0, None, None)]))

    def test_counts_a_wait_until_its_connection_ends(self):
        self.assertEqual([5], self.waits(answered_at=None, lost_at=START + 15)["all"])
        self.assertEqual([], self.waits(answered_at=None)["all"])

    def test_counts_a_wait_while_another_hub_was_stopped(self):
        for signal_at, gone_at, found in ((11, 12, [3]), (11, None, [3]), (9, 11, []), (14, 15, [])):
            self.assertEqual(found, self.waits([self.run_of(1, signal_at, gone_at)])["stopped"])

    def test_leaves_out_a_wait_while_its_own_hub_was_stopped(self):
        for signal_at, gone_at, found in ((11, 12, []), (9, 11, []), (9, None, []), (5, 9, [3]), (14, 15, [3])):
            self.assertEqual(found, self.waits([self.run_of(0, signal_at, gone_at)])["all"])

    def test_shows_no_percentile_above_the_longest_wait(self):
        self.assertIn("p99 3.990, most 4.000", waits.row([3, 4]))

    def test_leaves_out_a_wire_whose_client_does_not_know_its_hub(self):
        self.assertEqual([], self.waits(wire="http")["all"])

    def test_names_a_wait_while_links_were_cut(self):
        for cut, found in (((START + 9, START + 11), [3]), ((START + 2, START + 9), [])):
            waited = self.waits([self.run_of(1, 11, 12)], cuts=[cut])
            self.assertEqual(([3], found, [] if found else [3]), (waited["all"], waited["links"], waited["stopped"]))

    def test_counts_a_wait_for_the_database_apart(self):
        for outage, found in (((START + 9, START + 11), [3]), ((START + 12, START + 20), [3]), ((START + 2, START + 9), [])):
            self.assertEqual(found, self.waits([self.run_of(1, 11, 12)], [outage])["database"])
            self.assertEqual([] if found else [3], self.waits([self.run_of(1, 11, 12)], [outage])["stopped"])


if __name__ == "__main__":
    unittest.main()
