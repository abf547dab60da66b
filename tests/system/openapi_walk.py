"""Checks the hub's responses against its description: openapi_walk.py HUB. Requests every route with valid and invalid
parameters. Each response must have a status and a body that /api/openapi.json describes, and each status there has to
occur."""
import hashlib
import hmac
import http.client
import http.server
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlencode

import json_schema

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "deploy"))
import hubs  # pylint: disable=wrong-import-position

FORM = "application/x-www-form-urlencoded"
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
# The responses that this walk cannot cause: a hub that is full just when a rematch opens its game, one that stops
# between the accept of a connection and its request, a win that is claimed from a player who was away for long, and a
# rematch with a client of another protocol that has no words for it; and logs of a cluster that too many ask for.
UNREACHED = {("/api/rematch", "post", 503), ("/api/ws", "get", 503), ("/api/claim", "post", 200),
             ("/api/rematch", "post", 409), ("/api/games", "get", 503), ("/api/replays/{game_id}", "get", 503)}


class Walk:
    """The description, the port of a hub, and the responses so far."""

    def __init__(self, port, document=None, seen=None):
        self.port = port
        self.document = document or json.loads(self.raw("GET", "/api/openapi.json")[2])
        self.seen = set() if seen is None else seen

    def raw(self, method, target, headers=(), body=None):
        """Status, Content-Type and text of a response, each over a separate connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body, dict(headers))
            answer = connection.getresponse()
            text = b"" if answer.status == 101 else answer.read()
            return answer.status, answer.headers.get("Content-Type", ""), text.decode()
        finally:
            connection.close()

    def ask(self, path, query="", game="", headers=(), body=None, method=None, of=None):
        """Requests a path with its method or another one; returns the status, and the body if it is JSON. `of` is the
        method of a path that has several."""
        of = of or next(iter(self.document["paths"][path]))
        named, operation = of, self.document["paths"][path][of]
        status, kind, text = self.raw(method or named.upper(), path.replace("{game_id}", game).replace("{engine}", game) + query, headers, body)
        what = f"{method or named.upper()} {path} {query} {game} {body}: {status} {kind} {text[:300]}"
        assert str(status) in operation["responses"], f"{what}: that status is not described"
        self.seen.add((path, named, status))
        return status, self.hold(json_schema.resolve(self.document, operation["responses"][str(status)]), kind, text, what)

    def hold(self, described, kind, text, what):
        if "content" not in described:
            assert not text, f"{what}: a body is not described"
            return None
        assert kind in described["content"], f"{what}: that type is not described"
        schema = described["content"][kind]["schema"]
        bodies = {"application/x-ndjson": lambda: [line for line in text.split("\n") if line],
                  "text/event-stream": lambda: [line[6:] for line in text.split("\n") if line.startswith("data: ")],
                  "application/json": lambda: [text] if text.strip() else []}[kind]()
        assert bodies or "update" in str(schema), f"{what}: there is no body"
        values = [json.loads(each) for each in bodies]
        for value in values:
            wrong = json_schema.faults(self.document, schema, value)
            assert not wrong, f"{what}: {'; '.join(wrong)}"
        return values[0] if len(values) == 1 else values

    def post(self, path, of=None, **parameters):
        """As a form, and the same as JSON; of the second response only the format is checked."""
        return self.ask(path, headers={"Content-Type": FORM}, body=urlencode(parameters), of=of)

    def post_json(self, path, of=None, **parameters):
        return self.ask(path, headers={"Content-Type": "application/json"}, body=json.dumps(parameters), of=of)

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield path, method, operation

    def unseen(self):
        described = {(path, method, int(status)) for path, method, operation in self.operations()
                     for status in operation["responses"]}
        return described - self.seen - UNREACHED


def play_games(walk):
    """Whole games, with valid moves."""
    ann, bob = ({"client_id": f"the-secret-of-{name}-123456"} for name in ("ann", "bob"))
    assert walk.post("/api/connect", **ann, name="ann")[0] == 200
    assert walk.post("/api/connect")[0] == 200
    assert walk.post("/api/connect", client_id="another-of-ann-1234", name="ann")[0] == 409
    seat = walk.post_json("/api/play", **ann, private=True)[1]
    game = seat["game_id"]
    assert walk.ask("/api/games/{game_id}", game=game)[0] == 404
    assert walk.ask("/api/games/{game_id}", f"?client_id={ann['client_id']}", game)[1]["status"] == "waiting"
    assert walk.post("/api/move", **ann, position=4)[0] == 409
    assert walk.post("/api/chat", **ann, message="anybody?")[0] == 409
    assert walk.ask("/api/invitation", f"?invitation={seat['invitation']}")[1]["host"] == "ann"
    assert walk.post("/api/play", **bob, name="bob", invitation=seat["invitation"])[1]["player"] == "O"
    assert walk.post("/api/rename", **bob, name="rob")[1] == {"name": "rob"}
    walk.post("/api/quit", **ann)
    assert walk.ask("/api/replays/{game_id}", f"?client_id={bob['client_id']}", game)[0] == 200
    assert walk.ask("/api/replays/{game_id}", game=game)[0] == 404
    assert walk.post("/api/play", **ann, game_id="4711")[0] == 404
    game = walk.post("/api/play", **ann)[1]["game_id"]
    assert walk.post("/api/play", **bob, game_id=game)[1]["game_id"] == game
    assert walk.ask("/api/games", "?status=waiting")[0] == 200
    assert walk.post("/api/move", **bob, position=4)[0] == 409
    assert walk.post("/api/play", client_id=bob["client_id"], resume="true")[0] == 200
    for number, cell in enumerate([0, 3, 1, 4]):
        assert walk.post_json("/api/move", **(ann, bob)[number % 2], position=cell)[0] == 200
    assert walk.ask("/api/games/{game_id}", f"?client_id={ann['client_id']}", game)[1]["actions"]
    assert walk.ask("/api/replays/{game_id}", game=game)[0] == 404
    assert walk.post("/api/chat", **ann, message="good game")[0] == 200
    assert walk.post("/api/offer", **ann, what="cake")[0] == 400
    assert walk.post("/api/offer", **ann, what="draw", game_id="4711")[0] == 404
    assert walk.post("/api/offer", **ann, what="draw", answer="accepted")[0] == 409
    assert walk.post("/api/offer", **ann, what="takeback")[0] == 200
    assert walk.ask("/api/games/{game_id}", game=game)[1]["offers"]
    assert walk.post("/api/offer", **bob, what="takeback", answer="accepted")[0] == 200
    assert walk.post("/api/move", **ann, position=1)[0] == 200
    assert walk.post("/api/move", **bob, position=4)[0] == 200
    assert walk.post("/api/claim", **ann)[0] == 409
    assert walk.post("/api/claim", **ann, game_id="4711")[0] == 404
    assert walk.post("/api/move", **ann, position=2)[0] == 200
    follow(walk, game, 15)
    assert walk.ask("/api/replays/{game_id}", game=game)[0] == 200
    assert walk.post("/api/quit", **ann)[0] == 404
    assert walk.post("/api/decline", **bob)[0] == 404
    assert walk.post("/api/rematch", **ann)[1]["status"] == "waiting"
    assert walk.ask("/api/games/{game_id}", f"?client_id={bob['client_id']}", game)[1]["offers"]
    assert walk.post("/api/decline", **bob, game_id=game)[0] == 200
    assert walk.post("/api/rematch", **ann)[1]["status"] == "waiting"
    assert walk.post("/api/rematch", **bob, game_id=game)[0] == 200
    assert walk.post("/api/quit", **ann)[0] == 200
    assert walk.post("/api/play", **ann, resume="true")[0] == 409
    for engine in ("rock-paper-scissors", "kuhn-poker", "connect-four"):
        game = walk.post("/api/play", **ann, engine=engine)[1]["game_id"]
        assert walk.post("/api/play", **bob, engine=engine)[1]["game_id"] == game
        for who in (ann, bob):
            actions = walk.ask("/api/games/{game_id}", f"?client_id={who['client_id']}", game)[1]["actions"]
            assert not actions or walk.post("/api/move", **who, action=actions[0])[0] == 200
        walk.post("/api/quit", **ann)
        follow(walk, game, None)
    assert walk.ask("/api/games", "?status=ended&limit=1")[1]["next"]
    assert walk.ask("/api/engines")[0] == 200
    assert walk.ask("/api/me/games", f"?client_id={ann['client_id']}")[1]["games"]
    assert walk.ask("/api/me/games", "?client_id=nobody-has-this-secret")[0] == 401
    assert walk.ask("/api/me/games")[0] == 400
    for each in walk.ask("/api/engines")[1]["engines"]:
        one = walk.ask("/api/engines/{engine}", game=each["engine"])[1]
        assert one["examples"] and {**each, "examples": one["examples"]} == one, one
    assert walk.ask("/api/engines/{engine}", game="chess")[0] == 404
    assert walk.ask("/api/leaderboard", "?engine=nim&limit=3")[0] == 200
    assert walk.ask("/api/openapi.json")[0] == 200
    assert walk.ask("/api/ws", headers=UPGRADE)[0] == 101
    assert walk.ask("/api/ws")[0] == 426


def follow(walk, game, last):
    """An ended game, read in all possible ways."""
    path = "/api/updates/{game_id}"
    # A reader is a guest, and is announced, too.
    updates = [each for each in walk.ask(path, game=game)[1] if each.get("player") != "G"]
    last = last or len(updates)
    assert [each["update_id"] for each in updates] == list(range(1, last + 1)), updates
    events = {"Accept": "text/event-stream"}
    assert [each for each in walk.ask(path, game=game, headers=events)[1] if each.get("player") != "G"] == updates
    assert walk.ask(path, f"?wait=0&last_update_id={last - 1}", game)[1] == updates[-1]
    assert walk.ask(path, f"?wait=0&cursor={last}", game)[1] == []
    assert walk.ask(path, f"?last_update_id={last}", game, headers=events)[0] == 204
    assert walk.ask(path, f"?last_update_id={last + 1}", game)[0] == 400
    lines = walk.ask("/api/updates", f"?games={game}")[1]
    assert [each for each in lines if each.get("player") != "G"] == \
        [{"game": game, **each} for each in updates] + [{"game": game, "type": "done"}], lines


def bad_values(schema):
    """Values that a parameter's schema forbids."""
    if schema.get("type") == "boolean":
        yield "perhaps"
    if schema.get("type") == "integer":
        yield from ["x", "1.5"]
        yield from [schema["minimum"] - 1] if "minimum" in schema else []
        yield from [schema["maximum"] + 1] if "maximum" in schema else []
    if schema.get("type") == "object":
        yield "no-object"
    if "maxLength" in schema:
        yield "a" * (schema["maxLength"] + 1)
    if schema.get("minLength", 0) > 1:
        yield "a" * (schema["minLength"] - 1)


