"""Numbers that appear in two places: numbers_test.py GAMEHUB. Compares manifests, image, alerts and documentation with
the hub's settings and hub/core/limits.hpp."""
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import hubs
import manifests
import promtool
import relations
from manifests import configuration, of_kind, the, workload
from places import ROOT
from quantities import BYTES_OF, bytes_of, seconds_of

PROGRAM = sys.argv[1]


def limit(name):
    """A bound of hub/core/limits.hpp, in its unit."""
    found = re.search(rf"\b{name}(?:\{{| = )([\d'_]+)", (ROOT / "hub/core/limits.hpp").read_text())
    assert found, name
    return int(found[1].replace("'", ""))


class Overlay:
    """The settings and objects of an overlay."""

    def __init__(self, name):
        self.objects = manifests.render(name)
        self.set = workload(self.objects)["spec"]
        self.pod = self.set["template"]["spec"]
        self.box = self.pod["containers"][0]
        self.files = configuration(self.objects)["data"]
        self.settings = {**hubs.settings(PROGRAM), **dict(re.findall(r"^([a-z-]+) = (.*)$", self.files["gamehub.conf"], re.MULTILINE))}

    def has_journal(self):
        """Its hub has a file, and not the database of a cluster."""
        return "cluster" not in self.settings

    def number(self, setting):
        return int(self.settings[setting])

    def mount(self, volume):
        return next(each["mountPath"] for each in self.box["volumeMounts"] if each["name"] == volume)

    def drained_after(self):
        """Seconds from SIGTERM to the last messages, at most."""
        return self.number("drain-seconds") + limit("farewell_max")


class Numbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.overlays = {name: Overlay(name) for name in manifests.OVERLAYS}

    def each(self):
        return self.overlays.values()

    def each_with_journal(self):
        return [at for at in self.each() if at.has_journal()]

    def test_a_drain_ends_within_the_grace(self):
        for at in self.each():
            pause = at.box["lifecycle"]["preStop"]["sleep"]["seconds"]
            # There is also time to close the journal.
            self.assertGreaterEqual(at.pod["terminationGracePeriodSeconds"], pause + at.drained_after() + 10)
            readiness = at.box["readinessProbe"]
            self.assertGreaterEqual(pause, readiness["periodSeconds"] * readiness["failureThreshold"])

    def test_a_drain_lasts_longer_than_a_turn_of_a_player_who_is_gone(self):
        for name, at in self.overlays.items():
            if name != "local":
                self.assertGreater(at.number("drain-seconds"), at.number("turn-seconds"))

    def test_a_drain_is_stuck_after_the_longest_one(self):
        rule = next(rule for rule in promtool.rules("alert") if rule["alert"] == "GamehubDrainStuck")
        longest = max(at.drained_after() for at in self.overlays.values())
        self.assertGreaterEqual(seconds_of(rule["for"]), longest + 60)

    def test_ports_are_the_hubs(self):
        for at in self.each():
            ports = {name[:-len("-port")]: port for name, port in at.settings.items() if name.endswith("-port")}
            if at.has_journal():
                ports["link"] = "off"
            wanted = {name: int(port) for name, port in ports.items() if port != "off"}
            given = {port["name"]: port["containerPort"] for port in at.box["ports"]}
            self.assertEqual(given, {**given, **wanted}, "a wire of the program has no port, or another one")
            self.assertFalse(given.keys() & (ports.keys() - wanted.keys()), "a closed wire has a port")

    def test_settings_are_taken_by_the_program(self):
        for at in self.each():
            with tempfile.TemporaryDirectory() as folder:
                mounts = {mount["mountPath"]: Path(folder, mount["name"]) for mount in at.box["volumeMounts"]}

                def here(text, of=mounts):
                    return re.sub("(" + "|".join(of) + ")/", lambda found: f"{of[found[1]]}/", text)
                for each in mounts.values():
                    each.mkdir()
                for volume in at.pod["volumes"]:
                    if "secret" in volume:
                        Path(folder, volume["name"], "token").write_text("a-token-of-some-operator\n")
                if "cluster" in at.settings:
                    self.add_database(Path(folder, "database"))
                    hubs.make_link_certificate(Path(folder, "links"))
                for name, text in at.files.items():
                    Path(folder, "config", name).write_text(here(text))
                arguments = [here(each) for each in relations.arguments(at.objects, "gamehub-0")]
                variables = {each["name"]: here(each.get("value", "10.0.0.7")) for each in at.box.get("env", [])}
                said = subprocess.run([PROGRAM, *arguments, "--check"], capture_output=True, text=True, check=False,
                                      env={**os.environ, **variables})
                self.assertEqual(said.returncode, 0, said.stderr)

    def add_database(self, folder):
        """A database with a standby, and the file by which the Secret of a cluster names it."""
        place = self.enterContext(tempfile.TemporaryDirectory())
        connection = self.enterContext(hubs.cluster_database(Path(place), with_standby=True)).replace(" ", "\n")
        (folder / "pg_service.conf").write_text(f"[gamehub]\n{connection}\n")

    def test_a_token_that_is_mounted_is_asked_for(self):
        for at in self.each():
            there = [f"{at.mount(each['name'])}/token" for each in at.pod["volumes"] if "secret" in each]
            self.assertEqual([at.settings[name] for name in ("admin-token-file",) if name in at.settings], there)

    def test_bots_are_kept_on_the_journals_volume(self):
        for at in self.each_with_journal():
            # By default the file lies beside the journal's.
            self.assertTrue(at.settings.get("arena", at.mount("journal")).startswith(at.mount("journal")))

    def test_the_journal_fits_its_volume(self):
        for at in self.each_with_journal():
            self.assertTrue(at.settings["journal"].startswith(f"sqlite:{at.mount('journal')}/"))
            volume = bytes_of(at.set["volumeClaimTemplates"][0]["spec"]["resources"]["requests"]["storage"])
            # The volume also holds the write-ahead log, and a backup while one is made.
            self.assertGreaterEqual(volume, 2 * at.number("journal-mib-max") * 2**20)

    def test_memory_holds_what_the_settings_allow(self):
        for at in self.each():
            needed = (BYTES_OF["hub"] + at.number("games-max") * BYTES_OF["game"]
                      + at.number("connections-max") * BYTES_OF["connection"])
            # Guests over UDP are not counted, and are fewer than a quarter of these.
            needed += 0 if at.settings["udp-port"] == "off" else at.number("connections-max") // 4 * BYTES_OF["connection"]
            needed += bytes_of(next(each for each in at.pod["volumes"] if each["name"] == "tmp")["emptyDir"]["sizeLimit"])
            self.assertGreaterEqual(bytes_of(at.box["resources"]["limits"]["memory"]), needed)

    def test_settings_are_within_the_hubs_bounds(self):
        for at in self.each():
            for name in ("games-max", "connections-max"):
                self.assertLessEqual(at.number(name), limit(name.replace("-", "_")))
            self.assertLessEqual(at.number("drain-seconds"), limit("drain_max"))

    def test_the_liveness_probe_is_more_patient_than_the_hub(self):
        for at in self.each():
            probe = at.box["livenessProbe"]
            self.assertGreater(probe["periodSeconds"] * probe["failureThreshold"], limit("stuck_after"))
            self.assertGreaterEqual(at.box["startupProbe"]["periodSeconds"] * at.box["startupProbe"]["failureThreshold"], 1800)

    def test_probes_ask_for_pages_that_there_are(self):
        pages = re.findall(r'path == "(/\w+)"', (ROOT / "hub/admin/pages.cpp").read_text())
        for at in self.each():
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                self.assertIn(at.box[probe]["httpGet"]["path"], pages)

    def test_the_image_is_what_the_manifests_expect(self):
        lines = dict(re.findall(r"^([A-Z]+) (.*)$", (ROOT / "deploy/image/Dockerfile").read_text(), re.MULTILINE))
        exposed = {int(port.split("/")[0]): port.partition("/")[2].upper() or "TCP" for port in lines["EXPOSE"].split()}
        for at in self.each():
            outer = at.pod["securityContext"]
            self.assertEqual(lines["USER"], f"{outer['runAsUser']}:{outer['runAsGroup']}")
            self.assertEqual(outer["fsGroup"], outer["runAsGroup"])
            opened = {port: protocol for port, protocol in exposed.items()
                      if protocol != "UDP" or at.settings["udp-port"] != "off"}
            # Only hubs of a cluster have links.
            self.assertEqual(opened, {port["containerPort"]: port.get("protocol", "TCP") for port in at.box["ports"]
                                      if port["name"] != "link"})
            if at.has_journal():
                self.assertEqual(at.mount("journal"), lines["WORKDIR"])
            self.assertEqual(at.box["args"][1:3], ["--config", lines["ENV"].partition("=")[2]])
        self.assertEqual(lines["STOPSIGNAL"], "SIGTERM")

    def test_the_journal_lags_at_half_of_where_loops_stop_reading(self):
        rule = next(rule for rule in promtool.rules("alert") if rule["alert"] == "GamehubJournalLags")
        self.assertIn(f"gamehub_journal_pending_records > {limit('journal_pending_max') // 2} ", rule["expr"])

    def test_a_league_is_stuck_after_the_longest_game(self):
        rule = next(rule for rule in promtool.rules("alert") if rule["alert"] == "GamehubLeagueStuck")
        without_an_end = seconds_of(re.search(r"ended_total\[(\w+)\]", rule["expr"])[1]) + seconds_of(rule["for"])
        told = subprocess.run([PROGRAM, "engines"], capture_output=True, text=True, check=True).stdout
        moves = max(int(rows) * int(columns) for rows, columns in re.findall(r"cells \((\d+) x (\d+)", told))
        for at in self.each():
            self.assertGreater(without_an_end, moves * at.number("bot-move-seconds"))

    def test_the_objective_is_a_bound_of_the_histogram(self):
        bounds = {found for rule in promtool.rules("record") for found in re.findall(r'le="([^"]+)"', rule["expr"])}
        self.assertEqual(len(bounds), 1)
        microseconds = float(bounds.pop()) * 1e6
        self.assertEqual(microseconds, 2 ** round(math.log2(microseconds)))

    def test_the_admin_server_answers_to_the_names_of_its_service(self):
        for at in self.each():
            own = at.settings["admin-host"].split(",")
            for service in of_kind(at.objects, "Service"):
                if not any(port["name"] == "admin" for port in service["spec"]["ports"]):
                    continue
                name, space = service["metadata"]["name"], service["metadata"]["namespace"]
                for end in ("", f".{space}", f".{space}.svc", f".{space}.svc.cluster.local"):
                    self.assertIn(f".{name}{end}", own)

    def test_the_scrape_is_the_admin_servers(self):
        config = re.search(r'targets: \["127.0.0.1:(\d+)"\]', (ROOT / "deploy/README.md").read_text())
        self.assertEqual(config[1], hubs.settings(PROGRAM)["admin-port"])

    def test_a_hub_waits_for_the_journal_within_its_startup_probe(self):
        for at in self.each_with_journal():
            probe = at.box["startupProbe"]
            # The rest is for the recovery.
            self.assertLessEqual(at.number("journal-wait-seconds") + 300, probe["periodSeconds"] * probe["failureThreshold"])
            self.assertGreater(at.number("journal-wait-seconds"), at.pod["terminationGracePeriodSeconds"])

    def test_the_games_of_a_hub_that_ends_fit_into_the_others(self):
        for at in self.each():
            for scaler in of_kind(at.objects, "HorizontalPodAutoscaler"):
                games = int(scaler["spec"]["metrics"][0]["pods"]["target"]["averageValue"])
                least = scaler["spec"]["minReplicas"]
                self.assertGreaterEqual(least, 2)
                self.assertLessEqual(games * least, at.number("games-max") * (least - 1))

    def test_an_autoscaler_counts_by_a_metric_of_the_hub(self):
        known = (ROOT / "metrics/README.md").read_text()
        adapter = (ROOT / "deploy/README.md").read_text()
        for at in self.each():
            for scaler in of_kind(at.objects, "HorizontalPodAutoscaler"):
                name = scaler["spec"]["metrics"][0]["pods"]["metric"]["name"]
                self.assertIn(f"`{name}`", known)
                self.assertIn(f"sum by (<<.GroupBy>>) (<<.Series>>{{<<.LabelMatchers>>}})", adapter)
                self.assertIn(f"seriesQuery: {name}{{", adapter)

    def test_there_is_one_hub_unless_somebody_asks_for_more(self):
        for name, at in self.overlays.items():
            if at.has_journal():
                self.assertEqual(at.set["replicas"], 3 if name == "several" else 1)


unittest.main(argv=sys.argv[:1], verbosity=2)
