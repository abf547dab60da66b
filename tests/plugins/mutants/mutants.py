"""Engines that each violate the contract once: python3 mutants.py NAME.

tests/system/mutants_test.cpp has the finding for each name. "none-board", "none-cards" and "none-hands" are the games
before they are mutated.
"""

import os
import random
import sys
import time

import gamehub_engine as sdk
from gamehub_engine import CHANCE, Game, Refused, run

NAME = sys.argv[1]
ENGINE = sdk._Engine


class Board(Game):
    """Three in a line on nine cells."""

    id, title = NAME, "Mutant"
    rows = columns = 3
    marks = "XO"
    actions_max = plies_max = 9

    def set_up(self, options):
        self.board = [None] * 9
        self.mover = 0
        self.winner = None

    def to_move(self):
        return () if self.winner is not None or None not in self.board else self.mover

    def legal_actions(self, seat):
        return [at for at in range(9) if self.board[at] is None]

    def refusal(self, seat, action):
        return "space-not-empty"

    def apply(self, seat, action):
        self.board[action] = seat
        self.mover = 1 - seat
        if self.line_length(self.board, action) >= 3:
            self.winner = seat

    def scores(self):
        return [0, 0] if self.winner is None else [1, -1] if self.winner == 0 else [-1, 1]

    def cell(self, viewer, number):
        return self.board[number]


class Cards(Game):
    """Chance deals each of two seats one of four cards, both bet or pass, the higher card wins."""

    id, title = NAME, "Mutant"
    actions_max, plies_max = 4, 4
    perfect_information, has_chance = False, True

    def set_up(self, options):
        self.cards = []
        self.said = []

    def to_move(self):
        return CHANCE if len(self.cards) < 2 else len(self.said) if len(self.said) < 2 else ()

    def chance_outcomes(self):
        return {card: 1 for card in range(4) if card not in self.cards}

    def legal_actions(self, seat):
        return [0, 1]

    def apply(self, seat, action):
        (self.cards if seat == CHANCE else self.said).append(action)

    def audience(self, seat, action):
        return [len(self.cards)] if seat == CHANCE else None

    def scores(self):
        return [1, -1] if self.cards[0] > self.cards[1] else [-1, 1]

    def view(self, viewer):
        own = self.cards[viewer : viewer + 1] if viewer >= 0 else []
        return {"card": own, "dealt": len(self.cards), "said": self.said}


class Hands(Game):
    """Both seats choose one of three at the same time, twice."""

    id, title = NAME, "Mutant"
    actions_max, plies_max = 3, 4
    simultaneous = True

    def set_up(self, options):
        self.chosen = [None, None]
        self.before = []

    def to_move(self):
        return [seat for seat in (0, 1) if self.chosen[seat] is None and len(self.before) < 2]

    def legal_actions(self, seat):
        return [0, 1, 2]

    def apply(self, seat, action):
        self.chosen[seat] = action
        if None not in self.chosen:
            self.before, self.chosen = [*self.before, self.chosen], [None, None]

    def audience(self, seat, action):
        return [] if self.chosen[1 - seat] is None else None

    def scores(self):
        return [0, 0]

    def view(self, viewer):
        chosen = [mine if seat == viewer else None for seat, mine in enumerate(self.chosen)]
        return {"chosen": chosen, "waiting": self.to_move(), "before": self.before}


MUTANTS = {"none-board": (Board, {}), "none-cards": (Cards, {}), "none-hands": (Hands, {})}
# What the SDK prevents: functions of the SDK to replace, as in a program that is written without it.
WITHOUT_SDK = {}


def mutant(base, **constants):
    """The function is that member of the base; its name is MEMBER__NAME-OF-THE-MUTANT."""

    def keep(function):
        member, name = function.__name__.split("__")
        MUTANTS[name.replace("_", "-")] = (base, {member: function, **constants})

    return keep


def without_sdk(base):
    def keep(function):
        member, name = function.__name__.split("__")
        MUTANTS[name.replace("_", "-")] = (base, {})
        WITHOUT_SDK[name.replace("_", "-")] = (member, function)

    return keep


# The state is not only that of the match.


@mutant(Board)
def apply__random_apply(self, seat, action):
    Board.apply(self, seat, random.choice(Board.legal_actions(self, seat)))


