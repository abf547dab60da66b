#!/usr/bin/env python3
"""Bots for tests, written from the protocol's document alone: one HTTP server whose paths are kinds of bots,
good ones and broken ones. http://127.0.0.1:PORT/KIND/NAME is a bot of that kind; the name only distinguishes
bots. Prints `port N` when it listens, then one JSON object per line for each call that it receives, before it
answers. Ends when its standard input ends.

A line on standard input is a command: `go NAME` lets a bot of the kind `held` make one move; `register URL BODY`
sends BODY to URL and prints the answer as {"status":…,"body":…}; `listen` makes a server that was started with
--late listen.
"""
import argparse
import gzip
import http.client
import http.server
import itertools
import json
import socketserver
import ssl
import sys
import threading
import time
import urllib.parse

say_lock = threading.Lock()


def say(what):
    with say_lock:
        print(json.dumps(what) if not isinstance(what, str) else what, flush=True)


class Gates:
    """The number of moves that each held bot may make."""

    def __init__(self):
        self.condition = threading.Condition()
        self.open = {}

    def let(self, name):
        with self.condition:
            self.open[name] = self.open.get(name, 0) + 1
            self.condition.notify_all()

    def wait(self, name):
        with self.condition:
            self.condition.wait_for(lambda: self.open.get(name, 0) > 0, timeout=120)
            self.open[name] = self.open.get(name, 1) - 1


gates = Gates()
connections = itertools.count(1)
names_heard = set()


def first_of(name):
    heard = name in names_heard
    names_heard.add(name)
    return not heard


def first_free(state):
    return state.index("")


def last_free(state):
    return len(state) - 1 - state[::-1].index("")


def taken_or_free(state):
    return next((i for i, cell in enumerate(state) if cell), first_free(state))


def result(position):
    return json.dumps({"jsonrpc": "2.0", "result": {"position": position}, "error": None, "id": 1})


def answer(move):
    return json.dumps({"jsonrpc": "2.0", "result": {"move": move}, "id": 1})


# The same of games whose calls have more than a board, from the params.
TABLE_MOVES = {
    "guest": lambda p: answer(p["actions"][0]),
    "bold": lambda p: answer(p["actions"][-1]),
    "stranger": lambda p: answer("no such move"),
    "speechless": lambda p: '{"result":{}}',
}

# A bot's answer to NextMove, by its kind.
MOVES = {
    "plain": lambda s: result(first_free(s)),
    "last": lambda s: result(last_free(s)),
    "fickle": lambda s: result(first_free(s)),
    "closing": lambda s: result(first_free(s)),
    "occupied": lambda s: result(taken_or_free(s)),
    "beyond": lambda s: result(len(s)),
    "huge": lambda s: '{"result":{"position":123456789012345678901234567890}}',
    "negative": lambda s: result(-1),
    "fraction": lambda s: result(4.5),
    "word": lambda s: '{"result":{"position":"4"}}',
    "missing": lambda s: '{"result":{}}',
    "null": lambda s: '{"result":null,"id":1}',
    "error": lambda s: '{"error":{"code":-32000,"message":"tired"},"id":1}',
    "sigh": lambda s: '{"result":null,"error":"tired","id":1}',
    "prose": lambda s: "I would rather not.",
    "nothing": lambda s: "",
}