def ask_badly(walk):
    """Every parameter with invalid values; then the errors that every route can have."""
    good = {"client_id": "the-secret-of-ann-123456", "message": "hello", "position": "4", "what": "draw",
            "url": "http://10.0.0.1/", "secret": "the-secret-of-a-receiver"}
    for path, method, operation in walk.operations():
        if method in ("post", "put"):
            body = operation["requestBody"]["content"][FORM]["schema"]
            body = json_schema.resolve(walk.document, body)
            takes = [(name, each, name in body.get("required", [])) for name, each in body["properties"].items()]
            base = {name: good[name] for name, _, _ in takes if name in good}

            def ask(given, path=path, method=method):
                return walk.ask(path, headers={"Content-Type": FORM}, body=urlencode(given), of=method)
        else:
            takes = [(each["name"], each["schema"], each["required"]) for each in operation.get("parameters", [])
                     if each["in"] == "query"]
            base = {}

            def ask(given, path=path, method=method):
                return walk.ask(path, "?" + urlencode(given), game="1", of=method)
        for name, schema, required in takes:
            for value in bad_values(schema):
                assert 400 <= ask({**base, name: value})[0] < 500, (path, name, value)
            assert ask([*base.items(), (name, "17"), (name, "18")])[0] == 400, (path, name)
            if required:
                assert ask({key: value for key, value in base.items() if key != name})[0] == 400, (path, name)
        assert walk.ask(path, "?a=%zz", game="1", of=method)[0] == 400
        assert walk.ask(path, game="1", method="PATCH", of=method)[0] == 405
        if method in ("post", "put"):
            assert walk.ask(path, headers={"Content-Type": FORM}, body="a" * 70_000, of=method)[0] == 413
            assert walk.post_json(path, of=method, client_id=["no text"])[0] == 400
            if "client_id" in body["properties"]:
                walk.post(path, of=method, **{**base, "client_id": "nobody-has-this-secret", "resume": "true"})
        if "{game_id}" in path:
            for game in ("4711", "x", "-1", "9" * 30):
                assert walk.ask(path, game=game)[0] == 404, (path, game)
    status, _, text = walk.raw("GET", "/api/nothing")
    assert (status, json.loads(text)["error"]["code"]) == (404, 100)


