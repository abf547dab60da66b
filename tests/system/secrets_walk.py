"""Looks for the players' secrets in everything that a hub sends: secrets_walk.py HUB. Plays over every protocol, also
with secrets in wrong places, while others watch; then no response, update, log, metric or page of the journal may
contain one, except the response that sends it to its owner. The secret with which the hub signs its calls of a bot is
only in the league's file, that of a webhook only in the file of webhooks."""
import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "deploy"))
import hubs  # pylint: disable=wrong-import-position

PATIENCE = 60
SIGNING_SECRET = "the-signing-secret-of-a-bot"
WEBHOOK_SECRET = "the-secret-of-a-webhook"


class Scene:
    """What was received, and the secrets that only their owner may receive."""

    def __init__(self, ports):
        self.ports = ports
        self.heard, self.secrets = [], set()

    def owned(self, text, pattern):
        """Text in which a client received its own secret."""
        found = re.search(pattern, text)
        assert found, f"no secret in {text}"
        self.secrets.add(found.group(1))
        self.heard.append(text.replace(found.group(0), "", 1))
        return found.group(1)

    def http(self, method, target, body=None, headers=(), owns=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports["http"], timeout=PATIENCE)
        try:
            connection.request(method, target, body, dict(headers))
            answer = connection.getresponse()
            text = f"{answer.status} {answer.headers.as_string()} {answer.read().decode()}"
        finally:
            connection.close()
        if owns:
            self.owned(text, owns)
        else:
            self.heard.append(text)
        try:
            return json.loads(text[text.index("{"):])
        except ValueError:
            return {}

    def post(self, path, owns=None, **parameters):
        return self.http("POST", f"/api/{path}", urlencode(parameters), {"Content-Type": "application/x-www-form-urlencoded"},
                         owns)

    def watch(self, target, headers=()):
        """Opens a stream; its contents come later."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports["http"], timeout=PATIENCE)
        connection.request("GET", target, headers=dict(headers))
        return connection

    def hear_out(self, connection):
        answer = connection.getresponse()
        self.heard.append(answer.headers.as_string() + answer.read().decode())
        connection.close()


class Wire:
    """A client of bytes; everything that it reads is checked."""

    def __init__(self, scene, wire, kind=socket.SOCK_STREAM):
        self.scene = scene
        self.socket = socket.socket(socket.AF_INET, kind)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", scene.ports[wire]))
        self.rest = b""

    def say(self, words):
        self.socket.sendall(words if isinstance(words, bytes) else words.encode())

    def hear_until(self, what, owns=None):
        while what not in self.rest:
            came = self.socket.recv(65536)
            assert came, f"the hub closed before {what}: {self.rest}"
            self.rest += came
        text, self.rest = self.rest.decode(errors="replace"), b""
        if owns:
            return self.scene.owned(text, owns)
        return self.scene.heard.append(text)

    def hear_out(self):
        while came := self.socket.recv(65536):
            self.rest += came
        self.scene.heard.append(self.rest.decode(errors="replace"))
        self.socket.close()


def framed(text):
    """A masked frame of a WebSocket; a mask of zeros leaves the text unchanged."""
    size = len(text).to_bytes(1) if len(text) < 126 else b"\x7e" + len(text).to_bytes(2)
    return b"\x81" + bytes([size[0] | 0x80]) + size[1:] + bytes(4) + text.encode()


def connect_of(name, **more):
    return json.dumps({"type": "connect", "name": name, "supported_games": ["tictactoe"], "max_games": 1, **more})


def play_http(scene):
    """A private game, with guests of every kind, chat, errors and the end."""
    made = "[0-9a-f]{32}"
    ann, bob = "the-secret-of-ann-§".replace("§", "1234"), "the-secret-of-bob-5678"
    scene.post("connect", rf'"client_id":"({ann})"', client_id=ann, name="ann")
    seat = scene.post("play", r'"invitation":"([^"]+)"', client_id=ann, private="true")
    invitation, = scene.secrets - {ann}
    path = f"/api/updates/{seat['game_id']}"
    own = {"Authorization": f"Bearer {ann}"}
    watching = [scene.watch(path), scene.watch(path, {**own, "Accept": "text/event-stream"}),
                scene.watch(f"{path}?client_id={ann}"), scene.watch(f"{path}?wait=60", own)]
    scene.post("play", rf'"client_id":"({bob})"', client_id=bob, name="bob", invitation=invitation)
    scene.post("chat", client_id=ann, message="good luck")
    for number, cell in enumerate([0, 3, 3, 1, 9, 4]):
        scene.post("move", client_id=(ann, bob)[number % 2] if cell < 9 else bob, position=cell)
        scene.http("GET", f"/api/games/{seat['game_id']}?client_id={ann}")
    scene.post("quit", client_id=bob, game_id=seat["game_id"])
    for each in watching:
        scene.hear_out(each)
    # The same in a game that guests may see.
    game = scene.post("play", client_id=ann)["game_id"]
    watching = [scene.watch(f"/api/updates/{game}"), scene.watch(f"/api/updates/{game}", {"Accept": "text/event-stream"})]
    scene.post("play", client_id=bob)
    scene.post("move", client_id=ann, position=4)
    scene.post("quit", client_id=bob)
    for each in watching:
        scene.hear_out(each)
    scene.post("rematch", client_id=ann)
    scene.post("quit", client_id=ann)
    third = scene.post("connect", rf'"client_id":"({made})"')["client_id"]
    for path in ("engines", "games", "openapi.json", f"games/{seat['game_id']}", f"replays/{seat['game_id']}",
                 f"updates/{seat['game_id']}?last_update_id=0", "nothing", "ws", f"updates/{ann}", f"games/{invitation}"):
        scene.http("GET", f"/api/{path}{'&' if '?' in path else '?'}client_id={third}", headers={"Authorization": f"Bearer {ann}",
                                                                                               "Origin": f"http://{bob}"})
    # Secrets in wrong places, or in a wrong form.
    for secret in (ann, bob, third, invitation):
        scene.http("GET", f"/{secret}?{secret}={secret}")
        scene.http(secret.upper()[:10].replace("-", "X"), f"/api/play?client_id={secret}")
        scene.post("play", engine=secret)
        scene.post("play", client_id="x" + secret + "\n")
        scene.post("connect", client_id=secret + "-and-more", name=" " + secret)
        scene.post("move", client_id=secret, position=secret)
        scene.post("move", client_id=secret, action=secret)
        scene.post("play", client_id=third, options=secret, seat=secret, invitation=secret + "0")
        raw = Wire(scene, "http")
        raw.say(f"GET /api/engines HTTP/1.1\r\nHost: {secret}\r\n{secret} {secret}\r\n\r\n")
        raw.hear_out()


def play_sockets(scene):
    """JSON turns over TCP and over a WebSocket, opcodes and UDP; games left, resumed, and ended by protocol errors."""
    name = r'"secret":"([^"]+)"'
    turns = Wire(scene, "turns")
    turns.say(connect_of("tom") + "\n")
    secret = turns.hear_until(b"\n", name)
    sockets = Wire(scene, "http")
    key = base64.b64encode(bytes(16)).decode()
    sockets.say(f"GET /api/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {key}\r\n\r\n")
    sockets.hear_until(b"\r\n\r\n")
    sockets.say(framed(connect_of("web")))
    other = sockets.hear_until(b"}", name)
    turns.hear_until(b"turn")
    again = Wire(scene, "turns")
    again.say(connect_of("tom", resume=secret) + "\n")
    assert again.hear_until(b"turn\\", name) == secret
    again.say(json.dumps({"type": "message", "game_id": secret, "payload": secret}) + "\n")
    again.say(f"{other} is no JSON\n")
    again.hear_out()
    turns.hear_out()
    sockets.say(framed(f"{secret} is no JSON"))
    sockets.hear_out()
    opcodes = Wire(scene, "opcodes")
    opcodes.say(b"\0\1\0\2" + secret.encode())
    opcodes.hear_out()
    udp = Wire(scene, "udp", socket.SOCK_DGRAM)
    udp.say(b"A")
    udp.hear_until(b"A")
    udp.socket.close()


class Bot(http.server.BaseHTTPRequestHandler):
    """Plays nonsense, so that its mistakes are logged. The heads of all calls are kept."""
    heard, signed = [], []

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.heard.append(self.headers.as_string() + body.decode())
        at, _, signature = self.headers["Gamehub-Signature"].removeprefix("t=").partition(",v1=")
        wanted = hmac.new(SIGNING_SECRET.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
        self.signed.append(hmac.compare_digest(wanted, signature))
        self.send_response(200)
        self.send_header("Content-Length", "8")
        self.end_headers()
        self.wfile.write(b"nonsense")


def await_metric(scene, line):
    until = time.monotonic() + PATIENCE
    while line + "\n" not in hubs.get(scene.ports["admin"], "/metrics")[1]:
        assert time.monotonic() < until, f"never: {line}"
        time.sleep(0.05)


def play_bot(scene):
    """A bot that gives a secret, also in wrong forms, and makes a mistake."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bot)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def register(**more):
        params = {"token": "any", "botname": "signed", "botversion": "1", "game": "TICTACTOE",
                  "rpcendpoint": f"http://127.0.0.1:{server.server_address[1]}/", "signingsecret": SIGNING_SECRET, **more}
        return scene.http("POST", "/rpc", json.dumps({"method": "RegistrationService.Register", "params": params, "id": 1}),
                          {"Content-Type": "application/json"})

    assert register(signingsecret=SIGNING_SECRET + " ")["result"] is None
    assert register(signingsecret=SIGNING_SECRET * 9)["result"] is None
    assert register(game=SIGNING_SECRET[:5])["result"] is None
    assert register()["error"] is None
    await_metric(scene, "gamehub_bots_online 1")
    ann = "the-secret-of-ann-1234"
    scene.post("play", client_id=ann, opponent="bot:signed")
    scene.post("move", client_id=ann, position=4)
    await_metric(scene, 'gamehub_bot_faults_total{reason="unparsable"} 1')
    await_metric(scene, 'gamehub_bot_calls_total{method="error",result="answered"} 1')
    scene.post("quit", client_id=ann)
    scene.heard += [hubs.get(scene.ports["admin"], "/arena")[1]]
    scene.http("GET", "/api/leaderboard?engine=tictactoe")
    server.shutdown()


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers the challenge, and fails then, so that the hub logs it."""
    heard = []

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.heard.append(self.headers.as_string() + body.decode())
        challenge = json.loads(body).get("challenge", "")
        answer = hmac.new(WEBHOOK_SECRET.encode(), b"challenge." + challenge.encode(), hashlib.sha256).hexdigest()
        text = json.dumps({"answer": answer}).encode()
        self.send_response(200 if challenge else 410)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def play_webhook(scene):
    """A webhook, registered also in wrong forms, shown, and off after a call."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ann, bob = "the-secret-of-ann-1234", "the-secret-of-bob-5678"
    url = f"http://127.0.0.1:{server.server_address[1]}/"

    def register(**more):
        return scene.http("PUT", "/api/me/webhook", urlencode({"client_id": ann, "url": url, "secret": WEBHOOK_SECRET, **more}),
                          {"Content-Type": "application/x-www-form-urlencoded"})

    assert register(secret=WEBHOOK_SECRET + "\n")["error"]
    assert register(secret=WEBHOOK_SECRET * 9)["error"]
    assert register(url="http://10.0.0.1/")["error"]
    assert register(url=WEBHOOK_SECRET)["error"]
    assert register()["on"] is True
    for who in (ann, bob):
        game = scene.post("play", client_id=who, clock="days:1")["game_id"]
    scene.http("GET", f"/api/updates/{game}?wait=0&client_id={ann}")
    await_metric(scene, 'gamehub_webhooks{state="off"} 1')
    assert scene.http("GET", "/api/me/webhook", headers={"Authorization": f"Bearer {ann}"})["on"] is False
    scene.post("quit", client_id=ann)
    server.shutdown()


