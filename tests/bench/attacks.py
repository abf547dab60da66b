"""The attacks of hostile.py, as loads: each is a function that attacks for a time from its addresses. As a program,
attacks.py NAME SETTINGS carries one out and prints what it counted. None of them waits for an answer, so that the same
attack can go to a port that only accepts; what only an answer can tell (which games have begun) is then guessed."""
import json
import re
import select
import socket
import struct
import sys
import time
from collections import Counter, deque

IP_BIND_ADDRESS_NO_PORT, IP_PKTINFO = 24, 8
READ_BYTES = 64 * 1024
TICK_SECONDS = 0.005
REDIAL_SECONDS = 0.5
SENDS_AT_ONCE_MAX = 16
UNCLOSED_MAX = 64
# Below the hub's limit of 200 requests a second, with its burst of 400.
HTTP_RATE, HTTP_BURST = 190, 390
PROXY = "127.9.0.100"
WAITING_MAX = 10_000
NO_TIME = struct.pack("ii", 1, 0)  # of lingering: a connection is closed by a reset


class Pace:
    """How many may go out now: so many a second, after a burst."""

    def __init__(self, rate, burst):
        self.rate, self.burst = rate, burst
        self.left, self.at = burst, time.monotonic()

    def take(self, wanted):
        now = time.monotonic()
        self.left, self.at = min(self.burst, self.left + (now - self.at) * self.rate), now
        granted = min(wanted, int(self.left))
        self.left -= granted
        return granted


class Client:
    """One connection of a crowd."""

    def __init__(self, number, address):
        self.number, self.address = number, address
        self.dialled_at = 0.0
        self.socket = None
        # Of this connection: what has to be sent, whether the socket was full, whether anything is left to say, how
        # often it spoke, and the games that have begun and that it has closed.
        self.out, self.full, self.silent, self.spoken, self.begun, self.closed = b"", False, False, 0, 0, 0


class Crowd:
    """Connections of several addresses, which are opened again when they are closed. `say` returns what a client sends
    next: b"" for nothing yet, None for no more; `hear` gets what it reads."""

    def __init__(self, target, port, count, say, hear=None, reads=True, buffer_bytes=None, address_of=None):
        self.target, self.port, self.say, self.hear = target, port, say, hear
        self.reads, self.buffer_bytes, self.address_of = reads, buffer_bytes, address_of or target.address
        self.poll = select.epoll()
        self.by_descriptor = {}
        self.clients = []
        self.add(count)

    def add(self, count):
        first = len(self.clients)
        self.clients += [Client(number, self.address_of(number)) for number in range(first, first + count)]

    def run(self, each_tick=lambda: None):
        while self.target.goes_on():
            for client in self.clients:
                if client.socket is None:
                    self.connect(client)
                if client.socket is not None and not client.full and not client.silent:
                    self.speak(client)
            for descriptor, event in self.poll.poll(TICK_SECONDS, 512):
                client = self.by_descriptor.get(descriptor)
                if client is not None and event & ~select.EPOLLOUT:
                    self.listen(client)
                if client is not None and client.socket is not None and event & select.EPOLLOUT:
                    self.speak(client)
            each_tick()

    def connect(self, client):
        if time.monotonic() < client.dialled_at + REDIAL_SECONDS:
            return
        client.dialled_at = time.monotonic()
        client.socket = dial(self.port, client.address, self.buffer_bytes)
        if client.socket is None:
            return
        self.target.counted["connections"] += 1
        client.out, client.full, client.silent, client.spoken, client.begun, client.closed = b"", False, False, 0, 0, 0
        self.by_descriptor[client.socket.fileno()] = client
        self.poll.register(client.socket, self.read_events())

    def close(self, client):
        del self.by_descriptor[client.socket.fileno()]
        client.socket.close()
        client.socket = None

    def speak(self, client):
        """Sends until the client has nothing to say, or its socket is full, or others should send."""
        for _ in range(SENDS_AT_ONCE_MAX):
            if not client.out:
                said = self.say(client)
                client.spoken += 1
                client.out, client.silent = said or b"", said is None
            try:
                sent = client.socket.send(client.out) if client.out else 0
            except BlockingIOError:
                sent = 0
            except OSError:
                return self.close(client)
            self.target.counted["bytes"] += sent
            client.out = client.out[sent:]
            if client.out or not sent:
                break
        return self.watch(client, bool(client.out))

    def watch(self, client, full):
        if client.full != full:
            client.full = full
            self.poll.modify(client.socket, self.read_events() | (select.EPOLLOUT if full else 0))

    def read_events(self):
        return select.EPOLLIN if self.reads else 0

    def listen(self, client):
        try:
            said = client.socket.recv(READ_BYTES) if self.reads else b""
        except BlockingIOError:
            return
        except OSError:
            said = b""
        self.target.counted["received"] += len(said)
        if not said:
            self.close(client)
        elif self.hear is not None:
            self.hear(client, said)


