"""Many clients at once, as thin as Python allows: sockets that only listen, and connections that only write."""

import json
import os
import select
import socket
import time
import urllib.parse
import uuid


def frame(payload):
    """A masked text frame of a client."""
    data, mask = payload.encode(), os.urandom(4)
    size = len(data)
    head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0x80 | 126]) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))


def listener(port, person):
    """A socket that has joined the feed of everything this person may see."""
    connection = socket.create_connection(("127.0.0.1", port))
    query = urllib.parse.urlencode({"apikey": person.key, "vsn": "1.0.0"})
    connection.sendall(
        f"GET /realtime/v1/websocket?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    wait_for(connection, b"\r\n\r\n")
    config = {"postgres_changes": [{"event": "INSERT", "schema": "public", "table": "messages"}]}
    join = {
        "topic": f"realtime:pl:{person.id}", "event": "phx_join", "ref": "1", "join_ref": "1",
        "payload": {"config": config, "access_token": person.token},
    }  # fmt: skip
    connection.sendall(frame(json.dumps(join)))
    wait_for(connection, b"Subscribed to PostgreSQL")
    return connection


def wait_for(connection, needle):
    data = b""
    while needle not in data:
        piece = connection.recv(65536)
        assert piece, f"the server closed the connection: {data!r}"
        data += piece
    return data


def fan_out(port, person, conversation, sockets, messages):
    """How long it takes until a message is at every one of the sockets."""
    connections = [listener(port, person) for _ in range(sockets)]
    poll = select.epoll()
    by_number = {connection.fileno(): connection for connection in connections}
    for connection in connections:
        poll.register(connection, select.EPOLLIN)
    times = []
    try:
        for _ in range(messages):
            word = uuid.uuid4().hex
            began = time.monotonic()
            person.send(conversation, word)
            waiting = set(by_number)
            while waiting:
                for number, _ in poll.poll(10):
                    if word.encode() in by_number[number].recv(65536):
                        waiting.discard(number)
                        times.append(time.monotonic() - began)
    finally:
        poll.close()
        for connection in connections:
            connection.close()
    times.sort()
    return {f"server: one message to {sockets} sockets, p99, ms": times[int(len(times) * 0.99)] * 1e3}


def stored_per_second(port, person, conversation, connections, messages):
    """Single inserts over kept-alive connections, each with one request under way."""
    requests = [insert(person, conversation, number) for number in range(messages)]
    poll = select.epoll()
    lanes = {}
    for _ in range(connections):
        lane = socket.create_connection(("127.0.0.1", port))
        lanes[lane.fileno()] = lane
        poll.register(lane, select.EPOLLIN)
    began, answered = time.monotonic(), 0
    for lane in lanes.values():
        lane.sendall(requests.pop())
    while answered < messages:
        for number, _ in poll.poll(10):
            data = lanes[number].recv(65536)
            assert b" 201 " in data.split(b"\r\n", 1)[0], data[:200]
            answered += 1
            if requests:
                lanes[number].sendall(requests.pop())
    seconds = time.monotonic() - began
    poll.close()
    for lane in lanes.values():
        lane.close()
    return {"server: stored messages a second": messages / seconds}


def insert(person, conversation, number):
    body = json.dumps({"id": str(uuid.uuid4()), "conversation_id": conversation, "body": f"stored message {number}"})
    return (
        f"POST /rest/v1/messages?on_conflict=id HTTP/1.1\r\nHost: 127.0.0.1\r\napikey: {person.key}\r\n"
        f"Authorization: Bearer {person.token}\r\nContent-Type: application/json\r\n"
        f"Prefer: return=minimal,resolution=ignore-duplicates\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
