"""A game as `gamehub journal export` writes it, replayed by a second implementation of the rules."""
import datetime
import json
import re

import rules

GAME_NUMBER = re.compile(rb'^\{"game":(\d+)')


class Broken(Exception):
    """A log that no correct hub writes."""


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def number_of(line):
    found = GAME_NUMBER.match(line)
    return int(found.group(1)) if found else int(json.loads(line)["game"])


class Game:
    def __init__(self, line):
        told = json.loads(line)
        self.line = line.decode() if isinstance(line, bytes) else line
        self.id, self.engine, self.state = int(told["game"]), told["engine"], told["state"]
        self.records = told["records"]
        self.names, self.wires = [None, None], [None, None]
        self.moves = []          # (seat, action, at)
        self.end = None          # (why, winner's mark or None, at)
        self.rules = rules.GAMES[self.engine]
        self.boards = [rules.empty(self.rules)]
        self.opened_at = seconds(told["opened"])
        self.views = {0: [], 1: []}
        self.sure = {0: True, 1: True}  # the player of that seat is certain
        if "damage" in told:
            raise Broken(told["damage"])
        for seat in told["seats"]:
            self.names[seat["seat"]], self.wires[seat["seat"]] = seat["name"], seat["wire"]
        self.read()

    def read(self):
        for place, record in enumerate(self.records, 1):
            if record["number"] != place:
                raise Broken(f"record {place} has the number {record['number']}")
            if self.end:
                raise Broken(f"record {place} comes after the end")
            if (place == 1) != (record["what"] == "opened"):
                raise Broken(f"record {place} is {record['what']}")
            at = seconds(record["time"])
            if record["what"] == "moved":
                self.move(record["seat"], int(record["action"]), at)
            elif record["what"] == "ended":
                seat = record["winner"]
                self.end = (record["reason"], None if seat is None else "XO"[seat], at)
        # Later ones give a player another name or a secret.
        seated = [record["seat"] for record in self.records if record["what"] == "joined"][:2]
        if seated != [0, 1] or None in self.names:
            raise Broken(f"its seats are {seated}")
        if (self.state == "ended") != (self.end is not None):
            raise Broken(f"its state is {self.state}, its end {self.end}")
        if (self.end is not None and self.end[0] == "rules") != rules.over(self.rules, self.boards[-1]):
            raise Broken(f"its end is {self.end} at {self.boards[-1]}")
        if self.end and self.end[0] == "rules" and self.end[1] != rules.winner(self.rules, self.boards[-1]):
            raise Broken(f"the winner is {self.end[1]} at {self.boards[-1]}")

    def move(self, seat, action, at):
        board = self.boards[-1]
        if rules.over(self.rules, board) or seat != rules.pieces(board) % 2:
            raise Broken(f"seat {seat} moves at {board}")
        then = rules.after(self.rules, board, action)
        if then is None:
            raise Broken(f"seat {seat} plays {action} at {board}")
        self.boards.append(then)
        self.moves.append((seat, action, at))

    def result(self):
        if self.end[1]:
            return self.end[1]
        return "draw" if self.end[0] == "rules" else "none"

    def continues(self, earlier):
        return self.records[:len(earlier.records)] == earlier.records and not (earlier.end and not self.end)

    def story(self):
        return f"game {self.id} in the journal:\n  {self.line.strip()}"