def dial(port, address, buffer_bytes=None):
    """A connecting socket, or None if the system has none."""
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        one.setsockopt(socket.SOL_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_TIME)
        if buffer_bytes is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        one.bind((address, 0))
        one.connect(("127.0.0.1", port))
    except BlockingIOError:
        pass
    except OSError:
        one.close()
        return None
    return one


class Target:
    """Where an attack goes to, from where, and for how long; and what it counts."""

    def __init__(self, given):
        self.ports, self.addresses, self.facts = given["ports"], given["addresses"], given["facts"]
        self.answers = given["answers"]  # the other end plays, and does not only accept
        self.until = time.monotonic() + given["seconds"]
        self.counted = Counter()

    def goes_on(self):
        return time.monotonic() < self.until

    def address(self, number):
        return f"127.9.0.{number % self.addresses + 1}"

    def count_statuses(self, _, said):
        """Counts the statuses of short answers."""
        for status in re.findall(rb"HTTP/1\.1 (\d+)", said):
            self.counted[status.decode()] += 1


def request(method, path, body="", kind="application/x-www-form-urlencoded", headers=""):
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}"
    if method == "POST":
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n{body}".encode()


def line(**members):
    return json.dumps(members).encode() + b"\n"


def paced(target, make, rate=HTTP_RATE, burst=HTTP_BURST):
    """Requests of each address at the rate that the hub allows one: the n-th is make(n)."""
    paces, numbers = {}, iter(range(1 << 60))

    def say(client):
        pace = paces.setdefault(client.address, Pace(rate, burst))
        return b"".join(make(next(numbers)) for _ in range(pace.take(100)))
    Crowd(target, target.ports["http"], target.addresses, say, target.count_statuses).run()


def waiting(target):
    """players of HTTP who wait for opponents that do not exist"""
    def play(number):
        if number >= WAITING_MAX:
            return b""
        return request("POST", "/api/play", f"client_id=attacker-{number:012d}&name=a{number}&engine=tictactoe"
                                            f"&opponent=nobody{number}")
    paced(target, play)


def sessions(target):
    """a new HTTP session with each request"""
    paced(target, lambda _: request("POST", "/api/connect"))


def bots(target):
    """registrations of bots that do not exist, with a made-up token, so that each address is an owner"""
    def register(number):
        return request("POST", "/rpc", json.dumps({
            "jsonrpc": "2.0", "method": "RegistrationService.Register", "id": number, "params": {
                "token": "attacker", "botname": f"bot {number}", "botversion": "1", "game": "TICTACTOE",
                "rpcendpoint": f"http://127.0.0.1:65000/{number}"}}), "application/json")
    paces, numbers = {}, iter(range(1 << 60))

    def say(client):
        pace = paces.setdefault(client.address, Pace(2, 20))
        return b"".join(register(next(numbers)) for _ in range(pace.take(10)))

    def hear(client, said):
        target.counted["accepted"] += said.count(b'"error":null')
        target.count_statuses(client, said)
    Crowd(target, target.ports["http"], target.addresses, say, hear).run()


def seats(target):
    """204 clients of turns that ask for 1,000 games each, and make no move"""
    asked = line(type="connect", name="m", supported_games=["gomoku"], max_games=1000)
    Crowd(target, target.ports["turns"], 204, lambda client: asked if client.spoken == 0 else None).run()


def closed_games(target):
    """games of turns that are closed as soon as they have begun"""
    asked = line(type="connect", supported_games=["nim"], max_games=1000)
    guess = Pace(12_000, 1000)

    def say(client):
        if client.spoken == 0:
            return asked
        if not target.answers:
            client.begun += guess.take(50)
        first, client.closed = client.closed, min(client.begun, client.closed + 500)
        target.counted["closed"] += client.closed - first
        return b"".join(b'{"type":"close","game_id":%d}\n' % number for number in range(first, client.closed))

    def hear(client, said):
        client.begun += said.count(b'"start"')
    Crowd(target, target.ports["turns"], 20, say, hear).run()


