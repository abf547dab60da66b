"""The Python SDK of gamehub: derive a class from Game and call run(YourGame).

The hub starts the program and speaks the protocol of engines/process/README.md on its standard
input and output. This module hides it: what print() writes goes to the hub's log, and input() finds
no text. Standard library only; Python 3.11 or later. One thread.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

SPECTATOR = -1
CHANCE = 63
EVERYONE = 2**64 - 1

_MESSAGE_BYTES_MAX = 8 * 1024 * 1024
_FAILURE_BYTES_MAX = 256


class Refused(Exception):
    """Raise it with a lower-case word with dashes, such as "too-few-stones"."""


class Game:
    """The state of one match: its attributes, which must be values that JSON has (no tuples, no
    dictionaries with other keys than text), because the hub saves and copies them as JSON. The
    methods may use no clock, file, thread or source of randomness."""

    id: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[tuple[int, int, int]] = (1, 0, 0)
    players_min: ClassVar[int] = 2
    players_max: ClassVar[int] = 2
    actions_max: ClassVar[int]  # the most legal actions that one seat can have
    actions_end: ClassVar[int | None] = None  # actions are 0 to actions_end - 1; None: actions_max
    plies_max: ClassVar[int]  # the most actions of a match, draws of chance included
    state_bytes_max: ClassVar[int] = 64 * 1024
    perfect_information: ClassVar[bool] = True
    simultaneous: ClassVar[bool] = False
    has_chance: ClassVar[bool] = False
    options: ClassVar[dict[str, dict[str, Any]]] = {}  # the properties of the JSON schema
    face: ClassVar[dict[str, Any] | None] = None
    # A board: its marks by seat, then those of other pieces; an action is then a cell, and JSON has
    # its row and column.
    rows: ClassVar[int] = 0
    columns: ClassVar[int] = 0
    marks: ClassVar[str] = ""

    players: int  # of this match; set before set_up()

    def set_up(self, options: Mapping[str, Any]) -> None:
        """Makes the first state. Each option of the schema has a value."""
        raise NotImplementedError

    def to_move(self) -> int | Collection[int]:
        """The seat to move, CHANCE, or several seats at once; () when the match is over."""
        raise NotImplementedError

    def legal_actions(self, seat: int) -> Iterable[int]:
        """The legal actions of a seat that is to move."""
        raise NotImplementedError

    def apply(self, seat: int, action: int) -> None:
        """Applies a legal action. With the seat CHANCE: a draw."""
        raise NotImplementedError

    def scores(self) -> Sequence[float]:
        """One score for each player of a match that is over: won 1, drawn 0, lost -1."""
        raise NotImplementedError

    def view(self, viewer: int) -> dict[str, Any]:
        """What a seat or SPECTATOR may see: by default the board, its marks by rows."""
        if self.rows == 0:
            raise NotImplementedError
        held = [self.cell(viewer, number) for number in range(self.rows * self.columns)]
        marks = [None if seat is None else self.marks[seat] for seat in held]
        return {
            "board": [marks[at : at + self.columns] for at in range(0, len(marks), self.columns)]
        }

    def chance_outcomes(self) -> Mapping[int, int]:
        """The draws of chance with their weights."""
        return {}

    def refusal(self, seat: int, action: int) -> str:
        """Why this action, below actions_end, is not legal: a lower-case word with dashes."""
        return "out-of-bounds"

    def audience(self, seat: int, action: int) -> Iterable[int] | None:
        """The viewers that may see an action besides its seat; None: everyone."""
        return None

    def cell(self, viewer: int, number: int) -> int | None:
        """Whose mark is on a cell of the board: a seat, or the place in marks of another piece."""
        return None

    def line_length(self, board: Sequence[Any], number: int) -> int:
        """How many cells of the longest straight line through this one equal it."""

        def run(row_step: int, column_step: int) -> int:
            row, column = divmod(number, self.columns)
            length = -1
            while (
                0 <= row < self.rows
                and 0 <= column < self.columns
                and board[row * self.columns + column] == board[number]
            ):
                row, column, length = row + row_step, column + column_step, length + 1
            return length

        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return max(run(*step) + 1 + run(-step[0], -step[1]) for step in steps)


_Rules = TypeVar("_Rules", bound=Game)


class _Writer:
    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def put(self, form: str, *values: Any) -> None:
        self.parts.append(struct.pack("<" + form, *values))

    def text(self, value: str | bytes) -> None:
        data = value.encode() if isinstance(value, str) else value
        self.parts.append(struct.pack("<I", len(data)) + data)

    def maybe(self, value: str | None) -> None:
        self.put("B", value is not None)
        if value is not None:
            self.text(value)

    def numbers(self, form: str, values: Collection[Any]) -> None:
        self.parts.append(struct.pack(f"<I{len(values)}{form}", len(values), *values))

    def bytes(self) -> bytes:
        return b"".join(self.parts)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def get(self, form: str) -> Any:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def text(self) -> bytes:
        size = self.get("I")
        out = self.data[self.at : self.at + size]
        self.at += size
        return out


def _bits(seats: int | Iterable[int]) -> int:
    seats = (seats,) if isinstance(seats, int) else seats
    return sum(1 << (CHANCE if seat == SPECTATOR else seat) for seat in set(seats))


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    if schema["type"] == "integer":
        return _is_integer(value) and schema["minimum"] <= value <= schema["maximum"]
    if schema["type"] == "boolean":
        return isinstance(value, bool)
    return isinstance(value, str) and value in schema["enum"]


def _save(match: Game) -> bytes:
    try:
        data = json.dumps(vars(match), sort_keys=True, separators=(",", ":")).encode()
    except (TypeError, ValueError):
        for name, value in vars(match).items():
            try:
                json.dumps(value, sort_keys=True)
            except (TypeError, ValueError) as error:
                raise TypeError(f"the attribute {name} is not a value of JSON: {error}") from None
        raise
    # Bytes that were damaged are no state: load() finds it by the digest.
    return hashlib.blake2b(data, digest_size=8).digest() + data


def _report(error: BaseException) -> None:
    """Writes the trace without the frames of this module, if others are left."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace or error.__traceback__)


