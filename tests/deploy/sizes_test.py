"""The sizes in deploy/README.md agree with the measurements in tests/bench/README.md."""
import re
import sys
import unittest

import quantities
from places import ROOT

# The share of a core that loops use; the rest is a reserve for peaks.
BUSY = 0.6
SECONDS_A_MOVE = 5
# The medians of one machine differ from day to day.
TOLERANCE = 0.15
# For each of the README's rows: the table of the measurements, its row, and its column.
MEASURED = {
    "opcodes": ("play", "opcodes", "hub, CPU us/move"),
    "JSON turns": ("play", "turns", "hub, CPU us/move"),
    "WebSockets": ("ws", "hub, ws", "CPU us/move"),
    "HTTP": ("http", "hub", "CPU us/request"),
    "UDP": ("udp", "hub", "CPU us/datagram"),
    "bots": ("bot-calls", "one for each call", "CPU us/call"),
    "bots whose connections are kept": ("bot-calls", "kept", "CPU us/call"),
    "an isolated engine": ("isolated", "64 isolated", "hub, CPU us/move"),
}


def number(text):
    return float(re.search(r"[\d,.]*\d", text)[0].replace(",", ""))


def rows(text):
    """The rows of a table, by the names of its columns."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], line)) for line in lines[2:]]


def table(name):
    """A table of the measurements, by the first cells of its rows."""
    text = (ROOT / "tests/bench/README.md").read_text().split(f"<!-- {name} -->\n")[1].split("<!-- end of")[0]
    found = {}
    for row in rows(text):
        found[" ".join(list(row.values())[:2])] = found[next(iter(row.values()))] = row
    return found


class Sizes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        section = (ROOT / "deploy/README.md").read_text().split("### Sizes")[1].split("\n## ")[0]
        hub, wires = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
        cls.text, cls.hub, cls.wires = section, rows(hub), rows(wires)

    def same(self, told, measured, what):
        self.assertLess(abs(told / measured - 1), TOLERANCE, f"{what}: {told} is told, {measured} was measured")

    def test_each_wire_costs_what_was_measured(self):
        self.assertEqual([row["wire"] for row in self.wires], list(MEASURED))
        for row in self.wires:
            name, which, column = MEASURED[row["wire"]]
            told = number(row["CPU us for one"])
            self.same(told, number(table(name)[which][column]), row["wire"])
            self.assertAlmostEqual(number(row["a second of one core"]), BUSY * 1e6 / told, delta=1000, msg=row["wire"])

    def test_a_hub_makes_as_many_moves_as_its_cores_allow(self):
        move = number(table("growth")["hub"]["9,000 games, CPU us/move"])
        written = number(table("journal")["process"]["ratio"])
        loops = table("loops")
        crossing = max(number(loops[f"{wire} two on two cores"]["CPU us/move"]) / number(loops[f"{wire} one"]["CPU us/move"])
                       for wire in ("opcodes", "turns"))
        for row in self.hub:
            cores = number(row["loops"])
            self.assertEqual(number(row["CPU limit"]), cores)
            told = number(row["moves a second"])
            self.same(told, cores * BUSY * 1e6 / (move * written * (crossing if cores > 1 else 1)), f"{cores} loops")
            played = number(row["games at once, if each has a move in 5 s"])
            self.assertEqual(played, told * SECONDS_A_MOVE)
            needed = quantities.BYTES_OF["hub"] + played * quantities.BYTES_OF["game"]
            self.assertGreaterEqual(quantities.bytes_of(row["memory for these games"]), needed)

    def test_memory_is_what_was_measured(self):
        told = {row["wire"]: [float(kib) for kib in re.findall(r"([\d.]+) KiB", row["memory"])] for row in self.wires}
        self.same(told["opcodes"][0], number(table("idle")["hub"]["KiB a game"]), "a game")
        streams = table("streams")["10,000"]
        alone, with_player = (number(streams[of]) for of in ("KiB an idle stream", "with its player and half a game"))
        self.same(told["HTTP"][0], 2 * (with_player - alone), "a game over HTTP")
        self.same(told["HTTP"][1], alone, "a stream")
        self.same(told["UDP"][0], number(table("udp-idle")["hub"]["KiB a game"]), "a game over UDP")
        for what, unit in (("game", 2**10), ("connection", 2**10), ("hub", 2**20)):
            self.assertRegex(self.text, rf"\b{quantities.BYTES_OF[what] // unit} {'MiB' if what == 'hub' else 'KiB'}")


unittest.main(argv=sys.argv[:1], verbosity=2)