class Bot(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kind = name = ""

    def setup(self):
        # One instance serves one connection, for all its calls.
        self.connection_number = next(connections)
        super().setup()

    def log_message(self, *_):
        pass

    def do_GET(self):
        say({"kind": "get", "path": self.path})
        self.reply(200, "")

    def do_POST(self):
        parts = urllib.parse.urlsplit(self.path).path.strip("/").split("/")
        self.kind, self.name = parts[0] or "plain", parts[1] if len(parts) > 1 else ""
        length = self.headers.get("Content-Length")
        body = self.rfile.read(int(length or 0))
        try:
            call = json.loads(body)
        except ValueError:
            say({"violation": "the body is no JSON"})
            return self.reply(400, "")
        method = call.get("method", "")
        said = {"kind": self.kind, "name": self.name, "method": method, "params": call.get("params"),
                "traceparent": self.headers.get("traceparent"), "signature": self.headers.get("Gamehub-Signature"),
                "connection": self.connection_number}
        wrong = self.violation(call, length) if self.kind == "strict" else None
        if wrong:
            said["violation"] = wrong
        say(said)
        if wrong:
            return self.reply(400, json.dumps({"error": wrong}))
        if method == "Status.Ping":
            return self.ping()
        if method.endswith(".NextMove"):
            if self.kind in TABLE_MOVES:
                return self.reply(200, TABLE_MOVES[self.kind](call["params"]))
            return self.move(call["params"]["gamestate"])
        if self.kind == "strict":
            return self.reply(200, json.dumps({"jsonrpc": "2.0", "result": {"status": "OK"}, "id": call["id"]}))
        # Replies to Complete and Error are ignored, so they may be anything.
        return self.reply(200, '{"result":null}', "text/plain")

    def violation(self, call, length):
        method, params = call.get("method", ""), call.get("params")
        wanted = {
            "Ping": None,
            "NextMove": {"gameid", "mark", "gamestate"},
            "Complete": {"gameid", "winner", "mark", "gamestate"},
            "Error": {"gameid", "message", "errorcode"},
        }
        if length is None or self.headers.get("Transfer-Encoding"):
            return "needs Content-Length"
        if self.headers.get("Content-Type") != "application/json":
            return "needs application/json"
        if self.headers.get("Host") != f"127.0.0.1:{self.server.server_address[1]}":
            return "needs its Host"
        if set(call) != {"jsonrpc", "method", "params", "id"} or call["jsonrpc"] != "2.0":
            return "needs jsonrpc 2.0"
        if type(call["id"]) is not int:
            return "needs an integer id"
        prefix, _, name = method.partition(".")
        if name not in wanted or prefix != ("Status" if name == "Ping" else "TicTacToe"):
            return f"has no method {method}"
        if (set(params) if params is not None else None) != wanted[name]:
            return f"unknown params {params}"
        if name == "NextMove" and ("" not in params["gamestate"] or set(params["gamestate"]) - {"X", "O", ""}):
            return f"no such board {params}"
        return None

    def ping(self):
        if self.kind == "mute":
            return self.raw_slow(None)
        if self.kind == "deaf":
            return self.reply(503, "")
        if self.kind == "turned":
            return self.redirect()
        # Online when it registers, and offline when a game begins.
        if self.kind == "tired" and not first_of(self.name):
            return self.reply(503, "")
        self.reply(200, "pong", "text/plain")

    def redirect(self):
        self.send_response(302)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/plain/redirected")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def move(self, state):
        kind = self.kind
        if kind in MOVES:
            return self.reply(200, MOVES[kind](state))
        if kind == "held":
            gates.wait(self.name)
        if kind in ("strict", "held"):
            return self.reply(200, result(first_free(state)), "text/plain")
        if kind == "status":
            return self.reply(500, result(first_free(state)))
        if kind == "redirect":
            return self.redirect()
        getattr(self, "raw_" + kind)(state)

    # Bots that violate HTTP.
    def raw(self, data):
        self.close_connection = True
        try:
            self.wfile.write(data)
        except OSError:
            pass

    def raw_slow(self, state):
        # Until the hub closes the connection.
        self.close_connection = True
        self.connection.settimeout(60)
        try:
            self.connection.recv(1)
        except OSError:
            pass

    def raw_drip(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        try:
            for _ in range(600):
                self.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:
            pass

    def raw_endless(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                self.wfile.write(b" " * 65536)
        except OSError:
            pass

    def raw_large(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" + b" " * 70000)

    def raw_header(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 20000 + b"\r\n\r\n")

    def raw_chunk(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nwhat\r\n")

    def raw_chunks(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff0\r\n")

    def raw_lengths(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}")

    def raw_bomb(self, state):
        packed = gzip.compress(b" " * 50_000_000)
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed)

    def raw_half(self, state):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")

    def raw_silence(self, state):
        self.close_connection = True

    def raw_rubbish(self, state):
        self.raw(b"\x00\x01\x02 what is HTTP?\r\n\r\n")

    def reply(self, status, text, kind="application/json"):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if self.kind == "closing":
            self.send_header("Connection", "close")
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            pass
        if self.kind == "fickle":
            # Without an answer, as overloaded servers do.
            self.close_connection = True


class Many(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


class One(http.server.HTTPServer):
    def handle_error(self, *_):
        pass


def register(url, body):
    at = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(at.netloc, timeout=30)
    connection.request("POST", at.path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    say({"status": answer.status, "body": answer.read().decode()})


def main():
    flags = argparse.ArgumentParser()
    flags.add_argument("--single", action="store_true", help="one connection at a time")
    flags.add_argument("--late", action="store_true", help="bind, but listen only when told so")
    flags.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
    asked = flags.parse_args()
    server = (One if asked.single else Many)(("127.0.0.1", 0), Bot, bind_and_activate=False)
    server.server_bind()
    if asked.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*asked.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)

    def listen():
        server.server_activate()
        threading.Thread(target=server.serve_forever, daemon=True).start()

    if not asked.late:
        listen()
    say(f"port {server.server_address[1]}")
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "go":
            gates.let(rest)
        elif word == "listen":
            listen()
        elif word == "register":
            register(*rest.split(" ", 1))


main()