def look(program, log_format):
    with tempfile.TemporaryDirectory() as folder:
        journal = f"sqlite:{folder}/journal.db"
        log = Path(folder) / "log"
        with open(log, "wb") as to:
            hub = subprocess.Popen([program, "serve", "--drain-seconds", "0", *hubs.free_ports(program), "--journal", journal,
                                    "--log-level", "debug", "--log-format", log_format, "--open-registration",
                                    "--bot-allow", "127.0.0.0/8", "--webhooks", "--webhook-delay-seconds", "1"], stdout=subprocess.PIPE, stderr=to,
                                   text=True)
        try:
            scene = Scene(hubs.ports_of(hub.stdout.readline()))
            play_http(scene)
            play_sockets(scene)
            play_bot(scene)
            play_webhook(scene)
            admin = ["--admin-port", str(scene.ports["admin"])]
            scene.heard += [subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
                            for words in (["arena", "list", *admin], ["arena", "list", "--json", *admin],
                                          ["arena", "ratings", "--output", "json", "--journal", journal],
                                          ["token", "list", "--journal", journal])]
            scene.heard += [hubs.get(scene.ports["admin"], page)[1] for page in ("/metrics", "/readyz")]
        finally:
            hub.terminate()
            hub.wait(PATIENCE)
        export = subprocess.run([program, "journal", "export", "--journal", journal], capture_output=True, text=True, check=True)
        by_name = {each: Path(folder, each).read_bytes() for each in os.listdir(folder)}
        files = list(by_name.values())
    assert len(scene.secrets) == 6, scene.secrets
    assert "ann" in export.stdout and any(b"ready" in each or b"drain" in each for each in files)
    for secret in scene.secrets:
        told = [text for text in scene.heard if secret in text]
        assert not told, f"{secret} was told: {told[0]}"
        assert secret not in export.stdout, f"{secret} is in the journal's export"
        assert not any(secret.encode() in each for each in files), f"{secret} is in the log or the journal"
    assert Bot.signed and all(Bot.signed), Bot.signed
    for text in [*scene.heard, *Bot.heard, export.stdout]:
        assert SIGNING_SECRET not in text, f"the secret of the bot was told: {text}"
    for secret, file in ((SIGNING_SECRET, "journal.db.arena"), (WEBHOOK_SECRET, "journal.db.webhooks")):
        has_it = {name for name, content in by_name.items() if secret.encode() in content}
        assert has_it == {file}, has_it
    for text in [*scene.heard, *Receiver.heard, export.stdout]:
        assert WEBHOOK_SECRET not in text, f"the secret of the webhook was told: {text}"


for form in ("text", "json"):
    look(sys.argv[1], form)
