#!/usr/bin/env python3
"""Plays the match of engines/process/README.md with the engine that it shows.

Usage: engine_transcript.py ENGINES_FOLDER
"""

import re
import subprocess
import sys
from pathlib import Path


def bytes_of(text: str) -> bytes:
    out = b""
    for quoted, double, digits in re.findall(r"""'([^']*)'|"([^"]*)"|([0-9a-f]+)""", text):
        out += bytes.fromhex(digits) if digits else (quoted or double).encode()
    return out


def messages(readme: str) -> list[tuple[str, bytes]]:
    block = readme.split("```transcript engine\n")[1].split("```")[0]
    out = []
    for paragraph in block.strip().split("\n\n"):
        lines = paragraph.split("\n")
        fields = [re.sub(r" +#.*", "", line[1:]) for line in lines]
        out.append((lines[0][0], b"".join(bytes_of(each) for each in fields)))
    return out


def main() -> None:
    engines = Path(sys.argv[1])
    engine = subprocess.Popen(
        [sys.executable, "-B", engines / "sdk/python/last_stone.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert engine.stdin and engine.stdout
    played = messages((engines / "process/README.md").read_text())
    assert len(played) == 11, len(played)
    for number, (who, message) in enumerate(played):
        if who == "H":
            engine.stdin.write(message)
            engine.stdin.flush()
            continue
        got = engine.stdout.read(len(message))
        if got != message:
            sys.exit(f"message {number}: the engine wrote {got.hex()}, not {message.hex()}")
    engine.stdin.close()
    if engine.stdout.read() or engine.wait() != 0:
        sys.exit("the engine does not end with its standard input")


main()
