"""A client of WebSockets (gateways/ws/README.md): the messages of the protocol turns in text frames."""
import asyncio
import json
import struct

from turns import TurnsClient

HANDSHAKE = (b"GET /api/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
TEXT, CLOSE, MASK = 0x81, 0x88, b"mask"


class Frames:
    """Reads each text frame as a line. The end of the connection, or a close frame, is the end."""

    def __init__(self, reader):
        self.reader = reader

    async def readline(self):
        try:
            while True:
                kind, size = await self.reader.readexactly(2)
                if size == 126:
                    size = struct.unpack("!H", await self.reader.readexactly(2))[0]
                text = await self.reader.readexactly(size)
                if kind == CLOSE:
                    return b""
                if kind == TEXT:
                    return text + b"\n"
        except asyncio.IncompleteReadError:
            return b""


class SocketClient(TurnsClient):
    wire = "ws"

    async def connect(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.world.hubs[self.home]["http"])
        writer.write(HANDSHAKE)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101 "):
            writer.transport.abort()
            raise OSError("no WebSocket")
        return Frames(reader), writer

    def say(self, line):
        text = json.dumps(line).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack("!H", len(text))
        masked = bytes(each ^ MASK[i % 4] for i, each in enumerate(text))
        self.writer.write(bytes([TEXT]) + size + MASK + masked)