def forged(target):
    """datagrams of 22,000 forged senders, each of which opens a game and sends a move"""
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.bind(("0.0.0.0", 0))
    to, number, pace = ("127.0.0.1", target.ports["udp"]), 0, Pace(20_000, 2000)
    addresses = [socket.inet_aton(f"127.10.{n // 250}.{n % 250 + 1}") for n in range(22_000)]
    senders = [[(socket.SOL_IP, IP_PKTINFO, struct.pack("=i4s4s", 0, each, bytes(4)))] for each in addresses]
    while target.goes_on():
        for _ in range(pace.take(500)):
            sender = senders[number % len(senders)]
            number += 1
            for byte in (b"A", b"0"):
                try:
                    one.sendmsg([byte], sender, socket.MSG_DONTWAIT, to)
                    target.counted["datagrams"] += 1
                except OSError:
                    target.counted["unsent"] += 1
        time.sleep(TICK_SECONDS)


def proxied(target):
    """clients behind one trusted proxy, each with as many streams as it gets"""
    each = 260 if target.addresses == 1 else 100
    path = f"/api/updates/{target.facts['running']}"

    def say(client):
        if client.spoken > 0:
            return None
        return request("GET", path, headers=f"X-Forwarded-For: 203.0.113.{client.number // each + 1}\r\n")
    crowd = Crowd(target, target.ports["http"], 0, say, address_of=lambda _: PROXY)

    def open_more():
        if len(crowd.clients) < each * target.addresses:
            crowd.add(20)
    crowd.run(open_more)


def unread(target):
    """400 requests for a large document at once from each address, whose answers are not read, every two seconds"""
    wanted = request("GET", "/api/openapi.json") * 400
    next_at = [time.monotonic()]

    crowd = Crowd(target, target.ports["http"], 0, lambda client: wanted if client.spoken == 0 else None, reads=False,
                  buffer_bytes=2048)

    def again():
        if time.monotonic() >= next_at[0]:
            next_at[0] += 2
            crowd.add(target.addresses)
    crowd.run(again)


def replays(target):
    """the replay of a game of 361 moves, again and again"""
    wanted = request("GET", f"/api/replays/{target.facts['long']}")
    paces = {}

    def say(client):
        return wanted * paces.setdefault(client.address, Pace(HTTP_RATE, HTTP_BURST)).take(20)
    Crowd(target, target.ports["http"], 4 * target.addresses, say).run()


def reconnecting(target, first_line, reads):
    """As many connections one after the other as one thread opens: each sends a line, and is closed."""
    number, open_now = 0, deque()
    while target.goes_on():
        one = dial(target.ports["turns"], target.address(number))
        if one is None:
            time.sleep(TICK_SECONDS)
            continue
        number += 1
        one.settimeout(0.5)
        try:
            one.sendall(first_line(number))
            if reads and target.answers and one.recv(READ_BYTES):
                target.counted["answers"] += 1
            target.counted["connections"] += 1
            one.shutdown(socket.SHUT_WR)
        except OSError:
            target.counted["failed"] += 1
        # A reset at once could overtake the line.
        open_now.append(one)
        if len(open_now) > UNCLOSED_MAX:
            open_now.popleft().close()


def churn(target):
    """clients of turns that connect, ask for a game and are gone"""
    asked = line(type="connect", name="c", supported_games=["nim"])
    reconnecting(target, lambda _: asked, reads=False)


def guesses(target):
    """clients of turns that guess the secrets of others"""
    reconnecting(target, lambda number: line(type="connect", resume=f"guess-{number:012d}", supported_games=["nim"],
                                             max_games=0), reads=True)


def refused_moves(target):
    """moves that the rules refuse, as many as 20 connections of turns carry"""
    asked = line(type="connect", supported_games=["connect_four"])
    moves = line(type="message", game_id=0, payload="{}") * 1000
    Crowd(target, target.ports["turns"], 20, lambda client: asked if client.spoken == 0 else moves).run()


def opcodes(target):
    """moves without a game, as many as 20 connections of opcodes carry"""
    moves = b"\0\2\4" * 20_000
    Crowd(target, target.ports["opcodes"], 20, lambda _: moves).run()


def wrong_tokens(target):
    """operator commands with wrong tokens"""
    wrong = request("POST", "/say", "{}", "application/json", headers="Authorization: Bearer wrong\r\n")
    Crowd(target, target.ports["admin"], 20, lambda _: wrong * 100, target.count_statuses).run()


ATTACKS = {attack.__name__.replace("_", "-"): attack for attack in (
    waiting, sessions, seats, forged, proxied, unread, closed_games, bots, churn, guesses, replays, refused_moves,
    opcodes, wrong_tokens)}


def main():
    target = Target(json.loads(sys.argv[2]))
    ATTACKS[sys.argv[1]](target)
    print(json.dumps(target.counted))


if __name__ == "__main__":
    main()