class Receiver(http.server.BaseHTTPRequestHandler):
    """A good receiver of webhooks."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        challenge = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["challenge"]
        answer = hmac.new(b"the-secret-of-a-receiver", b"challenge." + challenge.encode(), hashlib.sha256)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"answer": answer.hexdigest()}).encode())


def webhooks(program, walk):
    """A webhook is registered, shown and removed; and a hub that has no room for one."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = "/api/me/webhook"
    hook = {"url": f"http://127.0.0.1:{server.server_address[1]}/", "secret": "the-secret-of-a-receiver"}
    with hubs.serving(program, "--journal", "memory", "--webhooks", "--webhooks-max", "1", "--bot-allow", "127.0.0.0/8") as ports:
        here = Walk(ports["http"], walk.document, walk.seen)
        ann, bob = (here.post("/api/connect")[1]["client_id"] for _ in range(2))
        assert here.post(path, of="put", client_id=ann, **{**hook, "url": "http://10.0.0.1/"})[0] == 400
        assert here.post_json(path, of="put", client_id=ann, **hook)[1]["on"] is True
        assert here.post(path, of="put", client_id=bob, **hook)[0] == 503
        assert here.ask(path, f"?client_id={ann}", of="get")[0] == 200
        assert here.ask(path, f"?client_id={bob}", of="get")[0] == 404
        assert here.ask(path, f"?client_id={ann}", of="delete")[0] == 200
        assert here.ask(path, f"?client_id={ann}", of="delete")[0] == 404
    server.shutdown()


