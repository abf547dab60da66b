"""Bots (gateways/bots/README.md) that play TicTacToe with each other in the arena of a cluster whose hubs are restarted.
One server answers all their calls. What it answered and was told is compared with the log at the end."""
import asyncio
import json
import re
import time

import logs
from clients import NO_RESULT, UNANSWERED
from web import head_of

FLAGS = ["--open-registration", "--bot-allow", "127.0.0.0/8", "--arena-repeat", "1"]
AGAIN_SECONDS = 0.5  # until a registration that was refused is tried again


class Bots:
    wire = "bots"

    def __init__(self, world, count):
        self.world, self.names = world, [f"bot {number}" for number in range(count)]
        self.moves = set()    # (game, pieces on the board, cell) that were answered
        self.ends = {}        # game -> the last board that was told
        self.listener = self.stopped_at = None

    async def start(self):
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        for name in self.names:
            await self.register(name)

    def stop(self):
        """They answer no call any more, so that the arena begins no game."""
        # In the milliseconds of the log: a game may end in this one.
        self.stopped_at = int(time.time() * 1000) / 1000
        self.listener.close()

    async def register(self, name):
        """With any hub, which passes it on to the one with the arena. Refused while that one drains."""
        port = self.listener.sockets[0].getsockname()[1]
        body = json.dumps({"jsonrpc": "2.0", "method": "RegistrationService.Register", "id": 1, "params": {
            "token": "torture", "botname": name, "botversion": "1", "game": "TICTACTOE",
            "rpcendpoint": f"http://127.0.0.1:{port}/{name.replace(' ', '-')}"}})
        while True:
            hub = self.world.hubs[min(self.world.open)]
            reader, writer = await asyncio.open_connection("127.0.0.1", hub["http"])
            writer.write(f"POST /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
            _, headers = await head_of(reader)
            answer = json.loads(await reader.readexactly(int(headers["content-length"])))
            writer.close()
            if answer["error"] is None:
                return
            await asyncio.sleep(AGAIN_SECONDS)

    async def serve(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(re.search(r"\r\nContent-Length: (\d+)\r\n", head).group(1))
            call = json.loads(await reader.readexactly(length))
            said = json.dumps({"jsonrpc": "2.0", "result": await self.answer(call), "id": call["id"]}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(said) + said)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def answer(self, call):
        method, told = call["method"].split(".")[-1], call["params"]
        if method == "Error":
            self.world.fails(self, f"error {told['errorcode']}: {told['message']}")
        elif method == "Complete":
            self.ends[told["gameid"]] = "".join(mark or "-" for mark in told["gamestate"])
        elif method == "NextMove":
            await asyncio.sleep(self.world.think_seconds)
            board = told["gamestate"]
            cell = board.index("")
            self.moves.add((told["gameid"], sum(map(bool, board)), cell))
            return {"position": cell}
        return {"status": "OK"}

    def judge(self, lines):
        """Counts what the bots have lost: a move that was answered and is not in the log, an end that is not that of the
        log, and a game without a result. The same move may have been asked for twice, by two hubs."""
        games = {game.id: game for game in map(logs.Game, lines) if "jsonrpc" in game.wires}
        for number, ply, cell in self.moves:
            made = games[number].moves[ply:ply + 1] if number in games else []
            if [move[1] for move in made] != [cell] and not self.ended_late(games.get(number)):
                self.world.failures[self.wire, UNANSWERED] += 1
        for number, board in self.ends.items():
            if number not in games or games[number].boards[-1] != board:
                self.world.failures[self.wire, "another end than in the log"] += 1
        for game in games.values():
            if game.end and game.end[0] != "rules" and not self.ended_late(game):
                self.world.failures[self.wire, NO_RESULT] += 1
        return len(games)

    def ended_late(self, game):
        """After the bots had stopped."""
        return game is not None and game.end is not None and game.end[2] >= self.stopped_at
