"""Pictures made for the tests, and what a screen shows of them."""

import struct
import zlib

HALVES = "▀▄"
BLOCKS = HALVES + "▌▐▖▗▘▙▚▛▜▝▞▟█"


def png(width, height, colour):
    """A PNG whose pixels `colour(x, y)` gives as red, green and blue."""
    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in colour(x, y)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def cells(screen):
    """The cells of pictures: row, column, and what pyte has there."""
    found = []
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            if cell.data in BLOCKS and cell.bg != "default":
                found.append((row, column, cell))
    return found
