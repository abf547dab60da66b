"""Kills a hub under load repeatedly, and compares its journal with everything that every client received. With --hubs
and --database: several hubs on one PostgreSQL, killed, paused and drained while others take over their games.

Usage: ./dev torture [--kills N] [--seed S] [--signal KILL|TERM|STOP|mixed] [--disk-full] …
       ./dev torture --hubs N --database [--standby] …
       ./dev torture --hubs N --database --rolling N [--former PROGRAM]
       ./dev torture --hubs N --database --replay-kills N [--games N]

Exits with 1 at the first violation, prints the whole history, and keeps the folder.
"""
import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from pathlib import Path

import room as rooms
from checker import Violation
from cluster import ClusterTorture
from database import Missing
from hub import Broke
from one_hub import Torture
from replays import ReplayTorture
from rolling import RollingTorture
from views import Misbehaved


def parse():
    parser = argparse.ArgumentParser(prog="./dev torture", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=200, help="how often the hub is stopped (200)")
    parser.add_argument("--seed", type=int, help="of all choices of the clients and of the torture")
    parser.add_argument("--signal", choices=["KILL", "TERM", "STOP", "mixed"], default=None,
                        help="what stops a hub (KILL; with --database mixed; STOP only with --database)")
    parser.add_argument("--database", action="store_true", help="a cluster of hubs on PostgreSQL, which is started")
    parser.add_argument("--hubs", type=int, default=1, help="of the cluster (1)")
    parser.add_argument("--standby", action="store_true", help="of the database; moves survive the loss of the primary")
    parser.add_argument("--failovers", type=float, default=0.05,
                        help="with --standby: share of the stops that kill the primary instead of a hub (0.05)")
    parser.add_argument("--cuts", action="store_true",
                        help="also cut the links between hubs, and hubs off from the database")
    parser.add_argument("--replay-kills", type=int, default=0,
                        help="instead: as many times, kill the hub that takes over games which no client plays")
    parser.add_argument("--rolling", type=int, default=0,
                        help="instead: as many times, restart all hubs, one after the other")
    parser.add_argument("--former", help="with --rolling: the program that hubs have at first, and after every second "
                        "restart: they go from this build to the one under test, and back")
    parser.add_argument("--games", type=int, default=10_000, help="with --replay-kills: the games (10000)")
    parser.add_argument("--disk-full", action="store_true", help="let the journal's room run out now and then")
    parser.add_argument("--room", choices=["tmpfs", "limit"], help="what runs out (tmpfs if root, else limit)")
    parser.add_argument("--room-mib", type=int, default=2048, help="size of the tmpfs (2048)")
    parser.add_argument("--troubles", type=float, default=0.5, help="share of the lives in which it runs out (0.5)")
    parser.add_argument("--early", type=float, default=0.1, help="share of the starts that are killed at once (0.1)")
    parser.add_argument("--clients", type=int, default=120, help="of each wire (120)")
    parser.add_argument("--think-ms", type=int, default=150, help="a client's pause before a move (150)")
    parser.add_argument("--seconds", type=float, default=1.5, help="a hub's life, on average (1.5)")
    parser.add_argument("--turn-seconds", type=int, default=120, help="the time of a turn (120)")
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="for the journal; kept (a temporary one, kept if something fails)")
    parser.add_argument("flags", nargs="*", metavar="-- HUB FLAG", help="more flags for gamehub serve")
    asked = parser.parse_args()
    if asked.seed is None:
        asked.seed = random.randrange(1 << 32)
    if (asked.hubs > 1 or asked.standby or asked.signal == "STOP") and not asked.database:
        parser.error("--hubs, --standby and --signal STOP are for a cluster: add --database")
    if asked.rolling and not (asked.database and asked.hubs > 1):
        parser.error("--rolling is for a cluster: add --database and --hubs 3")
    if asked.cuts and (not asked.database or asked.rolling or asked.replay_kills):
        parser.error("--cuts is for stops of the hubs of a cluster: add --database, without --rolling and --replay-kills")
    if asked.former and not asked.rolling:
        parser.error("--former is for --rolling")
    if asked.replay_kills and not (asked.database and asked.hubs > 1):
        parser.error("--replay-kills is for a cluster: add --database and --hubs 3")
    if asked.database and asked.disk_full:
        parser.error("--disk-full is for a journal in a file: leave it out, or --database")
    asked.signal = asked.signal or ("mixed" if asked.database else "KILL")
    return asked


def kind_of(asked):
    if asked.replay_kills:
        return ReplayTorture
    if asked.rolling:
        return RollingTorture
    return ClusterTorture if asked.database else Torture


async def run(asked, folder):
    torture = kind_of(asked)(asked, folder)
    try:
        await torture.run()
        print(torture.summary())
        print(f"gamehub verify: {torture.verified or 'clean'}")
        return True
    except (Violation, Misbehaved, Broke) as found:
        (folder / "violation.txt").write_text(f"seed {asked.seed}\n{found}\n")
        print(torture.summary())
        print(f"\n{type(found).__name__}: {found}", flush=True)
        return False
    finally:
        await torture.close()
        if torture.room is not None:
            if not isinstance(torture.room, rooms.FileSizeLimit):
                shutil.copytree(folder / "journal", folder / "kept")
            torture.room.close()


def main():
    asked = parse()
    print(f"seed {asked.seed}", flush=True)
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="gamehub-torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        well = asyncio.run(run(asked, folder))
    except Missing as missing:
        sys.exit(f"torture: {missing}")
    if not well:
        print(f"seed {asked.seed}; all of it is in {folder}")
    elif asked.folder is None:
        shutil.rmtree(folder)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
