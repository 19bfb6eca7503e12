"""An IRC server of one client and two channels, for measuring the programs that speak IRC.

A process of its own, so that it does not share an interpreter with the measuring side. Prints its port, then obeys
lines on standard input: `burst CHANNEL COUNT LAST` sends that many messages, the last with the text LAST, and
answers with the monotonic time at which it began. Ends with its standard input.
"""

import os
import socket
import sys
import threading
import time

CHANNELS = ("alpha", "beta")
NICKS = ("anna", "boris", "chloe", "dmitri", "elena")
WORDS = (
    "we could move the release to Thursday if the build is green by noon and nobody minds the late review "
    "of the parser change which still waits for one more pair of eyes"
).split()


def text(number):
    """Message number so and so: about 60 characters, every seventh longer. The same texts for every program."""
    count = 8 + number * 7 % 6 + (25 if number % 7 == 0 else 0)
    return f"{number} " + " ".join(WORDS[(number * 3 + index) % len(WORDS)] for index in range(count))


def message(channel, number, words):
    return f":{NICKS[number % len(NICKS)]}!u@host PRIVMSG #{channel} :{words}\r\n".encode()


class Client:
    def __init__(self, connection):
        self.connection, self.nick, self.known, self.negotiates = connection, None, False, False

    def say(self, line):
        self.connection.sendall(f"{line}\r\n".encode())

    def hear(self, line):
        command, *words = line.split(" ")
        match command.upper():
            case "CAP" if words and words[0].upper() == "LS":
                self.negotiates = True
                self.say(":srv CAP * LS :")
            case "CAP" if words and words[0].upper() == "END":
                self.negotiates = False
            case "NICK":
                self.nick = words[0].lstrip(":")
            case "USER":
                self.known = True
            case "PING":
                self.say(f":srv PONG srv {' '.join(words)}")
            case "MODE" if len(words) == 1:
                self.say(f":srv 324 {self.nick} {words[0]} +nt")
            case "WHO":
                self.say(f":srv 315 {self.nick} {words[0] if words else '*'} :End of WHO")
        if self.known and self.nick and not self.negotiates:
            self.known = False
            self.welcome()

    def welcome(self):
        self.say(f":srv 001 {self.nick} :Welcome")
        self.say(f":srv 004 {self.nick} srv 1 iowx ntk")
        self.say(f":srv 005 {self.nick} CHANTYPES=# PREFIX=(ov)@+ NETWORK=bench :are supported")
        self.say(f":srv 422 {self.nick} :no motd")
        for channel in CHANNELS:
            self.say(f":{self.nick}!u@host JOIN #{channel}")
            self.say(f":srv 332 {self.nick} #{channel} :topic of {channel}")
            self.say(f":srv 353 {self.nick} = #{channel} :{self.nick} {' '.join(NICKS)}")
            self.say(f":srv 366 {self.nick} #{channel} :End of NAMES")


def obey(current):
    for line in sys.stdin:
        _, channel, count, last = line.split()
        lines = [message(channel, number, text(number)) for number in range(int(count) - 1)]
        data = b"".join(lines) + message(channel, 0, last)
        print(time.monotonic(), flush=True)
        current[0].connection.sendall(data)
    os._exit(0)


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    current = [None]
    threading.Thread(target=obey, args=(current,), daemon=True).start()
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        current[0] = Client(connection)
        try:
            for line in connection.makefile("r", encoding="utf-8", errors="replace", newline="\n"):
                current[0].hear(line.rstrip("\r\n"))
        except OSError:
            pass


if __name__ == "__main__":
    main()