def _text_of(error: BaseException) -> str:
    """The text and the line: of the game's files the innermost one, else the innermost one of all."""
    frames = traceback.extract_tb(error.__traceback__)
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    own = [
        each
        for each in frames
        if each.filename != __file__ and os.path.dirname(os.path.abspath(each.filename)) == folder
    ]
    where = (own or frames)[-1]
    text = f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}:{where.lineno})"
    return "".join(c if " " <= c <= "~" else "?" for c in text)[:_FAILURE_BYTES_MAX]


def _calling(function: str, call: Callable[..., Any], *given: Any) -> Any:
    """Calls a method of the game, whose failure is that of this function of the protocol."""
    try:
        return call(*given)
    except Exception as error:
        if not isinstance(error, Refused) and not hasattr(error, "function"):
            error.function = function  # type: ignore[attr-defined]
        raise


_FUNCTIONS = ("legal_actions", "audience", "action_from_text", "action_from_json", "action_at",
              "action_to_text", "action_to_json", "glyphs", "cell_of", "view_json", "save", "choose",
              "score", "summary")  # fmt: skip
_KINDS = ("create", "load", "clone", "apply", "ask", "play")


class _Engine:
    def __init__(self, rules: type[Game]) -> None:
        self.rules = rules
        self.has_board = rules.rows > 0
        end = rules.actions_end
        self.actions_end = rules.actions_max if end is None else end
        self.matches: dict[int, Game] = {}
        self.saved: dict[int, bytes] = {}  # of each match, its present state

    def hello(self) -> bytes:
        rules, out = self.rules, _Writer()
        out.parts.append(b"GHENGINE" + struct.pack("<HH", 1, 1))
        out.put("I", rules.perfect_information + 2 * rules.simultaneous + 4 * rules.has_chance)
        out.text(rules.id)
        out.text(rules.title)
        schema = {"type": "object", "properties": rules.options, "additionalProperties": False}
        out.maybe(json.dumps(schema) if rules.options else None)
        out.put("III", *rules.version)
        out.put("ii", rules.players_min, rules.players_max)
        out.put("QQQ", rules.actions_max, rules.plies_max, rules.state_bytes_max)
        out.maybe(rules.marks if self.has_board else None)
        out.maybe(json.dumps(rules.face) if rules.face is not None else None)
        out.put("BBBB", 0, 0, 0, 0)
        return out.bytes()

    def answer(self, request: bytes) -> bytes:
        r = _Reader(request)
        kind = _KINDS[r.get("B")]
        for _ in range(r.get("I")):
            released = r.get("Q")
            self.matches.pop(released, None)
            self.saved.pop(released, None)
        number, seat, value = r.get("Qiq")
        text, queries = r.text(), [self.query(r) for _ in range(r.get("I"))]
        out = _Writer()
        first = b""
        try:
            if kind == "play" and self.find(number) is not None:
                move = queries.pop(0)
                first = self.result(self.matches[number], *move)
                failed, _, _, refused, action = struct.unpack_from("<BIIIq", first)
                if failed or refused:
                    return bytes(14) + struct.pack("<I", 1) + first
                self.play(number, value, move[1], action)
                number = value
            failed = self.carry_out(kind, number, seat, value, text)
            match = self.find(number)
            out.put("B", failed)
            for _ in range(3):
                out.text("")
            self.put_state(out, number, None if kind == "ask" or failed else match)
            out.put("I", 0 if match is None or failed else len(queries) + bool(first))
            out.parts.append(first)
            if match is not None and not failed:
                for query in queries:
                    out.parts.append(self.result(match, *query))
            return out.bytes()
        except MemoryError:
            raise
        except Refused as refused:
            reason = b"\0" + bytes(8) + self.texts(str(refused))
            return reason + struct.pack("<BI", 0, bool(first)) + first
        except Exception as error:
            _report(error)
            name = getattr(error, "function", "apply" if kind == "play" else kind)
            return b"\1" + self.texts("" if name == "ask" else name, _text_of(error), "") + bytes(5)

    @staticmethod
    def texts(*all_texts: str) -> bytes:
        out = _Writer()
        for each in all_texts:
            out.text(each)
        return out.bytes()

    @staticmethod
    def query(r: _Reader) -> tuple[str, int, int, bytes]:
        kind, seat, number = r.get("Biq")
        text = r.text()
        r.get("IQQ")
        return _FUNCTIONS[kind], seat, number, text

    def play(self, number: int, copy: int, seat: int, action: int) -> None:
        # The hub wants the match itself only if the move does not count: find() restores it.
        match = self.matches.pop(number)
        self.apply(match, seat, action)
        self.matches[copy] = match

    def carry_out(self, kind: str, number: int, seat: int, value: int, text: bytes) -> bool:
        if kind == "create":
            self.matches[number] = self.create(text, value)
        elif kind == "load":
            if hashlib.blake2b(text[8:], digest_size=8).digest() != text[:8]:
                raise Refused("malformed")
            self.matches[number] = self.restored(text[8:])
        elif kind == "clone":
            copied = self.find(value)
            if copied is None:
                return True
            self.matches[number] = self.restored(_save(copied)[8:])
        elif self.find(number) is None:
            return True
        elif kind == "apply":
            self.apply(self.matches[number], seat, value)
        return False

    def find(self, number: int) -> Game | None:
        if number not in self.matches and number in self.saved:
            self.matches[number] = self.restored(self.saved[number][8:])
        return self.matches.get(number)

    def restored(self, data: bytes) -> Game:
        match = self.rules.__new__(self.rules)
        vars(match).update(json.loads(data))
        return match

    def create(self, text: bytes, players: int) -> Game:
        given = _object(text) if text else {}
        if given is None or any(name not in self.rules.options for name in given):
            raise Refused("bad-options")
        if not all(_fits(value, self.rules.options[name]) for name, value in given.items()):
            raise Refused("bad-options")
        match = self.rules.__new__(self.rules)
        match.players = players or self.rules.players_min
        if not self.rules.players_min <= match.players <= self.rules.players_max:
            raise Refused("wrong-number-of-players")
        defaults = {name: each["default"] for name, each in self.rules.options.items()}
        match.set_up(defaults | given)
        # The first state, too, has only what JSON has.
        return self.restored(_save(match)[8:])

    def legal(self, match: Game, seat: int) -> list[int]:
        if not 0 <= seat <= CHANCE or not _bits(match.to_move()) >> seat & 1:
            return []
        return sorted(match.chance_outcomes() if seat == CHANCE else match.legal_actions(seat))

    def apply(self, match: Game, seat: int, action: int) -> None:
        moving = _bits(_calling("to_move", match.to_move))
        if not moving:
            raise Refused("game-over")
        if not 0 <= seat <= CHANCE or not moving >> seat & 1:
            raise Refused("not-your-turn")
        if action not in self.legal(match, seat):
            known = seat != CHANCE and 0 <= action < self.actions_end
            raise Refused(match.refusal(seat, action) if known else "out-of-bounds")
        match.apply(seat, action)

    def put_state(self, out: _Writer, number: int, match: Game | None) -> None:
        out.put("B", match is not None)
        if match is None:
            return
        moving = _bits(_calling("to_move", match.to_move))
        self.saved[number] = _calling("save", _save, match)
        digest = int.from_bytes(self.saved[number][:8], "little") or 1
        rows, columns = (self.rules.rows, self.rules.columns) if self.has_board else (0, 0)
        out.put("iQQii", match.players, moving, digest, rows, columns)
        out.numbers("d", [] if moving else list(_calling("scores", match.scores)))
        at_chance = moving == 1 << CHANCE
        draws = _calling("chance_outcomes", match.chance_outcomes) if at_chance else {}
        out.numbers("q", sorted(draws))
        out.numbers("I", [draws[each] for each in sorted(draws)])

    def result(self, match: Game, function: str, seat: int, number: int, text: bytes) -> bytes:
        out, value, seats, data, actions = _Writer(), 0, 0, b"", []
        try:
            if function == "legal_actions":
                actions = self.legal(match, seat)
            elif function == "audience":
                seats = self.audience(match, seat, number)
            elif function in ("action_from_text", "action_from_json", "action_at"):
                value = self.parsed(function, text, number)
                if 0 <= seat <= CHANCE and _bits(match.to_move()) >> seat & 1:
                    seats = self.audience(match, seat, value)
            elif function == "cell_of":
                value = number if 0 <= number < self.rules.rows * self.rules.columns else -1
            else:
                data = self.written(match, function, seat, number)
        except MemoryError:
            raise
        except Refused as refused:
            return b"\0" + self.texts("", "", str(refused)) + bytes(16 + 12)
        except Exception as error:
            _report(error)
            return b"\1" + self.texts(function, _text_of(error), "") + bytes(16 + 12)
        out.put("BIIIqQ", 0, 0, 0, 0, value, seats)
        out.text(data)
        out.numbers("q", actions)
        out.numbers("d", [])
        return out.bytes()

    def audience(self, match: Game, seat: int, action: int) -> int:
        viewers = match.audience(seat, action)
        if viewers is None:
            return EVERYONE
        # Chance has no bit: in an audience it is that of the spectators.
        return _bits(viewers) | (0 if seat == CHANCE else 1 << seat)

    def parsed(self, function: str, text: bytes, cell: int) -> int:
        value: Any = cell
        if function == "action_from_text":
            if not (text.removeprefix(b"-").isdigit() and len(text) < 20):
                raise Refused("malformed")
            value = int(text)
        elif function == "action_from_json":
            given = _object(text) or {}
            value = given.get("action")
            if self.has_board:
                row, column = given.get("row"), given.get("column")
                if not (_is_integer(row) and _is_integer(column)):
                    raise Refused("malformed")
                if not (0 <= row < self.rules.rows and 0 <= column < self.rules.columns):
                    raise Refused("out-of-bounds")
                value = row * self.rules.columns + column
            elif not _is_integer(value):
                raise Refused("malformed")
        if not 0 <= value < self.actions_end:
            raise Refused("out-of-bounds")
        return int(value)

    def written(self, match: Game, function: str, seat: int, action: int) -> bytes:
        viewer = seat if 0 <= seat < match.players else SPECTATOR
        if function == "view_json":
            return json.dumps(match.view(viewer), separators=(",", ":")).encode()
        if function == "glyphs":
            cells = range(self.rules.rows * self.rules.columns)
            held = [match.cell(viewer, each) for each in cells]
            return "".join("-" if at is None else self.rules.marks[at] for at in held).encode()
        if function == "save":
            return _save(match)
        if function == "action_to_text":
            return str(action).encode()
        if function == "action_to_json":
            row, column = divmod(action, self.rules.columns or 1)
            shown = {"row": row, "column": column} if self.has_board else {"action": action}
            return json.dumps({"type": "move"} | shown, separators=(",", ":")).encode()
        raise NotImplementedError(function)