def main():
    program = sys.argv[1]
    with hubs.serving(program, "--journal", "memory") as ports:
        walk = Walk(ports["http"])
        play_games(walk)
        ask_badly(walk)
        for path, method, _ in walk.operations():
            assert walk.ask(path, game="1", headers={"Host": "rebind.evil.example"}, of=method)[0] == 421, path
    webhooks(program, walk)
    with hubs.serving(program, "--journal", "memory", "--limit-loopback", "--http-address-rate", "1") as ports:
        slow = Walk(ports["http"], walk.document, walk.seen)
        while slow.ask("/api/engines")[0] != 429:
            pass
        for path, method, _ in walk.operations():
            assert slow.ask(path, game="1", of=method)[0] == 429, path
    with tempfile.NamedTemporaryFile("w") as token:
        token.write("a-token-for-the-operator\n")
        token.flush()
        with hubs.serving(program, "--journal", "memory", "--admin-token-file", token.name) as ports:
            banned = Walk(ports["http"], walk.document, walk.seen)
            subprocess.run([program, "ban", "--address", "127.0.0.1", "--admin-port", str(ports["admin"]),
                            "--admin-token-file", token.name], check=True, stdout=subprocess.DEVNULL)
            for path, method, _ in walk.operations():
                assert banned.ask(path, game="1", of=method)[0] == 403, path
    with hubs.serving(program, "--journal", "memory", "--connections-max", "1") as ports:
        full = Walk(ports["http"], walk.document, walk.seen)
        # The hub removes unused sessions to make room, but not players who wait for an opponent.
        assert full.post("/api/play")[0] == 200
        assert full.post("/api/connect")[0] == 503
        assert full.post("/api/play")[0] == 503
    assert not walk.unseen(), f"these answers never came: {sorted(walk.unseen())}"


main()
