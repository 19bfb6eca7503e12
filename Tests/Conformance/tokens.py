"""Tokens that a server signs, for steps that cannot wait until a real one has run out."""

import base64
import hashlib
import hmac
import json
import sqlite3
import time
from contextlib import closing


def setting(server, name):
    """What the server keeps about itself under this name."""
    with closing(sqlite3.connect(f"file:{server.directory}/server.sqlite?mode=ro", uri=True)) as database:
        return database.execute("SELECT value FROM settings WHERE name = ?", [name]).fetchone()[0]


def claims(token):
    """What a token says."""
    return json.loads(_decode(token.split(".")[1]))


def expiring(server, token, seconds):
    """The same token, running out so many seconds from now; below zero it has run out already."""
    now = int(time.time())
    return sign(server, claims(token) | {"iat": now - 3_600, "exp": now + seconds})


def altered(token):
    """The token with one letter of its signature exchanged."""
    head, tail = token[:-10], token[-10:]
    return head + ("A" if tail[0] != "A" else "B") + tail[1:]


def sign(server, payload):
    """A token of these claims, signed with the server's own secret (RFC 7515)."""
    header = _encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    signed = f"{header}.{_encode(json.dumps(payload).encode())}"
    proof = hmac.new(_decode(setting(server, "secret")), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{_encode(proof)}"


def _encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
