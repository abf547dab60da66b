"""The backups that components/backup makes, and how a volume grows: backup_test.py GAMEHUB. Runs the command of the
container beside a hub."""
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

import games
import hubs
import manifests
from manifests import configuration, the
from places import ROOT
from quantities import bytes_of

PROGRAM = Path(sys.argv[1]).resolve()
PATIENCE = 60
KEPT = 7


class Backup(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.objects = manifests.render("production")
        cls.set = the(cls.objects, "StatefulSet")["spec"]
        cls.box = cls.set["template"]["spec"]["initContainers"][0]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.journal, self.backups, bin_folder = (Path(folder.name, name) for name in ("journal", "backups", "bin"))
        for each in (self.journal, self.backups, bin_folder):
            each.mkdir()
        (bin_folder / "gamehub").symlink_to(PROGRAM)
        self.conf = Path(folder.name, "gamehub.conf")
        self.conf.write_text(f"journal = sqlite:{self.journal}/journal.db\n")
        self.variables = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "GAMEHUB_CONFIG": str(self.conf),
                          **{each["name"]: each["value"] for each in self.box["env"]},
                          "JOURNAL_FOLDER": str(self.journal)}

    def start(self, every):
        made = subprocess.Popen([*self.box["command"], *self.box["args"]], cwd=self.backups, stderr=subprocess.PIPE,
                                text=True, env={**self.variables, "BACKUP_EVERY": every})
        self.addCleanup(made.stderr.close)
        self.addCleanup(made.wait)
        self.addCleanup(made.kill)
        return made

    def test_has_all_that_a_restore_needs_and_keeps_the_newest(self):
        old = [f"backup-2020010{day}T000000Z.tar" for day in range(1, 10)]
        for each in old:
            (self.backups / each).touch()
        with hubs.serving(PROGRAM, "--config", self.conf) as ports:
            games.play("opcodes", ports)
            (self.journal / "journal.db.moderation").write_text("kept as it is")
            maker = self.start("0.1")
            deadline = time.monotonic() + PATIENCE
            while not (made := [each for each in self.backups.glob("backup-*.tar") if each.name not in old]):
                self.assertIsNone(maker.poll(), "the backup failed")
                self.assertLess(time.monotonic(), deadline, "there is no backup")
                time.sleep(0.05)
            while len(list(self.backups.glob("backup-*.tar"))) > KEPT:
                self.assertLess(time.monotonic(), deadline, "old backups stay")
                time.sleep(0.05)
            maker.send_signal(signal.SIGTERM)
            self.assertEqual(maker.wait(PATIENCE), 0, maker.stderr.read())
        self.assertFalse((self.backups / old[0]).exists())
        newest = max(self.backups.glob("backup-*.tar"))
        self.assertTrue(newest.name >= made[0].name)
        with tarfile.open(newest) as archive:
            self.assertEqual(sorted(archive.getnames()), ["backup.arena", "backup.db", "journal.db.moderation"])
            archive.extractall(self.backups / "out")
        copy = f"sqlite:{self.backups}/out/backup.db"
        told = subprocess.run([PROGRAM, "journal", "stats", "--json", "--journal", copy], capture_output=True, text=True,
                              check=True).stdout
        self.assertEqual(json.loads(told)["ended"], 1, told)
        subprocess.run([PROGRAM, "verify", "--journal", copy], check=True, capture_output=True)

    def test_ends_at_once_while_it_waits(self):
        maker = self.start("3600")
        deadline = time.monotonic() + PATIENCE
        while not (begun := Path(f"/proc/{maker.pid}/task/{maker.pid}/children").read_text().split()):
            self.assertLess(time.monotonic(), deadline, "it never waits")
        self.addCleanup(os.kill, int(begun[0]), signal.SIGKILL)
        maker.send_signal(signal.SIGTERM)
        # As process 1 of its container it gets no default action of the signal.
        self.assertEqual(maker.wait(PATIENCE), 0)

    def test_fails_loudly(self):
        self.conf.write_text("journal = nowhere\n")
        maker = self.start("0")
        self.assertGreater(maker.wait(PATIENCE), 0)
        self.assertEqual(list(self.backups.glob("backup-*.tar")), [])

    def test_fits_its_volume(self):
        claims = {each["metadata"]["name"]: each["spec"]["resources"]["requests"]["storage"]
                  for each in self.set["volumeClaimTemplates"]}
        journal = int(re.search(r"^journal-mib-max = (\d+)$", configuration(self.objects)["data"]["gamehub.conf"],
                                re.MULTILINE)[1]) * 2**20
        # The folder and the file that become the next one exist beside them.
        self.assertGreaterEqual(bytes_of(claims["backups"]), (KEPT + 2) * journal)
        self.assertIn(f"tail -n +{KEPT + 1} ", self.box["args"][0])
        self.assertEqual(self.box["image"], self.set["template"]["spec"]["containers"][0]["image"])

    def test_is_what_the_readme_says(self):
        section = (ROOT / "deploy/README.md").read_text().split("### Backup and restore")[1].split("### ")[0]
        hours = int(self.variables["BACKUP_EVERY"]) // 3600
        self.assertIn(f"every {['', 'one', 'two', 'three', 'four', 'five', 'six'][hours]} hours", section)
        self.assertIn(f"keeps the newest {['five', 'six', 'seven'][KEPT - 5]}", section)


unittest.main(argv=sys.argv[:1], verbosity=2)
