"""History beside who closes its games at once: history_walk.py HUB. An honest game ends; then one address begins and
closes games over 20 connections for a time, as many as its seats allow, with a journal of 16 MiB. The honest game can be
read afterwards, and the address has written at most 0.5 MiB in a second."""
import re
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bench"), str(HERE.parent / "deploy")]
import attacks  # pylint: disable=wrong-import-position
import honest  # pylint: disable=wrong-import-position
import hubs  # pylint: disable=wrong-import-position

SECONDS = 4
BYTES_A_SECOND_MAX = 512 * 1024


def written(ports):
    found = re.search(r"^gamehub_journal_written_bytes_total (\S+)$", hubs.get(ports["admin"], "/metrics")[1], re.MULTILINE)
    return float(found.group(1))


def close_games(target):
    """Clients of turns that want three games each, and close each as soon as it has begun."""
    asked = attacks.line(type="connect", supported_games=["nim"], max_games=3)

    def say(client):
        if client.spoken == 0:
            return asked
        first, client.closed = client.closed, client.begun
        target.counted["closed"] += client.closed - first
        return b"".join(attacks.line(type="close", game_id=number) for number in range(first, client.closed))

    def hear(client, said):
        client.begun += said.count(b'"start"')
    attacks.Crowd(target, target.ports["turns"], 20, say, hear).run()


def look(program):
    with tempfile.TemporaryDirectory() as folder, hubs.serving(
            program, "--limit-loopback", "--journal", f"sqlite:{folder}/journal.db", "--journal-mib-max", "16") as ports:
        game = honest.play_http(ports["http"], ["127.8.0.1", "127.8.0.2"], ["ann", "bob"])
        before, began = written(ports), time.monotonic()
        attack = attacks.Target({"ports": ports, "addresses": 1, "facts": {}, "answers": True, "seconds": SECONDS})
        close_games(attack)
        # Otherwise nothing was tried.
        assert attack.counted["closed"] > 10, attack.counted
        a_second = (written(ports) - before) / (time.monotonic() - began)
        assert a_second <= BYTES_A_SECOND_MAX, f"{a_second / 2**20:.1f} MiB of journal in a second"
        with honest.Requests(ports["http"], "127.8.0.1") as one:
            assert one.ask("GET", f"/api/replays/{game}")["updates"][-1]["type"] == "end"
        print(f"{attack.counted['closed']} games closed, {a_second / 2**10:.0f} KiB of journal in a second")


look(sys.argv[1])