@mutant(Board)
def apply__clock(self, seat, action):
    Board.apply(self, seat, action)
    self.at = time.monotonic_ns()


SHARED = []


@mutant(Board)
def apply__shared_state(self, seat, action):
    SHARED.append(action)
    Board.apply(self, seat, action)
    self.winner = 0 if len(SHARED) % 50 == 49 else self.winner


@mutant(Board)
def apply__not_restored(self, seat, action):
    # After a load or a clone the memory of it is lost.
    KEPT.setdefault(id(self), []).append(action)
    Board.apply(self, seat, action)
    if len(KEPT[id(self)]) == 4:
        self.winner = 0


KEPT = {}


@mutant(Board)
def set_up__other_process(self, options):
    Board.set_up(self, options)
    self.process = os.getpid()


@mutant(Board)
def view__view_changes_state(self, viewer):
    self.seen = getattr(self, "seen", 0) + 1
    return Board.view(self, viewer)


@mutant(Board)
def set_up__state_is_no_json(self, options):
    Board.set_up(self, options)
    self.board = {1, 2}


@mutant(Board)
def apply__keys_are_no_text(self, seat, action):
    Board.apply(self, seat, action)
    self.taken = getattr(self, "taken", {action: seat})
    self.taken[next(iter(self.taken))] += next(key for key in self.taken if isinstance(key, int))


@mutant(Board)
def apply__hash_unchanged(self, seat, action):
    self.moves = 0


@without_sdk(Hands)
def put_state__hash_misses_field(self, out, number, match):
    whole = sdk._save
    # The hash without what each seat has chosen, but that it has.
    sdk._save = lambda m: whole(m).__class__(sdk.hashlib.blake2b(repr((m.before, m.to_move())).encode()).digest())
    PUT_STATE(self, out, number, match)
    sdk._save = whole


PUT_STATE = ENGINE.put_state


# What is legal.


@mutant(Board)
def apply__refuses_legal(self, seat, action):
    if action == 8:
        raise Refused("space-not-empty")
    Board.apply(self, seat, action)


@without_sdk(Board)
def legal__lists_too_few(self, match, seat):
    # apply() takes the others, too.
    asked_by = sys._getframe(1).f_code.co_name
    legal = LEGAL(self, match, seat)
    return legal if asked_by == "apply" else legal[:-1] or legal


LEGAL = ENGINE.legal


@without_sdk(Board)
def apply__accepts_illegal(self, match, seat, action):
    if 0 <= action < 9 and match.to_move() != ():
        match.apply(match.to_move(), action)
    else:
        APPLY(self, match, seat, action)


APPLY = ENGINE.apply


@without_sdk(Board)
def apply__refusal_changes_state(self, match, seat, action):
    try:
        APPLY(self, match, seat, action)
    except Refused:
        match.mover = 1 - match.mover
        raise


@mutant(Board)
def legal_actions__twice(self, seat):
    return Board.legal_actions(self, seat) * 2


@mutant(Board)
def legal_actions__none_legal(self, seat):
    return Board.legal_actions(self, seat)[3:]


@mutant(Board, actions_max=8)
def apply__actions_max(self, seat, action):
    Board.apply(self, seat, action)


@mutant(Board, plies_max=6)
def apply__plies_max(self, seat, action):
    Board.apply(self, seat, action)


@mutant(Board, state_bytes_max=30)
def apply__state_bytes_max(self, seat, action):
    Board.apply(self, seat, action)


@mutant(Board)
def refusal__reason_is_no_word(self, seat, action):
    return "Space not empty!"


# Who is to move.


@mutant(Board)
def to_move__seat_that_is_not_there(self):
    return 2 if self.board[4] is not None else Board.to_move(self)


@mutant(Board)
def to_move__never_ends(self):
    return self.mover


@mutant(Board)
def to_move__never_begins(self):
    return ()


@mutant(Board)
def to_move__both(self):
    return Board.to_move(self) if Board.to_move(self) == () else (0, 1)


@mutant(Board)
def to_move__at_random(self):
    return Board.to_move(self) if Board.to_move(self) == () else random.choice((0, 1))


# Hidden information, and draws of chance.


@mutant(Cards)
def view__leaks_card(self, viewer):
    return Cards.view(self, 0 if viewer == 1 else viewer)


@mutant(Cards)
def view__leaks_to_spectators(self, viewer):
    return {**Cards.view(self, viewer), "sum": sum(self.cards)}


