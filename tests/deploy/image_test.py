"""The image, built and run with the restrictions of the manifests: image_test.py GAMEHUB. It contains the program of
./dev build; ./dev image without --program would build everything in a container."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import containers
import games
import hubs
import manifests
from containers import run
from manifests import the
from places import ROOT

PROGRAM = sys.argv[1]
TAG = f"localhost/gamehub:test-{os.getpid()}"
NAME = f"gamehub-test-{os.getpid()}"
LABEL = f"gamehub-test={os.getpid()}"
USER = 65532
IMAGE_MIB_MAX = 60  # above the base: libraries and the program
PATIENCE = 60


def await_that(what, holds):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"it is never so that {what}")
        time.sleep(0.1)


def status_of(pid):
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        containers.build_image(PROGRAM, TAG)
        cls.described = containers.inspect(TAG)

    @classmethod
    def tearDownClass(cls):
        stale = run("podman", "ps", "--all", "--quiet", "--filter", f"label={LABEL}").stdout.split()
        if stale:
            run("podman", "rm", "--force", *stale)
        run("podman", "rmi", "--force", TAG)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.chown(self.folder.name, USER, USER)

    def start(self, *flags):
        """Runs a hub in a container; returns its ports."""
        run("podman", "rm", "--force", "--ignore", NAME)
        run(*containers.RUN, *containers.HARDENED, "--detach", "--name", NAME, "--label", LABEL,
            "--volume", f"{self.folder.name}:/var/lib/gamehub", TAG, "serve", *hubs.free_ports(PROGRAM), *flags)
        await_that("the hub is ready", lambda: "ready " in self.said() or not self.runs())
        self.assertIn("ready ", self.said(), run("podman", "logs", NAME, check=False).stderr)
        return hubs.ports_of(self.said().strip())

    def said(self):
        return run("podman", "logs", NAME).stdout

    def runs(self):
        return containers.inspect(NAME)["State"]["Running"]

    def end(self):
        """The exit code after SIGTERM, and the seconds until then."""
        begin = time.monotonic()
        run("podman", "kill", "--signal", "TERM", NAME)
        code = int(run("podman", "wait", NAME, timeout=PATIENCE).stdout)
        return code, time.monotonic() - begin

    def test_is_what_it_says_it_is(self):
        config = self.described["Config"]
        labels = config["Labels"]
        self.assertEqual(labels["org.opencontainers.image.title"], "gamehub")
        self.assertEqual(labels["org.opencontainers.image.licenses"], "Apache-2.0")
        self.assertEqual(run(PROGRAM, "--version").stdout.split()[-1], labels["org.opencontainers.image.version"])
        self.assertRegex(labels["org.opencontainers.image.revision"], r"^[0-9a-f]{7,}|unknown")
        self.assertEqual(config["User"], f"{USER}:{USER}")
        self.assertEqual(config["Entrypoint"], ["gamehub"])
        self.assertEqual(self.described["HealthCheck" if "HealthCheck" in self.described else "Healthcheck"]["Test"],
                         ["CMD", "gamehub", "healthcheck"])

    def test_is_small(self):
        base = containers.inspect(containers.base_image())["Size"]
        mib = [size / 2**20 for size in (self.described["Size"], base)]
        print(f"the image is {mib[0]:.1f} MiB, of which Debian is {mib[1]:.1f}", file=sys.stderr)
        self.assertLess(mib[0] - mib[1], IMAGE_MIB_MAX)

    def test_trusts_the_authorities_of_debian(self):
        # The library reads the file that this variable names (OpenSSL, SSL_CTX_set_default_verify_paths).
        path = next(each for each in self.described["Config"]["Env"] if each.startswith("SSL_CERT_FILE=")).split("=")[1]
        inside = run("podman", "run", *containers.RUN[2:], "--rm", "--label", LABEL, "--entrypoint", "cat", TAG, path).stdout
        self.assertEqual(inside, Path("/etc/ssl/certs/ca-certificates.crt").read_text())
        self.assertIn("BEGIN CERTIFICATE", inside)

    def test_runs_without_any_right(self):
        self.start()
        pid = containers.inspect(NAME)["State"]["Pid"]
        has = status_of(pid)
        self.assertEqual(set(has["Uid"].split() + has["Gid"].split()), {str(USER)})
        for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(has[kind], 16), 0, kind)
        self.assertEqual((has["NoNewPrivs"], has["Seccomp"]), ("1", "2"))
        root = next(line.split() for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines()
                    if line.split()[4] == "/")
        self.assertIn("ro", root[5].split(","))
        self.assertEqual(self.end()[0], 0)

    def test_plays_a_game_over_each_wire(self):
        ports = self.start()
        for wire in ports.keys() - {"admin"}:
            games.play(wire, ports)
            print(f"played a game over {wire}", file=sys.stderr)
        self.assertEqual(self.end()[0], 0)

    def test_answers_probes_and_verbs(self):
        ports = self.start()
        for page in ("/startupz", "/readyz", "/healthz", "/metrics"):
            self.assertEqual(hubs.get(ports["admin"], page)[0], 200, page)
        for verb in ("healthcheck", "status"):
            run("podman", "exec", NAME, "gamehub", verb, "--admin-port", ports["admin"])
        gone = run("podman", "exec", NAME, "gamehub", "healthcheck", "--admin-port", "1", check=False)
        self.assertEqual(gone.returncode, 1)
        run("podman", "exec", NAME, "gamehub", "journal", "stats")
        run("podman", "exec", NAME, "gamehub-tools", "bench", "turns", "--games", "1", "--seconds", "1", "--port", ports["turns"])
        run("podman", "exec", NAME, "gamehub", "drain", "--admin-port", ports["admin"], check=False)
        self.assertEqual(int(run("podman", "wait", NAME, timeout=PATIENCE).stdout), 0)

    def test_drains_a_running_game_within_the_grace_of_the_local_manifests(self):
        made = the(manifests.render("local"), "StatefulSet")["spec"]["template"]["spec"]
        settings = (ROOT / "deploy/kubernetes/overlays/local/gamehub.conf").read_text()
        drain = re.search(r"^drain-seconds = (\d+)$", settings, re.MULTILINE)[1]
        ports = self.start("--drain-seconds", drain)
        players = [games.Opcodes(ports["opcodes"]) for _ in "XO"]
        for player in players:
            player.ask()
        players[0].state()
        for player in players:
            self.addCleanup(player.close)
        code, seconds = self.end()
        self.assertEqual(code, 0)
        pause = made["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
        self.assertLess(pause + seconds, made["terminationGracePeriodSeconds"])

    def carry_out(self, pod):
        """Runs the commands of deploy/README.md for that pod; `gamehub-restore` is another container on the volume."""
        inside = {"gamehub-0": ["podman", "exec", "-i", NAME],
                  "gamehub-restore": [*containers.RUN, *containers.HARDENED, "--rm", "-i", "--label", LABEL, "--volume",
                                      f"{self.folder.name}:/var/lib/gamehub", "--entrypoint", "env", TAG]}[pod]
        section = (ROOT / "deploy/README.md").read_text().split("### Backup and restore")[1].split("### ")[0]
        commands = re.findall(rf"^kubectl -n gamehub exec (?:-i )?{pod} -- (.*?)(?: ([<>])backup.tar)?$", section, re.MULTILINE)
        for command, way in commands:
            given = self.archive if way == "<" else b""
            done = subprocess.run([*inside, *shlex.split(command)], input=given, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, (command, done.stderr))
            if way == ">":
                self.archive = done.stdout
        return len(commands)

    def test_is_backed_up_while_it_runs_and_restored_as_the_readme_says(self):
        token = Path(self.folder.name, "token")
        token.write_text("a-token-of-some-operator\n")
        inside = ["podman", "exec", NAME, "gamehub"]
        ports = self.start("--admin-token-file", "/var/lib/gamehub/token")
        orders = ["--admin-port", ports["admin"], "--admin-token-file", "/var/lib/gamehub/token"]
        games.play("opcodes", ports)
        run(*inside, "token", "add", "ann")
        run(*inside, "ban", "--name", "Mallory", *orders)
        self.assertEqual(self.carry_out("gamehub-0"), 4)
        self.assertEqual(self.end()[0], 0)
        run("podman", "rm", NAME)
        for each in Path(self.folder.name).glob("journal.db*"):
            each.write_bytes(b"damaged")
        self.assertEqual(self.carry_out("gamehub-restore"), 3)
        ports = self.start("--admin-token-file", "/var/lib/gamehub/token")
        told = json.loads(run(*inside, "journal", "stats", "--json").stdout)
        self.assertEqual(told["ended"], 1, told)
        run(*inside, "verify")
        self.assertIn("ann", run(*inside, "token", "list").stdout)
        self.assertIn("Mallory", run(*inside, "sanctions", "--admin-port", ports["admin"], *orders[2:]).stdout)
        self.assertEqual(self.end()[0], 0)

    def test_takes_as_many_loops_as_its_quota_has_cores(self):
        for quota, loops in (("0.5", "1"), ("2", "2")):
            run("podman", "rm", "--force", "--ignore", NAME)
            told = run(*containers.RUN, "--rm", "--cpus", quota, "--label", LABEL, TAG, "serve", "--help", check=False)
            if told.returncode and "cgroup" in told.stderr:
                self.skipTest(f"no quota can be set here: {told.stderr.strip().splitlines()[-1]}")
            allowed = min(int(loops), os.cpu_count())
            self.assertIn(f"--loops N={allowed} ", told.stdout)

    def test_restarts_under_load_and_loses_no_game(self):
        """The torture test with a container as the hub: players who can resume find their games, the others receive an
        end without a result."""
        wrapper = Path(self.folder.name, "gamehub")
        volume = Path(self.folder.name, "torture")
        start = [*containers.RUN, *containers.HARDENED, "--rm", "--label", LABEL, "--volume", f"{volume}:{volume}"]
        wrapper.write_text(f"""#!/bin/sh
[ "$1" = serve ] || exec {PROGRAM} "$@"
chown -R {USER}:{USER} {volume}/journal
exec {' '.join(start)} {TAG} "$@"
""")
        wrapper.chmod(0o755)
        done = subprocess.run([sys.executable, "-B", ROOT / "tests/torture/torture.py", wrapper, "--folder", volume,
                               "--kills", "3", "--signal", "TERM", "--early", "0", "--clients", "40", "--seconds", "3"],
                              capture_output=True, text=True, check=False, timeout=280)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        print(done.stdout, file=sys.stderr)
        resumed = int(re.search(r"games resumed +([\d,]+)", done.stdout)[1].replace(",", ""))
        self.assertGreater(resumed, 0)


containers.require()
unittest.main(argv=sys.argv[:1], verbosity=2)
