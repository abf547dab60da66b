#!/usr/bin/env python3
"""Receivers of webhooks for tests, written from the protocol's document alone: one HTTP server whose paths are kinds of
receivers, good ones and broken ones; http://127.0.0.1:PORT/KIND/NAME is one of that kind, and the name is its secret.
Prints `port N` when it listens, then one JSON object per line for each request, before it answers: kind, name, whether
the signature is good, and the body. Ends when its standard input ends.

A line on standard input changes a kind for all names: `good gone` lets receivers of the kind `good` answer as those
of the kind `gone`.
"""
import hashlib
import hmac
import http.server
import json
import re
import sys
import threading
import time

say_lock = threading.Lock()
kinds = {}


def say(what):
    with say_lock:
        print(json.dumps(what) if not isinstance(what, str) else what, flush=True)


def hmac_of(secret, text):
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        _, kind, name = self.path.split("/", 2)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        field = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", self.headers.get("Gamehub-Signature", ""))
        signed = bool(field) and abs(time.time() - int(field[1])) < 300 and \
            hmac.compare_digest(hmac_of(name, field[1].encode() + b"." + body), field[2])
        event = json.loads(body)
        say({"kind": kind, "name": name, "signed": signed, "body": event, "method": self.command})
        kind = kinds.get(kind, kind)
        challenge = event.get("challenge")
        answer = json.dumps({"answer": hmac_of(name, b"challenge." + challenge.encode())}) if challenge else ""
        if kind == "good" or (kind == "later-deaf" and challenge):
            self.reply(200, answer)
        elif kind == "echo":
            self.reply(200, body.decode())
        elif kind == "gone":
            self.reply(200 if challenge else 410, answer)
        elif kind == "failing":
            self.reply(200 if challenge else 500, answer)
        elif kind == "redirecting":
            self.reply(302, answer, Location=f"http://127.0.0.1:{self.server.server_port}/good/{name}")
        elif kind == "garbage":
            self.wfile.write(b"\x00\xff" * 1_000)
            self.close_connection = True
        elif kind == "endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * 10_000)
            except OSError:
                self.close_connection = True
        else:  # deaf
            self.rfile.read(1)
            self.close_connection = True

    def reply(self, status, text, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(f"port {server.server_port}")
    for line in sys.stdin:
        kind, other = line.split()
        kinds[kind] = other
        say({"changed": kind})


main()