@mutant(Cards)
def audience__tells_everyone(self, seat, action):
    return None


@mutant(Cards)
def legal_actions__leaks_by_actions(self, seat):
    return [0, 1] if self.cards[1 - seat] < 2 else [0]


@mutant(Hands)
def view__leaks_choice(self, viewer):
    return {"chosen": self.chosen, "before": self.before}


@mutant(Board)
def audience__secret_in_the_open(self, seat, action):
    return []


@mutant(Cards)
def chance_outcomes__no_weight(self):
    return {card: card for card in range(4) if card not in self.cards}


@mutant(Cards)
def chance_outcomes__no_draws(self):
    return {}


# Text, JSON and views.


@without_sdk(Board)
def parsed__text_of_another(self, function, text, cell):
    value = PARSED(self, function, text, cell)
    return 8 - value if function == "action_from_text" else value


@without_sdk(Board)
def parsed__json_of_another(self, function, text, cell):
    value = PARSED(self, function, text, cell)
    return 8 - value if function == "action_from_json" else value


@without_sdk(Board)
def parsed__cell_of_another(self, function, text, cell):
    value = PARSED(self, function, text, cell)
    return 8 - value if function == "action_at" else value


@without_sdk(Board)
def parsed__takes_any_text(self, function, text, cell):
    try:
        return PARSED(self, function, text, cell)
    except Refused:
        return 0


PARSED = ENGINE.parsed


@without_sdk(Board)
def carry_out__loads_another(self, kind, number, seat, value, text):
    return CARRY_OUT(self, "create", number, seat, 0, b"") if kind == "load" else CARRY_OUT(
        self, kind, number, seat, value, text
    )


@without_sdk(Board)
def carry_out__clones_the_start(self, kind, number, seat, value, text):
    return CARRY_OUT(self, "create", number, seat, 0, b"") if kind == "clone" else CARRY_OUT(
        self, kind, number, seat, value, text
    )


CARRY_OUT = ENGINE.carry_out


# The request `play`.


@without_sdk(Board)
def play__play_of_another(self, number, copy, seat, action):
    free = self.legal(self.matches[number], seat)
    PLAY(self, number, copy, seat, free[-1] if action in free else action)


@without_sdk(Board)
def play__play_changes_match(self, number, copy, seat, action):
    match = self.matches[number]
    self.apply(match, seat, action)
    self.matches[copy] = match


@without_sdk(Board)
def play__play_fails(self, number, copy, seat, action):
    boom(self)


PLAY = ENGINE.play


@mutant(Board)
def view__no_object(self, viewer):
    return self.board


@mutant(Board)
def cell__mark_of_no_seat(self, viewer, number):
    return 2 if number == 8 else self.board[number]


# Scores.


@mutant(Board)
def scores__too_many(self):
    return [0, 0, 0]


@mutant(Board)
def scores__no_number(self):
    return [float("nan"), 0]


@mutant(Board)
def scores__scores_change(self):
    SHARED.append(0)
    return [len(SHARED) % 2, 0]


# An exception in each function, and calls that do not return a result in time.


def boom(self, *_):
    raise ValueError("boom")


for at in ("set_up", "to_move", "legal_actions", "apply", "scores", "view", "cell", "refusal", "audience"):
    MUTANTS["throws-in-" + at.replace("_", "-")] = (Board, {at: boom})
MUTANTS["throws-in-chance-outcomes"] = (Cards, {"chance_outcomes": boom})


@mutant(Board)
def apply__slow(self, seat, action):
    time.sleep(0.3)
    Board.apply(self, seat, action)


@mutant(Board)
def apply__hangs(self, seat, action):
    while True:
        pass


@mutant(Board)
def apply__exits(self, seat, action):
    os._exit(3)


@mutant(Board)
def view__recurses(self, viewer):
    return self.view(viewer)


@mutant(Board)
def apply__prints(self, seat, action):
    print("hello")
    Board.apply(self, seat, action)


if __name__ == "__main__":
    if NAME == "--list":
        sys.exit(print(*MUTANTS, sep="\n"))
    if NAME in WITHOUT_SDK:
        setattr(ENGINE, *WITHOUT_SDK[NAME])
    base, members = MUTANTS[NAME]
    run(type("Mutant", (base,), members))
