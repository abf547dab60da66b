"""A hub of the program under test, on free ports."""
import asyncio
import contextlib
import re
import subprocess
import sys
import urllib.error
import urllib.request

from places import ROOT

sys.path.insert(0, str(ROOT / "tests/torture"))
import database  # pylint: disable=wrong-import-position


def settings(program):
    """The default of each setting, as the program prints it."""
    said = subprocess.run([program, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^ +--([a-z-]+) \S+=(\S+)", said, re.MULTILINE))


def free_ports(program):
    """Flags that give each protocol a free port. That of links is free by default, and only hubs of a cluster have it."""
    return [word for name in settings(program) if name.endswith("-port") and name != "link-port" for word in (f"--{name}", "0")]


def ports_of(line):
    """The ports of a ready line by protocol, and that of the admin server."""
    assert line.startswith("ready "), line
    return {wire: int(port) for wire, port in (each.split("=") for each in line.split()[1:])}


def get(port, page, method="GET"):
    """Status and text of a page of the admin server; status 0 if there is no connection."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{page}", method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()
    except OSError:
        return 0, ""


@contextlib.contextmanager
def cluster_database(folder, with_standby=False):
    """The connection string of a database that runs during the block."""
    loop = asyncio.new_event_loop()
    made = database.Database(folder, with_standby)
    try:
        loop.run_until_complete(made.start())
        yield made.target()
    finally:
        loop.run_until_complete(made.stop())
        loop.close()


def make_link_certificate(folder):
    """The files of the Secret gamehub-links, by the commands of the README."""
    readme = (ROOT / "deploy/README.md").read_text()
    commands = re.search(r"^# The certificates of links.*?\n(openssl .*?)^kubectl", readme, re.DOTALL | re.MULTILINE)[1]
    subprocess.run(["sh", "-ec", commands], cwd=folder, check=True, capture_output=True)


@contextlib.contextmanager
def serving(program, *flags):
    """The ports of a hub that runs during the block and must exit cleanly."""
    with subprocess.Popen([program, "serve", "--drain-seconds", "0", *free_ports(program), *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as hub:
        try:
            yield ports_of(hub.stdout.readline())
        finally:
            hub.terminate()
    assert hub.returncode == 0, f"the hub ended with {hub.returncode}"