def _read(source: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = os.read(source, size - len(data))
        if not more:
            sys.exit(0)
        data += more
    return bytes(data)


def _write(to: int, message: bytes) -> None:
    data = memoryview(struct.pack("<I", len(message)) + message)
    while data:
        data = data[os.write(to, data) :]


def start(rules: type[_Rules], players: int = 0, **options: Any) -> _Rules:
    """A new match, for tests of the rules. 0: as few players as possible."""
    match = _Engine(rules).create(json.dumps(options).encode(), players)
    assert isinstance(match, rules)
    return match


def play(match: _Rules, *actions: int) -> _Rules:
    """Plays these actions in turn, for tests of the rules, and returns the match. Raises Refused.
    Where several seats move at once, the first of them plays."""
    engine = _Engine(type(match))
    for action in actions:
        moving = _bits(match.to_move())
        engine.apply(match, (moving & -moving).bit_length() - 1, action)
    return match


def run(rules: type[Game]) -> None:
    """Serves the hub until it closes the channel."""
    for name in ("id", "title", "actions_max", "plies_max"):
        if not hasattr(rules, name):
            sys.exit(f"the class {rules.__name__} has no {name}")
    if os.isatty(0):
        sys.exit(f"this is an engine: gamehub-tools engine check 'python3 {sys.argv[0]}'")
    # What the game prints is for the log, not for the channel, and input() must not read from it.
    source, channel = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    engine = _Engine(rules)
    _write(channel, engine.hello())
    try:
        while True:
            size = struct.unpack("<I", _read(source, 4))[0]
            if size > _MESSAGE_BYTES_MAX:
                sys.exit("a message of the hub is too long")
            answer = engine.answer(_read(source, size))
            if len(answer) > _MESSAGE_BYTES_MAX:
                sys.exit("an answer is longer than 8 MiB")
            _write(channel, answer)
    except MemoryError:
        # Every later call would fail, too. The hub starts the program again.
        os.write(2, b"out of memory\n")
        os._exit(1)
