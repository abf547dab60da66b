"""Every query of every dashboard, and every rule, on a real Prometheus that scrapes hubs with running games:
dashboards_test.py GAMEHUB."""
import contextlib
import json
import math
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

import bot_server
import games
import hubs
import promtool
import vocabulary
from places import ROOT, find, skip

PROGRAM = sys.argv[1]
PATIENCE = 60
# Values of Grafana's variables: a range that holds several scrapes, and all hubs.
WORDS = {"$__rate_interval": "10s", "$__range": "1m", "$instance": ".*"}


def dashboards():
    return {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "deploy/grafana").glob("*.json"))}


def queries():
    """Each query of each panel, with its location."""
    return [(f"{name}: {panel['title']}", target["expr"]) for name, board in dashboards().items()
            for panel in board["panels"] for target in panel.get("targets", [])]


def filled(query):
    for word, value in WORDS.items():
        query = query.replace(word, value)
    return query


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    """Scrapes each hub once a second."""

    def __init__(self, folder, hub_ports):
        self.port = free_port()
        targets = [{"targets": [f"127.0.0.1:{ports['admin']}"], "labels": {"instance": name}}
                   for name, ports in hub_ports.items()]
        config = Path(folder, "prometheus.yaml")
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(path) for path in sorted(promtool.RULES.glob("*.yaml"))],
            "scrape_configs": [{"job_name": "gamehub", "static_configs": targets}]}))
        self.log = Path(folder, "prometheus.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [find("prometheus"), f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{self.port}"], stdout=log, stderr=log)

    def ask(self, what, **parameters):
        """The data of a response; raises the error of Prometheus."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as wrong:
            raise AssertionError(f"{parameters}: {wrong.read().decode()}") from wrong

    def values(self, query):
        """The series that a panel would show."""
        found = self.ask("query", query=query)
        values = [found["result"]] if found["resultType"] == "scalar" else [each["value"] for each in found["result"]]
        return [float(value) for _, value in values if not math.isnan(float(value))]

    def is_up(self):
        assert self.process.poll() is None, self.log.read_text()
        with contextlib.suppress(OSError):
            # Prometheus answers no query before it is ready.
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=10).close()
            return bool(self.values("gamehub_ready"))
        return False

    def close(self):
        self.process.terminate()
        self.process.wait()


class Load:
    """Plays on hubs until it is stopped: over every protocol, with engine searches, bots and invalid requests."""

    def __init__(self, people, engines):
        self.stop, self.threads, self.wrong = threading.Event(), [], []
        self.bots, self.version = bot_server.BotServer(), 0
        self.begin(self.play, people)
        self.begin(self.think, engines["turns"])
        self.begin(self.play_league, engines)
        self.begin(self.blunder, people)

    def begin(self, what, *arguments):
        def go():
            while not self.stop.is_set():
                try:
                    what(*arguments)
                except (AssertionError, OSError, ValueError, KeyError) as wrong:
                    # When the hub stops, games may end in any way.
                    if not self.stop.is_set():
                        self.wrong.append(f"{what.__name__}: {wrong!r}")
                        return
        self.threads.append(threading.Thread(target=go, daemon=True))
        self.threads[-1].start()

    @staticmethod
    def play(ports):
        """One protocol after the other, because all players of one engine share a queue."""
        for wire in ports.keys() - {"admin"}:
            games.play(wire, ports)

    def think(self, port):
        """Some moves against the engine, which needs a search; then the player resigns."""
        with contextlib.closing(games.Turns(port)) as player:
            player.tell({"type": "connect", "name": "thinker", "supported_games": ["connect-four"], "max_games": 1})
            for column in range(4):
                player.until("turn")
                player.tell({"type": "message", "game_id": player.game, "payload": json.dumps({"column": column})})
            player.until("turn")

    def play_league(self, ports):
        """Registers two good bots, one that does not know the rules and one that fails, and registers them again when
        all scheduled games are played."""
        self.version += 1
        for kind, name in (("plain", "first"), ("last", "last"), ("occupied", "wrong"), ("silence", "silent")):
            self.bots.enter(ports["http"], kind, name, str(self.version))
        while not self.stop.wait(0.1):
            now = json.loads(hubs.get(ports["admin"], "/arena")[1])
            if now["waiting"] + now["running"] == 0 and not any(bot["state"] == "registered" for bot in now["bots"]):
                return

    def blunder(self, ports):
        """A protocol error, and an illegal move."""
        with contextlib.closing(games.Turns(ports["turns"])) as wrong:
            wrong.say(b"not json\n")
            wrong.file.read()
        self.stop.wait(0.5)

    def close(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        self.bots.close()


class Dashboards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.open = contextlib.ExitStack()
        cls.addClassCleanup(cls.open.close)
        folder = cls.open.enter_context(tempfile.TemporaryDirectory())
        cls.ports = {
            "people": cls.open.enter_context(hubs.serving(
                PROGRAM, "--journal", f"sqlite:{folder}/people.db", "--isolate", "nim", "--loops", "2")),
            "engines": cls.open.enter_context(hubs.serving(
                PROGRAM, "--journal", f"sqlite:{folder}/engines.db", "--turns-opponent", "engine", "--think-milliseconds", "20",
                "--open-registration", "--bot-allow", "127.0.0.0/8"))}
        base = cls.open.enter_context(hubs.cluster_database(Path(folder)))
        cls.ports["member"] = cls.open.enter_context(hubs.serving(PROGRAM, "--cluster", base))
        cls.prometheus = Prometheus(folder, cls.ports)
        cls.open.callback(cls.prometheus.close)
        cls.load = Load(cls.ports["people"], cls.ports["engines"])
        cls.open.callback(cls.load.close)
        cls.await_that("Prometheus has scraped a hub", cls.prometheus.is_up)

    @classmethod
    def await_that(cls, what, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"it is never so that {what}; {cls.load.wrong}")
            time.sleep(0.5)

    def tearDown(self):
        self.assertEqual(self.load.wrong, [])

    def test_queries_all_return_data(self):
        asked = queries()
        self.assertGreater(len(asked), 80)
        for place, query in asked:
            with self.subTest(place):
                self.await_that(f"{place} has data: {query}", lambda query=filled(query): self.prometheus.values(query))
        print(f"{len(asked)} queries of {len(dashboards())} dashboards returned data", file=sys.stderr)

    def test_bots_are_blamed_and_rated_meanwhile(self):
        for what in ('gamehub_arena_ended_total{result="rules"}', 'gamehub_arena_ended_total{result="forfeit"}',
                     'gamehub_bot_faults_total{reason="occupied"}', 'gamehub_bot_faults_total{reason="transport"}',
                     'gamehub_bot_calls_total{method="next-move",result="failed"}', 'gamehub_arena_bots{state="online"}'):
            self.await_that(f"{what} is counted", lambda query=f"{what} > 0": self.prometheus.values(query))

    def test_annotations_and_variables_can_be_asked_for(self):
        for board in dashboards().values():
            for each in board["annotations"]["list"]:
                self.prometheus.ask("query", query=filled(each["expr"]))
            self.assertEqual(board["templating"]["list"][1]["query"]["query"], "label_values(gamehub_ready, instance)")
        self.await_that("each hub can be chosen", lambda: sorted(self.prometheus.ask("label/instance/values"))
                        == ["engines", "member", "people"])

    def test_rules_all_work_on_a_real_scrape(self):
        def rules():
            return [rule for group in self.prometheus.ask("rules")["groups"] for rule in group["rules"]]
        self.await_that("all rules were evaluated", lambda: all(rule["health"] != "unknown" for rule in rules()))
        self.assertEqual([f"{rule['name']}: {rule.get('lastError')}" for rule in rules() if rule["health"] != "ok"], [])
        for rule in promtool.rules("record"):
            self.await_that(f"{rule['record']} has data", lambda name=rule["record"]: self.prometheus.values(name))

    def test_hubs_that_are_well_raise_no_alarm(self):
        self.assertEqual([each["labels"]["alertname"] for each in self.prometheus.ask("alerts")["alerts"]
                          if each["state"] == "firing"], [])

    def test_expressions_talk_of_what_the_hub_tells(self):
        recorded = {rule["record"] for rule in promtool.rules("record")}
        wrong = [f"{place}: {what}" for place, query in queries() for what in vocabulary.complaints(query, recorded)]
        self.assertEqual(wrong, [])


if find("prometheus") is None:
    skip("there is no prometheus (./dev install deploy)")
unittest.main(argv=sys.argv[:1], verbosity=2)
